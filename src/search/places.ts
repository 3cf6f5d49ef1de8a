import { isEscapeLetter } from './escapes.ts';
import { isWordUnit, LONGEST_RUN } from './scripts.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { normalise } from './tokenizer.ts';
import type { Variants } from './variants.ts';
import { beginningOf, normalForm, prefixesOf, wordStem } from './words.ts';

/** A text to search for words. Both forms have the same length. */
export interface FoldedText {
  /** Normalised; case is kept, since it marks the parts of an identifier. */
  readonly normal: string;
  readonly lower: string;
}

/** Letters that the stemmer removes from a word at most: izations. Range 8 to 20. */
const LONGEST_ENDING = 10;

/** Returns a text, folded, with every form of a query's Han characters as the Simplified one. */
export function foldText(text: string, variants: Variants): FoldedText {
  return foldNormal(normalise(text), variants);
}

/** The same for a text that is normalised already. */
export function foldNormal(normalText: string, variants: Variants): FoldedText {
  return lowered(variants.fold(normalText));
}

/** The same for a text that is folded, but without a query. */
export function foldVariants(text: FoldedText, variants: Variants): FoldedText {
  const normal = variants.fold(text.normal);
  return normal === text.normal ? text : lowered(normal);
}

/** Returns both forms of a normalised text. The offsets agree: no letter becomes longer, since İ, the only one that
 * would, is normalised to I. */
export function lowered(normal: string): FoldedText {
  return { normal, lower: normal.toLowerCase() };
}

/** Returns how often a piece occurs in a text, without overlaps. */
export function occurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) count += 1;
  return count;
}

/** The offsets of a word that does not occur. */
export const NOWHERE: readonly number[] = [];

/** Finds the offsets of one word in texts. */
export interface WordFinder {
  /** The normal form of the word. */
  readonly term: string;
  /** Returns the offsets, ascending, of the words and parts of identifiers with this normal form. */
  places(text: FoldedText): readonly number[];
}

/** Returns a finder of words that have the normal form `term` and begin like one of `forms`; with `isPrefix`, also of
 * all that begin like the first of them (`prefixesOf`). Words are found by the letters that they share, since segmenting
 * every word of a long text costs more than the rest of a search. */
export function wordFinder(term: string, forms: readonly string[], isPrefix = false): WordFinder {
  const shared = [...new Set(forms.map((form) => beginningOf(wordStem(form))))];
  const prefixes = isPrefix ? prefixesOf(forms[0] ?? term, term) : [];
  const longest = LONGEST_ENDING + Math.max(term.length, ...forms.map((form) => form.length));
  const verdicts = new Map(forms.map((form) => [form, true])); // texts repeat their words
  const isForm = (word: string): boolean => {
    let verdict = verdicts.get(word);
    if (verdict === undefined) {
      verdict = isInflection(word, term) || prefixes.some((prefix) => word.startsWith(prefix));
      verdicts.set(word, verdict);
    }
    return verdict;
  };
  return {
    term,
    places(text) {
      let found: number[] | undefined;
      for (let index = 0; index < shared.length; index += 1) {
        const start = shared[index] ?? '';
        for (let at = text.lower.indexOf(start); at >= 0; at = text.lower.indexOf(start, at + 1)) {
          if (isWordStart(text.normal, at) && hasForm(text, at, longest, isForm)) (found ??= []).push(at);
        }
      }
      if (found === undefined) return NOWHERE;
      // two shared prefixes may lead to the same word
      return shared.length > 1 && found.length > 1 ? [...new Set(found)].toSorted((a, b) => a - b) : found;
    },
  };
}

/** True for a form of a word. A stop word is none of another: Porter's stem of one is on. */
function isInflection(word: string, term: string): boolean {
  return normalForm(word) === term && !ENGLISH_STOP_WORDS.has(word);
}

/** True for one word up to the next, which may be a part of the same identifier. The pattern stays in here: its classes
 * take a third of a millisecond to read, and most searches do without. */
function isUpToNext(text: string): boolean {
  return /^(?:\p{Lu}+|\p{L}\p{Ll}*)[^\p{L}\p{N}]*$/u.test(text);
}

/** Returns a function for the places, start and end, of words side by side, each found like a word of the index: those
 * of "edge case" in edge-cases and edgeCase. `several` are English words, separated by spaces. */
