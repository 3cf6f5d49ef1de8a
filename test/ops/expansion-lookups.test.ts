import { describe, expect, test } from 'vitest';
import { keys, stdinOf, storeOf, type Output } from '../helpers/store.ts';

/** Notes that have nothing to do with the others. */
const OTHERS = { weather: 'rain in the mountains', tea: '龙井茶和乌龙茶' };

describe('a word that no item has is found by its synonyms, in either language, by the index and by a scan', () => {
  test.each([
    ['login timeout', '登录接口偶尔超时，要加重试'],
    ['login timed timeouts', '登錄介面偶爾逾時，連線超時'],
    ['登录超时', 'the login endpoint hits a timeout'],
    ['登錄失敗', 'a failing login'],
    ['删除临时文件', 'remove temp files'],
    ['deleting', 'what was removed'],
    ['怎么清空缓存', 'clear the cache'],
    ['postgresql', 'the pg pool'],
    ['k8s 部署', 'Kubernetes: deploy by hand'],
    ['鉴权', 'auth is done by the gateway'],
    ['负载均衡', 'the load balancer drops it'],
    ['读取环境变量', 'the env is empty'],
    ['LOGIN Timeout', '登录超时'],
    ['how do I log in', '登录后才能看'],
    ['a time-out', '连接超时'],
    ['hit the rate limit', '接口限流了'],
    ['限流', 'the API is rate-limited'],
    ['限流策略', 'see the Rate Limits page'],
    ['最佳实践', 'follow best practices'],
    ['handling edge cases', '还没处理边界情况'],
    ['边界情况', 'one corner case'],
    ['边界情况', 'a corner-case'],
    ['边界情况', 'the corner\ncase'],
    ['边界情况', 'cornerCase()'],
    ['边界情况', 'all corners cased'],
    ['微服务', 'one microservice'],
    ['NullPointerException', 'NPE in the order service'],
    ['JavaScript', 'the js bundle'],
    ['OutOfMemoryError', 'OOM on node 3'],
    ['空指针', 'NullPointerException in the log'],
    ['消息去重', 'how to dedupe them'],
    ['幂等', 'make it idempotent'],
    ['乐观锁', 'uses optimistic locking'],
    ['大语言模型', 'an LLM'],
    ['发送', 'it was sent'],
    ['an Edge CASE', '还没处理边界情况'],
    ['内存溢出', 'killed: out of memory'],
    ['out of memory', 'killed by the OOM killer'],
    ['Out-of-memory errors', '内存溢出'],
    ['what is its time to live', 'a TTL of 60'],
    ['TTL', 'time-to-live is 60'],
    ['role based access control', 'RBAC in the gateway'],
    ['points of failure: single point of failure', '单点故障'],
    ['json web tokens', 'the JWT has expired'],
    ['the data bases', '数据库连接'],
    ['权限', 'PermissionChecker.java'],
    ['permissions', '用户权限表'],
    ['authenticate', '身份验证在网关'],
    ['数仓跑批', 'the warehouse batch'],
    ['夜间对账', 'nightly recon'],
    ['monthly payouts', '打款在月底'],
    ['越权', 'IDOR in the endpoint'],
    ['graceful shutdown', '优雅停机 30 秒'],
    ['卡住', 'the job is stuck'],
    ['接口慢', 'the API is slow'],
    // the beginning of a word that is in no dictionary
    ['幂等键', 'the Idempotent header'],
    ['幂等键', '幂等性靠唯一索引'],
  ])('%s: %s', async (query, content) => {
    using store = await storeOf({ ...OTHERS, found: content });
    for (const engine of ['fts', 'like']) {
      const found = await store.run('search', { query, engine, mark_open: '[', mark_close: ']' });
      expect([engine, keys(found)]).toEqual([engine, ['found']]);
      expect(found.items[0].snippet).toContain('[');
      expect(found.items[0].score).toBeGreaterThan(0);
    }
  });
});

