import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Match } from '../../src/search/fts-query.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { scanScope, type ScanScope } from '../../src/ops/scan-scope.ts';
import { createContext } from '../../src/ops/context.ts';
import { planLookups } from '../../src/ops/search-plan.ts';
import { keys, stdinOf, tempStore } from '../helpers/store.ts';

/** Where a query is searched for besides the index, which finds nothing, in a store of one text. */
async function beyond(content: string, query: string, match: Match = 'any'): Promise<ScanScope> {
  using store = await tempStore();
  await store.run('put', { type: 'project', content });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  const analysed = analyseQuery(context.tokenizer, query);
  const plan = planLookups(context, analysed, match);
  expect([query, plan.expression]).toEqual([query, undefined]);
  return scanScope(context, analysed, plan.lookups, match);
}

describe('texts are not scanned for', () => {
  test.each([
    'flaky', // its stem, flaki, is a different word
    'envoy',
    'went',
    'filing',
    'ansible', // an is a word, but not its stem
    'v9.9.9',
    'C++',
    '咖啡馆',
    'stackoverflowed',
    'getUserName',
    'haproxy kubernetes 咖啡馆',
  ])('%s, which the index would contain', async (query) => {
    expect(await beyond('an index of data and servers, run by it', query)).toBe('nowhere');
  });

  test('a word that is required together with a known one', async () => {
    expect(await beyond('server connections', 'server flaky', 'all')).toBe('nowhere');
  });
});

test('texts with the stem of words that start with the query are scanned', async () => {
  const within = { within: '("gener")' };
  expect(await beyond('in general', 'generaliz')).toEqual(within);
  expect(await beyond('in general terms', 'terms generaliz', 'all')).toEqual(within);
  using store = await tempStore();
  const contents = { generalized: 'a generalized form', general: 'in general', other: 'nothing of this' };
  const lines = Object.entries(contents).map(([key, content]) => JSON.stringify({ type: 'run', key, content }));
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  expect(keys(await store.run('search', { query: 'generaliz' }))).toEqual(['generalized']);
  expect(keys(await store.run('search', { query: 'generaliz', type: 'project' }))).toEqual([]);
});

test('texts are scanned for whatever the index was not queried for', async () => {
  expect(await beyond('nothing of this', 'aa bb cc dd ee ff gg hh ii jj kk')).toBe('anywhere');
});

test('texts are scanned if the index lacks any item, not only the newest', async () => {
  using store = await tempStore();
  for (const content of ['zebra', 'quokka']) await store.run('put', { type: 'run', key: content, content });
  const db = new DatabaseSync(store.path);
  db.exec('delete from memory_fts where rowid = 1');
  db.close();
  expect(keys(await store.run('search', { query: 'zebra' }))).toEqual(['zebra']);
});

test.each([
  ['flaky', 'flakytest of the nightly build'],
  ['numpy', 'install numpy2'],
  ['filing', 'filingsystem'],
  ['axe', 'the axelib package'],
  ['respons', 'a response'],
])('%s, whose stem differs, is found as the prefix of a word: %s', async (query, content) => {
  using store = await tempStore();
  for (const [key, text] of Object.entries({ target: content, nightly: 'nightly install', axiom: 'axiom' }))
    await store.run('put', { type: 'run', key, content: text });
  for (const engine of ['fts', 'like'])
    expect([engine, keys(await store.run('search', { query, engine }))]).toEqual([engine, ['target']]);
  const { items } = await store.run('search', { query: `${query} nightly`, explain: true });
  expect(keys({ items })).toContain('target');
  for (const { score } of items) expect(score).toBeGreaterThan(0);
});

test.each([
  ['get', 'gotcha'],
  ['C++', 'abc++'],
])('%s is not found in %s, by the index or by a scan', async (query, content) => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content });
  for (const engine of ['auto', 'like'])
    expect([engine, (await store.run('search', { query, engine })).items]).toEqual([engine, []]);
});
