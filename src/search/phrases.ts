import { rowFinder, wordFinder, type FoldedText } from './places.ts';
import { hasHan, runs } from './scripts.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import type { Tokenizer } from './tokenizer.ts';
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
  /** Returns how often a text has it: its words in a row, with at most two characters between them that belong to no
   * word, or for a compound of words of letters, these in any inflection. */
  readonly count: (text: FoldedText) => number;
  /** Where the words, or two of them, may be written as one, the normal form of that word: jdk8, the tls1 of TLS1.3, 4mb,
   * timeout. */
  readonly compound?: string;
  /** Several words, a name, or a compound that replaces a word of the query which is in no item, or means nothing
   * alone. */
  readonly kind: 'words' | 'name' | 'word';
}

/** Most phrases of a query, and most words of a phrase. They bound the work for pasted logs. */
const MAX_PHRASES = 8;
const MAX_WORDS = 12;
/** In characters: the longest query that is a phrase as a whole, and how much of the start and of the end of a query is
 * examined for names where it is longer than both together. */
const LONGEST_WHOLE = 80;
const EXAMINED_START = 200;
const EXAMINED_END = 400;

const SEPARATED_NAMES = /[A-Za-z0-9]+(?:[-_./:=@]{1,2}[A-Za-z0-9]+)+/g;
/** A text in "", “”, 「」, 『』 or ``. */
const QUOTED = /"([^"]+)"|\u201c([^\u201d]+)\u201d|\u300c([^\u300d]+)\u300d|\u300e([^\u300f]+)\u300f|`([^`]+)`/g;
/** A word and a number, joined or separated: jdk8, ES 6, UTF-8, ip v6, HTTP/2. */
const NUMBERED = /(?<![A-Za-z0-9])([A-Za-z]{2,})[ _/-]?(v?\d{1,3})(?![A-Za-z0-9]|\.\d)/g;
/** A word and a version, joined or separated: jdk1.8, TLS v1.3, Python 3.11.4. */
const VERSIONED = /(?<![A-Za-z0-9])([A-Za-z]{2,}?)[ _/-]?(v?)(\d{1,4}(?:\.\d{1,4}){1,3})(?![A-Za-z0-9]|\.\d)/g;
/** A number and its unit in lower case, joined or separated: 4mb, 1.5 gb, 5 min, 500m. */
const MEASURED =
  /(?<![a-z0-9.])(\d{1,7}(?:\.\d{1,4})?)[ _-]?([kmgtp]?i?b|[kmgt]bps|[mun]?s|secs?|mins?|hrs?|[mhdwk]|px|pt|r?em|[kmg]?hz|qps|tps|rps|fps)(?![a-z0-9]|\.\d)/g;
/** Hyphenated words, which are prose as often as names. */
const HYPHENED = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;
const VERSION = /^v?(\d+)$/;
const LETTERS = /^[a-z]+$/;

/** Two neighbouring words, of which the first consists only of letters. */
const NEIGHBOURS = /(?<![a-z0-9])([a-z]{2,16})[ -](?=([a-z0-9]{2,16})(?![a-z0-9]))/g;

/** Returns each two neighbouring words of a folded query that may be written as one (time out, log-in). */
export function wordPairs(query: string): (readonly [string, string])[] {
  return Array.from(query.matchAll(NEIGHBOURS), ([, first = '', second = '']) => [first, second] as const);
}

/** Returns the texts in quotation marks in a query. */
export function quotedTexts(query: string): string[] {
  return Array.from(query.matchAll(QUOTED), ([, ...groups]) => groups.join(''));
}

/** Returns the phrases of a normalised query, at most `MAX_PHRASES`. Those at the end of a pasted log, where an error
 * is, come first. */
export function phrasesOf(tokenizer: Tokenizer, text: string): Phrase[] {
  const found = new Map<string, Phrase>();
  for (const phrase of candidates(tokenizer, examined(text))) {
    if (phrase === undefined || phrase.term.split(' ').length > MAX_WORDS) continue;
    const same = found.get(phrase.term);
    // UTF-8 is a name and a compound: the compound finds more
    if (same === undefined || (same.compound === undefined && phrase.compound !== undefined))
      found.set(phrase.term, phrase);
    if (found.size === MAX_PHRASES) break;
  }
  return [...found.values()];
}

function examined(text: string): string {
  return text.length <= EXAMINED_START + EXAMINED_END
    ? text
    : `${text.slice(-EXAMINED_END)}\n${text.slice(0, EXAMINED_START)}`;
}

function* candidates(tokenizer: Tokenizer, text: string): Generator<Phrase | undefined> {
  for (const [name] of text.matchAll(SEPARATED_NAMES)) yield separatedName(tokenizer, name);
  if (/\d/.test(text)) {
    for (const [, word = '', number = ''] of text.matchAll(NUMBERED)) yield numbered(word, number);
    const lower = text.toLowerCase();
    for (const [, word = '', v = '', version = ''] of lower.matchAll(VERSIONED)) yield versioned(word, v, version);
    for (const [, number = '', unit = ''] of lower.matchAll(MEASURED)) yield measured(number, unit);
  }
  for (const quoted of quotedTexts(text)) yield said(tokenizer, quoted);
  if (text.length > LONGEST_WHOLE) return;
  const whole = text.trim();
  yield said(tokenizer, whole) ?? written(whole);
}

