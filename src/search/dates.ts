import { distinct, toPhrase, type Phrase } from './phrase.ts';
import { numeralsOf, valueOf } from './han-numbers.ts';
import { neighbours } from './tokenizer.ts';
import { wordTerms } from './words.ts';

/** English names of the months, and their abbreviations, which are the first three letters. */
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const ABBREVIATED = 3;
const YEAR = '(?:19|20)\\d{2}';
const MONTH = '(?:0?[1-9]|1[0-2])';
const DAY = '(?:3[01]|[12]\\d|0?[1-9])';
const ORDINAL = '(?:st|nd|rd|th)?';
const MONTH_NAME = `(?:${MONTHS.map(monthPattern).join('|')})`;
/** What every date with a year, with Chinese signs or with the name of a month has. */
const FOUR_DIGITS = /\d{4}/;
const MONTH_SIGN = /\u6708/;
const MONTH_START = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i;

interface DatePattern {
  readonly source: string;
  /** Every text with such a date matches it. */
  readonly needs: RegExp;
  /** Compiled for the first such text, since each takes up to a millisecond. */
  compiled?: RegExp;
}

/** Dates in a query: 2026-04-05, 2026/4/5, 2026.04.05 (2024.1.2 is a version), 2026年4月5日; 20260405; 4月5日; 2026-04;
 * 2026年4月; April 5th, 2026; April 5; 5 April 2026; 5th of April; April 2026. */
const DATES: readonly DatePattern[] = [
  {
    needs: FOUR_DIGITS,
    source: `(?<![\\d.])(?<year>\\d{4})(?: ?[-/\\u5e74] ?(?<month>${MONTH}) ?[-/\\u6708] ?|\\.(?<month>0[1-9]|1[0-2])\\.(?=\\d\\d))(?<day>${DAY})(?!\\.?\\d)(?: ?[\\u65e5\\u53f7])?`,
  },
  {
    needs: FOUR_DIGITS,
    source: `(?<!\\d)(?<year>${YEAR})(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\\d|3[01])(?!\\d)`,
  },
  {
    needs: MONTH_SIGN,
    source: `(?<!\\d|\\u5e74 ?)(?<month>${MONTH}) ?\\u6708 ?(?<day>${DAY}) ?[\\u65e5\\u53f7]`,
  },
  {
    needs: FOUR_DIGITS,
    source: `(?<![\\d.]|\\d[-/])(?<year>${YEAR})[-/](?<month>0[1-9]|1[0-2])(?![-/]?\\d)`,
  },
  {
    needs: MONTH_SIGN,
    source: `(?<![\\d.])(?<year>${YEAR}) ?\\u5e74 ?(?<month>${MONTH}) ?\\u6708(?! ?\\d)`,
  },
  {
    needs: MONTH_START,
    source: `(?<![a-z0-9])(?<name>${MONTH_NAME})\\.?[ -](?<day>${DAY})${ORDINAL}(?![a-z0-9]|\\.\\d)(?:,? (?<year>${YEAR})(?!\\d))?`,
  },
  {
    needs: MONTH_START,
    source: `(?<![a-z0-9.])(?<day>${DAY})${ORDINAL}(?: of)?[ -](?<name>${MONTH_NAME})(?![a-z])\\.?(?:,?[ -](?<year>${YEAR})(?!\\d))?`,
  },
  {
    needs: MONTH_START,
    source: `(?<![a-z0-9])(?<name>${MONTH_NAME})\\.?,? (?<year>${YEAR})(?!\\d)`,
  },
];

/** The patterns for the dates that a text may have. */
function patternsFor(text: string): RegExp[] {
  return DATES.filter(({ needs }) => needs.test(text)).map((one) => (one.compiled ??= new RegExp(one.source, 'gi')));
}

/** A month alone: 4月, 四月, April. May is one only with a capital behind the first word. */
function monthAlonePattern(): RegExp {
  const names = MONTHS.filter((name) => name !== 'may').map(inEitherCase);
  return new RegExp(
    `(?<![\\d.]|\\u5e74 ?)(?<month>${MONTH}) ?\\u6708(?! ?\\d)|(?<![一二三四五六七八九十年])(?<numeral>十[一二]?|[一二三四五六七八九])月|(?<=\\S\\s+)(?<name>May)(?![A-Za-z0-9])|(?<![A-Za-z0-9])(?<name>${names.join('|')})(?![A-Za-z0-9])`,
    'g',
  );
}

