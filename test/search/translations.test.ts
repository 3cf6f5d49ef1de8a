import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTranslations } from '../../scripts/build-translations.ts';
import { Dictionary } from '../../src/search/jieba/dictionary.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { termOf } from '../../src/search/synonyms.ts';
import { bucketOf, TRANSLATION_BUCKETS } from '../../src/search/translations.ts';
import { dictionary, dictionaryBytes, tokenizer } from '../helpers/tokenizer.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** The frequencies of jieba's words. */
function frequencies(): Map<string, number> {
  const file = path.join(ROOT, 'node_modules/nodejieba/submodules/cppjieba/dict/jieba.dict.utf8');
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]));
}

test('every translation that was chosen is found, in both directions', () => {
  const all = readTranslations(ROOT, frequencies());
  expect(all.size).toBeGreaterThan(80_000);
  const differing = [...all].filter(([term, words]) => {
    const [wanted, found] = [words.join(' '), dictionary.translations(term).join(' ')];
    // words with a character that Simplified Chinese shares with Traditional (乾, 著) are folded like texts
    return wanted !== found && !/[乾著甚覆瞭藉]/.test(term + wanted);
  });
  expect(differing).toEqual([]);
  for (const [term, words] of all) {
    for (const word of [term, ...words])
      if (!/^\p{Script=Han}{2,6}$/u.test(word) && !/^[a-z]+(?:-[a-z]+){0,2}$/.test(word))
        expect.fail(`${term} has ${word}`);
  }
});

test.each([
  ['患者', ['patient']],
  ['东南亚', ['southeast-asia']],
  ['编号', ['number', 'serial-number']],
  ['疫苗', ['vaccine']],
  ['预约', ['appointment', 'booking']],
  ['patient', ['患者', '病人']],
  ['appointments', ['任命']],
  ['thermometers', ['温度计']],
  ['Southeast Asia', ['东南亚']],
])('%s is %j', (word, translations) => {
  const term = /^\p{Script=Han}/u.test(word) ? word : termOf(word.toLowerCase().replaceAll(' ', '-'));
  expect(dictionary.translations(term)).toEqual(expect.arrayContaining(translations));
});

test.each([
  '',
  'constructor',
  '__proto__',
  '网',
  '缓存穿透',
  'thing',
  'the',
  'zzz',
  'patient sufferer',
  '患者 patient',
  '\n',
])('nothing is a translation of %j', (term) => {
  expect(dictionary.translations(term)).toEqual([]);
});

test('any text has a bucket, and no translation of it is itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (term) => {
      expect(bucketOf(term)).toBeGreaterThanOrEqual(0);
      expect(bucketOf(term)).toBeLessThan(TRANSLATION_BUCKETS);
      expect(dictionary.translations(term)).not.toContain(term);
    }),
    { numRuns: 1000 },
  );
});

test('a lookup reads two short stretches of the file', () => {
  const bytes = new Uint8Array(dictionaryBytes.length);
  const read: number[] = [];
  const onDemand = new Dictionary({
    bytes,
    load(start, end) {
      bytes.set(dictionaryBytes.subarray(start, end), start);
      read.push(end - start);
    },
  });
  read.length = 0;
  expect(onDemand.translations('患者')).toEqual(dictionary.translations('患者'));
  expect(read.length).toBe(2);
  expect(Math.max(...read)).toBeLessThan(1000);
});

const expansions = (query: string) =>
  analyseQuery(tokenizer, query).expansions.map(({ of, words, isTranslated }) => [
    of,
    words.map(({ term }) => term),
    isTranslated,
  ]);

test('a query is expanded by translations where none of its words has listed synonyms', () => {
  expect(expansions('疫苗')).toEqual([['疫苗', ['vaccin'], true]]);
  expect(expansions('vaccines')).toEqual([['vaccin', ['疫苗', '接种', '菌苗'], true]]);
  // the listed synonyms are chosen for notes about software
  expect(expansions('删除')).toEqual([['删除', expect.arrayContaining(['remov']), false]]);
  expect(expansions('删除')[0]?.[1]).not.toContain('cancel');
  // what the query has itself stands in for nothing
  expect(expansions('疫苗 vaccine')).toEqual([['vaccin', ['接种', '菌苗'], true]]);
});

test('listed synonyms come before translations where a query has many words', () => {
  const words = [
    '疫苗',
    '盆地',
    '轮船',
    '群岛',
    '沙漠',
    '铁路',
    '桥梁',
    '钢琴',
    '雨伞',
    '骆驼',
    '灯塔',
    '删除',
    '登录',
  ];
  const found = expansions(words.join(' '));
  expect(found).toHaveLength(10);
  expect(found.slice(0, 2).map(([of, , isTranslated]) => [of, isTranslated])).toEqual([
    ['删除', false],
    ['登录', false],
  ]);
  expect(found.slice(2).every(([, , isTranslated]) => isTranslated)).toBe(true);
});