describe('translations', () => {
  test.each([
    ['患者', 'the patient is called twice'],
    ['患者', 'PatientController.java'],
    ['patients', '叫号时患者不在'],
    ['東南亞', 'players in Southeast Asia'],
    ['air conditioner', '空调坏了'],
    ['Air-Conditioners', '空调坏了'],
    ['哪个疫苗', 'keep the vaccines cold'],
    ['vaccine', '疫苗要冷藏'],
    ['vaccine', '疫苗要冷藏，接種前檢查'],
  ])('find a word that has no listed synonyms, by the index and by a scan: %s, %s', async (query, content) => {
    using store = await storeOf({ ...OTHERS, found: content });
    for (const engine of ['fts', 'like']) {
      const found = await store.run('search', { query, engine, mark_open: '[', mark_close: ']' });
      expect([engine, keys(found)]).toEqual([engine, ['found']]);
      expect(found.items[0].snippet).toContain('[');
    }
  });
  test.each([
    ['患者', { said: '患者不在，叫下一位，其他人等一等', other: 'patient' }],
    ['vaccine', { said: 'a vaccine of the new batch, kept cold', other: '疫苗' }],
  ])('rank below the word itself: %s', async (query, contents) => {
    using store = await storeOf({ ...OTHERS, ...contents });
    for (const engine of ['fts', 'like'])
      expect([engine, keys(await store.run('search', { query, engine }))]).toEqual([engine, ['said', 'other']]);
  });
  test.each(['吃饭', 'eat'])('do not find what only has the stem of an irregular form (ate, at): %s', async (query) => {
    using store = await storeOf({ ...OTHERS, at: 'one at a time', ate: 'the worm ate it' });
    expect(keys(await store.run('search', { query }))).toEqual(['ate']);
    // what the index finds is what the FTS5 language asks for
    expect(keys(await store.run('search', { query: 'ate', syntax: 'fts' })).toSorted()).toEqual(['at', 'ate']);
  });
  test('count less than listed synonyms', async () => {
    using store = await storeOf({ ...OTHERS, listed: '登录', translated: '疫苗' });
    const { items } = await store.run('search', { query: 'login vaccine', explain: true });
    expect(items.map(({ key, explain }: Output) => [key, explain.matched.content])).toEqual([
      ['listed', ['登录']],
      ['translated', ['疫苗']],
    ]);
    expect(items[1].score).toBeLessThan(0.9 * items[0].score);
  });
  test('are not searched for where every word is required, in the FTS5 language, or of parts of names', async () => {
    using store = await storeOf({ ...OTHERS, other: '疫苗' });
    for (const input of [
      { query: 'vaccine', match: 'all' },
      { query: 'vaccine', match: 'all', engine: 'like' },
      { query: 'vaccine', syntax: 'fts' },
      { query: 'vaccineStore' },
    ])
      expect([input, await store.run('search', input)]).toEqual([input, expect.objectContaining({ total: 0 })]);
  });
});