/** Compiled for the first query that may have one. */
let monthAlone: RegExp | undefined;

/** A regular expression for the name of a month or its abbreviation, with a capital or in lower case. */
function inEitherCase(name: string): string {
  return `(?:${name.charAt(0)}|${name.charAt(0).toUpperCase()})${monthPattern(name).slice(1)}`;
}

/** The words of a date, and the Chinese signs behind them. */
const WORDS = /[a-z0-9]+|[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]*[\u5e74\u6708\u65e5\u53f7]/g;

/** A day, a month of a year, or a month. Numbers have no leading zeros. */
interface CalendarDate {
  readonly year?: string | undefined;
  /** 1 to 12. */
  readonly month: string;
  readonly day?: string | undefined;
}

/** Yields the dates of a query, which texts may have in another notation. */
export function* datePhrases(query: string): Generator<Phrase> {
  for (const pattern of patternsFor(query)) {
    for (const { 0: text, groups: { year, month, day, name } = {} } of query.matchAll(pattern)) {
      // may is a verb too: step 5 may fail
      if (name === 'may' && year === undefined) continue;
      const number = name === undefined ? withoutZero(month ?? '') : numberOf(name);
      yield datePhrase(text, { year, month: number, day: day === undefined ? undefined : withoutZero(day) });
    }
  }
}

/** True for a text that may have a month alone. */
export function mayHaveMonth(text: string): boolean {
  return MONTH_SIGN.test(text) || MONTH_START.test(text);
}

/** Yields the months alone in a text without dates. */
export function* monthPhrases(text: string): Generator<Phrase> {
  for (const { 0: words, groups: { month, numeral, name } = {} } of text.matchAll(
    (monthAlone ??= monthAlonePattern()),
  )) {
    const number = numeral === undefined ? withoutZero(month ?? '') : String(valueOf(numeral));
    yield datePhrase(words, { month: name === undefined ? number : numberOf(name) });
  }
}

function withoutZero(number: string): string {
  return number.replace(/^0/, '');
}

function numberOf(name: string): string {
  const start = name.slice(0, ABBREVIATED).toLowerCase();
  return String(1 + MONTHS.findIndex((month) => month.startsWith(start)));
}

/** A regular expression for a month's name or its abbreviation; September also has one of four letters. */
function monthPattern(name: string): string {
  const [start, rest] = [name.slice(0, ABBREVIATED), name.slice(ABBREVIATED)];
  if (rest === '') return name;
  return name === 'september' ? 'sept?(?:ember)?' : `${start}(?:${rest})?`;
}

/** Returns a text without the dates in it. */
export function withoutDates(text: string): string {
  return patternsFor(text).reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text);
}

/** The phrase of a date, with the other ways to write it. `text` is how the query writes it. */
function datePhrase(text: string, date: CalendarDate): Phrase {
  const { year, month, day } = date;
  const isCompact = /^\d+$/.test(text);
  const words = (isCompact ? text.replace(/(?=(?:..){1,2}$)/g, ' ') : text.toLowerCase()).match(WORDS) ?? [];
  const { ways, loose = [], patterns } = notations(date);
  const pattern = new RegExp(patterns.map((one) => `(?<![a-z0-9])(?:${one})`).join('|'), 'g');
  return {
    ...toPhrase(words, distinct(ways), 'exact', pattern, year === undefined ? [] : [year]),
    loose,
    compound:
      year === undefined && day === undefined
        ? words.join('')
        : [year, month, day].map((number) => (number === undefined ? '' : padded(number))).join(''),
  };
}

interface Notations extends Pick<Phrase, 'ways' | 'loose'> {
  /** Regular expressions for folded text, each to stand behind no letter and no digit. */
  readonly patterns: readonly string[];
}

function notations({ year, month, day }: CalendarDate): Notations {
  if (year !== undefined && day !== undefined) return notationsOfDate(year, month, day);
  if (day !== undefined) return notationsOfDay(month, day);
  return year === undefined ? notationsOfAnyYear(month) : notationsOfMonth(year, month);
}

