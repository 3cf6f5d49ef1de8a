import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorOf, stdinOf, tempStore } from '../helpers/store.ts';

/** No Node.js comes with a SQLite that lacks FTS5, so one is simulated: the module is not listed, and statements that
 * name the index fail as they would there. */
function withoutFts5<A extends unknown[], R>(call: (this: DatabaseSync, sql: string, ...rest: A) => R) {
  return function play(this: DatabaseSync, sql: string, ...rest: A): R {
    const asked = sql.replaceAll("'fts5'", "'no such module'");
    if (
      /\b(?:from|into|update|join|table|match)\s+(?:if (?:not )?exists )?memory_fts\b/i.test(asked) ||
      /using\s+fts5/i.test(asked)
    )
      throw Object.assign(new Error('no such module: fts5'), { errcode: 1 });
    return call.call(this, asked, ...rest);
  };
}

function hideFts5(): void {
  // they are called with the database as `this`
  // oxlint-disable-next-line typescript/unbound-method
  const { prepare, exec } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(withoutFts5(prepare));
  vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(withoutFts5(exec));
}

beforeEach(hideFts5);
afterEach(() => {
  vi.restoreAllMocks();
});

test('without FTS5 everything works, searches scan and report it, and only a request for the index fails', async () => {
  using store = await tempStore();
  expect(await store.run('init')).toMatchObject({ fts5: false });
  const { id } = await store.run('put', { type: 'run', key: 'k', content: '数据库索引 deadlock' });
  await store.run('put', { type: 'run', key: 'k', content: '数据库索引 deadlock again' });
  const other = await store.run('put', { type: 'project', content: 'nothing of it' });
  expect(await store.run('search', { query: '索引 deadlock', match: 'all' })).toMatchObject({
    fts5: false,
    warning: 'FTS_UNAVAILABLE',
    total: 1,
    items: [{ id }],
  });
  expect(await errorOf(store.run('search', { query: 'deadlock', engine: 'fts' }))).toMatchObject({
    code: 'FTS_UNAVAILABLE',
  });
  expect(await store.run('recommend', { context: 'deadlock' })).toMatchObject({ warning: 'FTS_UNAVAILABLE' });
  await store.run('delete', { id: [other.id] });
  await store.run('restore', { id: [other.id] });
  await store.run('purge', { id: [other.id], apply: true });
  const line = JSON.stringify({ id: 'imported', type: 'run', content: '导入 imported' });
  expect(await store.run('import', { input: '-' }, { stdin: stdinOf(line) })).toMatchObject({ inserted: 1 });
  expect((await store.run('export', { output: '-' })).lines).toHaveLength(2);
  expect(await store.run('stats')).toMatchObject({ total: 2, index: 'unavailable' });
  const { checks } = await store.run('doctor', { fix: true });
  expect(checks).toContainEqual(expect.objectContaining({ name: 'index', status: 'warning' }));
  vi.restoreAllMocks();
  // a program with FTS5 builds the index with its next write
  expect(await store.run('search', { query: 'deadlock' })).toMatchObject({ warning: 'FTS_UNAVAILABLE', total: 1 });
  await store.run('put', { type: 'run', content: 'the write that repairs' });
  expect(await store.run('search', { query: 'deadlock' })).toMatchObject({ fts5: true, total: 1 });
});

test('what is written without FTS5 into a database with an index is found with FTS5', async () => {
  vi.restoreAllMocks();
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'alpha' });
  hideFts5();
  await store.run('put', { id, content: 'beta' });
  await store.run('put', { type: 'run', content: 'gamma' });
  vi.restoreAllMocks();
  const totals = async (more: Record<string, unknown>): Promise<void> => {
    for (const [query, total] of Object.entries({ alpha: 0, beta: 1, gamma: 1 }))
      expect([query, await store.run('search', { query })]).toMatchObject([query, { total, ...more }]);
  };
  await totals({ fts5: false, warning: 'FTS_UNAVAILABLE' });
  await store.run('put', { type: 'run', content: 'the write that repairs' });
  await totals({ fts5: true });
});