describe('synonyms', () => {
  test.each([
    ['timeout', { said: 'a timeout of the login service, seen once', other: '超时' }],
    ['超时', { said: '登录服务曾经超时一次，原因不明', other: 'timeout' }],
    ['login timeout 重试', { said: 'login 之后 timeout，没有重试', other: '登录超时，retry' }],
    ['环境变量', { said: '读取进程的环境变量，见文档', other: 'env' }],
    ['how to delete a branch', { said: 'to delete a branch, ask', other: 'remove erase branch' }],
  ])('rank below the words themselves: %s', async (query, contents) => {
    using store = await storeOf({ ...OTHERS, ...contents });
    for (const engine of ['fts', 'like'])
      expect([engine, keys(await store.run('search', { query, engine }))]).toEqual([engine, ['said', 'other']]);
  });
  test('count only where the word itself is missing, once for all of them together', async () => {
    using store = await storeOf({
      ...OTHERS,
      both: 'delete or remove it, one branch',
      word: 'delete or forget it, one branch',
      several: 'remove or erase it, one branch',
      one: 'remove or forget it, one branch',
    });
    const { items } = await store.run('search', { query: 'delete', explain: true });
    const words = new Map<string, number>(items.map(({ key, explain }: Output) => [key, explain.lexical_parts.words]));
    expect(words.get('both')).toBeCloseTo(words.get('word') ?? Number.NaN, 9);
    const scanned = await store.run('search', { query: 'delete', engine: 'like' });
    const scores = new Map(scanned.items.map(({ key, score }: Output) => [key, score]));
    expect(scores.get('both')).toBe(scores.get('word'));
    expect(words.get('several')).toBeLessThan(2 * (words.get('one') ?? Number.NaN));
    const matched = Object.fromEntries(
      items.map(({ key, explain }: Output) => [key, explain.matched.content] as const),
    );
    expect(matched).toEqual({ both: ['delet'], word: ['delet'], several: ['remov', 'eras'], one: ['remov'] });
    for (const { explain } of items) {
      const parts: number[] = Object.values(explain.lexical_parts);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(explain.lexical, 9);
    }
  });
  test('are not searched for where every word is required, or the query is in the FTS5 language', async () => {
    using store = await storeOf({ ...OTHERS, other: '登录超时' });
    for (const input of [
      { query: 'login timeout', match: 'all' },
      { query: 'login timeout', match: 'all', engine: 'like' },
      { query: 'timeout', syntax: 'fts' },
    ])
      expect(await store.run('search', input)).toMatchObject({ total: 0, items: [] });
  });
  test.each([
    { query: 'edge case', match: 'all' },
    { query: 'edge OR delete', syntax: 'fts' },
  ])('count nothing for %o', async (input) => {
    using store = await storeOf({ ...OTHERS, both: 'edge case 边界情况, remove it' });
    const { items } = await store.run('search', { ...input, explain: true });
    expect(items[0].explain.matched.content).not.toContain('边界情况');
    expect(items[0].explain.matched.content).not.toContain('remov');
  });
  test.each(['登錄', '登录'])('leave the form of the query first: %s', async (query) => {
    const other = query === '登錄' ? '登录' : '登錄';
    using store = await storeOf({ ...OTHERS, [`${query}1`]: `${query}一次`, [`${other}2`]: `${other}一次` });
    for (const engine of ['fts', 'like']) {
      const found = keys(await store.run('search', { query, engine }));
      expect([engine, ...found]).toEqual([engine, `${query}1`, `${other}2`]);
    }
  });
  test.each(['deleteCustomer', 'isDeleted'])('of parts of the name %s are not searched for', async (query) => {
    using store = await storeOf({ ...OTHERS, other: 'erase the client', part: 'delete nothing' });
    for (const engine of ['fts', 'like']) expect(keys(await store.run('search', { query, engine }))).toEqual(['part']);
  });
  test('are those of the first ten words that have any', async () => {
    using store = await storeOf({ ...OTHERS, tenth: '超时', eleventh: '缓存' });
    const query = 'zebra yak login login logout delete branch commit merge rebase deploy password timeout cache';
    expect(keys(await store.run('search', { query }))).toEqual(['tenth']);
  });
  test('of words that a long query leaves out are not searched for', async () => {
    using store = await storeOf({ ...OTHERS, first: '超时', middle: '缓存', last: '删除' });
    const words = Array.from({ length: 400 }, (_, at) => `zebra${at}x`);
    const query = ['timeout', ...words.slice(0, 100), 'cache', ...words.slice(100), 'delete'].join(' ');
    expect(keys(await store.run('search', { query })).toSorted()).toEqual(['first', 'last']);
  });
  test.each(['corner cases', 'CORNER_CASE', 'corner - case'])('of two words are marked together: %s', async (said) => {
    using store = await storeOf({ ...OTHERS, one: `a ${said} of it` });
    for (const engine of ['fts', 'like']) {
      const { items } = await store.run('search', { query: '边界情况', engine, mark_open: '[', mark_close: ']' });
      expect(items[0].snippet).toBe(`a [${said}] of it`);
    }
  });
  test('of two words that are not side by side, or in longer words, are not found', async () => {
    using store = await storeOf({
      apart: 'case of a corner; the corner of the case',
      inside: 'a scorner casework',
      between: 'cornerMyCase',
    });
    for (const engine of ['fts', 'like'])
      expect(keys(await store.run('search', { query: '边界情况', engine }))).toEqual([]);
  });
  test('of a Han word that ends inside another one are not searched for', async () => {
    using store = await storeOf({ ...OTHERS, other: 'deduplicate' });
    expect(keys(await store.run('search', { query: '去重庆' }))).toEqual([]);
  });
  test('of a word that a stop word and the next word would make are not searched for', async () => {
    using store = await storeOf({ ...OTHERS, invoice: '开发票', domain: '注册域名' });
    for (const query of ['in voice chat', 'how do main threads work'])
      expect([query, keys(await store.run('search', { query }))]).toEqual([query, []]);
  });
  test('weigh as much as other words in a snippet, also where items have them in both languages', async () => {
    const filler = ' and so it went on for a while in many ordinary words'.repeat(8);
    using store = await storeOf({
      long: `zebra${filler} zebra 登录 signin`,
      short: '登录 signin zebra',
      other: 'signin 登录 zebra',
    });
    const { items } = await store.run('search', { query: 'login zebra' });
    expect(items.find(({ key }: Output) => key === 'long').snippet).toMatch(/zebra 登录 signin$/);
    using common = await storeOf({ long: `登录${filler} zebra`, short: '登录 zebra', other: '登录' });
    const found = (await common.run('search', { query: 'login zebra' })).items;
    expect(found.find(({ key }: Output) => key === 'long').snippet).toMatch(/zebra$/);
  });
  test('are found in both languages', async () => {
    using store = await storeOf({ ...OTHERS, han: '登录', latin: 'signin' });
    for (const engine of ['fts', 'like'])
      expect(keys(await store.run('search', { query: 'login', engine })).toSorted()).toEqual(['han', 'latin']);
  });
  test('count nothing in a scan where the word is in another form', async () => {
    using store = await storeOf({ ...OTHERS, both: 'copy or duplicate it', word: 'copy or overwrite it' });
    const { items } = await store.run('search', { query: 'copies', engine: 'like' });
    expect(items[0].score).toBe(items[1].score);
  });
  test('that the query has too stand for nothing', async () => {
    using store = await storeOf({ ...OTHERS, one: 'remove it', other: 'erase it' });
    const { items } = await store.run('search', { query: 'delete or remove', explain: true });
    expect(items.map(({ key, explain }: Output) => [key, explain.matched.content])).toEqual([
      ['one', ['remov']],
      ['other', ['eras']],
    ]);
    const alone = await store.run('search', { query: 'zebra or remove', explain: true });
    expect(items[0].explain.lexical_parts.words).toBeCloseTo(alone.items[0].explain.lexical_parts.words, 9);
  });
  test('that are the word itself, written as two, count once: as these', async () => {
    using store = await storeOf({ ...OTHERS, one: 'a data source' });
    const { items } = await store.run('search', { query: 'datasource', explain: true });
    expect(items[0].explain.lexical_parts.words).toBe(0);
  });
  test.each([
    ['edge case', 'an edge case', '边界情况'],
    ['edge cases', 'another edge-case', 'corner case'],
    ['time out', 'a timeout', '超时'],
    ['a time-out of it', 'it will time out', '超时'],
    ['rate limit', 'the rate limits', '限流'],
  ])('of two words count only where these are missing: %s', async (query, said, other) => {
    using store = await storeOf({ ...OTHERS, word: `${said} xxxx`, both: `${said} ${other}`, other });
    for (const engine of ['fts', 'like']) {
      const { items } = await store.run('search', { query, engine, explain: true });
      const found = new Map<string, Output>(items.map(({ key, ...item }: Output) => [key, item]));
      expect([engine, [...found.keys()].toSorted()]).toEqual([engine, ['both', 'other', 'word']]);
      if (engine === 'like') expect(found.get('both').score).toBe(found.get('word').score);
      else {
        const parts = ({ explain }: Output): number => explain.lexical_parts.words;
        // the lengths differ a little
        expect(parts(found.get('both'))).toBeLessThan(1.05 * parts(found.get('word')));
        expect(parts(found.get('other'))).toBeGreaterThan(0);
        expect(found.get('both').explain.matched).toEqual(found.get('word').explain.matched);
      }
    }
  });
  test('count where the word is only inside another', async () => {
    using store = await storeOf({ ...OTHERS, other: 'undeletable: erase it' });
    const { items } = await store.run('search', { query: 'delete', explain: true });
    expect(items[0].explain).toMatchObject({ matched: { content: ['eras'] } });
    expect(items[0].explain.lexical_parts.words).toBeGreaterThan(0);
  });
  const named = (content: string, at: number): string =>
    JSON.stringify({ type: 'feature', key: `乐观锁 ${at}`, content });
  test.each([
    ['乐观锁', 'fts'],
    ['乐观锁', 'like'],
    ['给表加乐观锁的一些方法', 'fts'],
    ['给表加乐观锁的一些方法', 'like'],
  ])('of a Han word count only where it is missing as a whole: %s, %s', async (query, engine) => {
    using store = await storeOf({
      ...OTHERS,
      both: '加乐观锁 optimistic lock 一次',
      word: '加乐观锁 pedantic lock 一次',
    });
    await store.run('import', {}, { stdin: stdinOf(['optimistic lock', 'pedantic lock'].map(named).join('\n')) });
    const { items } = await store.run('search', { query, engine, explain: true });
    expect(items).toHaveLength(4);
    expect(items[0].score).toBeCloseTo(items[1].score, 9);
    expect(items[2].score).toBeCloseTo(items[3].score, 9);
    if (engine === 'fts')
      for (const { explain } of items) expect(explain.matched.content ?? []).not.toContain('optimistic lock');
  });
  test('are found by --explain-id, counted in the total, and in every order', async () => {
    using store = await storeOf({ ...OTHERS, said: 'one timeout', other: '超时' });
    const { items } = await store.run('search', { query: '超时' });
    const id = items.find(({ key }: Output) => key === 'said').id;
    expect(await store.run('search', { query: '超时', explain_id: id, limit: 1 })).toMatchObject({
      total: 2,
      explain_id: { status: 'ranked', rank: 2 },
    });
    for (const sort_by of ['updated', 'mixed', 'confidence', 'recency'])
      expect((await store.run('search', { query: '超时', sort_by })).total).toBe(2);
  });
  const removed = (word: string): string =>
    JSON.stringify({ type: 'feature', key: word, content: `删除旧的：${word} it` });
  test('that one item in ten has are not searched for among many', async () => {
    const contents: Record<string, string> = {};
    for (let at = 0; at < 1200; at += 1) contents[`k${at}`] = at % 8 === 0 ? `remove item ${at}` : `keep item ${at}`;
    using store = await storeOf({ ...contents, said: 'delete it', rare: 'erase it' });
    expect(keys(await store.run('search', { query: 'delete' }))).toEqual(['said']);
    await store.run('import', {}, { stdin: stdinOf(['remove', 'keep'].map(removed).join('\n')) });
    const { items } = await store.run('search', { query: 'delete', explain: true });
    const [, { explain: one }, { explain: other }] = items;
    expect(one.lexical_parts.words).toBeCloseTo(other.lexical_parts.words, 9);
    expect(keys(await store.run('search', { query: '切换' }))).toEqual([]);
  });
});
