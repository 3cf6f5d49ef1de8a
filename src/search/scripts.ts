/** The scripts of a text are determined by a table for common characters, and by Unicode properties for the rest. The
 * table only serves speed (compiling one such property takes as long as a whole search of a small database); a test
 * compares it with the properties, character by character. */

export type Script = 'han' | 'syllables' | 'word' | 'pictograph';

/** A stretch of text in one script. */
export interface Run {
  readonly script: Script;
  readonly text: string;
  /** Offset in the text, in UTF-16 units. */
  readonly start: number;
}

/** A character that belongs to no run: space, punctuation, symbols. */
const NONE = 0;
const HAN = 1;
const SYLLABLES = 2;
const WORD = 3;
const PICTOGRAPH = 4;
type Class = typeof NONE | typeof HAN | typeof SYLLABLES | typeof WORD | typeof PICTOGRAPH;
const SCRIPTS = [undefined, 'han', 'syllables', 'word', 'pictograph'] as const;

/** Most characters of a run; longer ones are split, since nobody searches for a longer word. */
export const LONGEST_RUN = 1024;

/** The kana mark for a long vowel. It is part of kana words, and may be part of other words. */
const LONG_VOWEL = 0x30fc;

/** Ranges of common characters below `TABLE_SIZE`, both ends inclusive. */
const RANGES: readonly (readonly [first: number, last: number, script: Class])[] = [
  [0x00, 0x2f, NONE],
  [0x30, 0x39, WORD], // digits
  [0x3a, 0x40, NONE],
  [0x41, 0x5a, WORD], // A–Z
  [0x5b, 0x60, NONE],
  [0x61, 0x7a, WORD], // a–z
  [0x7b, 0xa8, NONE],
  [0xc0, 0xd6, WORD], // Latin with accents
  [0xd8, 0xf6, WORD],
  [0xf8, 0x24f, WORD],
  [0x391, 0x3a1, WORD], // Greek
  [0x3b1, 0x3c9, WORD],
  [0x410, 0x481, WORD], // Cyrillic
  [0x2000, 0x203b, NONE], // general punctuation
  [0x2190, 0x2193, NONE], // arrows
  [0x2200, 0x22ff, NONE], // mathematical operators
  [0x2500, 0x259f, NONE], // box drawing
  [0x3000, 0x3004, NONE], // 、。and other Chinese punctuation
  [0x3008, 0x3020, NONE],
  [0x3041, 0x3096, SYLLABLES], // hiragana
  [0x30a1, 0x30fa, SYLLABLES], // katakana
  [LONG_VOWEL, LONG_VOWEL, SYLLABLES],
];
/** The few ranges at and above this code point are wide: they are compared, since filling a table with them takes
 * longer than most calls spend on characters. */
const TABLE_SIZE = 0x3400;

/** The classes of common characters, and of others met so far, by code point, plus 1; 0 where not yet known. */
const known = new Uint8Array(TABLE_SIZE);
for (const [first, last, script] of RANGES) known.fill(script + 1, first, last + 1);

function classOf(codePoint: number): Class {
  if (codePoint >= TABLE_SIZE) return classAbove(codePoint);
  const found = known[codePoint] ?? 0;
  if (found > 0) return (found - 1) as Class;
  const script = lookUp(codePoint);
  known[codePoint] = script + 1;
  return script;
}

/** The class of a character from `TABLE_SIZE` on. */
function classAbove(codePoint: number): Class {
  if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return HAN;
  if (codePoint <= 0x4dbf) return HAN; // extension A
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3) return SYLLABLES; // hangul
  if (codePoint >= 0xd800 && codePoint <= 0xf8ff) return NONE; // lone surrogates, private use
  return codePoint >= 0xff01 && codePoint <= 0xff0f ? NONE : lookUp(codePoint); // full-width punctuation
}

/** The scripts beside Han that are written without spaces, or whose words are found by their syllables, as part of a
 * character class. */
export const SYLLABIC = ['Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** The class of a character by Unicode properties, which are compiled for the first uncommon character. */
function lookUp(codePoint: number): Class {
  const character = String.fromCodePoint(codePoint);
  if (/\p{Script=Han}/u.test(character)) return HAN;
  if (new RegExp(`[${SYLLABIC}]`, 'u').test(character)) return SYLLABLES;
  if (/\p{Variation_Selector}/u.test(character)) return NONE; // the look of the character before: ❤ and ❤️ are one
  if (/[\p{L}\p{N}\p{M}]/u.test(character)) return WORD;
  return /\p{Extended_Pictographic}/u.test(character) ? PICTOGRAPH : NONE;
}

/** Returns the script of a character; undefined for one that belongs to no run. */
export function scriptOf(codePoint: number): Script | undefined {
  return SCRIPTS[classOf(codePoint)];
}

/** Returns true for a letter, digit or mark of a script that separates words by spaces. Takes a UTF-16 code unit: half
 * of a surrogate pair gives false. */
export function isWordUnit(codeUnit: number): boolean {
  return classOf(codeUnit) === WORD;
}

/** Returns true when a text has a Han character. */
export function hasHan(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x2e80) continue; // no block below this has any
    if (classOf(text.codePointAt(at) ?? unit) === HAN) return true;
  }
  return false;
}

/** Returns the searchable stretches of a text, each in one script, so that no term spans two ("AFC冠军"). Everything else
 * (spaces, punctuation, symbols) lies between them. Each pictograph is a separate run. */
export function runs(text: string): Run[] {
  const found: Run[] = [];
  let script = NONE as Class;
  let start = 0;
  let length = 0;
  for (let at = 0; at < text.length;) {
    const codePoint = text.codePointAt(at) ?? 0;
    const next: Class = codePoint === LONG_VOWEL && script === WORD ? WORD : classOf(codePoint);
    if (next !== script || next === PICTOGRAPH || length === LONGEST_RUN) {
      push(found, text, script, start, at);
      script = next;
      start = at;
      length = 0;
    }
    length += 1;
    at += codePoint > 0xffff ? 2 : 1;
  }
  push(found, text, script, start, text.length);
  return found;
}

function push(found: Run[], text: string, script: Class, start: number, end: number): void {
  const name = SCRIPTS[script];
  if (name !== undefined) found.push({ script: name, text: text.slice(start, end), start });
}
