import { toPhrase, type Phrase } from './phrase.ts';
import { mayHaveMoney, moneyPhrases } from './currencies.ts';
import { datePhrases, mayHaveMonth, monthPhrases, withoutDates } from './dates.ts';
import { withDigitsInDurations } from './durations.ts';
import { countPhrases, mayHaveNumerals, withDigitsInDates } from './han-numbers.ts';
import { negated } from './negation.ts';
import { numberPhrases, ungroupedNumbers } from './numbers.ts';
import { hasHan, runs } from './scripts.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import type { Tokenizer } from './tokenizer.ts';
import { versionName, versionPhrases } from './versions.ts';

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
/** Signs that tell a command or code from another with the same words: set +e, set -e; a != b. */
const TELLING_SIGNS = /[+<>=~^$|&*[\]{}\\#]|(?<!\S)-|->|\?\./;
/** An operator that stands alone in a query: ?? of `why ??`, ->> of `json ->>`; but no punctuation (..., --, !!). */
const OPERATORS = /(?<!\S)(?![-.!]+(?!\S))[-+<>=~^$|&*?!:.%@/\\]{2,4}(?!\S)/g;
/** Hyphenated words, which are prose as often as names. */
const HYPHENED = /^[A-Za-z]+(?:-[A-Za-z]+)+$/;

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
  const counted = withDigitsInDurations(text);
  if (/\d/.test(counted)) {
    yield* versionPhrases(text);
    const lower = text.toLowerCase();
    if (mayHaveMoney(lower)) yield* moneyPhrases(lower);
    yield* numberPhrases(counted);
  }
  for (const quoted of quotedTexts(text)) yield said(tokenizer, quoted);
  if (text.length <= LONGEST_WHOLE) {
    yield negated(tokenizer, text);
    const whole = said(tokenizer, text.trim());
    if (whole !== undefined) yield whole;
    if (whole === undefined || TELLING_SIGNS.test(text)) yield written(text.trim());
    for (const sign of operatorsOf(text)) yield operator(sign);
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
  const hasMonth = mayHaveMonth(dated);
  if (!hasMonth && !hasHan(text)) return;
  const rest = isNumeric ? withoutDates(dated) : dated;
  if (hasMonth) yield* monthPhrases(rest);
  if (hasHan(text) && (isNumeric || hasNumerals)) yield* countPhrases(rest);
}

/** A name with separators. */
function separatedName(tokenizer: Tokenizer, name: string): Phrase {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return versionName(words) ?? toPhrase(words, [tokenizer.terms(name)], HYPHENED.test(name) ? 'words' : 'name');
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

/** Returns the operators that stand alone in a query. */
export function operatorsOf(query: string): string[] {
  return Array.from(query.matchAll(OPERATORS), ([sign]) => sign);
}

/** The phrase of an operator, which is no part of a longer one: -> is not in ->>. */
function operator(sign: string): Phrase {
  const signs = '[-+<>=~^$|&*?!:.%@/\\\\]';
  return toPhrase([sign], [], 'exact', new RegExp(`(?<!${signs})${RegExp.escape(sign)}(?!${signs})`, 'g'));
}

/** A text with punctuation or symbols, to be found verbatim: /^(a+)+$/; else undefined. */
function written(text: string): Phrase | undefined {
  const letters = runs(text).reduce((sum, run) => sum + run.text.length, 0);
  if (letters === text.replaceAll(/\s/g, '').length) return undefined;
  const lower = text.toLowerCase();
  return toPhrase([lower], [], TELLING_SIGNS.test(lower) ? 'exact' : 'name', new RegExp(RegExp.escape(lower), 'g'));
}

/** The numbers of a round version (GPL 3.0), and of a decimal number with a unit (0.5 s). */
const ROUND = /^[a-z]+ v?\d+ (0)$/;
const DECIMAL = /^(\d+) (\d+) ([^\d ]+)$/;
/** A duration in two parts (2 分 20 秒). */
const TWO_PARTS = /^(\d+) ([^\d ]+) (\d+) ([^\d ]+)$/;

/** Returns the words of a name that mean little alone: the numbers of a name with at least `NUMBERS_OF_NAME` of them (a
 * date, an address), the 0 of a round version, and what precedes and follows the point of a number with a unit. */
export function numbersOfName({ kind, term }: Phrase): string[] {
  const [, zero] = ROUND.exec(term) ?? [];
  if (zero !== undefined) return [zero];
  const [, whole, decimals, unit] = DECIMAL.exec(term) ?? [];
  if (whole !== undefined) return [whole, `${decimals}${unit}`];
  const parts = kind === 'exact' ? TWO_PARTS.exec(term) : null;
  if (parts !== null) return parts.slice(1);
  const numbers = kind === 'name' || kind === 'exact' ? term.split(' ').filter((word) => /^\d+$/.test(word)) : [];
  return numbers.length >= NUMBERS_OF_NAME ? numbers : [];
}
