import { expect, test } from 'vitest';
import { storeOf, type TestStore } from '../helpers/store.ts';

const NOTES = {
  login: 'Login: a wrong password answers 401; after five attempts the account is locked for 15 minutes.',
  cache: 'The product cache in Redis expires after one hour; invalidate it when a price changes.',
  deploy: 'Deploy on Tuesdays with helm; a failed readiness check rolls back by itself.',
  index: 'Orders are slow without the index on customer_id; add it concurrently.',
  sms: '短信验证码由阿里云发送，同一个手机号每分钟一次。',
  refund: '退款走原支付渠道，三天内到账；部分退款需要财务审批。',
  timezone: '报表按北京时间统计，数据库里存的是 UTC。',
  gray: '灰度发布先放百分之五的用户，观察一天错误率再扩大。',
};
const WEAK = 'even the best match has only a small part of the query: perhaps nothing stored answers it';

async function hintFor(store: TestStore, input: Record<string, unknown>): Promise<string | undefined> {
  const { total, hint } = await store.run('search', input);
  expect([input, total]).toEqual([input, expect.any(Number)]);
  expect(total).toBeGreaterThan(0);
  return hint;
}

const FOREIGN = 'kubernetes ingress certificate renewal attempts';
const FOREIGN_HINT = `${WEAK}; no item has "kubernetes", "ingress", "certificate", "renewal"`;

test.each([
  [FOREIGN, '"kubernetes", "ingress", "certificate", "renewal"'],
  [
    'how do we train the ranking model on the GPU cluster with a failed checkpoint',
    '"train", "ranking", "model", "GPU", "cluster"', // five of six
  ],
  ['iOS push notification certificate expires', '"iOS", "push", "notification", "certificate"'],
  // 客户 is only a part of 客户端
  ['安卓客户端崩溃日志上传一次失败怎么办', '"安卓", "客户端", "崩溃", "日志", "上传"'],
  ['安卓客戶端崩潰日誌上傳一次失敗', '"安卓", "客戶端", "崩潰", "日誌", "上傳"'],
  // an item has 错误, a synonym of 报错
  ['Unity 着色器编译报错的用户反馈', '"Unity", "着色器", "编译", "反馈"'],
])('a query that no item answers says so, and which of its words are in none: %s', async (query, missing) => {
  using store = await storeOf(NOTES);
  const hint = `${WEAK}; no item has ${missing}`;
  expect(await hintFor(store, { query })).toBe(hint);
  // whatever is shown of the results
  expect(await hintFor(store, { query, limit: 1, fields: ['id'] })).toBe(hint);
});

test('a word that is found by its synonym or its translation is not said to be in no item', async () => {
  using store = await storeOf(NOTES);
  await store.run('put', { type: 'project', key: 'clinic', content: 'the patient is called twice' });
  expect(await hintFor(store, { query: '患者 kubernetes terraform ingress' })).toBe(
    `${WEAK}; no item has "kubernetes", "terraform", "ingress"`,
  );
  await store.run('put', { type: 'project', key: 'cold', content: '空调坏了' });
  expect(await hintFor(store, { query: 'air conditioner kubernetes terraform ingress helmfile' })).toBe(
    `${WEAK}; no item has "kubernetes", "terraform", "ingress", "helmfile"`,
  );
  expect(await hintFor(store, { query: '缓存 kubernetes terraform ingress' })).toBe(
    `${WEAK}; no item has "kubernetes", "terraform", "ingress"`,
  );
});

test('a weak match of words that other items have names none', async () => {
  using store = await storeOf(NOTES);
  const words = ['quokka', 'wombat', 'numbat', 'bilby', 'potoroo', 'dunnart'];
  for (const word of words)
    await store.run('put', {
      type: 'run',
      content: `A ${word} was seen by the fence in the early morning of a cold day`,
    });
  expect(await hintFor(store, { query: words.join(' ') })).toBe(WEAK);
});

