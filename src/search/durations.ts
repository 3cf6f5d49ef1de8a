import { anyNotation, inThousands, joinedTo, type Notation } from './amounts.ts';
import { inNumerals, mayHaveNumerals, NUMERAL, numeralsOf, valueOf, waysInNumerals } from './han-numbers.ts';
import { compound, distinct, toPhrase, type Phrase } from './phrase.ts';
import { hasHan } from './scripts.ts';
import { AMBIGUOUS_UNITS, orPlural, TIME_UNITS, timeUnitOf, type TimeUnit } from './time-units.ts';
import { neighbours } from './tokenizer.ts';

/** Places of units. */
const SECONDS = 2;
const MINUTES = 3;
const HOURS = 4;
/** The units of durations in two parts, of which a minute or an hour has as many of the next. */
const PARTS_OF_UNIT = 60;

/** Largest number of a unit in which a duration is also written: 86,400 s and 604,800 s are days and weeks; and the
 * largest with a fraction, which has up to this many digits (0.42 s, 2.5 h). Ranges 10,000 to a million, 10 to 1,000,
 * and 1 to 2. */
const MOST_WHOLE = 700_000;
const MOST_WITH_FRACTION = 100;
const MOST_DIGITS = 2;

/** Largest number that is also written in Chinese numerals. Range 10 to 9,999; each numeral takes some lookups. */
const MOST_IN_NUMERALS = 99;

/** What must not precede a number, and what must not follow a unit of time: 第 2 天, twenty-one hours; 两周年, 60 m/s. */
const START = '(?<!第 ?|[a-z]-)';
const END = '(?![a-z0-9年岁/])';

/** What may be between a number and a unit, and between decimals and a unit. */
const SEPARATORS = ['', ' ', '-', '_'];
const BEHIND_DECIMALS = [...SEPARATORS, ...SEPARATORS.map((separator) => `0${separator}`)];

/** How a duration may be written too. */
interface SameDuration {
  readonly notations: readonly Notation[];
  /** The terms of ways that the index cannot tell from others. */
  readonly loose: readonly (readonly string[])[];
}

/** Returns the other ways to write a duration: in other units (150 min, 2.5 h), in two parts (140 s, 2 min 20 s) and in
 * Chinese numerals (两个半小时). `name` is that of a unit of any kind; of one that is no unit of time there are none. */
export function sameDuration(value: number, name: string): SameDuration {
  const from = timeUnitOf(name);
  if (from < 0 || value === 0) return { notations: [], loose: [] };
  const milliseconds = value * (TIME_UNITS[from]?.milliseconds ?? 0);
  const written = TIME_UNITS.flatMap((unit, at) => {
    const amount = Number((milliseconds / unit.milliseconds).toPrecision(12));
    return at === from || isWritten(amount, at - from) ? [inUnit(amount, unit, at === from)] : [];
  });
  return {
    notations: [...written.flatMap(({ notations }) => notations), ...inTwoParts(milliseconds)],
    loose: written.flatMap(({ loose }) => loose),
  };
}

/** Pieces of which a text with any of the notations has one: 2.5h, 9000 s, 两个半小时. */
export function piecesOf({ notations }: SameDuration): string[] {
  return notations.flatMap(({ terms }) => {
    const [first = '', ...others] = terms;
    // pairs of characters, each of which begins with the last character of the one before
    if (hasHan(first)) return [first + others.map((pair) => pair.slice(1)).join('')];
    const [, number = first, joined = ''] = /^(\d+)(\D*)$/.exec(first) ?? [];
    if (joined !== '') return [number + joined.charAt(0), `${number} ${joined.charAt(0)}`];
    const [, decimals, unit] = /^(\d+)(\D*)$/.exec(others[0] ?? '') ?? [];
    const amount = decimals === undefined ? number : `${number}.${decimals}`;
    const name = (unit || others.at(decimals === undefined ? 0 : 1))?.charAt(0) ?? '';
    const separators = decimals === undefined ? SEPARATORS : BEHIND_DECIMALS;
    const grouped = ['', ',', '_'].map((separator) => inThousands(number).join(separator));
    const amounts = decimals === undefined ? new Set(grouped) : [amount];
    return [...amounts].flatMap((written) => separators.map((between) => `${written}${between}${name}`));
  });
}

/** True for an amount that people write: whole in a smaller unit, whole or with a fraction in a larger one. */
function isWritten(amount: number, step: number): boolean {
  if (String(amount).includes('e')) return false;
  const digits = String(amount).split('.')[1]?.length ?? 0;
  if (step < 0) return digits === 0 && amount <= MOST_WHOLE;
  return digits === 0 || (amount <= MOST_WITH_FRACTION && digits <= (step === 1 ? MOST_DIGITS : 1));
}

