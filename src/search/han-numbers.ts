import { anyNotation, inDigits, multiplier, NO_THOUSAND, shortened } from './amounts.ts';
import { distinct, toPhrase, type Phrase } from './phrase.ts';
import { neighbours } from './tokenizer.ts';

const DIGITS = '零一二三四五六七八九';
const VALUES: ReadonlyMap<string, number> = new Map([
  ...Array.from(DIGITS, (digit, value) => [digit, value] as const),
  ['〇', 0],
  ['两', 2],
]);
const UNITS: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
export const NUMERAL = '[\u3007零一二两三四五六七八九十百千]';
const ANY_NUMERAL = new RegExp(NUMERAL);
/** Words that are counted, or behind which a number stands; others make words with numerals that are no numbers (三方,
 * 四川). Durations have notations of their own (durations.ts). */
const COUNTED = '次|遍|轮|倍|个月|点|年|月|条|行|列|名|人|元|块|台|位|页|级|层|章|步|岁|度|份|张|家|套|积分';
/** What multiplies a number before it. */
const LARGE = `[百千]?万|亿|千(?!${NO_THOUSAND})`;
/** A number of up to four digits in either notation, before such a word: 3次, 三十天, 200万条, 1.5万. */
const COUNT = new RegExp(
  `(?<![\\d.,])(\\d{1,4}(?:\\.\\d{1,2}(?= ?(?:${LARGE})))?) ?((?:${LARGE})?(?:${COUNTED})|${LARGE})|(?<!${NUMERAL}|[第点])(${NUMERAL}{1,7})([万亿]?(?:${COUNTED})|[万亿])`,
  'g',
);
/** What must not follow a word that is counted, since it begins another one: 3 千克, 3 元组. */
const NOT_BEFORE: ReadonlyMap<string, string> = new Map([
  ['千', `(?!${NO_THOUSAND})`],
  ['元', '(?![组素])'],
]);
const STARTS_LARGE = new RegExp(`^(?:${LARGE})`);
const YEAR_DIGITS = 4;
/** From this number on, a number of years is a date. */
const LEAST_YEAR = 100;

/** True for a text with a Chinese numeral, which may be a part of another word. */
export function mayHaveNumerals(text: string): boolean {
  return ANY_NUMERAL.test(text);
}

/** Yields the counts of a query that texts may have in the other notation: 3次, 三次. */
export function* countPhrases(query: string): Generator<Phrase> {
  for (const { 1: digits, 2: behind = '', 3: numeral = '', 4: counted = behind } of query.matchAll(COUNT)) {
    const value = digits === undefined ? valueOf(numeral) : Number(digits);
    // 一台 is an article, 二次 another (两次 is two), and 2010年 no count
    const isNone = numeral === '一' || numeral + counted === '二次' || (counted === '年' && (value ?? 0) >= LEAST_YEAR);
    if (value === undefined || isNone) continue;
    const numbers = digits?.split('.') ?? [];
    yield countPhrase(value, counted, digits === undefined ? [`${numeral}${counted}`] : [...numbers, counted]);
  }
}

/** The phrase of a number before a word, written in a query as `words`. */
function countPhrase(value: number, counted: string, words: readonly string[]): Phrase {
  const numbers = String(value).split('.');
  const isWhole = numbers.length === 1;
  const large = multiplier(STARTS_LARGE.exec(counted)?.[0] ?? '');
  const others = large === 1 ? [] : [...inDigits(value * large), ...shortened(value * large)];
  // 万条 may be one term or two
  const starts = Array.from(counted, (_, at) => counted.slice(0, at + 1));
  const ways = [
    ...starts.map((start) => [...numbers, start]),
    ...(isWhole ? waysInNumerals(value, counted) : []),
    ...others.map(({ terms }) => terms),
  ];
  const patterns = [
    `(?<![\\d.,])${numbers.join('\\.')} ?${counted}${NOT_BEFORE.get(counted) ?? ''}`,
    ...(isWhole ? [inNumerals(numeralsOf(value), counted)] : []),
    ...(others.length > 0 ? [anyNotation(others)] : []),
  ];
  const needed = others.length > 0 ? [] : [counted];
  return {
    ...toPhrase(words, distinct(ways), 'exact', new RegExp(patterns.join('|'), 'g'), needed),
    compound: words.join(''),
  };
}

/** A regular expression for one of the numerals before a word. */
export function inNumerals(numerals: readonly string[], counted: string): string {
  return `(?<!${NUMERAL})(?:${numerals.join('|')})${counted}`;
}

/** The terms by which the index may hold a number in numerals before a word: its pairs. */
export function waysInNumerals(value: number, counted: string): string[][] {
  return numeralsOf(value).map((numeral) => neighbours(`${numeral}${counted}`));
}

/** A date in numerals, or its year and month: 二〇二六年三月十五日. */
const DATE = new RegExp(
  `(?:${NUMERAL}{4}年)?${NUMERAL}{1,2}月${NUMERAL}{1,3}(?=[日号])|${NUMERAL}{4}年${NUMERAL}{1,2}(?=月)`,
  'g',
);

/** Returns a query in which the numerals of dates are digits: 2026年3月15日. */
export function withDigitsInDates(query: string): string {
  return query.replaceAll(DATE, (date) =>
    date.replaceAll(new RegExp(`${NUMERAL}+`, 'g'), (numeral) => {
      const isYear = numeral.length === YEAR_DIGITS;
      const digits = Array.from(numeral, (digit) => VALUES.get(digit) ?? '');
      return isYear ? digits.join('') : String(valueOf(numeral) ?? numeral);
    }),
  );
}

/** Returns the value of a numeral up to 9,999; undefined for any other text. */
export function valueOf(numeral: string): number | undefined {
  let [sum, digit]: [number, number | undefined] = [0, undefined];
  for (const sign of numeral) {
    const unit = UNITS.get(sign);
    const value = VALUES.get(sign);
    if (unit !== undefined) {
      if (digit === undefined && (unit !== 10 || sum % 100 !== 0)) return undefined;
      sum += unit * (digit ?? 1);
      digit = undefined;
    } else if (value === undefined || (digit !== undefined && digit !== 0)) return undefined;
    else digit = value;
  }
  return sum + (digit ?? 0);
}

/** Returns the numerals of a whole number up to 9,999: 两百 and 二百, 十五. */
export function numeralsOf(value: number): string[] {
  if (value === 0) return ['零'];
  let text = '';
  for (const [sign, unit] of [...UNITS].toReversed()) {
    const digit = Math.floor(value / unit) % 10;
    if (digit > 0) text += `${DIGITS[digit]}${sign}`;
    else if (text !== '' && value % unit > 0 && !text.endsWith('零')) text += '零';
  }
  if (value % 10 > 0) text += DIGITS[value % 10];
  const short = text.replace(/^\u4e00\u5341/, '十');
  return [...new Set([short, short.replace(/^\u4e8c(?!\u5341)/, '两')])];
}
