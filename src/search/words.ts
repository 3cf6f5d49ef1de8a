import { stemmer } from 'stemmer';
import { baseForm, usualStem } from './irregular-forms.ts';
import { isWordUnit } from './scripts.ts';

/** Where an identifier is split: camelCase, ACRONYMWord, sha256Sum, and between letters and digits where both sides
 * have at least two (5G, ddr5 and v2 stay whole). The plural of an acronym (URLs, and in getURLsOf any but Is and As)
 * and IPv6 stay whole too. places.ts finds the same boundaries in a text. */
const BOUNDARY =
  /(?<=[a-z])(?=[A-Z])|(?<=[A-Z\d])(?=[A-Z][a-z])(?!(?<=[A-Z])[A-Z]s(?![A-Za-z\d])|(?<=[A-Z])[B-HJ-Z]s(?![a-z])|[A-Z]v\d)|(?<=[A-Za-z]{2})(?=\d{2})|(?<=\d{2})(?=[A-Za-z]{2})/;
/** Matches every word that has parts: one with a capital or a digit after its first letter, or with a digit first. Most
 * words have neither and skip the other checks. */
const MAY_HAVE_PARTS = /.[A-Z\d]|^\d/;
/** A hash, or another long run of hexadecimal digits, which has no parts. */
const HASH = /^(?=.*\d)[0-9a-f]{7,}$/i;
/** A piece of an ISO 8601 time, between its punctuation: 06T02 and 491Z of 2026-07-06T02:45:46.491Z;
 * 20260706T024546Z. */
const TIME = /^(?:(\d{2,8})T(\d{2,6})Z?|(\d{2,9})Z)$/;
/** Names that end in a symbol; without it only their letter would be indexed. */
const SYMBOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['c++', 'cplusplus'],
  ['c#', 'csharp'],
  ['f#', 'fsharp'],
]);

/** Returns the numbers in a piece of a time, by which dates and times are found in any notation; undefined for any
 * other word. */
export function timeParts(word: string): string[] | undefined {
  const [, ...numbers] = TIME.exec(word) ?? [];
  return numbers.length === 0 ? undefined : numbers.filter((part) => part !== undefined);
}

/** Returns the parts of a word of letters and digits, in lower case; the word itself where it has none. */
export function wordParts(word: string): string[] {
  const numbers = timeParts(word);
  if (numbers !== undefined) return numbers;
  if (!MAY_HAVE_PARTS.test(word) || HASH.test(word)) return [word.toLowerCase()];
  return word.split(BOUNDARY).map((part) => part.toLowerCase());
}

/** Returns the terms under which a word is indexed: its parts and, where there are several, the whole word, unless it
 * is a piece of a time. */
export function wordTerms(word: string): string[] {
  const parts = wordParts(word);
  return parts.length > 1 && timeParts(word) === undefined ? [...parts, word.toLowerCase()] : parts;
}

/** What precedes a pair of parts in the index, so that it is not taken for a word that items have: a token character for
 * FTS5 that is in no word. */
export const PAIR_MARK = '·';

/** Returns each two neighbouring parts of an identifier of three or more as one word: github and hubclient of
 * GitHubClient. */
export function partPairs(word: string): string[] {
  const parts = wordParts(word);
  if (parts.length < 3 || timeParts(word) !== undefined) return [];
  return parts.slice(1).map((part, at) => `${parts[at] ?? ''}${part}`);
}

export interface SymbolName {
  /** As written, in lower case: c++. */
  readonly written: string;
  /** The term under which it is indexed: cplusplus. */
  readonly term: string;
}

/** Returns the names like C++ in a text. */
export function symbolNames(text: string): SymbolName[] {
  const found: SymbolName[] = [];
  for (const { 0: name, index } of text.matchAll(/[cf](?:\+\+|#)/gi)) {
    const written = name.toLowerCase();
    const term = SYMBOL_NAMES.get(written);
    // a letter of a script without spaces may come before it: 用C++写
    if (term !== undefined && (index === 0 || !isWordUnit(text.charCodeAt(index - 1)))) found.push({ written, term });
  }
  return found;
}

/** Words with digits from which FTS5's stemmer removes the final s: 30s, v2s. */
const PLURAL_NUMBER = /^(?=.*\d)[a-z0-9]+[a-rt-z0-9]s$/;

/** Returns Porter's stem of an English word, as in FTS5; any other word unchanged. */
export function wordStem(word: string): string {
  if (PLURAL_NUMBER.test(word)) return word.slice(0, -1);
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}

/** Fewest letters that a word shares with its stem: "flies" has the stem "fli", "happy" has "happi". */
const SHARED_LETTERS = 2;

/** Returns the letters with which every word begins that has this stem. */
export function beginningOf(stem: string): string {
  return stem.slice(0, Math.max(SHARED_LETTERS, stem.length - 1));
}

/** Endings that are tried on a stem to form a word: those of common words. */
const COMMON_ENDINGS = ['', 'e', 's', 'ed', 'es', 'ing', 'ment', 'ion', 'able', 'ity', 'ness'];

/** Returns a word that the stemmer reduces to this stem, or the stem if no common ending gives one. The stem itself may
 * be reduced further (respons, of response, to respon). */
export function wordOfStem(stem: string): string {
  for (const ending of COMMON_ENDINGS) if (wordStem(stem + ending) === stem) return stem + ending;
  return stem;
}

const stems = new Map<string, string>();
/** Most stems that are cached: more than the vocabulary of a few thousand texts. */
const REMEMBERED_STEMS = 50_000;

/** Returns the form in which English words are compared: Porter's stem (which FTS5 keeps too) of the word, or of its
 * base if it is irregular; where words of one root have several stems, the usual one. Words with other letters are
 * unchanged. */
export function normalForm(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = usualStem(wordStem(baseForm(word)));
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/** Words that are looked up as prefixes: those of at least three characters that are not numbers. */
const MAY_BEGIN_WORDS = /^(?!\d+$)[^]{3}/;

/** Letters of the shortest stem that begins other words although its own word does not begin with it: suppli (supply,
 * supplier), but not mani (many, manifest). Range 4 to 6. */
const SHORTEST_CHANGED_STEM = 5;

/** Returns the prefixes by which a word that is in no item is looked up: its stem, and also the word itself where it
 * does not begin with the stem (happy and happi), or the stem is too short (ax of axe). Empty where both are too short,
 * or numbers. */
export function prefixesOf(word: string, stem: string): string[] {
  const isBeginning = word.startsWith(stem);
  const isStem = MAY_BEGIN_WORDS.test(stem) && (isBeginning || stem.length >= SHORTEST_CHANGED_STEM);
  const isWord = MAY_BEGIN_WORDS.test(word) && !(isStem && isBeginning);
  return [...(isStem ? [stem] : []), ...(isWord ? [word] : [])];
}

/** True for a hash of eight digits or more, as git and docker make them, that is no number and no word. */
export function isHash(word: string): boolean {
  return /^(?=.*\d)(?=.*[a-f])[0-9a-f]{8,64}$/.test(word);
}
