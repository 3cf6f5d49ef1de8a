import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGREEMENT, agreement, type Agreeing } from '../../src/search/agreement.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { lexicalScores } from '../../src/search/score.ts';
import { createTokenizer } from '../../src/search/tokenizer.ts';

const word = fc.constantFrom('缓存', '数据库', '索引', 'redis', 'cluster', 'the', '名', 'é', '🟥', '');
const beginning = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary' }),
);
/** Matches as in a search: best first, scores above 0. */
const matches = fc
  .array(fc.record({ beginning, score: fc.double({ min: 0.01, max: 100, noNaN: true }) }), { maxLength: 8 })
  .map((all): Agreeing[] => all.toSorted((a, b) => b.score - a.score));

describe('agreement', () => {
  test.each([
    ['English', 'redis cluster slots move', 'redis cluster slots and gossip', 'banana bread and cake', 'cluster slots'],
    ['Chinese', '数据库索引重建很慢', '数据库索引的重建', '香蕉面包的做法', '索引重建'],
  ])('raises texts that resemble the best matches: %s', (_language, first, second, other, similar) => {
    const gains = agreement([first, second, other, similar].map((text) => ({ beginning: text, score: 1 })));
    expect(gains[3]).toBeGreaterThan((gains[2] ?? 0) + 0.05);
    expect(gains[2]).toBe(0);
  });
  test('is zero if only the models themselves were found', () => {
    expect(agreement([])).toEqual([]);
    expect(agreement(['a b', 'a b'].map((text) => ({ beginning: text, score: 1 })))).toEqual([0, 0]);
  });
  test('adds between 0 and its weight times the best score, and never ranks the second before the first', () => {
    fc.assert(
      fc.property(matches, (all) => {
        const gains = agreement(all);
        const best = all[0]?.score ?? 0;
        expect(gains).toHaveLength(all.length);
        for (const gain of gains) {
          expect(gain).toBeGreaterThanOrEqual(0);
          expect(gain).toBeLessThanOrEqual(AGREEMENT.weight * best * (1 + 1e-9));
        }
        expect((gains[1] ?? 0) - (gains[0] ?? 0)).toBeLessThanOrEqual(1e-9 * best);
      }),
      { numRuns: 1000 },
    );
  });
  test('scores do not depend on the order of the candidates, equal ones included', () => {
    const query = analyseQuery(
      createTokenizer(() => undefined),
      'redis cluster',
    );
    const texts = fc.array(
      fc.array(fc.constantFrom('redis', 'cluster', 'cache', 'slot', 'node'), { minLength: 1, maxLength: 5 }),
      {
        minLength: 3,
        maxLength: 8,
      },
    );
    const scoresOf = (contents: readonly string[]): Map<string, number> => {
      const candidates = contents.map((content) => ({ key: '', tags: '', source: '', content, length: 5 }));
      const statistics = { count: 10, averageLength: 5, documentFrequency: () => 3 };
      const scores = lexicalScores(query, candidates, statistics);
      return new Map(contents.map((content, at) => [content, scores[at]?.score ?? Number.NaN]));
    };
    fc.assert(
      fc.property(
        texts.chain((all) => {
          const contents = all.map((words) => words.join(' '));
          return fc.tuple(fc.constant(contents), fc.shuffledSubarray(contents, { minLength: contents.length }));
        }),
        ([contents, shuffled]) => {
          const expected = scoresOf(contents);
          for (const [content, score] of scoresOf(shuffled))
            expect(score).toBeCloseTo(expected.get(content) ?? Number.NaN, 9);
        },
      ),
      { numRuns: 500 },
    );
  });
});
