import { expect, test } from 'vitest';
import { nearest } from '../../src/ops/suggest.ts';
import { OPERATION_NAMES } from '../../src/ops/operation.ts';

test.each([
  ['serach', 'search'],
  ['lsit', 'list'],
  ['gte', 'get'],
  ['hist', 'history'],
  ['recomend', 'recommend'],
  ['PUT', 'put'],
  ['deleted', 'delete'],
  ['pt', 'put'],
  ['pu', 'put'],
  ['gt', 'get'],
  ['mc', 'mcp'],
  ['cp', undefined],
  ['rm', undefined],
  ['p', undefined],
  // a word that is far from a command that creates or destroys something does not suggest it
  ['edit', undefined],
  ['exit', undefined],
  ['info', undefined],
  ['merge', undefined],
  ['xyz', undefined],
  ['', undefined],
])('%j means %j', (word, meant) => {
  expect(nearest(word, OPERATION_NAMES)).toBe(meant);
});

test('the case of a candidate is kept, and the nearest of several is chosen', () => {
  expect(nearest('auht', ['Auth', 'author'])).toBe('Auth');
  expect(nearest('key.a', ['key', 'key_prefix'])).toBe('key');
  for (const word of ['zhs', 'zh']) expect(nearest(word, ['bash', 'zsh', 'fish'])).toBe('zsh');
  for (const word of ['di', 'ID']) expect(nearest(word, ['key', 'id'])).toBe('id');
});

test('the nearest of many long names that hardly differ is found', () => {
  const names = Array.from({ length: 1000 }, (_, at) => `${'segment/'.repeat(60)}${at}`);
  expect(nearest(`${'segment/'.repeat(60)}x1`, names)).toBe(names[1]);
});
