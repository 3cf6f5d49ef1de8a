import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { keys, stdinOf, tempStore, type TestStore } from '../helpers/store.ts';

interface Line {
  readonly key?: string;
  readonly content: string;
}

/** A store of items, written by one import in the given order. */
async function storeOf(lines: readonly Line[]): Promise<TestStore> {
  const store = await tempStore();
  const input = lines.map((line) => JSON.stringify({ type: 'feature', ...line })).join('\n');
  await store.run('import', { input: '-' }, { stdin: stdinOf(input) });
  return store;
}

/** A store in which each of `words`, rarest first, is in so many items that not all of them are ranked; the newest
 * fifty have the two rarest. The wanted item was written before all of them. */
function storeWithCommonWords(words: readonly string[], wanted: Line): Promise<TestStore> {
  const contents = words.flatMap((word, at) =>
    Array.from({ length: 800 + 50 * at }, (_, number) => `${word} was seen again in the log of day ${number % 7}`),
  );
  const newest = Array.from(
    { length: 50 },
    (_, number) => `${words.slice(0, 2).join(' and the ')} were seen in the log of day ${number}`,
  );
  const fillers = Array.from(
    { length: 60_000 - contents.length },
    (_, number) => `another note on what was seen in the log of day ${number % 11}`,
  );
  return storeOf([wanted, ...[...fillers, ...contents, ...newest].map((content) => ({ content }))]);
}

describe('an old item that has most words of a query, none of them rare, ranks first', () => {
  test.each([
    [
      'English',
      ['pool', 'gateway', 'timeout', 'deploy', 'retry', 'queue'],
      'the queue had no retry, so a deploy met a timeout',
    ],
    ['Chinese', ['缓存', '网关', '超时', '部署', '重试', '队列'], '队列不会重试，因此部署以后出现超时'],
  ])('%s', async (_language, words, content) => {
    using store = await storeWithCommonWords(words, { key: 'wanted', content });
    const found = await store.run('search', { query: words.join(' ') });
    expect(keys(found)[0]).toBe('wanted');
    expect(found).toMatchObject({ total: 1001, total_exact: false });
    expect(keys(await store.run('search', { query: words.join(' '), type: 'feature' }))[0]).toBe('wanted');
  });

  test('for recommend too', async () => {
    const words = ['pool', 'gateway', 'timeout', 'deploy', 'retry', 'queue'];
    using store = await storeWithCommonWords(words, { key: 'wanted', content: 'queue retry deploy timeout' });
    expect(keys(await store.run('recommend', { context: words.join(' ') }))[0]).toBe('wanted');
  });
});

test.each([60, 100, 101, 700, 1000, 1001, 2500])('the total of %d matches is exact up to 1,000', async (total) => {
  const contents = Array.from({ length: total }, (_, at) => `${['alpha', 'beta', 'alpha beta'][at % 3]} of day ${at}`);
  using store = await storeOf([...contents, 'nothing of both'].map((content) => ({ content })));
  const expected = { total: Math.min(total, 1001), total_exact: total <= 1000, truncated: true };
  for (const filter of [{}, { type: 'feature' }])
    expect(await store.run('search', { query: 'alpha beta', ...filter })).toMatchObject(expected);
});

describe('among many items, a word that is in none finds all words that begin with it', () => {
  test.each([
    ['a few', (at: number) => `quok${'bdfghkmt'.charAt(at % 8)}`],
    [
      'very many',
      (at: number) => `quok${Array.from(String(at), (digit) => 'bdfghkmtvx'.charAt(Number(digit))).join('')}`,
    ],
    [
      'few, of which stems are cut off',
      (at: number) => ['quokense', 'quokations', 'quokiness', 'quokables'][at % 4] ?? '',
    ],
  ])('%s', async (_amount, wordOf) => {
    const fillers = Array.from({ length: 10_000 }, (_, at) => `nothing of interest on day ${at % 9}`);
    const contents = Array.from({ length: 900 }, (_, at) => `${wordOf(at)} was seen`);
    using store = await storeOf([...fillers, ...contents].map((content) => ({ content })));
    expect(await store.run('search', { query: 'quok' })).toMatchObject({ total: 900, total_exact: true, fts5: true });
  });
});

test('matches that are not ranked count too', async () => {
  const contents = Array.from({ length: 900 }, (_, at) => `${at < 600 ? 'alpha beta gamma' : 'alpha'} of day ${at}`);
  using store = await storeOf(contents.map((content) => ({ content })));
  expect(await store.run('search', { query: 'alpha beta gamma' })).toMatchObject({ total: 900, total_exact: true });
});

test.each([1, 20, 99, 100, 600, 1000])('as many of many matches are found as requested: %d', async (limit) => {
  const words = ['pool', 'gateway', 'timeout', 'deploy', 'retry', 'queue'];
  // few items have the same words
  const contents = Array.from({ length: 20_000 }, (_, at) => {
    const said = words.filter((_word, bit) => ((at % 64) >> bit) % 2 === 1);
    return `note ${at} on ${at < 1200 ? said.join(' and ') : 'nothing'}`;
  });
  using store = await storeOf(contents.map((content) => ({ content })));
  const query = words.join(' ');
  for (const asked of [{ query }, { query, type: 'feature' }])
    expect((await store.run('search', { ...asked, limit })).items).toHaveLength(limit);
});

