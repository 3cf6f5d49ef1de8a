import { rowFinder, wordFinder, type FoldedText } from './places.ts';
import { normalForm } from './words.ts';

/** A part of a query that belongs together, and that counts more where a text has it together too: a name with
 * separators (cart.pool_size, /api/v2, v2.1.0), a word with a number or a version (jdk8, ES 6, TLS 1.3), a number with a
 * unit (4mb), a quoted text, or a short query as a whole. */
export interface Phrase {
  /** Identifies it among phrases and terms: its words, separated by spaces. */
  readonly term: string;
  /** The sequences of terms by which the index may hold it; empty for Han text, which may be segmented differently
   * there, and for text that must match verbatim. */
  readonly ways: readonly (readonly string[])[];
  /** Further ways in which the index cannot tell it from something else: not for texts that are required to have it. */
  readonly loose?: readonly (readonly string[])[];
  /** Returns how often a text has it: its words in a row, with at most two characters between them that belong to no
   * word; some compounds in any inflection. */
  readonly count: (text: FoldedText) => number;
  /** True for a text that has it as it is, and not only in longer names or, of some compounds, in another inflection. */
  readonly isWhole: (text: FoldedText) => boolean;
  /** Where the words, or two of them, may be written as one, the normal form of that word: jdk8, the tls1 of TLS1.3, 4mb,
   * timeout. */
  readonly compound?: string;
  /** Several words; a name; a date, a count, a percentage, a denial, or text of which the signs matter; a compound that
   * replaces a word of the query which is in no item, or means nothing alone. */
  readonly kind: 'words' | 'name' | 'exact' | 'word';
}

const LETTERS = /^[a-z]+$/;

/** Returns the phrase of words that may be written as one. Of words of letters, that one counts in any inflection: end
 * point, endpoints. */
export function compound(...parts: readonly string[]): Phrase {
  const words = parts.map((part) => part.toLowerCase());
  const whole = words.join('');
  const phrase = { ...toPhrase(words, [words, [whole]]), compound: normalForm(whole) };
  if (!words.every((word) => LETTERS.test(word))) return phrase;
  const pattern = patternOf(words);
  const exact: Places = ({ lower }) => Array.from(lower.matchAll(pattern), ({ index }) => index);
  return { ...phrase, count: counterOf([exact, inflected(whole)]) };
}

/** Returns the phrase of the words that may be written in place of one. They count in any inflection, as the index finds
 * them: timeout, timed out. */
export function splitWord(...words: readonly string[]): Phrase {
  const rows = rowFinder(words.join(' '));
  const apart: Places = (text) => rows(text).map(({ start }) => start);
  return { ...compound(...words), count: counterOf([apart, inflected(words.join(''))]) };
}

/** Returns a phrase of words that are no name, and so have no longer one. */
export function prose(phrase: Phrase): Phrase {
  return { ...phrase, isWhole: () => true };
}

/** Returns a phrase that no text has which lacks all of some pieces: these are sooner looked for than a pattern of many
 * notations. */
export function withOneOf(pieces: readonly string[], phrase: Phrase): Phrase {
  const all = [...new Set(pieces)];
  const count: Phrase['count'] = (text) => (all.some((piece) => text.lower.includes(piece)) ? phrase.count(text) : 0);
  return { ...phrase, count };
}

/** Returns the offsets of something in a text. */
type Places = (text: FoldedText) => readonly number[];

function inflected(word: string): Places {
  const finder = wordFinder(normalForm(word), [word]);
  return (text) => finder.places(text);
}

/** Counts the places, each once, where one of several things is: timeOut is both two words and one. */
function counterOf(finders: readonly Places[]): Phrase['count'] {
  return (text) => new Set(finders.flatMap((places) => places(text))).size;
}

/** Returns a phrase of words that `pattern` matches in a folded text. A text that lacks one of `needed` has it not, which
 * is quickly seen. */