/** An amount of one unit; of the `own` unit only in Chinese numerals, since numbers.ts has its other ways. */
function inUnit(amount: number, unit: TimeUnit, own: boolean): SameDuration {
  const { latin, han, measure = '' } = unit;
  const numbers = String(amount).split('.');
  const number = numbers.length === 1 ? inThousands(numbers[0] ?? '').join('[,_]?') : `${numbers.join('\\.')}0?`;
  const behind = measure === '' ? '' : `${measure}?`;
  const inDigits = own ? han : [...latin, ...han];
  const names = inDigits.filter((name) => !isJoined(name)).map(orPlural);
  const letter = own ? [] : latin.filter(isJoined);
  const pattern = `${START}${number}(?:[ _-]?${behind}(?:${names.join('|')})${letter.map((one) => `|${one}`).join('')})${END}`;
  const groups = inThousands(numbers[0] ?? '');
  const written = groups.length > 1 ? [numbers, groups] : [numbers];
  const joined = own ? [] : latin.map((name) => ({ name, terms: joinedTo(numbers, name) }));
  return {
    notations: [
      ...inDigits
        .filter((name) => !isJoined(name))
        .flatMap((name) => written.map((digits) => ({ terms: [...digits, name], pattern }))),
      ...(measure === ''
        ? []
        : han.filter(isMeasured).map((name) => ({ terms: [...numbers, measure, name], pattern }))),
      ...joined.filter(({ name }) => !AMBIGUOUS_UNITS.has(name)).map(({ terms }) => ({ terms, pattern })),
      ...inHanNumerals(amount, unit),
      ...inWords(amount, latin.at(-1) ?? ''),
    ],
    loose: joined.filter(({ name }) => AMBIGUOUS_UNITS.has(name)).map(({ terms }) => terms),
  };
}

/** An amount in Chinese numerals: 两周, 半小时, 两个半小时. */
function inHanNumerals(amount: number, { han, measure = '' }: TimeUnit): Notation[] {
  const whole = Math.floor(amount);
  const hasHalf = amount - whole === 0.5;
  const isHalved = measure !== '' || (whole === 0 && han.includes('分钟'));
  if ((amount !== whole && !hasHalf) || (hasHalf && !isHalved) || whole > MOST_IN_NUMERALS) return [];
  return han.flatMap((name) => {
    if (hasHalf && whole === 0)
      return [...new Set(['半', `半${measure}`])].map((half) => ({
        terms: neighbours(half + name),
        pattern: `(?<!个)${half}${name}`, // not of 两个半小时
      }));
    if (hasHalf)
      return numeralsOf(whole).map((numeral) => {
        const written = `${numeral}${measure}半${name}`;
        return { terms: neighbours(written), pattern: `(?<!${NUMERAL})${written}` };
      });
    return [...new Set(['', isMeasured(name) ? measure : ''])].flatMap((between) =>
      waysInNumerals(whole, between + name).map((terms) => ({
        terms,
        pattern: START + inNumerals(numeralsOf(whole), between + name) + END,
      })),
    );
  });
}

/** True for a letter that is a unit of time only where it is joined to its number: 60 m is a length, and 3-D no duration. */
function isJoined(name: string): boolean {
  return name === 'm' || name === 'd';
}

/** True for a unit that may have a measure word: 两个星期, but 两周. */
function isMeasured(name: string): boolean {
  return name.length > 1;
}

/** An amount in English words: two weeks, half an hour. */
function inWords(amount: number, name: string): Notation[] {
  return [...NUMBER_WORDS]
    .filter(([, number]) => Number(number) === amount)
    .map(([words]) => ({
      terms: [...words.split(' '), name],
      pattern: `(?<![a-z]-|half )${words}[ -]${name}s?(?![a-z0-9])`,
    }));
}

/** Regular expressions for the English names of units in durations of two parts. */
const PART_NAMES = { h: 'h(?:rs?|ours?)?', m: 'm(?:ins?|inutes?)?', s: 's(?:ec(?:ond)?s?)?' } as const;

/** A duration in minutes and seconds, or in hours and minutes. */
function inTwoParts(milliseconds: number): Notation[] {
  return [MINUTES, HOURS].flatMap((large): Notation[] => {
    const small = TIME_UNITS[large - 1]?.milliseconds ?? 0;
    const total = Number((milliseconds / small).toPrecision(12));
    const [whole, rest] = [Math.floor(total / PARTS_OF_UNIT), total % PARTS_OF_UNIT];
    if (!Number.isInteger(total) || whole === 0 || rest === 0 || whole >= PARTS_OF_UNIT) return [];
    const [first, second] = large === MINUTES ? ['分', '秒'] : ['小时', '分'];
    const [one, other] = large === MINUTES ? (['m', 's'] as const) : (['h', 'm'] as const);
    const pattern = `${whole} ?${PART_NAMES[one]} ?(?:and )?0?${rest} ?${PART_NAMES[other]}${END}`;
    const [start, end] = [`${whole}${one}`, `${rest}${other}`];
    return [
      {
        terms: [String(whole), first, String(rest), second],
        pattern: `${whole} ?个?${first}钟? ?0?${rest} ?${second}`,
      },
      ...(large === HOURS ? inTwoPartsOfHours(whole, rest, pattern) : []),
      { terms: [start, end], pattern },
      { terms: [start + end], pattern },
    ];
  });
}

