import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGREEMENT, agreement, comparedMatches, type Agreeing } from '../../src/search/agreement.ts';
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
    ['kana', 'オフラインの同期', 'オフライン', '別のもの', 'オンライン'],
  ])('raises texts that resemble the best matches: %s', (_language, first, second, other, similar) => {
    const gains = agreement([first, second, other, similar].map((text) => ({ beginning: text, score: 1 })));
    expect(gains[3]).toBeGreaterThan((gains[2] ?? 0) + 0.05);
    expect(gains[2]).toBe(0);
  });
  test.each([
    ['stop words', 'to be from these'],
    ['short words', 'ab cd ef'],
    ['pictographs', '🟥 🟦 ❤️'],
    ['punctuation', '。，--'],
  ])('does not count %s', (_what, text) => {
    const gains = agreement([text, 'other', text].map((one) => ({ beginning: one, score: 1 })));
    expect(gains[2]).toBe(0);
  });
  test('compares the words that the best matches repeat, before those that they have once', () => {
    const letters = Array.from('bcdfghjklm', (one) => one.repeat(3));
    const words = letters.flatMap((one) => letters.map((other) => `${one}${other}`));
    const [first, last] = [words[0] ?? '', words.at(-1) ?? ''];
    const gains = (text: string): (number | undefined)[] =>
      agreement([text, 'none', first, last].map((one) => ({ beginning: one, score: 1 }))).slice(2);
    expect(gains(words.join(' '))).toEqual([expect.any(Number), 0]);
    expect(gains(words.join(' '))[0]).toBeGreaterThan(0);
    const repeated = gains(`${words.join(' ')} ${last}`);
    expect(repeated[1]).toBeGreaterThan(0);
  });
  test('is greater, the more the resembled match scores', () => {
    const gain = (first: number, second: number): number =>
      agreement([
        { beginning: 'redis cluster', score: first },
        { beginning: 'banana bread', score: second },
        { beginning: 'redis cluster', score: second },
      ])[2] ?? 0;
    expect(gain(3, 1)).toBeGreaterThan(gain(1, 1));
    expect(gain(1, 1)).toBeCloseTo((AGREEMENT.weight * 1) / 2, 9);
    expect(gain(3, 1)).toBeCloseTo((AGREEMENT.weight * 3 * 3) / 4, 9);
  });
  test('is greater, the more of its words a match shares', () => {
    const [, , three = 0, one = 0, none] = agreement(
      ['redis cluster slots move', 'other', 'redis cluster slots', 'redis bread', 'bread'].map((text) => ({
        beginning: text,
        score: 1,
      })),
    );
    expect(three).toBeGreaterThan(1.2 * one);
    expect(one).toBeGreaterThan(0);
    expect(none).toBe(0);
  });
  test('is zero if nothing scores', () => {
    expect(agreement(['redis', 'redis', 'redis'].map((text) => ({ beginning: text, score: 0 })))).toEqual([0, 0, 0]);
  });
  test('compares the best 20 matches, and those that score nearly as much as the last of these', () => {
    const scores = [...Array.from({ length: 20 }, (_, at) => 30 - at), 10, 9.9, 9.8, 1];
    const compared = comparedMatches(scores.map((score) => ({ beginning: '', score })));
    expect(compared.map(({ score }) => score)).toEqual(scores.slice(0, 22));
    expect(comparedMatches(compared.slice(0, 3))).toHaveLength(3);
    expect(comparedMatches([])).toEqual([]);
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
