import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byRank, relevance } from '../../src/search/rank.ts';
import { jaccard, recommendation } from '../../src/search/recommend.ts';
import { confidence, time, type } from '../helpers/arbitraries.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY = 86_400_000;
const ago = (days: number): string => new Date(NOW - days * DAY).toISOString();
const fields = fc.record({
  type,
  updated_at: fc.oneof(time, fc.constantFrom('garbage', '')),
  confidence_level: confidence,
  weight: fc.double({ min: 0, max: 10, noNaN: true }),
}) as fc.Arbitrary<Parameters<typeof relevance>[1]>;

describe('relevance', () => {
  test('an item with 1.5 times the lexical score is never overtaken by age, confidence and weight', () => {
    fc.assert(
      fc.property(fields, fields, fc.double({ min: 1e-9, max: 1e3, noNaN: true }), (better, other, lexical) => {
        expect(relevance(lexical * 1.5, better, NOW).score).toBeGreaterThan(relevance(lexical, other, NOW).score);
      }),
      { numRuns: 1000 },
    );
  });
  test('the product of the parts is the score', () => {
    fc.assert(
      fc.property(fields, fc.double({ min: 0, max: 1e3, noNaN: true }), (item, lexical) => {
        const { score, ...parts } = relevance(lexical, item, NOW);
        expect(parts.lexical * parts.prior).toBe(score);
        expect(parts.prior).toBeCloseTo(1 + 0.3 * parts.mixed + 0.1 * (parts.weight / (parts.weight + 1)), 12);
      }),
    );
  });
  test.each([
    ['fresher', { updated_at: ago(0) }, { updated_at: ago(30) }],
    ['surer', { confidence_level: 'high' }, { confidence_level: 'low' }],
    ['heavier', { weight: 2 }, { weight: 1 }],
  ] as const)('the %s of two equally relevant items ranks first', (_what, first, second) => {
    const base = { type: 'run', updated_at: ago(1), confidence_level: 'medium', weight: 1 } as const;
    expect(relevance(1, { ...base, ...first }, NOW).prior).toBeGreaterThan(
      relevance(1, { ...base, ...second }, NOW).prior,
    );
  });
});

test('byRank is a total order: sorting any permutation gives the same list', () => {
  const hit = fc.record({
    score: fc.constantFrom(0, 0.5, 1),
    updated_at: fc.constantFrom('', 'garbage', ago(1), ago(2)),
    id: fc.string({ maxLength: 2 }),
  });
  fc.assert(
    fc.property(
      fc
        .uniqueArray(hit, { selector: ({ id }) => id })
        .chain((hits) => fc.tuple(fc.constant(hits), fc.shuffledSubarray(hits, { minLength: hits.length }))),
      ([hits, shuffled]) => {
        expect(shuffled.toSorted(byRank)).toEqual(hits.toSorted(byRank));
      },
    ),
  );
  const broken = { score: 1, updated_at: 'garbage', id: 'a' };
  expect([broken, { score: 1, updated_at: ago(9999), id: 'b' }].toSorted(byRank).at(-1)).toBe(broken);
});

describe('recommend', () => {
  test.each([
    [['a', 'b'], ['b', 'c'], 1 / 3],
    [['a'], ['a'], 1],
    [['a'], ['b'], 0],
    [[], [], 0],
  ])('jaccard of %j and %j is %d', (a, b, expected) => {
    expect(jaccard(new Set(a), new Set(b))).toBeCloseTo(expected, 12);
  });
  test.each([
    // (0.5 · relevance + 0.3 · confidence + 0.2 · recency) · weight, by hand
    [
      { type: 'run', updated_at: ago(14), confidence_level: 'high', weight: 1 },
      0.5,
      0.65,
      ['context_match', 'high_confidence'],
    ],
    [
      { type: 'feature', updated_at: ago(0), confidence_level: 'medium', weight: 2 },
      0.29,
      1.05,
      ['recent', 'high_weight'],
    ],
    [{ type: 'project', updated_at: ago(1095), confidence_level: 'low', weight: 1 }, 0, 0.115, []],
    [{ type: 'run', updated_at: 'garbage', confidence_level: 'low', weight: 1 }, 1, 0.59, ['context_match']],
    [{ type: 'run', updated_at: 'garbage', confidence_level: 'low', weight: 0 }, 0.3, 0, ['context_match']],
  ] as const)('%j with relevance %d scores %d', (item, overlap, score, reasons) => {
    const result = recommendation(item, overlap, NOW);
    expect(result.score).toBeCloseTo(score, 12);
    expect(result.reasons).toEqual(reasons);
  });
});