test('an item whose key has two of the words is ranked, however many items have all of them in their texts', async () => {
  const words = ['pool', 'gateway', 'timeout'];
  const filler = ` ${'and much else '.repeat(50)}`;
  const contents = Array.from({ length: 20_000 }, (_, at) => {
    if (at >= 19_930) return `note ${at} on ${words.join(filler)}`;
    return `note ${at} on ${words[at % 20] ?? 'nothing'}`;
  });
  const called = { key: 'timeout-pool', content: 'settings of these' };
  using store = await storeOf([called, ...contents.map((content) => ({ content }))]);
  expect(keys(await store.run('search', { query: words.join(' '), limit: 5 }))).toContain('timeout-pool');
});

test('words that became common recently are all read, whatever their order in the query', async () => {
  const words = ['pool', 'gateway', 'timeout'];
  // the index estimates how common a word is from the oldest items that have it
  const contents = Array.from({ length: 30_000 }, (_, at) => {
    const word = at < 24_000 ? words[at % 24] : words[at % 3];
    return `note ${at} on ${word ?? 'nothing'}`;
  });
  const wanted = { key: 'wanted', content: 'a note on gateway and pool' };
  using store = await storeOf([wanted, ...contents.map((content) => ({ content }))]);
  for (const query of ['pool gateway timeout', 'gateway timeout pool', 'timeout pool gateway'])
    expect(keys(await store.run('search', { query, limit: 5 }))).toContain('wanted');
});

test('a common word is recognised however far apart its rows are', async () => {
  const contents = Array.from({ length: 6000 }, (_, at) => `note ${at} on ${at < 4900 ? 'nothing' : 'gateway'}`);
  using store = await storeOf(contents.map((content) => ({ content })));
  using db = new DatabaseSync(store.path);
  db.exec('update memory_items set seq = seq + 4294967296 where seq > 3000');
  await store.run('doctor', { fix: true });
  expect((await store.run('search', { query: 'gateway' })).items).not.toEqual([]);
});

// FTS5's BM25 ranks a long text with a rare word once behind hundreds of short ones with the common words
test.each([
  [
    'order service keycloak',
    'the order service failed: the order service has to retry',
    'Then we moved to',
    'another plan that was recorded in the minutes of the review ',
  ],
  ['登录 订单 keycloak', '订单登录失败：登录需要检查订单', '之后改用', '评审会议记录的另一套方案，并确认了风险 '],
])(
  '%s: a long item with the only mention of a word is found among many with the others',
  async (query, common, moved, filler) => {
    using store = await storeOf([
      { key: 'wanted', content: `${filler.repeat(100)}${moved} keycloak, ${filler.repeat(100)}` },
      ...Array.from({ length: 700 }, (_, at) => ({ content: `${common} (${at})` })),
      ...Array.from({ length: 3000 }, (_, at) => ({ content: `${filler.repeat(3)} (${at})` })),
    ]);
    expect(keys(await store.run('search', { query })).slice(0, 3)).toContain('wanted');
  },
);

describe('a sorted search gives its matches in the order of the list, whether few or many match', () => {
  const types = ['project', 'feature', 'run'];
  const levels = ['high', 'medium', 'low'];
  const lines = Array.from({ length: 300 }, (_, at) => ({
    type: types[at % 3],
    key: `k${at}`,
    content: [at % 2 === 0 ? 'half' : 'rest', ...(at % 50 === 0 ? ['seldom'] : []), `note ${at}`].join(' '),
    tags: at % 20 === 0 ? ['odd'] : [],
    confidence_level: levels[(at * 7) % 5] ?? 'low',
    updated_at: new Date(Date.UTC(2025, at % 12, 1 + (at % 28))).toISOString(),
  }));
  test.each(
    ['mixed', 'confidence', 'recency', 'updated'].flatMap((sort) => ['seldom', 'half'].map((word) => [sort, word])),
  )('by %s: %s', async (sort_by, word) => {
    using store = await storeOf(lines);
    for (const filter of [{}, { type: 'run' }, { exclude_stale: true }, { since: '2025-06-01' }, { tag: ['odd'] }]) {
      const listed = await store.run('list', { sort_by, limit: 1000, ...filter });
      const expected = listed.items
        .filter(({ content }: Line) => content.includes(word))
        .map(({ id }: { id: string }) => id);
      const found = await store.run('search', { query: word, sort_by, limit: 1000, ...filter });
      expect(found.items.map(({ id }: { id: string }) => id)).toEqual(expected);
      expect(found.total).toBe(expected.length);
      expect(expected.length).toBeGreaterThan(0);
    }
  });
});
