import {
  anyNotation,
  digitsPattern,
  inDigits,
  inThousands,
  isInRange,
  joinedTo,
  multiplier,
  shortened,
} from './amounts.ts';
import { durationPhrases, piecesOf, sameDuration } from './durations.ts';
import { distinct, patternOf, toPhrase, withOneOf, type Phrase } from './phrase.ts';
import { hasHan } from './scripts.ts';
import { AMBIGUOUS_UNITS, orPlural, singularOf, TIME_UNITS } from './time-units.ts';
import { normalForm } from './words.ts';

/** A number, with thousands separators or without, and a word that may be its unit, in lower case, joined or separated:
 * 4mb, 1.5 gb, 5 min, 500m, 3,000 rps, 1.8秒. */
const MEASURED =
  /(?<![a-z0-9.]|\d[,_])(\d{1,3}(?:[,_]\d{3}){1,2}|\d{1,7})(?:\.(\d{1,4}))?[ _-]?(?:\u4e2a(?=[\u5c0f\u949f\u661f]))?([a-z\u03bc\u03c9]+|[\u6beb\u5fae]?\u79d2|\u5206\u949f|\u5c0f\u65f6|\u949f\u5934|\u5929|\u5468|\u661f\u671f)(?![a-z0-9]|\.\d)/g;
