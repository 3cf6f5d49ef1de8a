/** A way to write a number. */
export interface Notation {
  /** The terms by which the index holds it. */
  readonly terms: readonly string[];
  /** A regular expression for it in a folded text. What precedes it is not examined. */
  readonly pattern: string;
}

/** What multiplies the number before it. */
const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['千', 1e3],
  ['thousand', 1e3],
  // for 万, whose pinyin is wan; beside Chinese words only: elsewhere it stands for watts or weeks
  ['w', 1e4],
  ['万', 1e4],
  ['百万', 1e6],
  ['million', 1e6],
  ['千万', 1e7],
  ['亿', 1e8],
  ['billion', 1e9],
]);
/** What follows 千 where it begins a unit: 3 千克. */
export const NO_THOUSAND = '[克米瓦兆卡万]';
/** Chinese words for what is counted that the dictionary has as one word with 万 (万元). */
const COUNTED_BY_WAN = ['元', '条', '次', '人', '个', '行'];
/** The least number that is written with a multiplier or an exponent, and the numbers that are written in digits: others
 * are neither money nor counts, and JavaScript writes them with exponents. */
const LEAST_LARGE = 1000;
const LEAST_IN_DIGITS = 1e-9;
const MOST_IN_DIGITS = 1e15;
/** The most digits before and behind the point of a number with a multiplier: 1200k, 1.25万. Range 3 to 5, and 1 to 3. */
const MOST_BEFORE = 4;
export const MOST_DECIMALS = 2;
/** The most digits, apart from the zeros at its end, of a number below `FEW_DIGITS_BELOW` with a multiplier (1.5k, but
 * not 8.08k for the port 8080), and of one with an exponent (1.5e6). Range 1 to 3. */
const MOST_SIGNIFICANT = 2;
const FEW_DIGITS_BELOW = 10_000;

const HAN = '[\\u4e00-\\u9fff]';
/** What must not follow the digits of a number: more of them. */
const END_OF_DIGITS = "(?!\\d|[.,_']\\d)";

/** Returns what a multiplier stands for, and 1 for any other word. */
export function multiplier(word: string): number {
  return MULTIPLIERS.get(word) ?? 1;
}

/** The terms of a number and of a letter or word that is joined to it: 1 and 5k. */
export function joinedTo(numbers: readonly string[], unit: string): string[] {
  return [...numbers.slice(0, -1), `${numbers.at(-1) ?? ''}${unit}`];
}

/** The groups of three digits of a whole number. */
export function inThousands(number: string): string[] {
  return number.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [];
}

/** Returns a regular expression for a whole number with thousands separators or without: 14,250 and 14250.00. */
export function digitsPattern(groups: readonly string[], separator = "[,_']?"): string {
  return `${groups.join(separator)}(?:\\.0{1,2})?${END_OF_DIGITS}`;
}

/** True for a number that may be written in digits. */
export function isInRange(value: number): boolean {
  return value >= LEAST_IN_DIGITS && value < MOST_IN_DIGITS;
}

/** The ways to write a number (`isInRange`) in digits alone: 1234.5 and 1,234.50. */
export function inDigits(value: number): Notation[] {
  const [whole = '', decimals] = plain(value).split('.');
  const groups = inThousands(whole);
  const fractions = decimals === undefined ? [[]] : [[decimals], ...(decimals.length === 1 ? [[`${decimals}0`]] : [])];
  const pattern =
    decimals === undefined ? digitsPattern(groups) : `${groups.join("[,_']?")}\\.${decimals}0?${END_OF_DIGITS}`;
  const written = groups.length === 1 ? [[whole]] : [[whole], groups];
  return written.flatMap((numbers) => fractions.map((fraction) => ({ terms: [...numbers, ...fraction], pattern })));
}

/** The ways to write a number (`isInRange`) with a multiplier (30k, 3万) or an exponent (3e4, 3e-4); none for most
 * numbers. */
export function shortened(value: number): Notation[] {
  return [...multiplied(value), ...withExponent(value)];
}

function multiplied(value: number): Notation[] {
  if (value < LEAST_LARGE || (value < FEW_DIGITS_BELOW && significant(value) > MOST_SIGNIFICANT)) return [];
  return [...MULTIPLIERS].flatMap(([word, unit]): Notation[] => {
    const [before = '', decimals] = plain(value / unit).split('.');
    if (value < unit || before.length > MOST_BEFORE || (decimals ?? '').length > MOST_DECIMALS) return [];
    const numbers = decimals === undefined ? [before] : [before, decimals];
    const number = numbers.join('\\.');
    if (word.length > 1 && /[a-z]/.test(word))
      return [{ terms: [...numbers, word], pattern: `${number}[ -]?${word}s?(?![a-z0-9])` }];
    if (/[a-z]/.test(word)) {
      const joined = `${number}${word}`;
      const pattern =
        word === 'w' ? `(?:(?<=${HAN} ?)${joined}(?![a-z0-9])|${joined}(?=${HAN}))` : `${joined}(?![a-z0-9])`;
      return [{ terms: joinedTo(numbers, word), pattern }];
    }
    const end = word === '千' ? `(?!${NO_THOUSAND})` : '(?!亿)';
    const words = [word, ...(word === '万' ? COUNTED_BY_WAN.map((counted) => word + counted) : [])];
    return words.map((one) => ({ terms: [...numbers, one], pattern: `${number} ?${word}${end}` }));
  });
}

/** The number of digits of a number, without the zeros at its end. */
function significant(value: number): number {
  return plain(value).replace('.', '').replace(/0+$/, '').length;
}

function withExponent(value: number): Notation[] {
  const [mantissa = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (mantissa.replace('.', '').length > MOST_SIGNIFICANT || (value < LEAST_LARGE && power > -2)) return [];
  const size = String(Math.abs(power));
  const sizes = [size, size.padStart(2, '0')];
  const [before = '', ...decimals] = mantissa.split('.');
  const numbers = [before, ...decimals];
  const pattern = `${numbers.join('\\.')}(?:\\.0)?e${power < 0 ? '-' : '\\+?'}0?${size}(?![a-z0-9])`;
  return [...new Set(sizes)].map((one) => ({
    terms: power < 0 ? [...joinedTo(numbers, 'e'), one] : joinedTo(numbers, `e${one}`),
    pattern,
  }));
}

/** The regular expression for any of the ways to write a number, which is not a part of a longer one. */
export function anyNotation(notations: readonly Notation[]): string {
  return `(?<![a-z0-9]|\\d[.,_'])(?:${[...new Set(notations.map(({ pattern }) => pattern))].join('|')})`;
}

/** A number in digits. Products such as 1.15 × 1000 are not exact. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(12));
  return rounded < 1 ? rounded.toFixed(12).replace(/\.?0+$/, '') : String(rounded);
}
