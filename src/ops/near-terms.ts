import { otherStems } from '../search/irregular-forms.ts';
import { likeness, NEAR_PREFIX, SHORTEST_NEAR_WORD } from '../search/near-words.ts';
import { queryTerm, type QueryTerm } from '../search/query-term.ts';
import { normalForm, wordOfStem } from '../search/words.ts';
import type { Context } from './context.ts';

/** Near words are searched for when at most this many terms of the query are known: exact terms then find little. */
const FEW_KNOWN_TERMS = 3;
/** Share of all items from which the rarest known word counts as common: near words are then searched for, however many
 * words are known. Range 0.02 to 0.2. */
const COMMON_SHARE = 0.05;
/** Most words of the vocabulary with one prefix that are compared with an unknown word. */
const COMPARED_WORDS = 5000;

/** Returns the words of the index that unknown, possibly mistyped words may stand for; none when enough is known
 * without them. `frequencies` are those of all terms of the query, 0 for unknown ones. */
export function nearTerms(
  context: Context,
  frequencies: readonly number[],
  unknown: readonly QueryTerm[],
): QueryTerm[] {
  const known = frequencies.length - unknown.length;
  const rarest = Math.min(...frequencies.filter((frequency) => frequency > 0));
  const isLittle = known <= FEW_KNOWN_TERMS || rarest >= COMMON_SHARE * context.store.indexStatistics().count;
  const isNothingKnown = known === 0;
  return isLittle ? unknown.flatMap((term) => nearWords(context, term, isNothingKnown)) : [];
}

/** Returns the words of the index that differ from an unknown Latin word by a letter or two. */
function nearWords(context: Context, term: QueryTerm, isNothingKnown: boolean): QueryTerm[] {
  if (term.kind !== 'word' || term.term.length < SHORTEST_NEAR_WORD) return [];
  const stems = comparedWords(context, term.term).filter(likeness(term, { isNothingKnown }));
  return [...new Set(stems.map(wordOfStem).map(normalForm))].map((near) => ({
    ...queryTerm(near, 'word', [near, ...otherStems(near)].map(wordOfStem)),
    isNear: true,
  }));
}

/** Returns words of the index that begin like a word: with the same two letters; if these are too many to read, then
 * also those with the same three, and so on, since a typo may be anywhere behind. */
function comparedWords({ store }: Context, word: string): string[] {
  const found: string[] = [];
  for (let letters = NEAR_PREFIX; letters < word.length; letters += 1) {
    const words = store.vocabulary(word.slice(0, letters), COMPARED_WORDS);
    found.push(...words);
    if (words.length < COMPARED_WORDS) break;
  }
  return found;
}