export function toPhrase(
  words: readonly string[],
  ways: Phrase['ways'],
  kind: Phrase['kind'] = 'name',
  pattern = patternOf(words),
  needed = words,
): Phrase {
  const count = ({ lower }: FoldedText): number =>
    needed.every((word) => lower.includes(word)) ? (lower.match(pattern)?.length ?? 0) : 0;
  return {
    term: words.join(' '),
    ways,
    count,
    isWhole: ({ lower }) => kind === 'words' || isWhole(lower, pattern),
    kind,
  };
}

/** What may join the parts of a name, behind which it goes on, and before which it has begun. A path or a member
 * (`src/db/pool.ts`, `cart.pool_size`) does not begin the name at its end. */
const JOINT_BEHIND = /[-_./:](?=[a-z0-9])/y;
const JOINT_BEFORE = /(?<=[a-z0-9])[-_]$/;

/** What turns a name into an adjective, and makes no longer name of it: utf-8-encoded. */
const ADJECTIVE = /-(?:[a-z]+ed|like|style|only|compatible|specific|aware|free|ready|friendly)(?![a-z0-9])/y;

/** True if a pattern occurs other than in longer names: `user_orders` in `user_orders_archive`, release 1.4 in release
 * 1.4.2. Such a name is joined as this one is, or continues a number (app:1.4-alpine): ShardingSphere-JDBC is two, and
 * 10.0.0.1:8080 is an address and a port. */
function isWhole(text: string, pattern: RegExp): boolean {
  for (const { 0: found, index } of text.matchAll(pattern)) {
    if (!goesOn(text, found, index + found.length) && !hasBegun(text, found, index)) return true;
  }
  return false;
}

/** True if a name that ends at an offset of a text goes on there. */
function goesOn(text: string, name: string, end: number): boolean {
  JOINT_BEHIND.lastIndex = end;
  ADJECTIVE.lastIndex = end;
  const joint = JOINT_BEHIND.exec(text)?.[0];
  if (joint === undefined || ADJECTIVE.test(text)) return false;
  const continuesNumber = joint === '.' ? /\d/.test(text.charAt(end + 1)) : joint === '-' || joint === '_';
  return name.includes(joint) || (/\d$/.test(name) && continuesNumber);
}

/** True if a name that starts at an offset of a text has begun before it. */
function hasBegun(text: string, name: string, start: number): boolean {
  const joint = JOINT_BEFORE.exec(text.slice(Math.max(0, start - 2), start))?.[0];
  return joint !== undefined && name.includes(joint);
}

/** `words` may be regular expressions for letters and digits. A phrase that begins and ends with a number may be part
 * of an ISO 8601 time: 02:45 in 2026-07-06T02:45:46Z. */
export function patternOf(words: readonly string[]): RegExp {
  const isNumeric = /^(?:v\?)?\d/.test(words[0] ?? '') && /\d$/.test(words.at(-1) ?? '');
  const [start, end] = isNumeric
    ? ['(?:(?<![a-z0-9])|(?<=\\d{2}t))', '(?:(?![a-z0-9])|(?=t\\d{2}|z(?![a-z0-9])))']
    : ['(?<![a-z0-9])', '(?![a-z0-9])'];
  const joined = words.reduce((text, word) => `${text}${separatorBetween(text, word)}${word}`);
  return new RegExp(`${start}${joined}${end}`, 'g');
}

/** A regular expression for what may be between two words. Two numbers without anything are another one: 1.5 and 15. */
function separatorBetween(before: string, behind: string): string {
  const isNumeric = /\d$/.test(before) && /^\d/.test(behind);
  return `[^a-z0-9\\u4e00-\\u9fff]{${isNumeric ? 1 : 0},2}`;
}

/** Returns the normal forms of the words of a phrase. */
export function wordsOf({ term }: Pick<Phrase, 'term'>): string[] {
  return term.split(' ').map(normalForm);
}

/** Returns the normal forms of the words of a compound, and of the one word that they may be; none for other phrases. */
export function wordsOfCompound({ term, compound: whole }: Pick<Phrase, 'term' | 'compound'>): string[] {
  return whole === undefined ? [] : [whole, ...wordsOf({ term })];
}

/** The ways without repeats: 11 and 20 of a date are written only so. */
export function distinct(ways: Phrase['ways']): Phrase['ways'] {
  return [...new Map(ways.map((way) => [way.join(' '), way])).values()];
}
