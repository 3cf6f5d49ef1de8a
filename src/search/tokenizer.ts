import type { Segmenter } from './jieba/segmenter.ts';
import { listedForms } from './translations.ts';
import { LONGEST_RUN, runs, type Run } from './scripts.ts';
import { behindEscape, mayBeEscaped, unescaped } from './escapes.ts';
import { simplify, variantsOf, type Variants } from './variants.ts';
import { PAIR_MARK, partPairs, symbolNames, wordTerms } from './words.ts';

/** Version of the terms that this file produces, and of how the index stores them. An index of another version is
 * rebuilt. */
const TOKENIZER_VERSION = 'jieba-12';

/** Splits text into terms; the same for index and query. */
export interface Tokenizer {
  readonly version: string;
  /** False when the Chinese dictionary is missing from the installation. Reading this property loads the dictionary. */
  readonly hasDictionary: boolean;
  /** True once Han text has been segmented without the dictionary: into every stretch of up to four characters, so that
   * words are found, though ranked worse. */
  readonly isProvisional: boolean;
  /** Returns the text from which the terms are taken: normalised, with case (which marks the parts of an identifier),
   * and with Traditional characters as Simplified ones. */
  normal(text: string): string;
  /** Returns the forms that the characters of a query, and of words that stand in for its words, may have in texts. */
  variants(query: string, expansions?: string): Variants;
  /** Returns the words of the other language, Chinese or English, that mean the same as a folded word, in whatever
   * regular form it is; several English words are joined by hyphens. Empty without the dictionary, which is loaded. */
  readonly translations: (word: string) => readonly string[];
  /** Returns the terms in text order, duplicates kept; those of names like C++ come last. */
  terms(text: string): string[];
  /** Returns what the index stores for a text. */
  indexText(text: string): IndexText;
}

interface IndexText {
  /** The terms, separated by spaces, or '' where FTS5's own tokenizer produces the same terms from the text itself. */
  readonly terms: string;
  /** Separated by spaces: pairs of neighbouring Han characters, by which names and unknown words are found however they
   * are segmented; the last character of every stretch (Han, kana or hangul) that is split into pairs, so that each of
   * its characters begins a term and is found alone; and pairs of neighbouring parts of identifiers as one word, after
   * `PAIR_MARK`. */
  readonly grams: string;
}

