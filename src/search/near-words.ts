import { distance } from 'fastest-levenshtein';
import type { QueryTerm } from './query.ts';
import { wordStem } from './words.ts';

/** Letters with which a word must begin like a near one, and the shortest word that has near ones. */
export const NEAR_PREFIX = 2;
export const SHORTEST_NEAR_WORD = 4;
/** From this length on two letters may differ, below it one. */
const TWO_ERRORS_FROM = 8;
/** Letters from which on a letter may differ at all beside words that are known: most words that short have a neighbour
 * that is another word (slow and slo, host and hot). Range 5 to 7. */
const ONE_ERROR_BESIDE_KNOWN = 6;
/** Endings that a stemmer takes where the letters before them are right. */
const ENDINGS =
  's es ed ing ings ion ions ation ations ment ments er ers or ors able al ly ity ities ies ive ness'.split(' ');

/** Tells whether a word of the index, which is a stem, may be what was meant by an unknown word of a query: where a
 * letter or two differ from the stem of that word, or two neighbours have changed places, the commonest slip of the
 * fingers. Where no word of the query is known, also where they differ from what the word is without an ending: a slip
 * keeps the stemmer from taking it (prodxction is no product). */
export function likeness(
  { term, forms }: Pick<QueryTerm, 'term' | 'forms'>,
  { isNothingKnown }: { readonly isNothingKnown: boolean },
): (word: string) => boolean {
  const typed = forms[0] ?? term;
  const swaps = swapped(typed);
  const endings = isNothingKnown ? ENDINGS.filter((ending) => typed.endsWith(ending)) : [];
  const bases = endings.map((ending) => typed.slice(0, -ending.length));
  const sought = [...new Set([term, ...bases])].filter((base) => base.length >= SHORTEST_NEAR_WORD);
  const mayDiffer = isNothingKnown || typed.length >= ONE_ERROR_BESIDE_KNOWN;
  return (word) => swaps.has(word) || (mayDiffer && sought.some((base) => isWithin(word, base)));
}

function isWithin(word: string, base: string): boolean {
  const most = base.length < TWO_ERRORS_FROM ? 1 : 2;
  return Math.abs(word.length - base.length) <= most && distance(word, base) <= most;
}

/** What a word would be, as the index has it, if two of its neighbouring letters had changed places. */
function swapped(word: string): Set<string> {
  const found = new Set<string>();
  for (let at = NEAR_PREFIX; at + 1 < word.length; at += 1)
    found.add(wordStem(`${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`));
  return found;
}