/** Hours and minutes in words. */
function inTwoPartsOfHours(hours: number, minutes: number, pattern: string): Notation[] {
  const [whole, rest] = [String(hours), String(minutes)];
  return [
    { terms: [whole, 'hour', 'and', rest, 'minute'], pattern },
    { terms: [whole, 'hour', rest, 'minute'], pattern },
    ...[['小时'], ['个', '小时']].map((unit) => ({
      terms: [whole, ...unit, rest, '分钟'],
      pattern: `${whole} ?个?小时 ?0?${rest} ?分钟`,
    })),
  ];
}

/** Returns a regular expression for a duration in two parts: 2 分 20 秒, 1h30m, 1 小时 30 分钟. */
function twoParts(): RegExp {
  const minutes = `(分钟?|${PART_NAMES.m})`;
  const [hours, seconds] = [`(个?小时|${PART_NAMES.h})`, `(秒|${PART_NAMES.s})`];
  return new RegExp(
    `(?<![a-z0-9.]|\\d[,_])(\\d{1,2}) ?(?:${minutes}|${hours}) ?(?:and )?(\\d{1,2}) ?(?:${seconds}|${minutes})(?![a-z0-9])`,
    'g',
  );
}

/** Yields the durations in two parts of a folded query, which texts may have in one unit. */
export function* durationPhrases(query: string): Generator<Phrase> {
  if (!/\d\D+\d/.test(query)) return; // a short call compiles every pattern that it uses
  for (const [text, whole = '', minutes, , rest = '', seconds] of query.matchAll(twoParts())) {
    if ((minutes === undefined) !== (seconds === undefined)) continue; // hours and seconds
    const unit = TIME_UNITS[minutes === undefined ? MINUTES : SECONDS];
    const total = Number(whole) * PARTS_OF_UNIT + Number(rest);
    const [name = ''] = unit?.latin ?? [];
    const { notations, loose } = sameDuration(total, name);
    const own = unit === undefined ? [] : inUnit(total, unit, false).notations;
    const all = [...own, ...notations];
    const words = text.match(/\d+|[^\d ]+/g) ?? [];
    yield {
      ...toPhrase(words, distinct(all.map(({ terms }) => terms)), 'exact', new RegExp(anyNotation(all), 'g'), []),
      loose,
      compound: compound(...words).compound ?? '',
    };
  }
}

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map([
  ['half an', '0.5'],
  ['an', '1'],
  ['one', '1'],
  ['two', '2'],
  ['three', '3'],
  ['four', '4'],
  ['five', '5'],
  ['six', '6'],
  ['seven', '7'],
  ['eight', '8'],
  ['nine', '9'],
  ['ten', '10'],
  ['twelve', '12'],
  ['fifteen', '15'],
  ['twenty', '20'],
  ['thirty', '30'],
  ['sixty', '60'],
  ['ninety', '90'],
]);
const TIME_WORD = /(?:second|minute|hour|day|week)s?(?![a-z])/i;
const HAN_UNIT = /[\u79d2\u5929\u5468]|\u5206\u949f|\u5c0f\u65f6|\u949f\u5934|\u661f\u671f/;

/** Returns a query in which numbers in words before a unit of time are digits: 2 weeks, 0.5 hour, 2.5小时. */
export function withDigitsInDurations(query: string): string {
  return inEnglish(inChinese(query));
}

function inEnglish(query: string): string {
  if (!TIME_WORD.test(query)) return query;
  const numbers = [...NUMBER_WORDS.keys()].join('|');
  const counted = new RegExp(`(?<![\\w-])(${numbers})(?=[ -]${TIME_WORD.source})`, 'gi');
  return query.replaceAll(counted, (word) => NUMBER_WORDS.get(word.toLowerCase()) ?? word);
}

function inChinese(query: string): string {
  if (!(mayHaveNumerals(query) || query.includes('半')) || !HAN_UNIT.test(query)) return query;
  const counted = new RegExp(
    `(?<![第每]|${NUMERAL})(?:(${NUMERAL}{1,7})(?:个(半)|个)?(?=毫?秒|分钟|小时|钟头|天|(?:周|星期)(?!${NUMERAL}|[年岁]))|(半)个?(?=分钟|小时|钟头))`,
    'g',
  );
  return query.replaceAll(counted, (written, numeral?: string, andHalf?: string, half?: string) => {
    if (half !== undefined) return '0.5';
    const value = valueOf(numeral ?? '');
    return value === undefined ? written : `${value}${andHalf === undefined ? '' : '.5'}`;
  });
}