/** The units, in lower case, without the s of the plural. A set is ready sooner than a pattern of so many words. */
let unitNames: ReadonlySet<string> | undefined;
function isUnit(word: string): boolean {
  unitNames ??= new Set([
    ...TIME_UNITS.flatMap(({ latin, han }) => [...latin, ...han]),
    ...(
      'b kb mb gb tb pb kib mib gib tib pib k m g t p ki mi gi ti pi kbps mbps gbps tbps ns w ' +
      'ka ma ua na μa kw mw uw nw μw v kv mv kwh mwh gwh ah mah km cm mm um nm μm kg mg ug μg ω kω mω ' +
      'db dba rpm pa hpa bar ppm x thousand million billion cores vcpu px pt em rem hz khz mhz ghz qps tps rps fps'
    ).split(' '),
  ]);
  // 16 GBs, but no databases
  return unitNames.has(word) || (/^(?:[kmgtp]i?b|hr|[a-z]{3,})s$/.test(word) && unitNames.has(singularOf(word)));
}
/** Units that are written in several ways, without the s of the plural. */
const UNITS: readonly (readonly string[])[] = [
  ...TIME_UNITS.map(({ latin, han }) => [...latin, ...han]),
  ['k', 'kb', 'kib', 'ki'],
  ['mb', 'mib', 'mi'],
  ['g', 'gb', 'gib', 'gi'],
  ['t', 'tb', 'tib', 'ti'],
  ['ua', 'μa'],
  ['um', 'μm'],
  ['ug', 'μg'],
  ['ω', 'ohm'],
];
/** What a capital letter behind a number stands for: 5M is no duration, and neither is 3D. */
const CAPITAL_UNITS: ReadonlyMap<string, readonly string[]> = new Map([
  ['m', ['m', 'mb', 'mib', 'mi']],
  ['d', ['d']],
  ['s', ['s']],
]);
/** Units in which capitals begin a part where they stand apart: 5 MiB, 3 kWh. */
const SPLIT_UNITS = /^(?:([kmgt]i)(b)|([dkmhu\u03bc])(ba?|wh|hz|ah|bps|pa|w|v|a|\u03c9)|(g)(hz|bps))$/;
/** A percentage. */
const PERCENTAGE = /(?<![a-z0-9.]|\d[,_])(\d{1,3})(?:\.(\d{1,4}))? ?(?:%|(?:percent|per cent)(?![a-z0-9]))/g;
/** A number with thousands separators: 65,535, 1_200_000, 65'535. */
const GROUPED = /(?<![A-Za-z0-9]|\d[.,_])\d{1,3}(?:[,_']\d{3}){1,3}(?!\d|[.,_]\d)/g;
/** A number with an exponent, or a small one without: 3e-4, 0.0003. */
const EXPONENTIAL = /(?<![a-z0-9.]|\d[,_])(?:\d(?:\.\d{1,3})?e[+-]?\d{1,2}|0?\.0\d{1,7})(?![a-z0-9]|[.,_]\d)/g;
/** A number that others write with them. */
const UNGROUPED = /(?<![A-Za-z0-9]|\d[-/.:,_])\d{4,10}(?!\d|[-/.:,_]\d| ?\u5e74)/g;
/** Width and height: 1920x1080, 100 × 150. */
const DIMENSIONS = /(?<![a-z0-9.])(\d{1,5}) ?[x\u00d7*] ?(\d{1,5})(?![a-z0-9]|\.\d)/g;

/** Yields the numbers of a query that texts may have in another notation: with units and separators. */
export function* numberPhrases(query: string): Generator<Phrase> {
  const lower = query.toLowerCase();
  yield* durationPhrases(lower);
  yield* measuredPhrases(query, lower);
  for (const [, whole = '', decimals] of lower.matchAll(PERCENTAGE)) yield percentage(whole, decimals);
  for (const [, width = '', height = ''] of lower.matchAll(DIMENSIONS)) yield dimensions(width, height);
  for (const [text] of lower.matchAll(EXPONENTIAL)) if (isInRange(Number(text))) yield exponential(text);
  for (const [text] of query.matchAll(GROUPED)) {
    const groups = text.split(/[,_']/);
    yield { ...inAnyNotation(groups, Number(groups.join(''))), compound: groups.join('') };
  }
}

function* measuredPhrases(query: string, lower: string): Generator<Phrase> {
  for (const { 0: text, 1: whole = '', 2: decimals, 3: unit = '', index } of lower.matchAll(MEASURED)) {
    if (!isUnit(unit)) continue;
    const isCapital = unit.length === 1 && query[index + text.length - 1] !== unit;
    const units = (isCapital ? CAPITAL_UNITS.get(unit) : undefined) ?? unitsLike(unit);
    const times = unit === 'w' && !isWan(query, index, text) ? 1 : multiplier(singularOf(unit));
    const numbers = [whole.replaceAll(/[,_]/g, ''), ...(decimals === undefined ? [] : [decimals])];
    yield measured(numbers, unit, { units, times, isTime: !isCapital });
  }
}

/** True for a w that stands for 万, beside a Chinese word: 10w条. */
function isWan(query: string, start: number, text: string): boolean {
  const end = start + text.length;
  return text.endsWith('w') && /\dw$/.test(query.slice(0, end)) && hasHan(query.slice(Math.max(0, start - 2), end + 1));
}

/** The phrase of a number, however it is written. */
function inAnyNotation(words: readonly string[], value: number): Phrase {
  const notations = [...inDigits(value), ...shortened(value)];
  const ways = notations.map(({ terms }) => terms);
  return toPhrase(words, distinct(ways), 'name', new RegExp(anyNotation(notations), 'g'), []);
}

/** The phrase of a number with an exponent, or of a small one without. */
function exponential(text: string): Phrase {
  const words = text.match(/[a-z0-9]+/g) ?? [];
  const value = Number(text);
  // 1e6 alone would be the term of the word, and its digits that of 1,000,000
  const identity = words.length > 1 ? words : [...inThousands(String(value)), 'e'];
  return { ...inAnyNotation(identity, value), compound: words.join('') };
}

/** Yields the numbers of a query that texts may have with thousands separators, which the index cannot tell from other
 * signs (1,234 from 1:234), or with a multiplier (30k). */
export function* ungroupedNumbers(query: string): Generator<Phrase> {
  for (const [number] of query.matchAll(UNGROUPED)) {
    const groups = inThousands(number);
    const others = shortened(Number(number));
    const pattern = anyNotation([{ terms: groups, pattern: digitsPattern(groups, "[,_']") }, ...others]);
    const ways = others.map(({ terms }) => terms);
    yield {
      ...toPhrase(groups, ways, 'name', new RegExp(pattern, 'g'), []),
      loose: [groups],
      compound: number,
    };
  }
}

/** The ways to write a unit, without the s of the plural. */
function unitsLike(unit: string): readonly string[] {
  return UNITS.find((forms) => forms.includes(unit) || forms.includes(singularOf(unit))) ?? [unit];
}

/** The terms by which the index may hold a unit that stands apart from its number. */
function termsOfUnit(unit: string): string[][] {
  const [, ...parts] = SPLIT_UNITS.exec(unit) ?? [];
  const split = parts.filter((part) => part !== undefined);
  return split.length === 0 ? [[unit]] : [[unit], [...split, unit]];
}

/** The phrase of a percentage. The index has its number alone. */
function percentage(whole: string, decimals: string | undefined): Phrase {
  const numbers = decimals === undefined ? [whole] : [whole, decimals];
  const number = numbers.join('\\.');
  const pattern = new RegExp(`(?<![a-z0-9.]|\\d,)${number} ?(?:%|(?:percent|per cent)(?![a-z0-9]))`, 'g');
  return { ...toPhrase([...numbers, '%'], [], 'exact', pattern, numbers) };
}

/** The phrase of a width and a height. The index has those of 1920×1080 as two numbers. */
function dimensions(width: string, height: string): Phrase {
  const pattern = new RegExp(`(?<![a-z0-9.])${width} ?[x\\u00d7*] ?${height}(?![a-z0-9])`, 'g');
  const joined = `${width}x${height}`;
  return {
    ...toPhrase([width, 'x', height], [[joined], [width, 'x', height]], 'name', pattern, [width, height]),
    loose: [[width, height]],
    compound: joined,
  };
}

/** The phrase of a number (whole and decimals) and its unit, which multiplies it by `times`, with the other ways to write
 * that. Of 1.5 gb, 5 and gb may be written as one. */
function measured(
  numbers: readonly string[],
  unit: string,
  { units, times, isTime }: { readonly units: readonly string[]; readonly times: number; readonly isTime: boolean },
): Phrase {
  const [whole = ''] = numbers;
  const singular = singularOf(unit);
  const groups = inThousands(whole);
  const written = [numbers, ...(groups.length > 1 ? [[...groups, ...numbers.slice(1)]] : [])];
  const apart = written.flatMap((parts) =>
    units.flatMap((one) => termsOfUnit(one).map((terms) => [...parts, ...terms])),
  );
  const latin = units.filter((one) => !hasHan(one));
  const isTyped = (one: string): boolean => one === unit || one === singular;
  const pattern = patternOf([groups.join("[,_']?"), ...numbers.slice(1), `(?:${units.map(orPlural).join('|')})`]);
  const multiplied = Number(numbers.join('.')) * times;
  const isMultiplied = times > 1 && isInRange(multiplied);
  const same = isTime ? sameDuration(Number(numbers.join('.')), unit) : { notations: [], loose: [] };
  const multiples = isMultiplied ? [...inDigits(multiplied), ...shortened(multiplied)] : [];
  const notations = [...multiples, ...same.notations];
  const others = notations.length > 0 ? [anyNotation(notations)] : [];
  const phrase = {
    ...toPhrase(
      [...numbers, unit],
      distinct([
        ...apart,
        ...latin.filter((one) => isTyped(one) || !AMBIGUOUS_UNITS.has(one)).map((one) => joinedTo(numbers, one)),
        ...notations.map(({ terms }) => terms),
      ]),
      'name',
      others.length === 0 ? pattern : new RegExp([pattern.source, ...others].join('|'), 'g'),
      others.length === 0 ? [...groups, ...numbers.slice(1)] : [],
    ),
    loose: [
      ...latin.filter((one) => !isTyped(one) && AMBIGUOUS_UNITS.has(one)).map((one) => joinedTo(numbers, one)),
      ...same.loose,
    ],
    compound: normalForm(`${numbers.at(-1) ?? ''}${unit}`),
  };
  const own = numbers.length > 1 ? (numbers.at(-1) ?? '') : (groups.at(-1) ?? '');
  return same.notations.length === 0 || isMultiplied ? phrase : withOneOf([own, ...piecesOf(same)], phrase);
}
