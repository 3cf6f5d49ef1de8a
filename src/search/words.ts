import { stemmer } from 'stemmer';
import { baseForm } from './irregular-forms.ts';
import { isWordUnit } from './scripts.ts';

/** Where an identifier is cut: camelCase, ACRONYMWord, sha256Sum, and between letters and digits where both sides have two (5G, ddr5 and v2 stay whole). */
const BOUNDARY = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z\d])(?=[A-Z][a-z])|(?<=[A-Za-z]{2})(?=\d{2})|(?<=\d{2})(?=[A-Za-z]{2})/;
/** What every word with parts has: a capital or a digit behind its first letter, or a digit in front. Most words have none, and are spared the rest. */
const MAY_HAVE_PARTS = /.[A-Z\d]|^\d/;
/** A hash or another long run of hexadecimal digits has no parts. */
const HASH = /^(?=.*\d)[0-9a-f]{7,}$/i;
/** Names whose last character is no letter: they would otherwise be the letter alone. */
const SYMBOL_NAMES: ReadonlyMap<string, string> = new Map([
  ['c++', 'cplusplus'],
  ['c#', 'csharp'],
  ['f#', 'fsharp'],
]);

/** The parts of a word of letters and digits, in lower case; the word itself where it has none. */
export function wordParts(word: string): string[] {
  if (!MAY_HAVE_PARTS.test(word) || HASH.test(word)) return [word.toLowerCase()];
  return word.split(BOUNDARY).map((part) => part.toLowerCase());
}

/** What the index holds of a word as it is written: its parts, and where there are several, the whole. */
export function wordTerms(word: string): string[] {
  const parts = wordParts(word);
  return parts.length > 1 ? [...parts, word.toLowerCase()] : parts;
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

/** Porter's stem of an English word; any other word as it is. */
export function wordStem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}

const stems = new Map<string, string>();
/** How many stems are remembered: more than the vocabulary of a few thousand texts. */
const REMEMBERED_STEMS = 50_000;

/** The form in which English words are compared: base of an irregular form, then Porter's stem, which is also what FTS5 keeps.
 * Words with other letters or digits stay as they are. */
export function normalForm(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = wordStem(baseForm(word));
    if (stems.size >= REMEMBERED_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}
