import type { Segmenter } from './jieba/segmenter.ts';
import { runs, type Run } from './scripts.ts';
import { simplify, variantsOf, type Variants } from './variants.ts';
import { symbolNames, wordTerms } from './words.ts';

/** Version of the terms that this file makes, and of how the index holds them. A database that was indexed by another
 * version is rebuilt. */
const TOKENIZER_VERSION = 'jieba-8';

/** Cuts text into terms; the same for index and query. */
export interface Tokenizer {
  readonly version: string;
  /** False where the Chinese dictionary is missing from the installation. Asking reads it. */
  readonly hasDictionary: boolean;
  /** True once Han text has been cut without the dictionary: into every stretch of up to four characters, so that words
   * are found, though ranked worse. */
  readonly isProvisional: boolean;
  /** A text as its terms are cut from it: normalised (the case tells the parts of an identifier), Traditional
   * characters as Simplified ones. */
  normal(text: string): string;
  /** The forms in which texts may have the characters of a query. */
  variants(query: string): Variants;
  /** Terms in the order of the text, doubles kept. */
  terms(text: string): string[];
  /** What the index stores for a text. */
  indexText(text: string): IndexText;
}

interface IndexText {
  /** The terms with spaces between, or '' where FTS5's own tokenizer gives the same terms for the text itself. */
  readonly terms: string;
  /** With spaces between, pairs of neighbouring Han characters, by which names and unknown words are found whatever
   * their cuts, and the last character of every stretch of letters that is cut into pairs: so that each of its
   * characters begins a term, and is found alone. */
  readonly grams: string;
}

const NOT_ASCII = /[^\0-\x7f]/;
// A word that has parts, or a name like C++: only then do ASCII texts have terms that FTS5 would not find by itself.
const HAS_PARTS =
  /[a-z][A-Z]|[A-Z\d][A-Z][a-z]|[A-Za-z]{2}\d{2}|\d{2}[A-Za-z]{2}|\d{2}(?:T\d|Z)|(?<![A-Za-z0-9])[cCfF](?:\+\+|#)/;

/** What `MARKED` may match begins with one of these: asked first, since most texts have none, and one class is found
 * faster. */
const MAY_BE_MARKED = /[\u00c0-\u036f\u1e00-\u1eff]/;
/** Latin letters beyond ASCII with what marks they have (é, ü, ş, ế; ɛ has none of its own), and marks that are no part
 * of the letter before them (the second of ọ̀). */
const MARKED = /[\u00c0-\u02af\u1e00-\u1eff][\u0300-\u036f]*|[\u0300-\u036f]+/g;

/** The marks that are put on letters. */
const FIRST_MARK = 0x300;
const LAST_MARK = 0x36f;

/** Makes full-width and half-width, upper and lower case, composed and decomposed forms one, and Latin letters with and
 * without marks (café, cafe), as FTS5 does. */
export function fold(text: string): string {
  return normalise(text).toLowerCase();
}

/** As `fold`, but for the case, which tells the parts of an identifier. */
export function normalise(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const normal = text.normalize('NFKC');
  return MAY_BE_MARKED.test(normal) ? normal.replaceAll(MARKED, unmarked) : normal;
}

/** Takes the marks from what `MARKED` matches: behind an ASCII letter these alone, behind a letter of another script
 * none. */
function unmarked(marked: string, at: number, text: string): string {
  if (marked.charCodeAt(0) < FIRST_MARK || marked.charCodeAt(0) > LAST_MARK) return marked.normalize('NFD').charAt(0);
  return /[A-Za-z]/.test(text.charAt(at - 1)) ? '' : marked;
}

/** `segmenter` is called only for Han text, so that a call without any never loads the dictionary; it gives undefined
 * where there is none. */
export function createTokenizer(segmenter: () => Segmenter | undefined): Tokenizer {
  let isProvisional = false;
  const cutHan = (run: string): string[] => {
    const cutter = segmenter();
    if (cutter !== undefined) return cutter.cutForSearch(run);
    isProvisional = true;
    return stretches(run);
  };
  /** The terms of a text that was normalised and cut into runs. */
  const termsOf = (text: string, parts: readonly Run[]): string[] => {
    const found: string[] = [];
    for (const run of parts) {
      if (run.script === 'han') found.push(...cutHan(run.text));
      else if (run.script === 'syllables') found.push(...neighbours(run.text));
      else if (run.script === 'word') found.push(...wordTerms(run.text));
      else found.push(run.text);
    }
    found.push(...symbolNames(text).map(({ term }) => term));
    return found;
  };
  const forms = (): Segmenter['forms'] | undefined => segmenter()?.forms;
  const normal = (text: string): string => simplify(normalise(text), forms);
  return {
    version: TOKENIZER_VERSION,
    get hasDictionary() {
      return segmenter() !== undefined;
    },
    get isProvisional() {
      return isProvisional;
    },
    normal,
    variants: (query) => variantsOf(normalise(query), forms),
    terms(text) {
      const normalText = normal(text);
      return termsOf(normalText, runs(normalText));
    },
    indexText(text) {
      if (!NOT_ASCII.test(text) && !HAS_PARTS.test(text)) return { terms: '', grams: '' };
      const normalText = normal(text);
      const parts = runs(normalText);
      return { terms: termsOf(normalText, parts).join(' '), grams: stretchesOf(parts).flatMap(grams).join(' ') };
    },
  };
}

/** The stretches of letters that are cut into pairs, those whole that were cut for their length. */
function stretchesOf(parts: readonly Run[]): Run[] {
  const found: Run[] = [];
  for (const run of parts) {
    if (run.script !== 'han' && run.script !== 'syllables') continue;
    const last = found.at(-1);
    if (last?.script === run.script && last.start + last.text.length === run.start)
      found[found.length - 1] = { ...last, text: last.text + run.text };
    else found.push(run);
  }
  return found;
}

/** What `IndexText.grams` has of a stretch. The pairs of kana and hangul are terms already. */
function grams({ script, text }: Run): string[] {
  const pairs = neighbours(text);
  const last = pairs.at(-1) ?? '';
  const end = last.slice(lengthAt(last, 0));
  if (script === 'han') return end === '' ? pairs : [...pairs, end];
  return end === '' ? [] : [end];
}

/** Pairs of neighbours; a lone character stands for itself. */
export function neighbours(run: string): string[] {
  const pairs: string[] = [];
  let start = 0;
  for (let at = lengthAt(run, 0); at < run.length;) {
    const next = at + lengthAt(run, at);
    pairs.push(run.slice(start, next));
    start = at;
    at = next;
  }
  return pairs.length === 0 && run !== '' ? [run] : pairs;
}

/** Length of the character at an offset, in UTF-16 units. */
function lengthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Characters of the longest stretch that stands in for a word where there is no dictionary; nearly all Chinese words
 * have at most as many. */
export const LONGEST_STRETCH = 4;

/** Every stretch of one to four characters, the longest at each place last. */
function stretches(run: string): string[] {
  const characters = Array.from(run);
  return characters.flatMap((_, start) =>
    Array.from({ length: Math.min(LONGEST_STRETCH, characters.length - start) }, (_unused, more) =>
      characters.slice(start, start + more + 1).join(''),
    ),
  );
}
