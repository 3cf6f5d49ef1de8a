import { expect, test } from 'vitest';
import { coverage } from '../../src/search/coverage.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

const weightOf = (query: string): number | undefined => {
  const share = coverage(analyseQuery(tokenizer, query), 1, () => 1);
  return share && 1 / share;
};

test.each([
  ['redis', 1],
  ['redis timeout', 2],
  ['getUserById', 1], // the whole, or all its parts
  ['超时', 1.6],
  ['超时 redis', 1.6 + 2.2],
  ['超时 锁', 1.6 + 0.6],
  ['the of', 2], // nothing else is left
  ['锁', undefined],
  ['数 据 库', undefined],
  ['===', undefined],
  ['a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 l12', 12],
  ['a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 l12 m13', undefined],
])('the words of %s weigh %d', (query, weight) => {
  if (weight === undefined) expect(weightOf(query)).toBeUndefined();
  else expect(weightOf(query)).toBeCloseTo(weight);
});
