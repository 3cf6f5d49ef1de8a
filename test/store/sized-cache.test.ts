import { expect, test } from 'vitest';
import { SizedCache } from '../../src/store/sized-cache.ts';

test('a cache keeps values up to the sum of their sizes, and is emptied when the next does not fit', () => {
  const cache = new SizedCache<string, string>(5, (value) => value.length);
  cache.add('a', 'xx');
  cache.add('b', 'yyy');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['xx', 'yyy', undefined]);
  cache.add('c', 'z');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, 'z']);
  cache.add('d', 'wwww');
  expect([cache.get('c'), cache.get('d')]).toEqual(['z', 'wwww']);
  cache.clear();
  cache.add('e', 'vvvvv');
  expect([cache.get('d'), cache.get('e')]).toEqual([undefined, 'vvvvv']);
});
