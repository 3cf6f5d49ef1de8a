import { stemmer } from 'stemmer';
import { baseForm, usualStem } from './irregular-forms.ts';
import { isWordUnit } from './scripts.ts';

/** Where an identifier is cut: camelCase, ACRONYMWord, sha256Sum, and between letters and digits where both sides have
 * two (5G, ddr5 and v2 stay whole). */
const BOUNDARY = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z\d])(?=[A-Z][a-z])|(?<=[A-Za-z]{2})(?=\d{2})|(?<=\d{2})(?=[A-Za-z]{2})/;
/** What every word with parts has: a capital or a digit behind its first letter, or a digit in front. Most words have
 * none, and are spared the rest. */
const MAY_HAVE_PARTS = /.[A-Z\d]|^\d/;
/** A hash or another long run of hexadecimal digits has no parts. */
const HASH = /^(?=.*\d)[0-9a-f]{7,}$/i;
/** What stands between the signs of a time as machines write it: 06T02 of 2026-07-06T02:45:46.491Z, 491Z;
 * 20260706T024546Z. */
const TIME = /^(?:(\d{2,8})T(\d{2,6})Z?|(\d{2,9})Z)$/;
/** Names whose last character is no letter: they would otherwise be the letter alone. */
const SYMBOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['c++', 'cplusplus'],
  ['c#', 'csharp'],
  ['f#', 'fsharp'],
]);

/** The numbers of a piece of a time, by which dates and times are found however they are asked for; undefined for any
 * other word. */
export function timeParts(word: string): string[] | undefined {
  const [, ...numbers] = TIME.exec(word) ?? [];
  return numbers.length === 0 ? undefined : numbers.filter((part) => part !== undefined);
}

/** The parts of a word of letters and digits, in lower case; the word itself where it has none. */
export function wordParts(word: string): string[] {
  const numbers = timeParts(word);
  if (numbers !== undefined) return numbers;
  if (!MAY_HAVE_PARTS.test(word) || HASH.test(word)) return [word.toLowerCase()];
  return word.split(BOUNDARY).map((part) => part.toLowerCase());
}

/** What the index holds of a word as it is written: its parts, and where there are several, the whole, unless it is a
 * piece of a time. */
export function wordTerms(word: string): string[] {
  const parts = wordParts(word);
  return parts.length > 1 && timeParts(word) === undefined ? [...parts, word.toLowerCase()] : parts;
}

export interface SymbolName {
  /** As it is written, in lower case: c++. */
  readonly written: string;
  /** The word by which the index knows it: cplusplus. */
  readonly term: string;
}

/** The names like C++ in a text. */
export function symbolNames(text: string): SymbolName[] {
  const found: SymbolName[] = [];
  for (const { 0: name, index } of text.matchAll(/[cf](?:\+\+|#)/gi)) {
    const written = name.toLowerCase();
    const term = SYMBOL_NAMES.get(written);
    // a letter of a script without spaces may stand before it: 用C++写
    if (term !== undefined && (index === 0 || !isWordUnit(text.charCodeAt(index - 1)))) found.push({ written, term });
  }
  return found;
}

/** Of words with digits FTS5's stemmer takes the s: 30s, v2s. */
const PLURAL_NUMBER = /^(?=.*\d)[a-z0-9]+[a-rt-z0-9]s$/;

/** Porter's stem of an English word, as FTS5 has it; any other word as it is. */
export function wordStem(word: string): string {
  if (PLURAL_NUMBER.test(word)) return word.slice(0, -1);
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}

/** What is put behind a stem to make a word of it, as common words end. */
const COMMON_ENDINGS = ['', 'e', 's', 'ed', 'es', 'ing', 'ment', 'ion', 'able', 'ity', 'ness'];

/** A word of which the stemmer makes this stem; of the stem itself it may make another (respons, of response, would be
 * respon). */
export function wordOfStem(stem: string): string {
  for (const ending of COMMON_ENDINGS) if (wordStem(stem + ending) === stem) return stem + ending;
  return stem;
}

const stems = new Map<string, string>();
/** How many stems are remembered: more than the vocabulary of a few thousand texts. */
const REMEMBERED_STEMS = 50_000;

/** The form in which English words are compared: of the base of an irregular form Porter's stem, which is also what
 * FTS5 keeps, or the usual one of words with the same root. Words with other letters stay as they are. */
export function normalForm(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = usualStem(wordStem(baseForm(word)));
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/** Words that other words may begin with: from three characters on, and no number. */
const MAY_BEGIN_WORDS = /^(?!\d+$)[^]{3}/;

/** What words begin with for which a word stands that no item has: its stem, and where the word does not begin so
 * itself (happy and happi), or the stem is too short to say anything (ax of axe), the word. */
export function beginningsOf(word: string, stem: string): string[] {
  const isStem = MAY_BEGIN_WORDS.test(stem);
  const isWord = MAY_BEGIN_WORDS.test(word) && !(isStem && word.startsWith(stem));
  return [...(isStem ? [stem] : []), ...(isWord ? [word] : [])];
}
