import { distance } from 'fastest-levenshtein';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY, errorOf, keys, NOW, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';

async function storeOf(contents: Readonly<Record<string, string>>): Promise<TestStore> {
  const store = await tempStore();
  for (const [key, content] of Object.entries(contents)) await store.run('put', { type: 'project', key, content });
  return store;
}

const ENGINES = ['fts', 'like'] as const;

describe.each(ENGINES)('with the engine %s', (engine) => {
  test.each([
    ['OPS-417', ['fixed in OPS-417 yesterday']],
    ["don't cache tokens", ["we don't cache tokens here"]],
    ['build/reports', ['see src/db/pool.ts and build/reports/a.json']],
    ['src/db/pool.ts', ['see src/db/pool.ts and build/reports/a.json']],
    ['debian 12.5', ['tested on debian 12.5 with auth.core']],
    ['parse "failure', ['parse failure, then fallback']],
    ['fallback OR', ['parse failure, then fallback']],
    ['end-to-end', ['an end-to-end check']],
    ['Jäger', ['Grüße an Jäger']],
    ['Дмитрием', ['встреча с Дмитрием']],
    ['用户身份', ['接口返回用户身份校验失败']],
    ['校验失败', ['接口返回用户身份校验失败']],
    ['健康', ['关注心理健康状况']],
    ['蓝鲸', ['我的蓝鲸盘同步']],
    ['idx-qk7', ['第3步 重建idx-qk7后30条失效链接归零，已复核']],
    ['5G', ['支持5G网络和DDR5内存']],
    ['ddr5', ['支持5G网络和DDR5内存']],
    ['缓存　系统', ['缓存系统需要定期清理']],
    ['部署方案', ['今天把部署方案发给测试组确认']],
    ['한점'.normalize('NFC'), [`note ${'한점'.normalize('NFD')}`]],
    ['ＡＢＣ', ['the abc']],
    ['deploy 🟥', ['deploy 🟥 blocked']],
  ])('%j finds %j', async (query, contents) => {
    using store = await storeOf({ k1: contents[0] ?? '', other: '完全无关 nothing of it' });
    const found = await store.run('search', { query, engine });
    expect(keys(found)).toEqual(['k1']);
    expect(found).toMatchObject({ fts5: engine === 'fts', total: 1, total_exact: true, truncated: false });
  });

  test('a match in the key, a tag or the source is found; the key weighs most', async () => {
    using store = await storeOf({ zebra: 'nothing here', k2: 'zebra in the body' });
    await store.run('put', { type: 'project', key: 'k3', content: 'other', tag: ['zebra'] });
    await store.run('put', { type: 'project', key: 'k4', content: 'other', source: 'zebra' });
    const found = await store.run('search', { query: 'zebra', engine });
    expect(keys(found)[0]).toBe('zebra');
    expect(keys(found).toSorted()).toEqual(['k2', 'k3', 'k4', 'zebra']);
  });

  test('filters, sort orders and limits are respected', async () => {
    using store = await tempStore();
    for (const [key, type, days, confidence] of [
      ['old', 'run', 100, 'high'],
      ['mid', 'run', 10, 'low'],
      ['new', 'feature', 0, 'medium'],
    ] as const) {
      await store.run(
        'put',
        { type, key, task_id: key === 'new' ? 'Auth' : 'other', content: 'cache note', confidence },
        { nowMs: NOW - days * DAY },
      );
    }
    const run = async (input: Record<string, unknown>): Promise<string[]> =>
      keys(await store.run('search', { query: 'cache', engine, ...input }));
    expect(await run({})).toEqual(['new', 'old', 'mid']);
    expect(await run({ sort_by: 'updated' })).toEqual(['new', 'mid', 'old']);
    expect(await run({ sort_by: 'confidence' })).toEqual(['old', 'new', 'mid']);
    expect(await run({ sort_by: 'recency' })).toEqual(['new', 'mid', 'old']);
    expect(await run({ sort_by: 'mixed' })).toEqual(['new', 'old', 'mid']);
    expect(await run({ exclude_stale: true })).toEqual(['new', 'mid']);
    expect(await run({ type: 'run', sort_by: 'updated' })).toEqual(['mid', 'old']);
    expect(await run({ task_id: 'Auth' })).toEqual(['new']);
    expect(await store.run('search', { query: 'cache', engine, limit: 1 })).toMatchObject({
      total: 3,
      truncated: true,
    });
  });

  test('--match all requires every word', async () => {
    using store = await storeOf({ a: 'alpha beta', b: 'alpha' });
    expect(keys(await store.run('search', { query: 'alpha beta', match: 'all', engine }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: 'alpha beta', engine }))).toEqual(['a', 'b']);
    expect((await store.run('search', { query: 'alpha gamma', match: 'all', engine }))['hint']).toContain(
      '--match any',
    );
  });

  test('any string is a query, and never an error', async () => {
    using store = await storeOf({ a: 'alpha 用户 beta', b: 'C++ % _ \\ " * 🟥' });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 1 }),
          fc.string({
            unit: fc.constantFrom('"', '*', '(', ')', 'AND', 'OR', 'NEAR', ':', '-', '^', ' ', '用', 'a') as never,
            minLength: 1,
          }),
        ),
        async (query) => {
          fc.pre(query.isWellFormed() && !query.includes('\0'));
          const found = await store.run('search', { query, engine });
          expect(Object.keys(found)).toEqual(
            expect.arrayContaining(['fts5', 'items', 'total', 'total_exact', 'truncated']),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('search', () => {
  test.each([
    ['@', ['mail']],
    ['&', ['mail']],
    ['R&D', ['mail']],
    ['%', ['percent']],
    ['\\', ['back']],
    ['---', ['dashes']],
    ['C++', ['cpp']],
    ['*', []],
    ['"', []],
    ['∑', []],
  ])('text without words %j is searched for verbatim: %j', async (query, expected) => {
    using store = await storeOf({
      mail: '联系 ops@corp 处理 R&D 流程',
      percent: '25% rebate',
      back: 'back\\slash',
      dashes: 'front matter ---',
      cpp: 'C++ code',
    });
    const found = await store.run('search', { query });
    expect(keys(found)).toEqual(expected);
    if (expected.length === 0) expect(found['hint']).toContain('memtool list');
  });

  test('finding nothing is not an error, never gives the newest items instead, and says what to try', async () => {
    using store = await storeOf({ a: 'unrelated latest note' });
    expect(await store.run('search', { query: 'Κρήτη' })).toEqual({
      fts5: true,
      items: [],
      total: 0,
      total_exact: true,
      truncated: false,
      hint: expect.stringContaining('memtool list'),
    });
    expect((await store.run('search', { query: 'Κρήτη', key: 'a' }))['hint']).toMatch(/^no item contains any/);
  });

  test.each([5, 20, 21, 24, 60, 101, 300, 2500])(
    'the newest of %d equal texts come first, and the order is the same every time',
    async (count) => {
      using store = await tempStore();
      const lines = Array.from({ length: count }, (_, at) => {
        const time = new Date(NOW - (count - at) * 3_600_000).toISOString();
        const content = 'cache build note';
        return JSON.stringify({ type: 'project', key: `d${at}`, content, created_at: time, updated_at: time });
      });
      await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
      const newest = [1, 2, 3, 4, 5].map((back) => `d${count - back}`);
      for (const query of ['cache', 'cache build', 'build note of the cache']) {
        expect(keys(await store.run('search', { query, limit: 5 }))).toEqual(newest);
        expect(keys(await store.run('search', { query })).slice(0, 5)).toEqual(newest);
      }
    },
  );

  test.each([24, 120, 500, 1900])(
    'the freshest, surest, heaviest of %d equal texts ranks first, in whatever order they were written',
    async (count) => {
      using store = await tempStore();
      const lines = Array.from({ length: count }, (_, at) => {
        const updated_at = new Date(NOW - at * 3_600_000).toISOString();
        return JSON.stringify({ type: 'project', key: `d${at}`, content: `cache build note ${1000 + at}`, updated_at });
      });
      await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
      for (const query of ['cache', 'cache build', 'build note of the cache'])
        expect(keys(await store.run('search', { query, limit: 5 }))).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
      const sure = { type: 'project', key: 'd7', confidence: 'high', weight: 10 };
      await store.run('put', sure, { nowMs: NOW - 7 * 3_600_000 });
      await store.run('put', { type: 'project', key: 'x', content: 'something else' });
      for (const limit of [1, 20, 50]) expect(keys(await store.run('search', { query: 'cache', limit }))[0]).toBe('d7');
      expect(keys(await store.run('recommend', { context: 'cache build note' }))[0]).toBe('d7');
    },
  );

  test('the surer and heavier one of 24 equal texts ranks first', async () => {
    using store = await tempStore();
    const lines = Array.from({ length: 24 }, (_, at) =>
      JSON.stringify({
        type: 'run',
        key: `k${at}`,
        content: 'build failed',
        updated_at: '2026-05-01T00:00:00Z',
        ...(at === 0 ? { confidence_level: 'high', weight: 10 } : { confidence_level: 'low', weight: 0 }),
      }),
    );
    await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
    expect(keys(await store.run('search', { query: 'build failed' }))[0]).toBe('k0');
  });

  test('a word that is in every item still finds all of them, with finite scores that differ', async () => {
    using store = await storeOf({ a: 'maple desk', b: 'maple chair and much more filler text here' });
    const { items } = await store.run('search', { query: 'maple' });
    expect(items).toHaveLength(2);
    for (const { score } of items) expect(score).toBeGreaterThan(0);
    expect(items[0].score).toBeGreaterThan(items[1].score);
  });

  test('--explain returns the parts, whose product is the score', async () => {
    using store = await storeOf({ a: 'alpha beta', b: 'alpha' });
    for (const { score, explain } of (await store.run('search', { query: 'alpha', explain: true }))['items']) {
      expect(explain).toMatchObject({ sort_by: 'relevance', confidence: 0.6, recency: 1, weight: 1 });
      expect(explain.lexical * explain.prior).toBeCloseTo(score, 12);
      expect(explain.mixed).toBeCloseTo(0.76, 12);
    }
  });

  test('the lexical parts of --explain add up to lexical, whatever the texts and the query', async () => {
    const word = fc.constantFrom('用户', '登录', '缓存', 'Kafka', 'getUserById', 'retry', 'MySQL', '怎么', 'the', '名');
    const phrase = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(phrase, { minLength: 1, maxLength: 6 }), phrase, async (contents, query) => {
        using store = await storeOf(Object.fromEntries(contents.map((content, at) => [`k${at}`, content])));
        for (const { score, explain } of (await store.run('search', { query, explain: true }))['items']) {
          const parts: number[] = Object.values(explain.lexical_parts);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(explain.lexical, 9);
          expect(explain.lexical * explain.prior).toBeCloseTo(score, 9);
          expect(Object.keys(explain.matched).length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('--explain-id says why an item is missing, or what its rank is', async () => {
    using store = await storeOf({ a: 'alpha alpha', b: 'alpha and some other words', c: 'gamma' });
    const id = async (key: string): Promise<string> => (await store.run('get', { type: 'project', key })).item.id;
    const why = async (key: string, input = {}): Promise<unknown> =>
      (await store.run('search', { query: 'alpha', explain_id: await id(key), limit: 1, ...input }))['explain_id'];
    expect(await why('b')).toMatchObject({ status: 'ranked', rank: 2 });
    expect(await why('c')).toMatchObject({ status: 'not_matched', rank: null });
    expect(await why('b', { type: 'run' })).toMatchObject({ status: 'filtered', filters: ['type'] });
    expect((await store.run('search', { query: 'alpha', explain_id: 'nope' }))['explain_id']).toMatchObject({
      status: 'not_stored',
    });
  });

  test('--fields and --max-chars keep the answer short, and say what was left out', async () => {
    using store = await storeOf({ a: 'alpha '.repeat(5).trim(), b: `alpha ${'x'.repeat(500)}`, c: 'alpha one' });
    const found = await store.run('search', { query: 'alpha', fields: ['key', 'score', 'content'], max_chars: 60 });
    expect(keys(found).toSorted()).toEqual(['a', 'c']);
    expect(Object.keys(found['items'][0])).toEqual(['key', 'content', 'score']);
    expect(found).toMatchObject({ truncated: true, total: 3, omitted_ids: [expect.any(String)] });
    expect(found['hint']).toContain(' has 506 characters; read it with: memtool get ');
  });

  test.each([
    'getUser*',
    'getUserBy*',
    'GETUSER*',
    'getuser*',
    '"getUser" *',
    'get*',
    'getUserById*',
    'content:getUser*',
  ])('--syntax fts %s finds the identifier with that prefix', async (query) => {
    using store = await storeOf({ a: 'call getUserById first', b: 'forget the userland' });
    expect(keys(await store.run('search', { query, syntax: 'fts' }))[0]).toBe('a');
  });

  test('--syntax fts ranks by the words of the query, the rare ones first, and not by its operators', async () => {
    using store = await storeOf({
      both: 'zookeeper election is quick',
      operators: 'zookeeper election and and and near near 9 not or',
      rare: 'about raft, in one of many notes',
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, `server config server config ${at}`])),
    });
    const search = (query: string, input = {}) => store.run('search', { query, syntax: 'fts', ...input });
    const found = await search('zookeeper AND election', { explain: true });
    expect(keys(found)[0]).toBe('both');
    expect(found.items[1].explain.matched.content).not.toContain('and');
    expect(keys(await search('NEAR(zookeeper election, 9) OR quick'))[0]).toBe('both');
    expect(keys(await search('server OR config OR raft'))[0]).toBe('rare');
    expect(keys(await search('content : server OR {key content} : config OR raft'))[0]).toBe('rare');
    expect((await search('server AND config', { limit: 1 })).total).toBe(30);
  });

  test('--syntax fts accepts the FTS5 language, including Chinese words', async () => {
    using store = await storeOf({ contract: '用户登录 contract text', other: '用户注册 pool', third: 'pooling' });
    const run = async (query: string): Promise<string[]> =>
      keys(await store.run('search', { query, syntax: 'fts' })).toSorted();
    expect(await run('key:contract')).toEqual(['contract']);
    expect(await run('用户 NOT 注册')).toEqual(['contract']);
    expect(await run('"用户" AND pool')).toEqual(['other']);
    expect(await run('poo*')).toEqual(['other', 'third']);
    expect(await run('用户登*')).toEqual(['contract']);
    expect(await run('"用户登录 contract"')).toEqual(['contract']);
    expect(await errorOf(store.run('search', { query: 'a', syntax: 'fts', engine: 'like' }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
  });

  test('--syntax fts finds names like C++ in a string, wherever they are', async () => {
    using store = await storeOf({
      cpp: 'C++ 模块用 CMake 构建',
      cs: 'a C# module',
      c: 'a C module',
      tag: 'modules in C++',
    });
    const run = async (query: string): Promise<string[]> =>
      keys(await store.run('search', { query, syntax: 'fts' })).toSorted();
    expect(await run('"C++"')).toEqual(['cpp', 'tag']);
    expect(await run('content : "C++ 模块"')).toEqual(['cpp']);
    expect(await run('key : "C++"')).toEqual([]);
    expect(await run('"C++" OR "Ｃ#"')).toEqual(['cpp', 'cs', 'tag']);
    expect(await run('module NOT "C++"')).toEqual(['c', 'cs']);
    expect(await run('NEAR("C#" module)')).toContain('cs');
  });

  test.each([
    ['AND', 1],
    ['a AND', 6],
    ['b AND a AND AND', 13],
    ['a OR OR b', 6],
    ['"open', 1],
    ['"a" AND "b" OR "open', 16],
    ['foo:bar', 1],
    ['a AND foo : bar', 7],
    ['数据库 AND (b', 11],
    ['数据库 AND AND b', 9],
    ['NEAR(', 6],
    ['a ) b', 3],
    ['a)b)c', 2],
    ['getUserById (alpha)', 1],
    ['数据库连接 (alpha)', 1],
    ['数据库连接:', 1],
    ['b 数据库连接: b', 3],
    ['getUserById AND )', 17],
    ['a OR b OR OR c OR d', 11],
    ['"a ""b"" c" AND "open', 17],
    ['"open ""x', 1],
    ['"a" "open ""x"" y', 5],
    ['"a" b "" "open', 10],
    ['"a" "b" )', 9],
    ['(a))', 4],
  ])('the mistake in %s is at character %i', async (query, position) => {
    using store = await storeOf({ a: 'alpha' });
    expect(await errorOf(store.run('search', { query, syntax: 'fts' }))).toMatchObject({
      code: 'PARAM_ERROR',
      context: { query, position },
    });
  });

  test.each(['mar*', 'MARI*', '"mar" *', 'key: mar*'])(
    '%s in the FTS5 language is scored by the words with that prefix',
    async (query) => {
      using store = await storeOf({ marina: 'the marina', other: `a marker ${'and much more text '.repeat(20)}` });
      const { items } = await store.run('search', { query, syntax: 'fts' });
      expect(items[0]).toMatchObject({ key: 'marina' });
      for (const { score } of items) expect(score).toBeGreaterThan(0.1);
    },
  );

  test('a batch answers line by line, errors included', async () => {
    using store = await storeOf({ a: 'alpha', b: 'beta alpha' });
    const lines = [
      '{"query":"alpha","limit":1}',
      '"beta"',
      '',
      'not json',
      '{"query":""}',
      '{"query":"x","nosuch":1}',
      '42',
      '{"query":"beta","type":"run"}',
    ];
    const { lines: answers } = await store.run(
      'search',
      { batch: true, limit: 5 },
      { stdin: stdinOf(lines.join('\n')) },
    );
    const parsed = answers.map((one: string) => JSON.parse(one));
    expect(parsed.map(({ ok, total, error }: Output) => [ok, total ?? error])).toEqual([
      [true, 2],
      [true, 1],
      [false, 'PARAM_ERROR'],
      [false, 'PARAM_ERROR'],
      [false, 'PARAM_ERROR'],
      [false, 'PARAM_ERROR'],
      [true, 0],
    ]);
    expect(parsed[0].items).toHaveLength(1);
    // an error names its line and the probable intention
    expect(parsed.flatMap(({ line }: Output) => line ?? [])).toEqual([4, 5, 6, 7]);
    const wrong = [
      '{"query":"x","sort_by":"mixd"}',
      '{"query":"x","typ":"run"}',
      '{"query":"x","limit":0}',
      '{"query":"x","fields":"id,snipet"}',
    ];
    const told = await store.run('search', { batch: true }, { stdin: stdinOf(wrong.join('\n')) });
    expect(told.lines.map((one: string) => JSON.parse(one))).toMatchObject([
      { line: 1, hint: 'did you mean mixed?' },
      { line: 2, hint: 'did you mean type?' },
      { line: 3, message: 'limit must be a whole number from 1 to 1000, got 0' },
      { line: 4, hint: 'did you mean snippet?' },
    ]);
    // a string in place of a list is parsed as on the command line
    const listed = await store.run(
      'search',
      { batch: true },
      { stdin: stdinOf('{"query":"beta","fields":"id, snippet"}') },
    );
    expect(Object.keys(JSON.parse(listed.lines[0]).items[0])).toEqual(['id', 'snippet']);
    expect(await errorOf(store.run('search', { batch: true, query: 'x' }, { stdin: stdinOf('') }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
    expect(await errorOf(store.run('search', {}))).toMatchObject({
      code: 'PARAM_ERROR',
      message: 'a query is required',
    });
  });

  test('changes nothing in the database', async () => {
    using store = await storeOf({ a: 'alpha' });
    const { readFileSync } = await import('node:fs');
    const before = readFileSync(store.path);
    await store.run('search', { query: 'alpha' });
    await store.run('get', { type: 'project', key: 'a' });
    await store.run('recommend', { context: 'alpha' });
    expect(readFileSync(store.path).equals(before)).toBe(true);
  });
});

describe('recommend', () => {
  test('says that nothing is related to the context', async () => {
    using store = await storeOf({ a: '登录接口', b: 'the cache' });
    const hinted = async (context?: string) => (await store.run('recommend', { context })).hint as string | undefined;
    expect(await hinted('deploy zookeeper')).toContain('none of these shares a word with the context');
    for (const context of ['cache', '登录', undefined]) expect(await hinted(context)).toBeUndefined();
  });

  test('scores by context, confidence, age and weight, and names the reasons', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'feature', key: 'login', content: '登录接口 返回 401', confidence: 'high' });
    await store.run('put', { type: 'run', key: 'heavy', content: 'unrelated', weight: 3 }, { nowMs: NOW - 14 * DAY });
    await store.run('put', { type: 'run', key: 'stale', content: '登录接口' }, { nowMs: NOW - 400 * DAY });
    const { items, candidates } = await store.run('recommend', { context: '登录接口 返回 401' });
    expect(candidates).toBe(2);
    expect(items.map(({ key, score, reasons }: Output) => [key, Math.round(score * 1e6) / 1e6, reasons])).toEqual(
      [
        ['login', 1, ['context_match', 'high_confidence', 'recent']],
        ['heavy', 0.84, ['high_weight']],
      ].toSorted((a, b) => Number(b[1]) - Number(a[1])),
    );
    expect((await store.run('recommend', { include_stale: true }))['items']).toHaveLength(3);
    expect(keys(await store.run('recommend', { key_prefix: 'log' }))).toEqual(['login']);
    expect(keys(await store.run('recommend', { key_prefix: '%' }))).toEqual([]);
    expect(
      (await store.run('recommend', { context: '-', type: 'feature' }, { stdin: stdinOf('登录接口 返回 401') }))[
        'items'
      ][0].score,
    ).toBeCloseTo(1, 12);
    expect(await errorOf(store.run('recommend', { context: '-' }, { stdin: stdinOf('') }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
  });
});

test.each([
  ['English', 'word ', 'keycloak'],
  ['words that are split', 'getById ', 'keycloak'],
  ['Chinese', '缓存', '鱿鱼'],
])('recommend compares the first 100,000 characters of a content: %s', async (_language, filler, word) => {
  using store = await tempStore();
  const fillers = (chars: number) => filler.repeat(Math.floor(chars / filler.length));
  await store.run('put', { type: 'run', key: 'behind', content: `${fillers(100_500)} ${word}` });
  await store.run('put', { type: 'run', key: 'before', content: `${fillers(20_000)} ${word} ${fillers(200_000)}` });
  const { items } = await store.run('recommend', { context: `${word} nothing else`, fields: ['key', 'score'] });
  const scores = Object.fromEntries(items.map(({ key, score }: Output) => [key, score]));
  expect(scores['before']).toBeGreaterThan(scores['behind'] + 0.01);
});

describe('the candidates of recommend', () => {
  /** A store of one item per content, each a minute older than the one before. */
  async function newestFirst(contents: readonly string[]): Promise<TestStore> {
    const store = await tempStore();
    const lines = contents.map((content, at) => {
      const updated_at = new Date(NOW - at * 60_000).toISOString();
      return JSON.stringify({ id: `i${at}`, type: 'run', key: `k${at}`, content, updated_at });
    });
    await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
    return store;
  }

  test('are the newest 1,000, or with a context the newest 200 and every other item that shares a word with it', async () => {
    using store = await newestFirst(
      Array.from({ length: 1100 }, (_, at) => (at === 1099 ? 'zookeeper' : `note ${at}`)),
    );
    expect(await store.run('recommend', { limit: 1 })).toMatchObject({ candidates: 1000, truncated: true });
    expect(keys(await store.run('recommend', { limit: 1000 }))).not.toContain('k1000');
    expect(await store.run('recommend', { context: 'zookeeper', limit: 2 })).toMatchObject({
      candidates: 201,
      items: [
        { key: 'k1099', reasons: ['context_match', 'recent'] },
        { key: 'k0', reasons: ['recent'] },
      ],
    });
    expect(await store.run('recommend', { context: '\uFEFFk1099', limit: 1 })).toMatchObject({ candidates: 201 });
  });

  test.each(['Pool, exhausted.', 'Deadlock, in PaymentService.', '登录接口 返回 401', 'v2.10.0: C++ (src/db/pool.ts)'])(
    'share all words of %j with a context of the same text',
    async (content) => {
      using store = await newestFirst([content]);
      const { items } = await store.run('recommend', { context: content });
      // 0.5 · 1 + 0.3 · 0.6 + 0.2 · 1
      expect(items[0].score).toBeCloseTo(0.88, 6);
    },
  );

  test('are compared with the context also when too many share a word with it', async () => {
    using store = await newestFirst(['alpha beta gamma', ...Array.from({ length: 400 }, () => 'alpha')]);
    const { items, truncated } = await store.run('recommend', { context: 'alpha', limit: 1000 });
    expect(items.find(({ key }: Output) => key === 'k0')).toMatchObject({ reasons: ['context_match', 'recent'] });
    expect(keys({ items }).toSorted()).toEqual([...new Set(keys({ items }))].toSorted());
    expect(truncated).toBe(false);
  });
});

test('the prefix of a key is compared exactly, including case and what SQL takes for a pattern', async () => {
  using store = await tempStore();
  for (const key of ['log_in', 'logXin', 'Log_in', '日志_a'])
    await store.run('put', { type: 'run', key, content: 'x' });
  for (const [key_prefix, expected] of [
    ['log_', ['log_in']],
    ['Log', ['Log_in']],
    ['日志', ['日志_a']],
    ['log_in', ['log_in']],
    ['log_in2', []],
  ] as const)
    expect([key_prefix, keys(await store.run('recommend', { key_prefix }))]).toEqual([key_prefix, expected]);
});

test('recommend returns the same first items whatever the limit', async () => {
  using store = await tempStore();
  const parts = [
    '数据库迁移',
    'deadlock rollback',
    '登录接口 返回 401',
    'getUserById',
    '缓存',
    'the pool is exhausted',
    '索引',
    'C++',
  ];
  const levels = ['high', 'medium', 'low'];
  for (let at = 0; at < 60; at += 1) {
    const words = parts.filter((_, part) => (at * 7 + part * part) % (2 + (at % 3)) === 0);
    const content = `${words.join(' ')} ${'filler 文字 '.repeat((at * 13) % 90)}${at}`;
    const more = { weight: [1, 1, 2, 0.5, 0][at % 5], confidence: levels[at % 3] };
    await store.run('put', { type: 'feature', key: `k${at}`, content, ...more }, { nowMs: NOW - (at % 11) * 20 * DAY });
  }
  for (const context of [...parts, parts.join(' '), 'nothing like it', undefined]) {
    const run = async (limit: number) =>
      (await store.run('recommend', { context, limit })).items.map((item: Output) => [item.key, item.score]);
    const all = await run(1000);
    expect(all).toHaveLength(60);
    for (const limit of [1, 3, 10, 59]) expect(await run(limit)).toEqual(all.slice(0, limit));
  }
});

describe('the engine', () => {
  test('copies of one memory under other tasks share a position, so that other items are seen', async () => {
    using store = await tempStore();
    for (const step of ['s1', 's2', 's3', 's4', 's5']) {
      await store.run('put', {
        type: 'run',
        task_id: 't',
        step_id: step,
        key: 'pref',
        content: 'Team prefers tabs over spaces',
      });
    }
    await store.run('put', { type: 'project', key: 'other', content: 'tabs and panes in the editor' });
    const found = await store.run('search', { query: 'tabs', limit: 2 });
    expect(keys(found).toSorted()).toEqual(['other', 'pref']);
    expect(found.items.find(({ key }: Output) => key === 'pref').duplicates).toHaveLength(4);
    expect(found).toMatchObject({ total: 6, truncated: false });
  });

  test('copies are named however few items are shown, and however far below they would rank', async () => {
    using store = await tempStore();
    const put = async (task: string, confidence: string, content = 'the zebra crosses'): Promise<string> =>
      (await store.run('put', { type: 'feature', key: 'a', task_id: task, content, confidence })).id;
    const first = await put('t1', 'high');
    await store.run('put', { type: 'feature', key: 'b', content: 'a zebra between' });
    const copies = [await put('t2', 'low'), await put('t3', 'low'), await put('t4', 'low')];
    await put('t5', 'low', 'the zebra crossed'); // of the same size
    const found = await store.run('search', { query: 'zebra', limit: 1, explain_id: copies[0] });
    expect(found).toMatchObject({ items: [{ id: first }], explain_id: { rank: 1 }, total: 6, truncated: true });
    expect(found.items[0].duplicates.toSorted()).toEqual(copies.toSorted());
  });

  test('the only memory and its copies are all of a search', async () => {
    using store = await tempStore();
    for (const task_id of ['t1', 't2', 't3', 't4', 't5', 't6'])
      await store.run('put', { type: 'feature', key: 'a', task_id, content: 'zebra' });
    const found = await store.run('search', { query: 'zebra', limit: 1 });
    expect(found).toMatchObject({ total: 6, truncated: false });
    expect(found.items[0].duplicates).toHaveLength(5);
  });

  test.each([
    ['heartbeat check ok', 'quota exceeded, write failed', 'the heartbeat check is sent every minute'],
    ['心跳检查正常', '磁盘已满 写入失败', '每分钟发送一次心跳检查'],
  ])('a log that repeats %s finds the note on its one error', async (noise, error, note) => {
    using store = await storeOf({ noise: note, error: `${error}: free some space`, other: 'something else' });
    for (const times of [2, 20, 200]) {
      const query = `${`${noise}\n`.repeat(times)}${error}`;
      expect(keys(await store.run('search', { query }))[0]).toBe('error');
    }
  });

  test('a match far inside a text is counted even if its start resembles the best match', async () => {
    const filler = 'lorem ipsum dolor sit amet '.repeat(5_000);
    const start = 'the coral reef shelters turtles and rays ';
    using store = await storeOf({
      best: `${start}zebrafish zebrafish`,
      near: `${start}${filler}zebrafish`,
      far: `${filler}zebrafish`,
    });
    const { items } = await store.run('search', { query: 'zebrafish', explain: true });
    const words = Object.fromEntries(
      items.map(({ key, explain }: Output) => [key, explain.lexical_parts.words] as const),
    );
    expect(words['near']).toBeGreaterThan(0);
    expect(words['near']).toBeCloseTo(words['far'], 2);
  });

  test('of a long Chinese query the start and the end are searched for, and that is told', async () => {
    using store = await storeOf({ start: '量子纠缠的实验', middle: '鱼香肉丝的做法', end: '珊瑚白化的原因' });
    const filler = (from: number): string =>
      Array.from({ length: 500 }, (_, at) => String.fromCodePoint(from + at)).join('，');
    const query = `量子纠缠${filler(0x7000)}鱼香肉丝${filler(0x8300)}珊瑚白化`;
    const found = await store.run('search', { query });
    expect(found).toMatchObject({ warning: 'QUERY_CUT' });
    expect(keys(found).toSorted()).toEqual(['end', 'start']);
    expect(await store.run('search', { query: '量子纠缠与珊瑚白化'.repeat(40) })).not.toHaveProperty('warning');
  });

  test('real matches outrank an accidental one', async () => {
    using store = await storeOf({
      noise: '大家 白天 鹭岛 湾区 项链 目标',
      hit1: '第1 次讨论白鹭湾项目的预算',
      hit2: '第2 次讨论白鹭湾项目的预算',
    });
    expect(
      keys(await store.run('search', { query: '白鹭湾项目' }))
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['hit1', 'hit2']);
  });

  test('filters find all items that pass, however many newer matches they exclude', async () => {
    using store = await tempStore();
    // "common" is in every item; the filters admit five of the oldest and one of the newest
    const lines = Array.from({ length: 5000 }, (_, at) => {
      const isWanted = (at >= 100 && at < 105) || at === 4990;
      const time = new Date(NOW - (5000 - at) * 60_000).toISOString();
      return JSON.stringify({
        id: `i${String(at).padStart(4, '0')}`,
        type: isWanted ? 'project' : 'run',
        task_id: isWanted ? 'rare' : `t${at % 3}`,
        step_id: isWanted ? 'one' : 'other',
        key: isWanted ? `wanted-${at}` : `k${at}`,
        tags: isWanted ? ['数据库迁移', 'api'] : ['api', '数据库'],
        content: at % 50 === 0 ? 'common and seldom' : 'a common word',
        created_at: time,
        updated_at: time,
      });
    });
    await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
    const wanted = ['i0100', 'i0101', 'i0102', 'i0103', 'i0104', 'i4990'];
    const filters = [
      { type: 'project' },
      { task_id: 'rare' },
      { step_id: 'one' },
      { tag: ['数据库迁移'] },
      { tag: ['数据库迁移', 'api'] },
      { type: 'project', tag: ['api'] },
      { task_id: 'rare', type: 'project', exclude_stale: true },
    ];
    for (const filter of filters) {
      for (const query of ['common', 'common word nosuchword']) {
        const found = await store.run('search', { query, ...filter });
        expect([filter, query, found.items.map(({ id }: { id: string }) => id).toSorted()]).toEqual([
          filter,
          query,
          wanted,
        ]);
        expect(found).toMatchObject({ total: 6, total_exact: true, truncated: false });
      }
    }
    const oldest = await store.run('search', { query: 'common', until: new Date(NOW - 4999 * 60_000).toISOString() });
    expect(oldest.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(['i0000', 'i0001']);
    const byKey = await store.run('search', { query: 'common', key: 'wanted-4990' });
    expect(byKey.items.map(({ id }: { id: string }) => id)).toEqual(['i4990']);
  });

  test('a fact deep in a text is found before a key that shares one word', async () => {
    using store = await storeOf({
      k1: `weekly report\n${'filler line about nothing\n'.repeat(80)}the signing certificate expires on 12 May`,
      'certificate-howto': 'how to read a file',
    });
    expect(keys(await store.run('search', { query: 'signing certificate expires' }))[0]).toBe('k1');
  });

  test('a mistyped word finds a similar one, but only if the word itself is in no item', async () => {
    using store = await storeOf({
      a: 'the connection timeout of the pool',
      b: 'the timer fires',
      c: 'retry and carry',
    });
    expect(keys(await store.run('search', { query: 'timeuot' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: 'poll' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: 'retyr' }))).toEqual(['c']);
    expect(keys(await store.run('search', { query: 'xtimuot' }))).toEqual([]); // two typos
    expect(keys(await store.run('search', { query: 'timeot' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: 'conection' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: 'timer' }))).toEqual(['b']);
  });

  test.each([
    ['a missing letter', ['pthon', 'ython', 'sring', 'dcker', 'shedule', 'onfiguration', 'prallel']],
    ['one letter more', ['pyython', 'wpython', 'sxtring', 'dxocker', 'sdchedule', 'xconfiguration']],
    ['swapped letters', ['ypthon', 'ptyhon', 'tsring', 'odcker', 'cshedule', 'ocnfiguration', 'aprallel']],
  ])('%s among the first two is a typo: %j', async (_what, typos) => {
    const words = ['python', 'string', 'docker', 'schedule', 'configuration', 'parallel'];
    const notes = Object.fromEntries(words.map((word) => [word, `the ${word} of the nightly job`]));
    using store = await storeOf({ ...notes, other: 'the path to the spring of the decker' });
    for (const typed of typos) {
      const [right] = words.filter((word) => distance(word, typed) <= 2);
      for (const query of typed.length > 5 ? [typed, `nightly ${typed}`] : [typed])
        expect([query, keys(await store.run('search', { query }))[0]]).toEqual([query, right]);
    }
  });

  test.each([
    ['memroy', 'memory', 'Memo: ask Lin about the invoice'],
    ['requets', 'request', 'Requeue failed jobs by hand'],
    ['pionter', 'pointer', 'A pint of beer for the team'],
    ['certficate', 'certificate', 'the certfil tool'],
  ])('of the words that %s may stand for, the likeliest are found: %s', async (query, word, rare) => {
    const notes = Object.fromEntries([1, 2, 3, 4].map((at) => [`n${at}`, `${at}: the ${word} is checked by the job`]));
    using store = await storeOf({ rare, ...notes, other: 'something else' });
    expect(
      keys(await store.run('search', { query }))
        .toSorted()
        .slice(0, 4),
    ).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(keys(await store.run('search', { query })).indexOf('rare')).toBeOneOf([-1, 4]);
  });

  test('a similar word counts less than the word itself', async () => {
    using store = await storeOf({
      similar: 'the connection of it',
      same: 'the migration of it',
      other: 'something else',
    });
    const { items } = await store.run('search', { query: 'conection migration' });
    expect(keys({ items })).toEqual(['same', 'similar']);
    expect(items[1].score).toBeLessThan(0.8 * items[0].score);
  });

  test.each(['reponse', 'respnse', 'relase', 'caues', 'orderservcie', 'heder', 'upstrem'])(
    'a mistyped word whose stem is the stem of no word is found: %s',
    async (query) => {
      using store = await storeOf({
        a: 'while reading response header from upstream',
        b: 'the release train; root cause was clock drift',
        c: 'OrderService retries',
      });
      const { items } = await store.run('search', { query });
      expect(items).toHaveLength(1);
      expect(items[0].score).toBeGreaterThan(0);
    },
  );

  test.each([
    ['resolutoin', 'the resolution of it'],
    ['descripiton', 'a description'],
    ['deploymnet', 'the deployment failed'],
    ['deploymen', 'the deployment failed'],
    ['deployx', 'we deploy today'],
    ['deployx', 'the deployment failed'],
    ['databse', 'a database of it'],
  ])('%s finds %j, whatever other items have one of its stems', async (query, content) => {
    using store = await storeOf({ target: content, other: 'we deploy the deployment', third: 'resolve it' });
    const { items } = await store.run('search', { query });
    expect(keys({ items })).toContain('target');
    for (const { score } of items) expect(score).toBeGreaterThan(0);
  });

  test.each(['index', 'axis', 'axe', 'vertex', 'vertical'])(
    '%s finds no words that only share its letters',
    async (query) => {
      using store = await storeOf({
        index: 'rebuild the index',
        axis: 'the axis of it',
        axe: 'an axe',
        vertex: 'a vertex',
        vertical: 'a vertical line',
        a: 'the table indicated nothing',
      });
      const { items } = await store.run('search', { query });
      expect(keys({ items })).toEqual([query]);
    },
  );

  test('an unknown short word is not taken for a similar one if other words are known', async () => {
    using store = await storeOf({
      slo: 'SLO: availability 99.95 % monthly, p99 under 450 ms',
      perf: 'MySQL query over t_order took 4.7 s: deep paging. Use a cursor on id and the index idx_status_ctime.',
      conf: 'MySQL: utf8mb4, sql_mode STRICT_TRANS_TABLES',
      cache: 'the build cache of the nightly job',
    });
    const found = keys(await store.run('search', { query: 'slow mysql' }));
    expect(found.toSorted()).toEqual(['conf', 'perf']);
    // two swapped letters are a typo
    expect(keys(await store.run('search', { query: 'cahce mysql' }))).toContain('cache');
  });

  test.each([
    ['2025-02-11', '2025-11-02T02:15:22Z error attempt=11\n2025-11-02T02:15:23Z warn\n2025-11-02T02:15:29Z info'],
    ['10.0.3.12', 'port 12, 10 retries, 3 workers, 12 nodes, 10 pods, 3 zones, 0 errors, 12 h'],
  ])('an exact %s ranks before a text with many of its numbers', async (name, numbers) => {
    const fact = `Meeting about ${name} with the bank: the SOAP connector is dropped in Q4, Dana writes the runbook`;
    using store = await storeOf({ numbers, fact, a: 'nothing decided', b: 'it went well', c: 'unrelated' });
    for (const query of [name, `what happened with ${name}`])
      expect(keys(await store.run('search', { query }))[0]).toBe('fact');
  });

  test('a mistyped word is found among thousands of words that begin alike', async () => {
    const flood = Array.from({ length: 6_000 }, (_, at) => `coa${at.toString(36).padStart(4, '0')}x`).join(' ');
    using store = await storeOf({ pool: 'the connection was reset', flood });
    expect(keys(await store.run('search', { query: 'conection' }))).toEqual(['pool']);
  });

  test('a mistyped word is found among many common ones', async () => {
    using store = await storeOf({
      a: 'Playwright: use expect(locator).toBeVisible(), never sleep',
      b: 'The nightly build fails when the cache is cold',
      c: 'Flaky tests of the payment flow are retried twice on CI',
      d: 'We fix flaky jobs on Fridays',
      e: 'Nightly build of the docs',
      f: 'CI build cache lives in /var/cache',
    });
    expect(keys(await store.run('search', { query: 'flaky playwrigth tests in the nightly build' }))).toContain('a');
  });

  test('a mistyped word is not sought where enough words are known and one of them is rare', async () => {
    const others = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`other${at}`, `unrelated text ${at}`]));
    const contents = { known: 'nightly build fails on staging', near: 'the connection was reset' };
    // of so few items, one is a twentieth
    using few = await storeOf({ ...contents, ...others(18) });
    using many = await storeOf({ ...contents, ...others(19) });
    const query = 'nightly build fails staging conection';
    expect(keys(await few.run('search', { query }))).toEqual(['known', 'near']);
    expect(keys(await many.run('search', { query }))).toEqual(['known']);
    expect(keys(await many.run('search', { query: 'nightly build fails conection' }))).toEqual(['known', 'near']);
  });

  test.each([
    ['deploy', 'Deployment freeze calendar'],
    ['deployed', 'Deployments are frozen'],
    ['deployments', 'To deploy: ./ship.sh prod'],
    ['statuses', 'Order status may be OPEN'],
    ['status', 'HTTP statuses of the partner API'],
    ['notifications', 'notify the courier'],
    ['queued', 'the queue is full'],
    ['verify', 'verification of signatures'],
    ['recovery', 'recover from a crash'],
    ['failures', 'it fails'],
    ['adding', 'add a column'],
    ['optimisation', 'optimize it'],
    ['behaviour', 'the behavior of it'],
  ])('%j finds %j, of the same root', async (query, content) => {
    using store = await storeOf({ target: content, other: 'nothing of this' });
    for (const match of ['any', 'all'])
      for (const engine of ENGINES) {
        const { items } = await store.run('search', { query, match, engine });
        expect([match, engine, keys({ items })]).toEqual([match, engine, ['target']]);
        expect(items[0].score).toBeGreaterThan(0);
      }
  });

  test.each([
    ['go', 'goes', 'going', 'went', 'gone'],
    ['lay', 'lays', 'laying', 'laid'],
    ['pay', 'pays', 'paying', 'paid'],
    ['say', 'says', 'said'],
    ['choose', 'chooses', 'choosing', 'chose', 'chosen'],
    ['leave', 'leaves', 'leaving', 'left'],
    ['write', 'writes', 'writing', 'wrote', 'written'],
    ['child', 'children'],
    ['matrix', 'matrices'],
    ['die', 'died', 'dies', 'dying'],
    ['deploy', 'deploys', 'deployed', 'deployment', 'deployments'],
    ['response', 'responses', 'respond', 'responded'],
  ])('each form of %s finds every other', async (...forms) => {
    using store = await storeOf({
      ...Object.fromEntries(forms.map((form) => [`k-${form}`, `here it ${form}, and`])),
      x: 'y',
    });
    const expected = forms.map((form) => `k-${form}`).toSorted();
    for (const query of forms)
      for (const engine of ENGINES) {
        const { items } = await store.run('search', {
          query,
          engine,
          fields: ['key', 'snippet', 'score'],
          mark_open: '[',
          mark_close: ']',
        });
        expect([query, engine, keys({ items }).toSorted()]).toEqual([query, engine, expected]);
        for (const { key, snippet, score } of items)
          expect([snippet, score > 0]).toEqual([`here it [${key.slice(2)}], and`, true]);
      }
  });

  test('a tag or a word with C++ or C# after an underscore is found', async () => {
    using store = await storeOf({ k1: 'see my_c++ notes', k2: 'other' });
    await store.run('put', { type: 'project', key: 'k3', content: 'deadlock in pool', tag: ['lang_c#'] });
    expect(keys(await store.run('search', { query: 'deadlock', tag: ['lang_c#'] }))).toEqual(['k3']);
    for (const engine of ENGINES)
      expect(keys(await store.run('search', { query: 'my_c++ notes', match: 'all', engine }))).toEqual(['k1']);
  });

  test('C++ and C# are not C', async () => {
    using store = await storeOf({ cpp: 'written in C++', cs: 'written in C#', c: 'written in C' });
    expect(keys(await store.run('search', { query: 'C++' }))[0]).toBe('cpp');
    expect(keys(await store.run('search', { query: 'c#' }))[0]).toBe('cs');
  });

  test('an item is found by each of its words, any two adjacent Han characters, each identifier and each part of one', async () => {
    const word = fc.constantFrom(
      'getUserById',
      'user_id',
      'src/db/pool.ts',
      'v2.10.0',
      'DDR5',
      'running',
      'Jäger',
      '数据库',
      '索引',
      '白鹭湾',
      '繁體資料',
      '的',
      '研究生命起源',
      '🟥',
      '백업설정',
      'オフライン',
      'pgbouncer',
      'was',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', ' ', '，', '\n'),
        async (words, glue) => {
          const content = words.join(glue);
          using store = await storeOf({ target: content, other: 'nothing of this, 完全無關' });
          const queries = new Set([
            ...words,
            ...['User', 'Id', 'pool', 'ts', '10'].filter(
              (part) => /[A-Za-z_/.]/.test(glue) || words.some((one) => one.includes(part) && glue !== ''),
            ),
          ]);
          for (const run of content.match(/\p{Script=Han}{2,}/gu) ?? []) {
            const characters = Array.from(run);
            for (let at = 0; at + 1 < characters.length; at += 1) queries.add(`${characters[at]}${characters[at + 1]}`);
          }
          for (const query of queries) {
            if (glue === '' && /^[\p{ASCII}ä]+$/u.test(query)) continue; // Latin words written together are one word
            expect([query, keys(await store.run('search', { query }))]).toEqual([
              query,
              expect.arrayContaining(['target']),
            ]);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a single character, and all words of a run of Han, are found by the index where a scan finds them, and nowhere else', async () => {
    const han = fc.constantFrom(...Array.from('网络核心数据库索引锁表结构设计𠮷'));
    const letter = fc.oneof(
      { weight: 6, arbitrary: han },
      fc.constantFrom('，', ' ', 'a', 'C++', ...Array.from('カナの한국어')),
    );
    const text = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
    const query = fc.oneof(
      han,
      fc.constantFrom(...Array.from('カナの한국어')),
      fc.array(han, { minLength: 2, maxLength: 5 }).map((letters) => letters.join('')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 2, maxLength: 8 }),
        fc.array(query, { minLength: 1, maxLength: 4 }),
        async (contents, queries) => {
          using store = await storeOf(Object.fromEntries(contents.map((content, at) => [`k${at}`, content])));
          for (const one of queries) {
            const isAlone = Array.from(one).length === 1;
            for (const match of isAlone ? (['any', 'all'] as const) : (['all'] as const)) {
              const indexed = await store.run('search', { query: one, match });
              const scanned = await store.run('search', { query: one, match, engine: 'like' });
              expect([one, match, indexed['fts5'], keys(indexed).toSorted()]).toEqual([
                one,
                match,
                true,
                keys(scanned).toSorted(),
              ]);
              expect(indexed['total']).toBe(scanned['total']);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('Han words are found anywhere in a text if no item has them as words', async () => {
    using store = await storeOf({
      a: '核电站的检修',
      b: '一个完全不同的东西',
      c: '白鹭湾，鹭',
      d: '大索引擎', // segmented as 大索 and 引擎
      e: '数据 表',
    });
    expect(keys(await store.run('search', { query: '数据索引' })).toSorted()).toEqual(['d', 'e']);
    expect(keys(await store.run('search', { query: '站的' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: '核' }))).toEqual(['a']);
    expect(keys(await store.run('search', { query: '鹭 zzzz' }))).toEqual(['c']);
    expect(await store.run('search', { query: '鱼塘' })).toMatchObject({ fts5: true, items: [], total: 0 });
  });

  test('two adjacent characters are found in a run of any length, and so is its last character', async () => {
    using store = await storeOf({ long: `${'甲'.repeat(1023)}乙丙${'甲'.repeat(1022)}丁戊`, other: '完全無關' });
    for (const query of ['乙丙', '丁戊', '戊', '丙'])
      expect([query, keys(await store.run('search', { query, engine: 'fts' }))]).toEqual([query, ['long']]);
  });

  test('the order is total: the list is the same in whatever order the items were written', async () => {
    const contents = [
      'alpha beta',
      'alpha',
      'beta gamma',
      '数据库 索引',
      '索引 alpha',
      'alpha beta gamma delta',
      'gamma',
      '数据',
      'alpha gamma',
      'gamma alpha',
    ];
    const found = async (order: readonly string[]): Promise<string[][]> => {
      using store = await tempStore();
      const lines = order.map((content) =>
        JSON.stringify({ id: content, type: 'run', content, updated_at: '2026-01-01' }),
      );
      await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
      const ids = async (query: string): Promise<string[]> =>
        (await store.run('search', { query })).items.map(({ id }: Output) => id);
      return [await ids('alpha beta 索引'), await ids('gamma')];
    };
    const expected = await found(contents);
    expect(expected.map(({ length }) => length)).toEqual([8, 5]);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(contents, { minLength: contents.length }), async (shuffled) => {
        expect(await found(shuffled)).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  test('index rows equal a rebuild from the table after any operations', async () => {
    const { DatabaseSync } = await import('node:sqlite');
    const rows = (path: string): unknown[] => {
      const db = new DatabaseSync(path);
      db.exec('create virtual table temp.words using fts5vocab(main, memory_fts, instance)');
      const found = db.prepare('select term, doc, col, offset from temp.words order by term, doc, col, offset').all();
      db.close();
      return found.map((row) => ({ ...row }));
    };
    const content = fc.constantFrom('alpha beta', '数据库 索引', 'getUserById 用户', 'plain words here', '白鹭湾项目');
    const step = fc.oneof(
      fc.record({ do: fc.constant('put'), key: fc.constantFrom('a', 'b', '键'), content }),
      fc.record({ do: fc.constant('tag'), key: fc.constantFrom('a', 'b', '键'), tag: fc.constantFrom('x', '标签') }),
      fc.record({ do: fc.constant('delete'), key: fc.constantFrom('a', 'b', '键') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        using store = await tempStore();
        for (const one of steps) {
          const { items } = await store.run('list', { key: one.key });
          if (one.do === 'put')
            await store.run('put', { type: 'run', key: one.key, content: (one as { content: string }).content });
          else if (items.length > 0 && one.do === 'tag')
            await store.run('put', { id: items[0].id, tag: [(one as { tag: string }).tag] });
          else if (items.length > 0) await store.run('delete', { id: [items[0].id] });
        }
        const kept = rows(store.path);
        const db = new DatabaseSync(store.path);
        db.exec("update meta set value = 'other'");
        db.close();
        await store.run('doctor', { fix: true });
        expect(rows(store.path)).toEqual(kept);
      }),
      { numRuns: 30 },
    );
  });
});

test('recommend shows the part of a content that matches the context, if a snippet is requested', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', key: 'k', content: `${'filler '.repeat(100)}连接池耗尽 pool exhausted` });
  const { items } = await store.run('recommend', { context: '连接池', fields: ['key', 'snippet'] });
  expect(items).toEqual([{ key: 'k', snippet: expect.stringContaining('连接池耗尽') }]);
});

test('marks enclose the matches in a snippet', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'he runs 数据库 索引' });
  const found = await store.run('search', { query: 'running 索引', mark_open: '[', mark_close: ']' });
  expect(found.items[0].snippet).toBe('he [runs] 数据库 [索引]');
});

test.each([
  ['jdk8', 'on JDK 8 and jdk8', 'on [JDK] [8] and [jdk8]'],
  ['JDK 8', 'on JDK 8 and jdk8', 'on [JDK] [8] and [jdk8]'],
  ['白鹭湾', '白鹭湾与白鹭', '[白鹭湾]与[白鹭]'],
  ['hash code', 'a hashCode of it', 'a [hashCode] of it'],
])('what %s matches in %s is marked', async (query, content, expected) => {
  using store = await storeOf({ a: content });
  const { items } = await store.run('search', { query, mark_open: '[', mark_close: ']' });
  expect(items[0].snippet).toBe(expected);
});

describe('a search that names a task says which of its items it did not find', () => {
  test.each([
    ['INV-231', '2 items of the task "INV-231" are not among these: memtool list --task-id INV-231'],
    [
      'what is left to do for INV-231?',
      '2 items of the task "INV-231" are not among these: memtool list --task-id INV-231',
    ],
    ['为什么INV-231的连接失败', '2 items of the task "INV-231" are not among these: memtool list --task-id INV-231'],
    ['INV 231 and auth/v2', '1 item of the task "auth/v2" is not among these: memtool list --task-id auth/v2'],
    ['why did INV-231 fail?', '2 items of the task "INV-231" are not among these: memtool list --task-id INV-231'],
    ['inv-231 retry', '1 item of the task "INV-231" is not among these: memtool list --task-id INV-231'],
    ['INV-231 retry', '1 item of the task "INV-231" is not among these: memtool list --task-id INV-231'],
    ['登录页', `1 item of the task "登录页" is not among these: memtool list --task-id '登录页'`],
    ['login page', `1 item of the task "login page" is not among these: memtool list --task-id 'login page'`],
    // a plain word of a question is a word
    ['the login timeout', undefined],
    // all items of the task are shown
    ['pool retry INV-231 budget', undefined],
    // no task has this name
    ['INV-232', undefined],
  ])('%s', async (query, hint) => {
    using store = await tempStore();
    const put = (task: string | undefined, content: string) =>
      store.run('put', { type: 'feature', content, ...(task !== undefined && { task_id: task }) });
    await put('INV-231', 'the pool timed out');
    await put('INV-231', 'retry with a budget');
    await put('login page', 'cookies expire after a day');
    await put('登录页', '会话一天后过期');
    await put('auth/v2', 'keys rotate daily');
    await put('login', 'nothing of interest');
    await put(undefined, 'INV 231 and INV 232 are about the login page, 登录页');
    const found = await store.run('search', { query });
    expect(found.items.length).toBeGreaterThan(0);
    expect(found['hint']).toBe(hint);
    expect(String((await store.run('search', { query, task_id: 'INV-231' }))['hint'])).not.toMatch(/not among/);
  });
});

describe('a snippet', () => {
  test('shows a hash that was found by its prefix', async () => {
    const hash = '3e7d0c95a1b2c3d4e5f60718293a4b5c6d7e8f90';
    using store = await storeOf({ a: `${'long before it '.repeat(30)} reverted in ${hash} by ops` });
    for (const engine of ['auto', 'like']) {
      const { items } = await store.run('search', { query: '3e7d0c95', mark_open: '[', mark_close: ']', engine });
      expect([engine, items[0].snippet]).toEqual([engine, expect.stringContaining(`[${hash}]`)]);
    }
  });
  test('shows what a prefix matches beside a word', async () => {
    const hash = '3e7d0c95a1b2c3d4e5f60718293a4b5c6d7e8f90';
    const content = `reverted at first ${'long after it '.repeat(30)} then in ${hash} by ops`;
    using store = await storeOf({ a: content, b: 'reverted by others', c: 'and reverted again' });
    const marks = { mark_open: '[', mark_close: ']' };
    for (const [query, syntax] of [
      ['reverted 3e7d0c95', 'plain'],
      ['reverted AND 3e7d0c9*', 'fts'],
    ]) {
      const { items } = await store.run('search', { query, syntax, ...marks });
      expect([query, items[0].key, items[0].snippet]).toEqual([query, 'a', expect.stringContaining(`[${hash}]`)]);
    }
  });
  test.each([
    [
      'at the end of a window that starts with a long word',
      'PriceCalculator',
      'Startup failed after the upgrade to Boot 3 with BeanCurrentlyInCreationException was thrown twice, first by the order service and then by the coupon service at start; the cycle is gone since we took out the class in com aPriceCalculator',
      'aPriceCalculator',
    ],
    [
      'of an identifier rather than of its parts',
      'changeOrigin',
      'Dev proxy notes. The browser sends the page origin with each call, and we change the target when the backend team moves a host. Logs of the proxy are in /var/log/vite. Restart the dev server after each edit of the file, since it is read once. Without changeOrigin: true the gateway answers 404 for every call.',
      'changeOrigin',
    ],
  ])('shows the match %s', async (_what, query, content, expected) => {
    using store = await storeOf({ target: content, other: 'page origin and target' });
    const { items } = await store.run('search', { query, mark_open: '[', mark_close: ']' });
    expect(items[0].snippet).toContain(`[${expected}]`);
  });

  test('is truncated between words', async () => {
    const text = `${'at some.where(File.java:10) '.repeat(10)}java.lang.NullPointerException: Cannot invoke at OrderService.java:142 ${'and then more of it '.repeat(20)}`;
    using store = await storeOf({ a: text });
    const words = new Set(text.split(/[^A-Za-z0-9]+/));
    for (const query of ['OrderService.java:142', 'invoke', 'NullPointerException', 'then more']) {
      const { snippet } = (await store.run('search', { query })).items[0];
      expect([query, snippet.split(/[^A-Za-z0-9]+/).filter((word: string) => word !== '' && !words.has(word))]).toEqual(
        [query, []],
      );
      expect(snippet.length).toBeLessThan(240);
    }
  });
  test('shows the rare word rather than the common ones', async () => {
    const others = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, `订单 服务 部署 ${at}`]));
    using store = await storeOf({
      ...others,
      target: `订单 服务 部署 手册。${'第一步是检查环境。'.repeat(40)} connect ECONNREFUSED 10.0.0.7:6379`,
    });
    const { items } = await store.run('search', { query: '订单 服务 部署 ECONNREFUSED' });
    expect(items[0]).toMatchObject({ key: 'target', snippet: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('hints', () => {
  test('name the tag, the key and the word that is in no item', async () => {
    using store = await tempStore();
    const put = { type: 'feature', key: 'contract', tag: ['redis'], content: 'alpha beta' };
    await store.run('put', put);
    expect((await store.run('list', { tag: ['Redis'] })).hint).toBe(
      'no item has --tag Redis (matched exactly); did you mean redis?',
    );
    expect((await store.run('search', { query: 'alpha', tag: ['redsi'] })).hint).toContain('did you mean redis?');
    expect(await errorOf(store.run('get', { type: 'feature', key: 'contrat' }))).toMatchObject({
      hint: expect.stringContaining('did you mean contract?'),
    });
    expect(await errorOf(store.run('get', { id: ['contract'] }))).toMatchObject({
      hint: 'this is the key of an item; read it with: memtool get --type feature --key contract',
    });
    expect((await store.run('search', { query: 'alpha gamma beta', match: 'all' })).hint).toBe(
      'no item contains "gamma"; try --match any',
    );
  });
  test('name the task or step with that name', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'feature', task_id: 'PAY-4127', step_id: 'retry-logic', content: 'captured' });
    const hint = async (query: string): Promise<string> => (await store.run('search', { query })).hint;
    expect(await hint('PAY-4127')).toContain('memtool list --task-id PAY-4127');
    expect(await hint('retry-logic')).toContain('memtool list --step-id retry-logic');
    expect(await hint('PAY-1')).not.toContain('--task-id');
  });

  test('give the position of an unknown column', async () => {
    using store = await tempStore();
    const query = 'redis OR key:error-codes';
    expect(await errorOf(store.run('search', { query, syntax: 'fts' }))).toMatchObject({
      context: { position: query.indexOf('-codes') + 1 },
    });
  });
});

test('--match all is refused where it has no effect', async () => {
  using store = await tempStore();
  expect(await errorOf(store.run('search', { query: 'a OR b', syntax: 'fts', match: 'all' }))).toMatchObject({
    code: 'PARAM_ERROR',
    hint: expect.stringContaining('OR'),
  });
});

test('copies of an item that does not fit into --max-chars are omitted with it', async () => {
  using store = await tempStore();
  const ids: string[] = [];
  for (const task_id of ['a', 'b', 'c'])
    ids.push((await store.run('put', { type: 'run', key: 'k', task_id, content: 'same text alpha' })).id);
  const { items, omitted_ids } = await store.run('search', { query: 'alpha', max_chars: 3 });
  expect([items, omitted_ids.toSorted()]).toEqual([[], ids.toSorted()]);
});

test.each([
  ['DK-9999', /^no item contains "DK-9999": these match/],
  ['fix for DK-9999 and DK-12', /^no item contains "DK-9999": these match/],
  ['DK-12', undefined],
  ['dk-12', undefined],
  ['ADR-7', undefined],
  ['OPS-5', undefined],
  ['OPS-6 note', undefined],
  ['ST-77 note', undefined],
  ['-', /^searched for the text "-"/],
])('a search for %s says what it did not find: %s', async (query, hint) => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'see dk.cn for the fix of DK-12 - and ADR-007' });
  await store.run('put', { type: 'run', task_id: 'OPS-5', content: 'ops note' });
  await store.run('put', { type: 'run', task_id: 'ops-6', step_id: 'ST-77', content: 'another note' });
  const found = await store.run('search', { query });
  expect(found.total).toBeGreaterThan(0);
  if (hint === undefined) expect(found.hint ?? '').not.toContain('no item contains');
  else expect(found.hint).toMatch(hint);
});