const NOT_ASCII = /[^\0-\x7f]/;
// A word with parts, or a name like C++: only these give ASCII texts terms that FTS5 itself would not produce.
const HAS_PARTS =
  /[a-z][A-Z]|[A-Z\d][A-Z][a-z]|[A-Za-z]{2}\d{2}|\d{2}[A-Za-z]{2}|\d{2}(?:T\d|Z)|(?<![A-Za-z0-9])[cCfF](?:\+\+|#)/;

/** A word that is split for its length. */
const LONG = new RegExp(`[A-Za-z0-9]{${LONGEST_RUN + 1}}`);

/** Every match of `MARKED` begins with one of these. Tested first, since most texts have none, and a single class is
 * faster. */
const MAY_BE_MARKED =
  /[\u0591-\u05c7\u064b-\u0670\u00ad\u00c0-\u036f\u0386-\u03ce\u0401\u0451\u0622-\u0625\u0640\u1e00-\u1fff\u200b\u2060\ufeff]/;
/** Latin letters beyond ASCII with the combining marks after them (é, ü, ş, ế, ọ̀; ɛ has no mark of its own), Greek
 * vowels (ά), the Cyrillic ё and the Arabic alef (أ), which are often written without their marks, and combining marks
 * after other characters. Also what is left out of words: Hebrew points, Arabic vowel signs and the stroke that widens
 * a word, and characters that only say where a line may be broken, as pages and PDFs have them within words: soft
 * hyphens, word joiners, and zero-width spaces, which separate words only in the scripts of South-East Asia. */
const MARKED =
  /[\u00c0-\u02af\u0386-\u03ce\u0401\u0451\u0622\u0623\u0625\u1e00-\u1fff]?[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u00ad\u0640\u2060\ufeff]+|[\u00c0-\u02af\u0386-\u03ce\u0401\u0451\u0622\u0623\u0625\u1e00-\u1fff]|(?<![\u0e00-\u109f\u1780-\u17ff])\u200b+/g;
/** What is left out, wherever it is. */
const LEFT_OUT = /[\u0591-\u05c7\u064b-\u0670\u00ad\u0640\u200b\u2060\ufeff]+/g;
const COMBINING = /^[\u0300-\u036f]/;
/** A letter whose combining marks are never a part of it: the Cyrillic й and the like are single characters. */
const DOES_COMBINE = /[A-Za-z\u0370-\u052f]/;
/** Latin letters that Unicode does not decompose, as they are written without them: Straße is Strasse, Łódź Lodz. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ø: 'o', ł: 'l', ħ: 'h', ı: 'i' }),
);

/** Returns a text in which full-width and half-width, upper-case and lower-case, composed and decomposed forms are the
 * same, and letters with and without marks (café, cafe; Søren, Soren; ёлка, елка). */
export function fold(text: string): string {
  return normalise(text).toLowerCase();
}

/** Like `fold`, but keeps case, which marks the parts of an identifier. */
export function normalise(text: string): string {
  const plain = mayBeEscaped(text) ? unescaped(text) : text;
  if (!NOT_ASCII.test(plain)) return plain;
  const normal = plain.normalize('NFKC');
  // what a mark has separated may combine (the parts of a syllable of hangul)
  return MAY_BE_MARKED.test(normal) ? normal.replaceAll(MARKED, unmarked).normalize('NFC') : normal;
}

/** Returns what stands for a match of `MARKED`: a letter without its marks, or nothing. Combining marks without a letter
 * are removed after a Latin, Greek or Cyrillic one, and kept after any other. */
function unmarked(marked: string, at: number, text: string): string {
  const first = marked.replaceAll(LEFT_OUT, '').normalize('NFD').charAt(0);
  if (first === '') return '';
  if (COMBINING.test(first)) return DOES_COMBINE.test(text.charAt(at - 1)) ? '' : marked.replaceAll(LEFT_OUT, '');
  const lower = first.toLowerCase();
  const plain = LETTERS.get(lower);
  if (plain === undefined) return first;
  if (first === lower) return plain;
  // Ærø is Aero, and ÆRØ is AERO: a capital in the middle would begin a part
  const next = text.charAt(at + marked.length);
  return next === next.toUpperCase() ? plain.toUpperCase() : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Creates a tokenizer. `segmenter` is called only for Han text and by `hasDictionary`, so that the dictionary is not
 * loaded for other text; it returns undefined where there is no dictionary. */
export function createTokenizer(segmenter: () => Segmenter | undefined): Tokenizer {
  let isProvisional = false;
  const cutHan = (run: string): string[] => {
    const cutter = segmenter();
    if (cutter !== undefined) return cutter.cutForSearch(run);
    isProvisional = true;
    return stretches(run);
  };
  /** The terms of a text that is normalised and split into runs. */
  const termsOf = (text: string, parts: readonly Run[]): string[] => {
    const found: string[] = [];
    for (const run of parts) {
      if (run.script === 'han') found.push(...cutHan(run.text));
      else if (run.script === 'syllables') found.push(...neighbours(run.text));
      else if (run.script === 'word') found.push(...readings(text, run).flatMap(wordTerms));
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
    variants: (query, expansions) => variantsOf(normalise(query), forms, expansions),
    translations(word) {
      const known = segmenter();
      for (const form of listedForms(word)) {
        const found = known?.translations(form) ?? [];
        if (found.length > 0) return found;
      }
      return [];
    },
    terms(text) {
      const normalText = normal(text);
      return termsOf(normalText, runs(normalText));
    },
    indexText(text) {
      const isPlain =
        !NOT_ASCII.test(text) &&
        !HAS_PARTS.test(text) &&
        !mayBeEscaped(text) &&
        !(text.length > LONGEST_RUN && LONG.test(text));
      if (isPlain) return { terms: '', grams: '' };
      const normalText = normal(text);
      const parts = runs(normalText);
      return { terms: termsOf(normalText, parts).join(' '), grams: stretchesOf(parts).flatMap(grams).join(' ') };
    },
  };
}

/** A word, after what it may be behind an escape. */
function readings(text: string, { text: word, start }: Run): string[] {
  const behind = behindEscape(text, start, word);
  return behind === undefined ? [word] : [behind, word];
}

/** The words, and the Han, kana and hangul stretches, which are split into pairs; stretches that were split for their
 * length are joined again. */
function stretchesOf(parts: readonly Run[]): Run[] {
  const found: Run[] = [];
  for (const run of parts) {
    if (run.script === 'pictograph') continue;
    const last = found.at(-1);
    if (run.script !== 'word' && last?.script === run.script && last.start + last.text.length === run.start)
      found[found.length - 1] = { ...last, text: last.text + run.text };
    else found.push(run);
  }
  return found;
}

/** The `IndexText.grams` of a stretch or a word. The pairs of kana and hangul are terms already. */
function grams({ script, text }: Run): string[] {
  if (script === 'word') return partPairs(text).map((pair) => PAIR_MARK + pair);
  const pairs = neighbours(text);
  const last = pairs.at(-1) ?? '';
  const end = last.slice(lengthAt(last, 0));
  if (script === 'han') return end === '' ? pairs : [...pairs, end];
  return end === '' ? [] : [end];
}

/** Returns the pairs of neighbouring characters; a single character as it is. */
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

/** Longest stretch, in characters, that stands in for a word where there is no dictionary; nearly all Chinese words are
 * no longer. */
export const LONGEST_STRETCH = 4;

/** Every stretch of one to four characters, the longest at each position last. */
function stretches(run: string): string[] {
  const characters = Array.from(run);
  return characters.flatMap((_, start) =>
    Array.from({ length: Math.min(LONGEST_STRETCH, characters.length - start) }, (_unused, more) =>
      characters.slice(start, start + more + 1).join(''),
    ),
  );
}
