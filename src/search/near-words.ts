import { distance } from 'fastest-levenshtein';
import type { QueryTerm } from './query-term.ts';
import { wordStem } from './words.ts';

/** Letters that a word must share with a near one at the start, and length of the shortest word that has near ones. */
export const NEAR_PREFIX = 2;
export const SHORTEST_NEAR_WORD = 4;
/** Length from which on two letters may differ instead of one. */
const TWO_ERRORS_FROM = 8;
/** Length from which on a letter may differ at all in a query that has known words: most shorter words have a neighbour
 * that is another word (slow and slo, host and hot). Range 5 to 7. */
const ONE_ERROR_BESIDE_KNOWN = 6;
/** Letters of the shortest ending in which a letter may be wrong. Range 3 to 5. */
const SHORTEST_WRONG_ENDING = 3;
/** Letters of the shortest word without its ending in which a letter may be wrong: crit of critical is near crib. Range 4
 * to 6; of 1,771 words of one set of texts that another lacks, 501 have near words in it at 5, and 573 at 4. */
const SHORTEST_BASE = 5;
/** Endings that a stemmer removes if the letters before them are correct, alone and after each other. Source: steps 1 to
 * 4 of Porter, An algorithm for suffix stripping, 1980. */
const ENDINGS = (
  's es y ies ed ing ings e er ers or ors ion ions ation ations ization izations ate ates ated ating ative ator ators ' +
  'able ible ably ibly ability abilities ibility ibilities al ally ial ially ality alities ic ical ically icity ' +
  'ance ances ancy ence ences ency encies ant ants ent ents antly ently ment ments ement ements ' +
  'ive ives ively ivity ivities ous ously ousness ful fully fulness less ly ness nesses ism isms ist ists ity ities ' +
  'ise ises ised ising iser ize izes ized izing izer ify ifies ified icate icates icated ication ications'
).split(' ');

/** Returns a predicate for words of the index, which are stems: whether an unknown word of a query may be a typo for
 * such a word. It may if the word differs from the stem of the unknown one by one or two letters, or by two swapped
 * neighbours, the commonest typo. A long word, or any if no word of the query is known, is also compared without its
 * ending: a typo can keep the stemmer from removing it (prodxction is no product). A letter of the ending itself may be
 * wrong, missing or one too many where the rest is right (paginaton). */
export function likeness(
  { term, forms }: Pick<QueryTerm, 'term' | 'forms'>,
  { isNothingKnown }: { readonly isNothingKnown: boolean },
): (word: string) => boolean {
  const typed = forms[0] ?? term;
  const swaps = swapped(typed);
  if (/^\d+$/.test(typed)) return (word) => swaps.has(word); // another number is no typo
  const mayEnd = isNothingKnown || typed.length >= TWO_ERRORS_FROM;
  const endings = mayEnd ? ENDINGS.filter((ending) => typed.endsWith(ending)) : [];
  const bases = endings.map((ending) => typed.slice(0, -ending.length)).filter((base) => base.length >= SHORTEST_BASE);
  const sought = [...new Set([term, ...bases])].filter((base) => base.length >= SHORTEST_NEAR_WORD);
  const mayDiffer = isNothingKnown || typed.length >= ONE_ERROR_BESIDE_KNOWN;
  // where nothing is known, texts are scanned for the words that begin like the query (ops/beyond-index.ts)
  const repaired = mayDiffer ? repairedEndings(typed, !isNothingKnown) : new Set();
  return (word) => swaps.has(word) || repaired.has(word) || (mayDiffer && sought.some((base) => isWithin(word, base)));
}

/** The stems of a word with an ending in place of letters that differ from it by one; `mayContinue` if only the last
 * letter may be missing. */
function repairedEndings(word: string, mayContinue: boolean): Set<string> {
  const found = new Set<string>();
  for (const ending of ENDINGS) {
    if (ending.length < SHORTEST_WRONG_ENDING) continue;
    for (let letters = ending.length - 1; letters <= ending.length + 1; letters += 1) {
      const base = word.slice(0, -letters);
      if (base.length < SHORTEST_NEAR_WORD || distance(word.slice(-letters), ending) !== 1) continue;
      const repaired = base + ending;
      if (!mayContinue && repaired.startsWith(word)) continue;
      const stem = wordStem(repaired);
      if (stem.length >= SHORTEST_NEAR_WORD) found.add(stem);
    }
  }
  return found;
}

function isWithin(word: string, base: string): boolean {
  const most = base.length < TWO_ERRORS_FROM ? 1 : 2;
  return Math.abs(word.length - base.length) <= most && distance(word, base) <= most;
}

/** The stems, as in the index, of a word with two neighbouring letters swapped; the first `NEAR_PREFIX` letters
 * stay. */
function swapped(word: string): Set<string> {
  const found = new Set<string>();
  for (let at = NEAR_PREFIX; at + 1 < word.length; at += 1)
    found.add(wordStem(`${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`));
  return found;
}