/** A name with separators. v2.1.0 and 2.1.0 are the same. */
function separatedName(tokenizer: Tokenizer, name: string): Phrase {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const [first = '', ...rest] = words;
  const number = VERSION.exec(first)?.[1];
  if (number === undefined || !rest.every((word) => /^\d/.test(word)))
    return toPhrase(words, [tokenizer.terms(name)], HYPHENED.test(name) ? 'words' : 'name');
  const ways = [`v${number}`, number].map((start) => [start, ...rest]);
  return toPhrase([number, ...rest], ways, 'name', patternOf([`v?${number}`, ...rest]));
}

function numbered(word: string, number: string): Phrase | undefined {
  return ENGLISH_STOP_WORDS.has(word.toLowerCase()) ? undefined : compound(word, number);
}

/** The phrase of a word and a version. v1.3 and 1.3 are the same. */
function versioned(word: string, v: string, version: string): Phrase | undefined {
  if (ENGLISH_STOP_WORDS.has(word)) return undefined;
  const [first = '', ...rest] = version.split('.');
  const ways = [first, `v${first}`].flatMap((start) => [
    [word, start, ...rest],
    [`${word}${start}`, ...rest],
  ]);
  const pattern = patternOf([word, `v?${first}`, ...rest]);
  return {
    ...toPhrase([word, first, ...rest], ways, 'name', pattern),
    term: [word, `${v}${first}`, ...rest].join(' '),
    compound: normalForm(`${word}${v}${first}`),
  };
}

/** The phrase of a number and its unit. Of 1.5 gb, 5 and gb may be written as one. */
function measured(number: string, unit: string): Phrase {
  const [last = '', ...before] = number.split('.').toReversed();
  const words = [...before, last, unit];
  return { ...toPhrase(words, [words, [...before, `${last}${unit}`]]), compound: normalForm(`${last}${unit}`) };
}

/** Returns the phrase of words that may be written as one. */
export function compound(...parts: readonly string[]): Phrase {
  const words = parts.map((part) => part.toLowerCase());
  const whole = words.join('');
  const phrase = { ...toPhrase(words, [words, [whole]]), compound: normalForm(whole) };
  return words.every((word) => LETTERS.test(word)) ? { ...phrase, count: inflectedCounter(words) } : phrase;
}

/** A phrase of several words in a row; undefined for a single word, and for only stop words. */
function said(tokenizer: Tokenizer, text: string): Phrase | undefined {
  const words = runs(text).map((run) => run.text.toLowerCase());
  if (words.length < 2 || words.every((word) => ENGLISH_STOP_WORDS.has(word))) return undefined;
  return toPhrase(words, hasHan(text) ? [] : [tokenizer.terms(text)], 'words');
}

/** A text with punctuation or symbols, to be found verbatim: /^(a+)+$/; else undefined. */
function written(text: string): Phrase | undefined {
  const letters = runs(text).reduce((sum, run) => sum + run.text.length, 0);
  if (letters === text.replaceAll(/\s/g, '').length) return undefined;
  const lower = text.toLowerCase();
  return toPhrase([lower], [], 'name', new RegExp(RegExp.escape(lower), 'g'));
}

function toPhrase(
  words: readonly string[],
  ways: Phrase['ways'],
  kind: Phrase['kind'] = 'name',
  pattern = patternOf(words),
): Phrase {
  // most texts lack one of the words, which is quickly seen
  const count = ({ lower }: FoldedText): number =>
    words.every((word) => lower.includes(word)) ? (lower.match(pattern)?.length ?? 0) : 0;
  return { term: words.join(' '), ways, count, kind };
}

/** Counts words side by side or as one, by their normal forms, as the index finds them: timed out, timeouts. */
function inflectedCounter(words: readonly string[]): Phrase['count'] {
  const whole = words.join('');
  const rows = rowFinder(words.join(' '));
  const one = wordFinder(normalForm(whole), [whole]);
  // timeOut is found both ways
  return (text) => new Set([...rows(text).map(({ start }) => start), ...one.places(text)]).size;
}

/** `words` may be regular expressions for letters and digits. A phrase that begins and ends with a number may be part
 * of an ISO 8601 time: 02:45 in 2026-07-06T02:45:46Z. */
function patternOf(words: readonly string[]): RegExp {
  const isNumeric = /^(?:v\?)?\d/.test(words[0] ?? '') && /\d$/.test(words.at(-1) ?? '');
  const [start, end] = isNumeric
    ? ['(?:(?<![a-z0-9])|(?<=\\d{2}t))', '(?:(?![a-z0-9])|(?=t\\d{2}|z(?![a-z0-9])))']
    : ['(?<![a-z0-9])', '(?![a-z0-9])'];
  return new RegExp(`${start}${words.join('[^a-z0-9\\u4e00-\\u9fff]{0,2}')}${end}`, 'g');
}