export function rowFinder(several: string): (text: FoldedText) => { start: number; end: number }[] {
  const [first, ...others] = several.split(' ').map((word) => wordFinder(normalForm(word), [word]));
  return (text) => {
    let rows = (first?.places(text) ?? NOWHERE).map((start) => ({ start, last: start }));
    for (const finder of others) {
      if (rows.length === 0) return [];
      const places = finder.places(text);
      let at = 0;
      rows = rows.flatMap(({ start, last }) => {
        while ((places[at] ?? Number.POSITIVE_INFINITY) <= last) at += 1;
        const next = places[at];
        return next !== undefined && isUpToNext(text.normal.slice(last, next)) ? [{ start, last: next }] : [];
      });
    }
    return rows.map(({ start, last }) => ({ start, end: wordEnd(text.normal, last) }));
  };
}

/** True when the word at an offset has the form, as a whole or as a part of an identifier of at most `longest`
 * letters. */
function hasForm(text: FoldedText, at: number, longest: number, isForm: (word: string) => boolean): boolean {
  const whole = wordEnd(text.normal, at);
  if (isForm(text.lower.slice(at, whole))) return true;
  const last = Math.min(whole - 1, at + longest);
  for (let end = at + 1; end <= last; end += 1) {
    if (isBoundary(text.normal, end) && isForm(text.lower.slice(at, end))) return true;
  }
  return false;
}

/** Returns the start of the word that an offset is in: of the whole word, not of a part. */
export function wholeWordStart(text: string, at: number): number {
  let start = at;
  while (at - start < LONGEST_RUN && isLetter(text, start - 1) && !isEscapeLetter(text, start - 1)) start -= 1;
  return start;
}

/** Returns the end (exclusive) of the word that an offset is in. */
export function wordEnd(text: string, at: number): number {
  let end = at + 1;
  while (end - at < LONGEST_RUN && isLetter(text, end)) end += 1;
  return end;
}

type Letter = 'lower' | 'upper' | 'digit' | 'other' | 'none';

/** The kind of character at an offset, as far as it matters for splitting words. */
function letterAt(text: string, at: number): Letter {
  const code = text.charCodeAt(at);
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return code >= 0x80 && isWordUnit(code) ? 'other' : 'none';
}

/** Returns true for a letter or digit of a script that separates words by spaces. */
export function isLetter(text: string, at: number): boolean {
  return letterAt(text, at) !== 'none';
}

/** True where a word or a part of an identifier begins, or what may be a word behind an escape. The T and the Z of a time
 * are no parts. */
function isWordStart(text: string, at: number): boolean {
  return (isBoundary(text, at) && !isTimeSign(text, at)) || (isEscapeLetter(text, at - 1) && isLetter(text, at));
}

/** True where a word begins or words.ts splits it. */
function isBoundary(text: string, at: number): boolean {
  const before = at === 0 ? 'none' : letterAt(text, at - 1);
  const here = letterAt(text, at);
  if (here === 'none') return false;
  if (before === 'none') return true;
  if (here === 'upper' && before === 'lower') return true;
  const isCapitalAfter = here === 'upper' && (before === 'upper' || before === 'digit');
  if (isCapitalAfter && letterAt(text, at + 1) === 'lower' && !isInAcronym(text, at)) return true;
  if ((before === 'digit') === (here === 'digit') || at < 2) return false;
  if (isTimeSign(text, at) || isTimeSign(text, at - 1)) return true;
  return isBetweenTwos(text, at);
}

/** True for the last capital of the plural of an acronym (the L of URLs) or of a name like IPv6. */
function isInAcronym(text: string, at: number): boolean {
  const after = letterAt(text, at + 2);
  if (text[at + 1] === 'v') return after === 'digit';
  if (text[at + 1] !== 's' || letterAt(text, at - 1) !== 'upper' || after === 'lower') return false;
  return (after !== 'upper' && after !== 'digit') || (text[at] !== 'I' && text[at] !== 'A');
}

/** True between ASCII letters and digits of which both sides have two. */
function isBetweenTwos(text: string, at: number): boolean {
  const [left, right] = [uncasedAt(text, at - 1), uncasedAt(text, at)];
  return left !== 'other' && right !== 'other' && uncasedAt(text, at - 2) === left && uncasedAt(text, at + 1) === right;
}

/** Like `letterAt`, but without case. */
function uncasedAt(text: string, at: number): Letter {
  const letter = letterAt(text, at);
  return letter === 'upper' ? 'lower' : letter;
}

/** True for the T and the Z of an ISO 8601 time: 2026-07-06T02:45:46Z. */
function isTimeSign(text: string, at: number): boolean {
  const sign = text[at];
  if ((sign !== 'T' && sign !== 'Z') || letterAt(text, at - 1) !== 'digit' || letterAt(text, at - 2) !== 'digit')
    return false;
  const after = letterAt(text, at + 1);
  return sign === 'Z' ? after === 'none' : after === 'digit' && letterAt(text, at + 2) === 'digit';
}