test.each([
  'wrong password',
  'why is the account locked',
  'redis cache price',
  'customer_id',
  '401',
  '短信验证码',
  '退款多久到账',
  'refund approval', // in the other language
  '数据库存的是什么时区',
  '灰度',
  '灰', // only inside words
  '短 信',
])('a query that an item answers does not: %s', async (query) => {
  using store = await storeOf(NOTES);
  expect(await hintFor(store, { query })).toBeUndefined();
});

test('no content, and no half of one, is a weak match for itself', async () => {
  using store = await storeOf(NOTES);
  for (const content of Object.values(NOTES))
    for (const query of [content, content.slice(0, content.length / 2), content.slice(content.length / 2)])
      expect([query, await hintFor(store, { query })]).toEqual([query, undefined]);
});

test.each([
  ['passwrod', '"passwrod"'],
  ['Passwrod accuont', '"passwrod", "accuont"'],
])('words that were searched for in place of others are named: %s', async (query, named) => {
  using store = await storeOf(NOTES);
  expect(await hintFor(store, { query })).toBe(`no item has the word ${named}: similar words were searched for`);
});

test('a weak match of a similar word is told as both', async () => {
  using store = await storeOf(NOTES);
  const hint = await hintFor(store, { query: 'kubernetes ingress certificate renewal atempts' });
  expect(hint).toBe(`${FOREIGN_HINT}; no item has the word "atempts": similar words were searched for`);
});

test('where each word is demanded, or the order is another, it is not said', async () => {
  using store = await storeOf(NOTES);
  const query = FOREIGN;
  expect(await hintFor(store, { query, sort_by: 'updated' })).toBeUndefined();
  expect(await hintFor(store, { query: 'attempts', match: 'all' })).toBeUndefined();
  expect(await hintFor(store, { query: 'kubernetes OR attempts', syntax: 'fts' })).toBeUndefined();
  expect(await hintFor(store, { query, engine: 'like' })).toBeUndefined();
});

test('a store of one item does not make a match weak', async () => {
  using store = await storeOf({ login: NOTES.login });
  expect(await hintFor(store, { query: 'password rotation' })).toBeUndefined();
});

test('an English word weighs more beside Chinese', async () => {
  using store = await storeOf(NOTES);
  expect(await hintFor(store, { query: 'kubernetes terraform 观察方法' })).toBe(
    `${WEAK}; no item has "kubernetes", "terraform", "方法"`,
  );
});

test('what an item of another layer answers is sought there', async () => {
  using store = await storeOf(NOTES);
  await store.run('put', { type: 'run', key: 'proxy', content: 'The proxy of the office blocks large uploads' });
  const query = 'five attempts wrong password account locked';
  expect(await hintFor(store, { query })).toBeUndefined();
  await store.run('put', { type: 'run', key: 'other', content: 'The account of the proxy' });
  expect(await hintFor(store, { query, type: 'run' })).toBe(
    'even the best match has only a small part of the query: perhaps nothing within these filters answers it',
  );
});

test('a pasted error is not judged by how much of it an item has', async () => {
  using store = await storeOf(NOTES);
  const log = Array.from({ length: 40 }, (_, at) => `frame${at} at module${at}`).join(' ');
  expect(await hintFor(store, { query: `${log} customer_id` })).toBeUndefined();
});

test('the items of a named task are named first', async () => {
  using store = await storeOf(NOTES);
  for (let at = 0; at < 3; at += 1)
    await store.run('put', { type: 'run', task_id: 'auth-login', content: `step ${at} of nothing` });
  expect(await hintFor(store, { query: 'auth-login quantum flux incident capacitor' })).toMatch(
    /^\d items? of the task "auth-login" (?:is|are) not among these/,
  );
});

test('where nothing fits into --max-chars, the hint speaks of the match, not of what is shown', async () => {
  using store = await storeOf(NOTES);
  const hint = await hintFor(store, { query: FOREIGN, max_chars: 5 });
  expect(hint).toMatch(new RegExp(`; ${FOREIGN_HINT}$`));
});
