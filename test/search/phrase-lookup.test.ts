import { describe, expect, test } from 'vitest';
import { phraseLookup } from '../../src/search/phrase-lookup.ts';
import type { Phrase } from '../../src/search/phrase.ts';

function phrase(...ways: string[]): Phrase {
  return { term: '', ways: ways.map((way) => way.split(' ')), count: () => 0, isWhole: () => true, kind: 'name' };
}

describe('how a phrase is looked up in the index', () => {
  const frequencies = new Map(
    Object.entries({ cart: 400, svc: 500, pool: 900, id: 90_000, getcartbyid: 300, 15: 1000, none: 0 }),
  );
  test.each([
    ['words that are equally rare are looked up verbatim', ['cart svc pool'], '(("cart svc pool"))', 1200],
    [
      'the adjacent rare parts of a name with common parts are looked up first',
      ['cart by id getcartbyid 15'],
      '((("getcartbyid 15") AND ("cart by id getcartbyid 15")))',
      600,
    ],
    ['a common word next to a rare one is read for each row of the rare one', ['id 15'], '(("id 15"))', 6000],
    ['so is a word of unknown frequency', ['cart is svc'], '(("cart is svc"))', 2800],
    ['a single word is found quickly', ['id'], '(("id"))', 1000],
    ['every spelling is looked up', ['cart 15', 'getcartbyid'], '(("cart 15") OR ("getcartbyid"))', 1100],
    ['a word that is in no item costs nothing', ['none id'], '(("none id"))', 0],
    ['if no word is known to be rare, the cost is unbounded', ['the of'], '(("the of"))', Number.POSITIVE_INFINITY],
  ])('%s', (_what, ways, expression, rows) => {
    expect(phraseLookup(phrase(...ways), frequencies)).toEqual({ expression, rows });
  });
});
