import { hasHan } from './scripts.ts';
import { LATIN_IN_MIXED_WEIGHT } from './score.ts';
import type { Query } from './query.ts';

/** What a Han word of a query that a text has contributes to its score in all, relative to 1 for an English word: it
 * counts by its pairs and characters too, which are in more texts. Range 1 to 2.2. */
const HAN_WORD = 1.6;

/** A best match whose coverage is below this is weak. Range 0.2 to 0.5: at 0.3 it is said of 6 to 60 % of the queries that
 * no note answers, at 0.4 of 14 to 78 %, at 0.5 of 27 to 87 %, and of 0 to 1, 6, 11 % of those in Chinese whose note is
 * first but in English (docs/ranking.md, *Weak matches*). */
export const WEAK_COVERAGE = 0.4;

/** Returns the lexical score of a text relative to what the words of the query weigh: about 1 for a text that has each
 * of them once, and more for one with phrases and repetitions. `idfOf` is that of a term. `undefined` if the query has no
 * word. */
export function coverage(
  query: Pick<Query, 'wanted' | 'hasHan'>,
  lexical: number,
  idfOf: (term: string) => number,
): number | undefined {
  let weight = 0;
  for (const ways of query.wanted) {
    const weights = ways.map((way) => way.reduce((sum, term) => sum + idfOf(term), 0) / Math.max(1, way.length));
    const isHan = ways[0]?.some(hasHan) === true;
    weight += Math.max(0, ...weights) * (isHan ? HAN_WORD : query.hasHan ? LATIN_IN_MIXED_WEIGHT : 1);
  }
  return weight === 0 ? undefined : lexical / weight;
}
