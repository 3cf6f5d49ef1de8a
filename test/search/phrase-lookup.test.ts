import { describe, expect, test } from 'vitest';
import { phraseLookup } from '../../src/search/phrase-lookup.ts';
import type { Phrase } from '../../src/search/phrases.ts';

function phrase(...ways: string[]): Phrase {
  return { term: '', ways: ways.map((way) => way.split(' ')), pattern: /x/g, words: [], kind: 'name' };
}

describe('how a phrase is asked of the index', () => {
  const frequencies = new Map(
    Object.entries({ cart: 400, svc: 500, pool: 900, id: 90_000, getcartbyid: 300, 15: 1000, none: 0 }),
  );
  test.each([
    [
      'words that are as rare as each other are asked for as they stand',
      ['cart svc pool'],
      '(("cart svc pool"))',
      1200,
    ],
    [
      'of a name with common parts the rare ones in a row are looked for first',
      ['cart by id getcartbyid 15'],
      '((("getcartbyid 15") AND ("cart by id getcartbyid 15")))',
      600,
    ],
    ['a common word beside one rare word is read for each of its rows', ['id 15'], '(("id 15"))', 6000],
    ['so is one of which nothing is known', ['cart is svc'], '(("cart is svc"))', 2800],
    ['a word alone is soon found', ['id'], '(("id"))', 1000],
    ['every way is asked for', ['cart 15', 'getcartbyid'], '(("cart 15") OR ("getcartbyid"))', 1100],
    ['what no item has costs nothing', ['none id'], '(("none id"))', 0],
    ['where nothing is known to be rare, it may cost anything', ['the of'], '(("the of"))', Number.POSITIVE_INFINITY],
  ])('%s', (_what, ways, expression, rows) => {
    expect(phraseLookup(phrase(...ways), frequencies)).toEqual({ expression, rows });
  });
});
