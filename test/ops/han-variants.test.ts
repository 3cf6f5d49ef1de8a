import { describe, expect, test } from 'vitest';
import { keys, stdinOf, tempStore, type TestStore } from '../helpers/store.ts';

async function storeOf(contents: Readonly<Record<string, string>>): Promise<TestStore> {
  const store = await tempStore();
  for (const [key, content] of Object.entries(contents)) await store.run('put', { type: 'project', key, content });
  return store;
}

/** Texts in Traditional characters, each with its Simplified form. */
const PAIRS = [
  ['網路連線逾時，請檢查防火牆', '网路连线逾时，请检查防火墙'],
  ['資料庫遷移之後要重建索引', '资料库迁移之后要重建索引'],
  ['測試環境的憑證過期了', '测试环境的凭证过期了'],
  ['請先瞭解專案架構，藉由快取加速', '请先了解专案架构，借由快取加速'],
  ['甚麼時候答覆，寫著保持乾淨', '什么时候答复，写着保持干净'],
  ['雲端部署腳本 deploy.sh 會覆蓋設定檔', '云端部署脚本 deploy.sh 会覆盖设定档'],
] as const;

describe.each(['fts', 'like'] as const)(
  'Traditional and Simplified characters match each other, with the engine %s',
  (engine) => {
    test.each(PAIRS)('%s', async (traditional, simplified) => {
      for (const [content, query] of [
        [traditional, simplified],
        [simplified, traditional],
        [traditional, traditional],
      ] as const) {
        using store = await storeOf({ it: content, other: '完全无关 nothing of it' });
        expect(keys(await store.run('search', { query, engine }))).toEqual(['it']);
        const characters = Array.from(query.match(/\p{Script=Han}+/u)?.[0] ?? '');
        for (const [at, character] of characters.slice(0, -1).entries()) {
          const found = await store.run('search', { query: `${character}${characters[at + 1]}`, match: 'all', engine });
          expect(keys(found)).toEqual(['it']);
        }
      }
    });

    test('an item with the characters of the query ranks first', async () => {
      // two Traditional characters share one Simplified character
      using store = await storeOf({ empress: '皇后駕到', after: '雨停之後' });
      expect(keys(await store.run('search', { query: '後', engine }))).toEqual(['after', 'empress']);
      expect(keys(await store.run('search', { query: '后', engine }))).toEqual(['empress', 'after']);
      using named = await storeOf({ 皇后: 'see there', 雨後: 'see there' });
      expect(keys(await named.run('search', { query: '後', engine }))).toEqual(['雨後', '皇后']);
      expect(keys(await named.run('search', { query: '后', engine }))).toEqual(['皇后', '雨後']);
    });

    test('in keys and tags too', async () => {
      using store = await storeOf({ 資料庫設定: 'see there', other: 'nothing of it' });
      await store.run('put', { type: 'project', key: 'tagged', content: 'see there', tag: ['資料庫'] });
      const found = await store.run('search', { query: '资料库', engine });
      expect(keys(found).toSorted()).toEqual(['tagged', '資料庫設定']);
      expect(keys(await store.run('search', { query: 'see', tag: ['資料庫'], engine }))).toEqual(['tagged']);
      expect(keys(await store.run('search', { query: 'see', tag: ['资料库'], engine }))).toEqual([]); // exact names
    });
  },
);

test('Traditional characters are shown, marked and named as written', async () => {
  using store = await storeOf({ it: '測試環境的憑證過期了' });
  const found = await store.run('search', { query: '凭证', mark_open: '[', mark_close: ']', explain: true });
  expect(found.items[0]).toMatchObject({ content: '測試環境的憑證過期了', snippet: '測試環境的[憑證]過期了' });
  const { hint } = await store.run('search', { query: '憑證 雲端', match: 'all' });
  expect(hint).toBe('no item contains "雲端"; try --match any');
});

test('recommend accepts a context in the other characters', async () => {
  using store = await storeOf({ it: '資料庫連線', other: 'x' });
  const { items } = await store.run('recommend', { context: '资料库连线', fields: ['key', 'reasons', 'snippet'] });
  expect(items[0]).toMatchObject({ key: 'it', reasons: expect.arrayContaining(['context_match']) });
});

test.each([
  '资料库 AND 连线',
  '資料庫*',
  'content:逾时',
  '数据库 资料库 NOT 三十秒',
  '資料庫 連線 逾時',
  '資料庫連線',
  'content:資料庫連線 逾時',
  '{key content} : 資料庫連線逾時',
  '^資料庫',
  '資料庫 + 連線',
  'getUserById 資料庫',
  '三十秒 OR 資料庫連線',
])('the FTS5 language accepts %s', async (query) => {
  using store = await storeOf({ it: '資料庫連線逾時 数据库 getUserById', other: '三十秒' });
  const found = keys(await store.run('search', { query, syntax: 'fts' }));
  expect(found).toContain('it');
  expect(found.includes('other')).toBe(query.includes('OR'));
});

test('an item is found by its key in the other characters, however many others contain it', async () => {
  using store = await storeOf({ 資料庫: '說明文件一份' });
  const lines = Array.from({ length: 12_000 }, (_, at) =>
    JSON.stringify({ id: `m${at}`, type: 'run', content: `資料庫 資料庫 資料庫 連線 ${at}` }),
  );
  await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
  for (const query of ['资料库', '資料庫']) expect(keys(await store.run('search', { query }))[0]).toBe('資料庫');
});
