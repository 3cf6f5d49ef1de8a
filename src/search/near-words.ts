import { distance } from 'fastest-levenshtein';
import type { QueryTerm } from './query-term.ts';
import { wordOfStem, wordStem } from './words.ts';

/** Letters that a word must share with a near one at the start, and length of the shortest word that has near ones. */
export const NEAR_PREFIX = 2;
export const SHORTEST_NEAR_WORD = 4;
/** Length from which on two letters may differ instead of one. */
const TWO_ERRORS_FROM = 8;
/** Length from which on a letter may differ at all in a query that has known words: most shorter words have a neighbour
 * that is another word (slow and slo, host and hot). Range 5 to 7. */
const ONE_ERROR_BESIDE_KNOWN = 6;
/** Letters of the shortest word of which one of the first letters may be wrong. Range 4 to 7. */
const SHORTEST_WITH_OTHER_START = 5;
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

/** How likely it is that a word was meant, by how it differs from what was typed. Each is a factor for the number of
 * items that have the word (a noisy channel; Kernighan, Church and Gale, 1990). Range 0 to 1. */
export const LIKELINESS = {
  /** Two neighbouring letters are swapped, the commonest typo, or one letter differs. */
  word: 1,
  /** One letter of the stem of the typed word, or of its ending, differs. */
  stem: 0.3,
  /** One of the first `NEAR_PREFIX` letters is missing, one too many, or swapped with the next. */
  start: 0.3,
  /** One letter differs without an ending, or two do. */
  base: 0.1,
  /** Two letters differ without an ending. */
  far: 0.03,
} as const;

/** Returns a function for words of the index, which are stems: how likely it is that such a word was meant by an unknown
 * word of a query; 0 if it cannot be a typo for it. It can if the word differs from the stem of the unknown one by one or
 * two letters, or by two swapped neighbours. A long word, or any if no word of the query is known, is also compared
 * without its ending: a typo can keep the stemmer from removing it (prodxction is no product). A letter of the ending
 * itself may be wrong, missing or one too many where the rest is right (paginaton). */
export function likeliness(
  { term, forms }: Pick<QueryTerm, 'term' | 'forms'>,
  { isNothingKnown }: { readonly isNothingKnown: boolean },
): (word: string) => number {
  const typed = forms[0] ?? term;
  const swaps = swapped(typed);
  if (/^\d+$/.test(typed)) return (word) => (swaps.has(word) ? LIKELINESS.word : 0); // another number is no typo
  const mayEnd = isNothingKnown || typed.length >= TWO_ERRORS_FROM;
  const endings = mayEnd ? ENDINGS.filter((ending) => typed.endsWith(ending)) : [];
  const bases = endings
    .map((ending) => ({ base: typed.slice(0, -ending.length), ending }))
    .filter(({ base }) => base.length >= SHORTEST_BASE);
  const mayDiffer = isNothingKnown || typed.length >= ONE_ERROR_BESIDE_KNOWN;
  // where nothing is known, texts are scanned for the words that begin like the query (ops/scan-scope.ts)
  const repaired = mayDiffer ? repairedEndings(typed, !isNothingKnown) : new Set();
  const byStem = (word: string): number => {
    const differences = term.length >= SHORTEST_NEAR_WORD ? differsBy(word, term) : undefined;
    if (repaired.has(word) || differences === 1) return LIKELINESS.stem;
    const without = bases.map(({ base, ending }) => ({ ending, letters: differsBy(word, base) }));
    const near = without.filter(({ letters }) => letters === 1);
    if (near.some(({ ending }) => wordStem(word + ending) === word)) return LIKELINESS.word;
    if (differences === 2 || near.length > 0) return LIKELINESS.base;
    return without.some(({ letters }) => letters === 2) ? LIKELINESS.far : 0;
  };
  return (word) => {
    if (swaps.has(word)) return LIKELINESS.word;
    if (!mayDiffer) return 0;
    const likely = byStem(word);
    return likely > 0 && differsBy(wordOfStem(word), typed) === 1 ? LIKELINESS.word : likely;
  };
}

/** By how many letters a word differs from a base: 1 or 2, or undefined if by more than may be a typo. */
function differsBy(word: string, base: string): number | undefined {
  const most = base.length < TWO_ERRORS_FROM ? 1 : 2;
  if (Math.abs(word.length - base.length) > most) return undefined;
  const letters = distance(word, base);
  return letters <= most ? letters : undefined;
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

/** The stems, as in the index, of a word with two neighbouring letters swapped; the first `NEAR_PREFIX` letters
 * stay. */
function swapped(word: string): Set<string> {
  const found = new Set<string>();
  for (let at = NEAR_PREFIX; at + 1 < word.length; at += 1)
    found.add(wordStem(`${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`));
  return found;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns the words that an unknown word may be if one of its first `NEAR_PREFIX` letters is missing, one too many, or
 * swapped with the next: pthon, dcker, tmieout. Others would take as many lookups again, and are rarer. */
export function withOtherStart({ term, forms: [typed = term] }: Pick<QueryTerm, 'term' | 'forms'>): string[] {
  if (!/^[a-z]+$/.test(typed) || typed.length < SHORTEST_WITH_OTHER_START) return [];
  const found: string[] = [];
  for (let at = 0; at < NEAR_PREFIX; at += 1) {
    const [before, letter, behind] = [typed.slice(0, at), typed.charAt(at), typed.slice(at + 1)];
    found.push(before + behind.charAt(0) + letter + behind.slice(1), before + behind);
    for (const other of LETTERS) found.push(before + other + letter + behind);
  }
  return [...new Set(found)].filter((word) => word !== typed);
}
