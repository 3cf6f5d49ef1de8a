import { hasHan } from './scripts.ts';
import { LATIN_IN_MIXED_WEIGHT } from './score.ts';
import type { Query } from './query.ts';

/** What a Han word of a query that a text has contributes to its score in all, relative to 1 for an English word: it
 * counts by its pairs and characters too, which are in more texts. Range 1 to 2.2. */
const HAN_WORD = 1.6;
/** The same for a single character, which texts mostly have inside a word: it counts as a character only. */
const HAN_CHARACTER = 0.6;
/** Most words of a query that is judged: of a pasted error, an item that answers it has a few. Range 8 to 30. */
const MOST_WORDS = 12;

/** A best match whose coverage is below this is weak. Range 0.2 to 0.5: at 0.4 it is said of 13 to 85 % of the queries that
 * no note answers, and of 0 to 5 % of those whose note is first (docs/ranking.md, *Weak matches*); at 0.5, before the
 * other conditions, of up to 87 and 11 %. */
export const WEAK_COVERAGE = 0.4;

/** Returns the lexical score of a text relative to what the words of the query weigh: about 1 for a text that has each
 * of them once, and more for one with phrases and repetitions. `idfOf` is that of a term. Undefined if the query has no
 * word but single Han characters, whose frequencies are only estimated, or very many. */
export function coverage(
  query: Pick<Query, 'wanted' | 'hasHan'>,
  lexical: number,
  idfOf: (term: string) => number,
): number | undefined {
  if (query.wanted.length > MOST_WORDS || query.wanted.every(isCharacter)) return undefined;
  let weight = 0;
  for (const ways of query.wanted) {
    const weights = ways.map((way) => way.reduce((sum, term) => sum + idfOf(term), 0) / Math.max(1, way.length));
    const [word = ''] = ways[0] ?? [];
    const ofHan = isCharacter(ways) ? HAN_CHARACTER : HAN_WORD;
    weight += Math.max(0, ...weights) * (hasHan(word) ? ofHan : query.hasHan ? LATIN_IN_MIXED_WEIGHT : 1);
  }
  return weight === 0 ? undefined : lexical / weight;
}

/** True for a word of the query that is a single Han character. */
function isCharacter(ways: Query['wanted'][number]): boolean {
  const [word = ''] = ways[0] ?? [];
  return word.length === 1 && hasHan(word);
}
