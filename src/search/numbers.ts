import { compound, patternOf, toPhrase, type Phrase } from './phrase.ts';
import { hasHan } from './scripts.ts';
import { normalForm } from './words.ts';

/** A number and its unit in lower case, joined or separated: 4mb, 1.5 gb, 5 min, 500m, 1.8秒. */
const MEASURED =
  /(?<![a-z0-9.])(\d{1,7}(?:\.\d{1,4})?)[ _-]?([kmgtp]?i?b|[kmgt]bps|[mun]?s|secs?|mins?|hrs?|(?:milli|micro)?seconds?|minutes?|hours?|days?|[mhdwk]|px|pt|r?em|[kmg]?hz|qps|tps|rps|fps|[\u6beb\u5fae]?\u79d2|\u5206\u949f|\u5c0f\u65f6|\u5929)(?![a-z0-9]|\.\d)/g;
/** Units that are written in several ways, without the s of the plural. */
const DURATIONS: readonly (readonly string[])[] = [
  ['s', 'sec', 'second', '秒'],
  ['ms', 'millisecond', '毫秒'],
  ['us', 'microsecond', '微秒'],
  ['m', 'min', 'minute', '分钟'],
  ['h', 'hr', 'hour', '小时'],
  ['d', 'day', '天'],
];
/** A number with thousands separators: 65,535, 1_200_000. */
const GROUPED = /(?<![A-Za-z0-9]|\d[.,_])\d{1,3}(?:[,_]\d{3}){1,3}(?!\d|[.,_]\d)/g;
/** A number that others write with them. */
const UNGROUPED = /(?<![A-Za-z0-9]|\d[-/.:,_])\d{4,10}(?!\d|[-/.:,_]\d| ?\u5e74)/g;
/** A date: 2026-04-05, 2026/4/5, 2026年4月5日; 4月5日. */
const DATE =
  /(?<!\d)(?:\d{4} ?[-/.\u5e74] ?\d{1,2} ?[-/.\u6708] ?\d{1,2}(?!\d)(?: ?[\u65e5\u53f7])?|\d{1,2} ?\u6708 ?\d{1,2} ?[\u65e5\u53f7])/g;
/** The same as one word: 20260405. */
const COMPACT_DATE = /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/g;

/** Yields the numbers of a folded query that texts may have in another notation: with units, separators and dates. */
export function* numberPhrases(query: string): Generator<Phrase> {
  for (const [, number = '', unit = ''] of query.matchAll(MEASURED)) yield measured(number, unit);
  for (const [text] of query.matchAll(DATE)) yield date(text.match(/\d+|[\u5e74\u6708\u65e5\u53f7]/g) ?? []);
  for (const [, ...numbers] of query.matchAll(COMPACT_DATE)) yield date(numbers);
  for (const [number] of query.matchAll(GROUPED)) yield compound(...number.split(/[,_]/));
}

/** Yields the numbers of a folded query that texts may have with thousands separators. */
export function* ungroupedNumbers(query: string): Generator<Phrase> {
  for (const [number] of query.matchAll(UNGROUPED)) {
    const groups = number.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [];
    const pattern = new RegExp(`(?<![a-z0-9])${groups.join("[,._' ]")}(?!\\d)`, 'g');
    yield { ...toPhrase(groups, [groups], 'name', pattern), compound: number };
  }
}

/** The phrase of a number and its unit, with the other ways to write that. Of 1.5 gb, 5 and gb may be written as one. */
function measured(number: string, unit: string): Phrase {
  const [last = '', ...before] = number.split('.').toReversed();
  const singular = unit.replace(/(?<=..)s$/, '');
  const units = DURATIONS.find((forms) => forms.includes(unit) || forms.includes(singular)) ?? [unit];
  const ways = units.flatMap((one) => {
    const apart = [...before, last, one];
    return hasHan(one) ? [apart] : [apart, [...before, `${last}${one}`]];
  });
  const written = units.map((one) => (one.length > 2 ? `${one}s?` : one));
  const pattern = patternOf([...before, last, `(?:${written.join('|')})`]);
  const numbers = [...before, last];
  return {
    ...toPhrase([...numbers, unit], ways, 'name', pattern, numbers),
    compound: normalForm(`${last}${units[0] ?? unit}`),
  };
}

/** The phrase of a date, with the other ways to write it. `words` are its numbers, and the Chinese signs behind them. */
function date(words: readonly string[]): Phrase {
  const numbers = words.filter((word) => /^\d/.test(word)).map((number) => number.replace(/^0/, ''));
  const [d = '', m = '', year] = numbers.toReversed();
  const [mm, dd] = [m.padStart(2, '0'), d.padStart(2, '0')];
  const start = year === undefined ? [] : [year];
  const chinese = year === undefined ? [] : [year, '年'];
  const ways = [
    [...start, mm, dd],
    [...chinese, m, '月', d],
    [...chinese, mm, '月', dd],
    ...(year === undefined ? [] : [[year, m, d], [`${year}${mm}${dd}`]]),
  ];
  const signs = `[-/._年月 ]{${year === undefined ? 1 : 0},3}`;
  const pattern = new RegExp(`(?<!\\d)${[...start, `0?${m}`, `0?${d}`].join(signs)}(?!\\d)`, 'g');
  return {
    ...toPhrase(words, ways, 'name', pattern, start),
    compound: [...start, mm, dd].join(''),
  };
}
