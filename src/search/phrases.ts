import { compound, distinct, patternOf, toPhrase, type Phrase } from './phrase.ts';
import { datePhrases, withoutDates } from './dates.ts';
import { countPhrases, mayHaveNumerals, withDigitsInDates } from './han-numbers.ts';
import { numberPhrases, ungroupedNumbers } from './numbers.ts';
import { hasHan, runs } from './scripts.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import type { Tokenizer } from './tokenizer.ts';
import { normalForm } from './words.ts';

/** Most phrases of a query, and most words of a phrase. They bound the work for pasted logs. */
const MAX_PHRASES = 8;
const MAX_WORDS = 12;
/** In characters: the longest query that is a phrase as a whole, and how much of the start and of the end of a query is
 * examined for names where it is longer than both together. */
const LONGEST_WHOLE = 80;
const EXAMINED_START = 200;
const EXAMINED_END = 400;

/** Characters of the shortest stretch of Han text that is a phrase: shorter ones are one or two words, which are counted
 * as such. Range 4 to 6. */
const SHORTEST_STRETCH = 4;

const SEPARATED_NAMES = /[A-Za-z0-9]+(?:[-_./:=@]{1,2}[A-Za-z0-9]+)+/g;
/** A text in "", “”, 「」, 『』 or ``. */
const QUOTED =
  /"([^"]+)"|\u201c([^\u201c\u201d]+)\u201d|\u300c([^\u300c\u300d]+)\u300d|\u300e([^\u300e\u300f]+)\u300f|`([^`]+)`/g;