function notationsOfDate(year: string, month: string, day: string): Notations {
  const [mm, dd] = [padded(month), padded(day)];
  const ways = [
    [year, mm, dd],
    [year, month, day],
    [year, '年', month, '月', day],
    [year, '年', mm, '月', dd],
    [`${year}${mm}${dd}`],
    ...inEnglish(month, day).map((way) => [...way, year]),
  ];
  const patterns = [
    `${year}(?:${mm}${dd}(?!\\d)|[-/._ ]{1,3}0?${month}[-/._ ]{1,3}0?${day}(?!\\d)| ?年 ?${chinesePattern(month, day)})`,
    `${englishPattern(month, day)},?[ -]${year}(?!\\d)`,
  ];
  return { ways, patterns };
}

/** A time may have the numbers of a day: the index cannot tell 2026-04-05 from 10:04:05. */
function notationsOfDay(month: string, day: string): Notations {
  const [mm, dd] = [padded(month), padded(day)];
  const inChinese = [month, mm].flatMap((one) => [day, dd].map((other) => [one, '月', other]));
  const patterns = [
    chinesePattern(month, day),
    `\\d{4}(?:[-/.]0?${month}[-/.]0?${day}(?!\\d)| ?年 ?${chinesePattern(month, day)})`,
    `${englishPattern(month, day)}(?![a-z0-9])`,
  ];
  return {
    ways: [...inChinese, neighbours(numeralDay(month, day)), ...inEnglish(month, day)],
    loose: [[mm, dd]],
    patterns,
  };
}

function notationsOfMonth(year: string, month: string): Notations {
  const mm = padded(month);
  const ways = [
    [year, mm],
    ...[month, mm].map((one) => [year, '年', one]),
    ...namesOf(month).map((name) => [name, year]),
  ];
  const patterns = [
    `${year}(?:[-/.]${mm}(?!\\d)|[-/.]${month}[-/.]\\d| ?年 ?0?${month} ?月)`,
    `${namePattern(month)}(?: \\d{1,2}${ORDINAL})?,?[ -]${year}(?!\\d)`,
  ];
  return { ways, patterns };
}

/** A month of any year. */
function notationsOfAnyYear(month: string): Notations {
  const numeral = `${numeralsOf(Number(month))[0] ?? ''}月`;
  const ways = [...namesOf(month).map((name) => [name]), [month, '月'], [padded(month), '月'], neighbours(numeral)];
  return { ways, patterns: [`${namePattern(month)}(?![a-z0-9])`, `0?${month} ?月`, `(?<![十二])${numeral}`] };
}

function chinesePattern(month: string, day: string): string {
  return `(?:0?${month} ?月 ?0?${day}(?!\\d)|${numeralDay(month, day)}(?=[日号]))`;
}

function numeralDay(month: string, day: string): string {
  const [ofMonth, ofDay] = [month, day].map((number) => numeralsOf(Number(number))[0] ?? '');
  return `${ofMonth}月${ofDay}`;
}

function englishPattern(month: string, day: string): string {
  const name = namePattern(month);
  const number = `0?${day}${ORDINAL}`;
  return `(?:${name}[ -]{1,2}${number}|${number}(?: of)?[ -]${name})`;
}

function namePattern(month: string): string {
  return `${monthPattern(MONTHS[Number(month) - 1] ?? '')}\\.?`;
}

/** The terms of a day: April 5, Apr 05, April 5th, 5 April, 5th of April. */
function inEnglish(month: string, day: string): string[][] {
  const ordinal = wordTerms(`${day}${ordinalEnding(day)}`);
  const days = [[day], ordinal];
  return namesOf(month).flatMap((name) => [
    ...[...days, [padded(day)]].map((terms) => [name, ...terms]),
    ...[...days, [...ordinal, 'of']].map((terms) => [...terms, name]),
  ]);
}

function namesOf(month: string): string[] {
  const name = MONTHS[Number(month) - 1] ?? '';
  return [name, name.slice(0, ABBREVIATED), ...(name === 'september' ? ['sept'] : [])];
}

/** The ending of an ordinal number from 1 to 31. */
function ordinalEnding(number: string): string {
  if (/^1\d$/.test(number)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[number.at(-1) ?? ''] ?? 'th';
}

function padded(number: string): string {
  return number.padStart(2, '0');
}
