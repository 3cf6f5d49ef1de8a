import {
  anyNotation,
  inDigits,
  isInRange,
  joinedTo,
  MOST_DECIMALS,
  multiplier,
  shortened,
  type Notation,
} from './amounts.ts';
import { distinct, toPhrase, type Phrase } from './phrase.ts';
import { hasHan } from './scripts.ts';
import { normalForm } from './words.ts';

interface Currency {
  /** Signs that are written before an amount. */
  readonly signs: readonly string[];
  /** Codes, which are before it or behind it. */
  readonly codes: readonly string[];
  /** Words, which are behind it, without the s of the plural. */
  readonly words: readonly string[];
}

const CURRENCIES: readonly Currency[] = [
  { signs: ['$', 'us$'], codes: ['usd'], words: ['dollar', 'buck', '美元', '美金', '美刀'] },
  { signs: ['\u00a5'], codes: ['cny', 'rmb'], words: ['yuan', '元', '块钱', '人民币'] },
  { signs: ['\u20ac'], codes: ['eur'], words: ['euro', '欧元'] },
  { signs: ['\u00a3'], codes: ['gbp'], words: ['pound', '英镑'] },
  { signs: ['hk$'], codes: ['hkd'], words: ['港币', '港元'] },
  { signs: [], codes: ['jpy'], words: ['yen', '日元', '円'] },
];
/** An amount with a sign or code before it or a code or word behind it: $14,250, 1.5k USD, 3万元. */
function moneyPattern(): RegExp {
  const codes = CURRENCIES.flatMap((one) => one.codes);
  const before = anyOf([...CURRENCIES.flatMap(({ signs }) => signs), ...codes]);
  const behind = `(${anyOf(codes)})|(${anyOf(CURRENCIES.flatMap(({ words }) => words))})s?`;
  return new RegExp(
    `(?<![a-z0-9.]|\\d[,_])(?:(${before}) ?)?(\\d{1,3}(?:[,_]\\d{3})+|\\d{1,9})(?:\\.(\\d{1,2}))?(?: ?(k|m|w|thousand|million|billion|[百千]?万|亿)(?![a-z0-9]))?(?: ?(?:${behind}))?(?![a-z0-9]|[.,_]\\d)`,
    'g',
  );
}
/** Compiled for the first query that may have an amount. */
let compiled: RegExp | undefined;
/** What m stands for behind an amount. */
const MILLION = multiplier('million');

/** True for a folded text that names a currency. */
export function mayHaveMoney(text: string): boolean {
  return CURRENCIES.some((one) => namesOf(one).some((name) => text.includes(name)));
}

/** Yields the sums of money in a folded query, which texts may have in another notation. */
export function* moneyPhrases(query: string): Generator<Phrase> {
  for (const [, before, whole = '', decimals, unit = '', code, word] of query.matchAll((compiled ??= moneyPattern()))) {
    const named = before ?? code ?? word ?? '';
    const currency = CURRENCIES.find((one) => namesOf(one).includes(named));
    const digits = whole.replaceAll(/[,_]/g, '');
    const value = Number(`${digits}.${decimals ?? 0}`) * (unit === 'm' ? MILLION : multiplier(unit));
    if (currency === undefined || !isInRange(value)) continue;
    const numbers = [...whole.split(/[,_]/), ...(decimals === undefined ? [] : [decimals])];
    const words = withUnit(numbers, unit);
    const compound = unit === '' && decimals === undefined ? digits : (words.at(-1) ?? '');
    yield { ...money(currency, value, words), compound: normalForm(compound) };
  }
}

function namesOf({ signs, codes, words }: Currency): string[] {
  return [...signs, ...codes, ...words];
}

/** The phrase of a sum, of which a query has the number as `words`. */
function money({ signs, codes, words: names }: Currency, value: number, words: readonly string[]): Phrase {
  const digits = inDigits(value);
  const short = [...shortened(value), ...inMillions(value)];
  const all = anyNotation([...digits, ...short]);
  const pattern = `(?<![a-z0-9])(?:${anyOf([...signs, ...codes])}) ?${all}|${all} ?(?:${anyOf(codes)}|(?:${anyOf(names)})s?)(?![a-z0-9组素])`;
  const ways = digits.flatMap(({ terms }) => [
    ...[...codes, ...names].map((name) => [...terms, name]),
    ...codes.map((code) => [code, ...terms]),
  ]);
  // the dictionary has 万美元, of which the index has 美元 first
  const han = short.filter(({ terms }) => hasHan(terms.at(-1) ?? ''));
  const foreign = names.filter((name) => name.length > 1 && hasHan(name));
  return {
    ...toPhrase([...words, codes[0] ?? ''], distinct(ways), 'name', new RegExp(pattern, 'g'), []),
    // the index has no signs
    loose: distinct([
      ...[...digits, ...short].map(({ terms }) => terms),
      ...han.flatMap(({ terms }) => foreign.map((name) => [...terms.slice(0, -1), name])),
    ]),
  };
}

function inMillions(value: number): Notation[] {
  const numbers = String(value / MILLION).split('.');
  if (value < MILLION || (numbers[1] ?? '').length > MOST_DECIMALS) return [];
  return [{ terms: withUnit(numbers, 'm'), pattern: `${numbers.join('\\.')}m(?![a-z0-9])` }];
}

/** The terms of a number and what multiplies it; a letter is joined to the number. */
function withUnit(numbers: readonly string[], unit: string): string[] {
  return /^[a-z]?$/.test(unit) ? joinedTo(numbers, unit) : [...numbers, unit];
}

/** A regular expression for any of some texts, the longest first. */
function anyOf(texts: readonly string[]): string {
  return texts
    .toSorted((a, b) => b.length - a.length)
    .map((one) => RegExp.escape(one))
    .join('|');
}
