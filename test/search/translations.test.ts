import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTranslations } from '../../scripts/build-translations.ts';
import { Dictionary, Header } from '../../src/search/jieba/dictionary.ts';
import { analyseQuery } from '../../src/search/query.ts';
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
  const all = readTranslations(ROOT, frequencies(), (word) => word);
  expect(all.size).toBeGreaterThan(80_000);
  const differing = [...all].filter(([term, words]) => {
    const [wanted, found] = [words.join(' '), dictionary.translations(term).join(' ')];
    // words with a character that Simplified Chinese shares with Traditional (乾, 著) are folded like texts
    return wanted !== found && !/[乾著甚覆瞭藉凭]/.test(term + wanted + found);
  });
  expect(differing).toEqual([]);
  for (const [term, words] of all) {
    if (words.includes(term)) expect.fail(`${term} is its own translation`);
    for (const word of [term, ...words])
      if (!/^\p{Script=Han}{2,6}$/u.test(word) && !/^[a-z]+(?:-[a-z]+){0,2}$/.test(word))
        expect.fail(`${term} has ${word}`);
    // two neighbours of a query are looked up together, never three
    if (/-.*-/.test(term)) expect.fail(`${term} is never looked up`);
  }
});

test.each([
  ['患者', ['patient']],
  ['东南亚', ['southeast-asia']],
  ['编号', ['number', 'serial-number']],
  ['疫苗', ['vaccine']],
  ['预约', ['appointment', 'booking']],
  ['patient', ['患者', '病人']],
  ['appointments', ['约会']],
  ['thermometers', ['温度计']],
  ['batteries', ['电池']],
  ['recorded', ['记录']],
  ['news', ['新闻']],
  ['southeast-asia', ['东南亚']],
  ['air-conditioners', ['空调']],
])('%s is %j', (word, translations) => {
  expect(tokenizer.translations(word)).toEqual(expect.arrayContaining(translations));
});

test.each([
  ['new', '新闻'], // news
  ['time', '及时'], // timely
  ['note', '着名'], // noted
  ['left', '离开'], // leave
  ['find', '建立'], // found
  ['good', '商品'], // goods
])('%s is not %s, whose translation only has the same stem', (word, translation) => {
  expect(tokenizer.translations(word)).not.toContain(translation);
});

test.each(['', 'constructor', '__proto__', '网', '缓存穿透', 'zzz', 'patient sufferer', '患者 patient', '\n'])(
  'nothing is a translation of %j',
  (word) => {
    expect(tokenizer.translations(word)).toEqual([]);
  },
);

test('words that say too little are not translated', () => {
  const words = 'thing the now before inside after 他们 现在 以后 之前 认为 里面 左边 半个';
  for (const word of words.split(' ')) expect([word, tokenizer.translations(word)]).toEqual([word, []]);
});

test('any text has a bucket', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (term) => {
      expect(bucketOf(term)).toBeGreaterThanOrEqual(0);
      expect(bucketOf(term)).toBeLessThan(TRANSLATION_BUCKETS);
    }),
    { numRuns: 1000 },
  );
});

/** A dictionary that is read on demand, and the lengths of what is read. */
function onDemand(source: Uint8Array): { readonly opened: Dictionary; readonly read: number[] } {
  const bytes = new Uint8Array(source.length);
  const read: number[] = [];
  const opened = new Dictionary({
    bytes,
    load(start, end) {
      bytes.set(source.subarray(start, end), start);
      read.push(end - start);
    },
  });
  read.length = 0;
  return { opened, read };
}

test('a lookup reads two short stretches of the file', () => {
  const { opened, read } = onDemand(dictionaryBytes);
  expect(opened.translations('患者')).toEqual(dictionary.translations('患者'));
  expect(read.length).toBe(2);
  expect(Math.max(...read)).toBeLessThan(1000);
});

test.each([
  ['beyond the file', 0xff_ff_ff_ff],
  ['before their start', 0],
])('where the entries of a bucket seem to end %s, nothing is translated', (_where, end) => {
  const bytes = Uint8Array.from(dictionaryBytes);
  const view = new DataView(bytes.buffer);
  const buckets = view.getUint32(Header.translations * 4, true);
  view.setUint32(buckets + (bucketOf('患者') + 1) * 4, end, true);
  expect(dictionary.translations('患者')).not.toEqual([]);
  expect(new Dictionary({ bytes }).translations('患者')).toEqual([]);
});

const expansions = (query: string) =>
  analyseQuery(tokenizer, query).expansions.map(({ of, words, isTranslated }) => [
    of,
    words.map(({ term }) => term),
    isTranslated,
  ]);

test('a query is expanded by translations where none of its words has listed synonyms', () => {
  expect(expansions('疫苗')).toEqual([['疫苗', ['vaccin'], true]]);
  expect(expansions('Vaccines')).toEqual([['vaccin', ['疫苗', '菌苗'], true]]);
  expect(expansions('the air conditioner')).toContainEqual(['air-condition', ['空调'], true]);
  // the listed synonyms are chosen for notes about software
  expect(expansions('删除')).toEqual([['删除', expect.arrayContaining(['remov']), false]]);
  expect(expansions('删除')[0]?.[1]).not.toContain('cancel');
  // what the query has itself stands in for nothing
  expect(expansions('疫苗 vaccine')).toEqual([['vaccin', ['菌苗'], true]]);
});

test('listed synonyms come before translations where a query has many words', () => {
  const query = '疫苗 盆地 轮船 群岛 沙漠 铁路 桥梁 钢琴 雨伞 骆驼 灯塔 删除 登录';
  const found = expansions(query);
  expect(found).toHaveLength(10);
  expect(found.slice(0, 2).map(([of, , isTranslated]) => [of, isTranslated])).toEqual([
    ['删除', false],
    ['登录', false],
  ]);
  expect(found.slice(2).every(([, , isTranslated]) => isTranslated)).toBe(true);
});