/** A word and a number, joined or separated: jdk8, ES 6, UTF-8, ip v6, HTTP/2, ADR-0007. */
const NUMBERED = /(?<![A-Za-z0-9])([A-Za-z]{2,})[ _/-]?(v?(?:\d{1,3}|0\d{3}))(?![A-Za-z0-9]|\.\d)/g;
/** A word and a version, joined or separated: jdk1.8, TLS v1.3, Python 3.11.4. */
const VERSIONED = /(?<![A-Za-z0-9])([A-Za-z]{2,}?)[ _/-]?(v?)(\d{1,4}(?:\.\d{1,4}){1,3})(?![A-Za-z0-9]|\.\d)/g;
/** Signs that tell a command or code from another with the same words: set +e, set -e; a != b. */
const TELLING_SIGNS = /[+<>=~^$|&*[\]{}\\#]|(?<!\S)-|->|\?\./;
/** Hyphenated words, which are prose as often as names. */
const HYPHENED = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;
const VERSION = /^v?(\d+)$/;

/** From this many on, the numbers of a name count only as its parts: a date has three, an address four. Range 3 to 4;
 * at 2, versions lose 0.1. */
const NUMBERS_OF_NAME = 3;

/** Two neighbouring words, of which the first consists only of letters. */
const NEIGHBOURS = /(?<![a-z0-9])([a-z]{2,16})(?:\s+|(-))(?=([a-z0-9]{2,16})(?![a-z0-9]))/g;

/** Returns each two neighbouring words of a folded query that may be written as one (time out, log-in). After a stop
 * word they would be another word (in form), unless a hyphen joins them (no-op). */
export function wordPairs(query: string): (readonly [string, string])[] {
  return Array.from(query.matchAll(NEIGHBOURS))
    .filter(([, first = '', hyphen]) => hyphen !== undefined || !ENGLISH_STOP_WORDS.has(first))
    .map(([, first = '', , second = '']) => [first, second] as const);
}

/** Returns the texts in quotation marks in a query. */
export function quotedTexts(query: string): string[] {
  return Array.from(query.matchAll(QUOTED), ([, ...groups]) => groups.join(''));
}

/** Returns the phrases of a normalised query, at most `MAX_PHRASES`. Those at the end of a pasted log, where an error
 * is, come first. */
export function phrasesOf(tokenizer: Tokenizer, text: string): Phrase[] {
  const found = new Map<string, Phrase>();
  for (const phrase of candidates(tokenizer, examined(text.replaceAll(/\s+/g, ' ')))) {
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
  yield* datesAndCounts(text);
  if (/\d/.test(text)) {
    for (const [, word = '', number = ''] of text.matchAll(NUMBERED)) yield numbered(word, number);
    const lower = text.toLowerCase();
    for (const [, word = '', v = '', version = ''] of lower.matchAll(VERSIONED)) yield versioned(word, v, version);
    yield* numberPhrases(text);
  }
  for (const quoted of quotedTexts(text)) yield said(tokenizer, quoted);
  if (text.length <= LONGEST_WHOLE) {
    const whole = said(tokenizer, text.trim());
    if (whole !== undefined) yield whole;
    if (whole === undefined || TELLING_SIGNS.test(text)) yield written(text.trim());
  }
  if (/\d{4}/.test(text)) yield* ungroupedNumbers(withoutDates(text));
}

/** Dates, and counts in digits or Chinese numerals. Most queries have none, and a short call compiles every pattern that
 * it uses. */
function* datesAndCounts(text: string): Generator<Phrase> {
  const hasNumerals = mayHaveNumerals(text);
  const dated = hasNumerals ? withDigitsInDates(text) : text;
  const isNumeric = /\d/.test(dated);
  if (isNumeric) yield* datePhrases(dated);
  if (hasHan(text) && (isNumeric || hasNumerals)) yield* countPhrases(isNumeric ? withoutDates(dated) : dated);
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

/** Digits to which the numbers of names are padded with zeros: ADR-007, RFC 0042. */
const PADDED = [1, 2, 3, 4];
const LONGEST_PADDED = 4;

function numbered(word: string, number: string): Phrase | undefined {
  if (ENGLISH_STOP_WORDS.has(word.toLowerCase())) return undefined;
  const lower = word.toLowerCase();
  const digits = number.replace(/^v/i, '');
  const phrase = compound(word, number);
  // 8 of Gradle 8 is v8 too, and version 2 is v2
  const isVersion = lower === 'version';
  const value = String(Number(digits));
  const others = isVersion
    ? [[`v${digits}`]]
    : [digits, `v${digits}`, ...PADDED.map((length) => value.padStart(length, '0'))].flatMap(
        (one) => compound(word, one).ways,
      );
  const pattern = patternOf([
    isVersion
      ? `(?:version[^a-z0-9]{0,2}v?|v)${digits}`
      : `${lower}[^a-z0-9\\u4e00-\\u9fff]{0,2}v?0{0,${LONGEST_PADDED - value.length}}${value}`,
  ]);
  return {
    ...phrase,
    ...toPhrase([lower, number.toLowerCase()], distinct([...phrase.ways, ...others]), 'name', pattern, [value]),
  };
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

/** A phrase of several words in a row, or of a stretch of Han text; undefined for a single word, and for only stop
 * words. */
function said(tokenizer: Tokenizer, text: string): Phrase | undefined {
  const words = runs(text).map((run) => run.text.toLowerCase());
  const [first = ''] = words;
  if (words.length === 1 && first.length >= SHORTEST_STRETCH && hasHan(first))
    return toPhrase(words, [], 'words', new RegExp(first, 'g'));
  if (words.length < 2 || words.every((word) => ENGLISH_STOP_WORDS.has(word))) return undefined;
  return toPhrase(words, hasHan(text) ? [] : [tokenizer.terms(text)], 'words');
}

/** A text with punctuation or symbols, to be found verbatim: /^(a+)+$/; else undefined. */
function written(text: string): Phrase | undefined {
  const letters = runs(text).reduce((sum, run) => sum + run.text.length, 0);
  if (letters === text.replaceAll(/\s/g, '').length) return undefined;
  const lower = text.toLowerCase();
  return toPhrase([lower], [], TELLING_SIGNS.test(lower) ? 'exact' : 'name', new RegExp(RegExp.escape(lower), 'g'));
}

/** Returns the numbers of a name with at least `NUMBERS_OF_NAME` of them (a date, an address): alone they mean
 * little. */
export function numbersOfName({ kind, term }: Phrase): string[] {
  const numbers = kind === 'name' || kind === 'exact' ? term.split(' ').filter((word) => /^\d+$/.test(word)) : [];
  return numbers.length >= NUMBERS_OF_NAME ? numbers : [];
}
