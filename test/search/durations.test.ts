import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameDuration } from '../../src/search/durations.ts';
import { foldText } from '../../src/search/places.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

/** Units, and milliseconds of each. */
const UNITS = [
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['week', 604_800_000],
] as const;
const NAMES = {
  ms: ['ms', 'milliseconds', '毫秒'],
  s: ['s', 'sec', 'seconds', '秒'],
  min: ['m', 'min', 'minutes', '分钟'],
  h: ['h', 'hrs', 'hours', '小时', '个小时'],
  d: ['d', 'days', '天'],
  week: ['weeks', '周', '星期'],
} as const;
/** Joined only: 60 m is a length. */
const JOINED = ['m', 'd'];

/** How often a text has a duration that a query names. */
function counted(query: string, text: string): number {
  const { phrases, variants } = analyseQuery(tokenizer, query);
  const folded = foldText(text, variants);
  return phrases.filter(({ kind }) => kind !== 'words').reduce((sum, phrase) => sum + phrase.count(folded), 0);
}

describe('a duration', () => {
  test('is found in every unit in which it is whole, and in no text with another number', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...UNITS),
        fc.integer({ min: 1, max: 600 }),
        fc.constantFrom(...UNITS),
        fc.nat(),
        fc.constantFrom('', ' ', '-'),
        (from, value, to, pick, separator) => {
          const amount = (value * from[1]) / to[1];
          fc.pre(Number.isInteger(amount) && amount <= 700_000);
          const names = NAMES[to[0]];
          const name = names[pick % names.length] ?? '';
          const between = JOINED.includes(name) ? '' : separator;
          const query = `${value} ${from[0]}${from[0] === 'week' ? 's' : ''}`;
          expect([query, counted(query, `took ${amount}${between}${name}, done`)]).not.toEqual([query, 0]);
          expect([query, counted(query, `took ${amount + 1}${between}${name}, done`)]).toEqual([query, 0]);
          expect([query, counted(query, `took 7${amount}${between}${name}, done`)]).toEqual([query, 0]);
        },
      ),
    );
  });

  test('of any size that a query can name is written without exponents', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(...UNITS),
        (digits, decimals, [name]) => {
          const { notations } = sameDuration(digits / 10 ** decimals, name);
          for (const { terms } of notations) expect(terms.join(' ')).not.toMatch(/\de[-+]?\d|Infinity|NaN/);
        },
      ),
      { examples: [[864, 2, UNITS[0]]] }, // of a day, 1e-7
    );
  });
});
