import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ContextOptions } from '../../src/ops/context.ts';
import { doctor } from '../../src/ops/doctor.ts';
import { invoke } from '../../src/ops/invoke.ts';
import type { Result } from '../../src/ops/operation.ts';
import { errorOf, stdinOf, tempStore, type TestStore } from '../helpers/store.ts';

/** Pages of a database are this long. */
const PAGE = 8192;

/** Runs doctor --fix, and calls `onProgress` when it begins long work: `check` or `rebuild`. */
async function repaired(store: TestStore, onProgress: (label: string) => void): Promise<Result> {
  const progress: ContextOptions['progress'] = (label) => {
    onProgress(label);
    return { advance() {}, stop() {} };
  };
  using invocation = await invoke(doctor, { fix: true }, { dbPath: store.path, progress });
  return invocation.result as Result;
}

/** A store with one item, of which the index has an older text. */
async function outOfStep(): Promise<TestStore> {
  const store = await tempStore();
  await store.run('put', { type: 'run', key: 'k', content: '用户身份校验' });
  using other = new DatabaseSync(store.path);
  other.exec("update memory_items set content = '登录超时'");
  return store;
}

/** Damages the page of a table or an index. */
function damage(store: TestStore, name: string): void {
  const db = new DatabaseSync(store.path);
  const page = Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage']);
  db.close();
  const fd = fs.openSync(store.path, 'r+');
  fs.writeSync(fd, Buffer.alloc(120, 0xff), 0, 120, (page - 1) * PAGE);
  fs.closeSync(fd);
}

const diskFull = (): Error => Object.assign(new Error('database or disk is full'), { errcode: 13 });

const copies = (store: TestStore): string[] =>
  fs.readdirSync(store.folder).filter((name) => name.includes('before-fix'));

test('others can write while doctor --fix checks, but not while it repairs', async () => {
  using store = await outOfStep();
  using other = new DatabaseSync(store.path, { timeout: 0 });
  const seen: string[] = [];
  await repaired(store, (label) => {
    try {
      other.exec('begin immediate; rollback');
      seen.push(`${label}: free`);
    } catch (error) {
      seen.push(`${label}: ${(error as Error).message}`);
    }
  });
  expect(seen).toEqual(['check: free', 'rebuild: database is locked', 'check: free']);
});

test('problems behind a problem are repaired by the same call, with one copy', async () => {
  using store = await outOfStep();
  {
    using other = new DatabaseSync(store.path, { defensive: false });
    other.exec(`
      update memory_items set updated_at = '2026-07-01 08:00:00+08:00';
      drop table memory_history;
      pragma writable_schema = on;
      update sqlite_schema set sql = replace(sql, '(type, key)', '(key, type)') where name = 'memory_items_type_key'`);
  }
  const found = await errorOf(store.run('doctor'));
  const last = (found?.context['checks'] as unknown[] | undefined)?.at(-1);
  expect(last).toMatchObject({ name: 'integrity', status: 'error' });
  const { checks } = (await store.run('doctor', { fix: true })) as { checks: { name: string; message: string }[] };
  expect(Object.fromEntries(checks.map(({ name, message }) => [name, message]))).toMatchObject({
    integrity: 'an index of the tables was damaged and has been built again; the file is intact',
    schema: expect.stringMatching(/^missing: memory_history, .*; recreated$/),
    index: expect.stringMatching(/changed: .*; it has been rebuilt for 1 item$/),
    time_forms: 'times of 1 item were in another form and have been rewritten',
  });
  expect(copies(store)).toEqual(['memtool.db.before-fix']);
});

test('a repair that fails before it has changed anything leaves no copy', async () => {
  using store = await outOfStep();
  const before = fs.readFileSync(store.path);
  const error = await errorOf(
    repaired(store, (label) => {
      if (label === 'rebuild') throw diskFull();
    }),
  );
  expect(error).toMatchObject({ code: 'DB_ERROR', message: `disk is full; nothing was changed: ${store.path}` });
  expect(copies(store)).toEqual([]);
  expect(fs.readFileSync(store.path).equals(before)).toBe(true);
});

test('a repair that fails halfway says so, names the copy, and can be finished', async () => {
  using store = await outOfStep();
  damage(store, 'memory_fts_data');
  const error = await errorOf(
    repaired(store, (label) => {
      if (label === 'rebuild') throw diskFull();
    }),
  );
  expect(error).toMatchObject({
    code: 'DB_ERROR',
    message: `the damaged search index has been removed, but not rebuilt: database or disk is full: ${store.path}`,
    hint: expect.stringContaining('searches scan the texts until then'),
    context: { backup: `${store.path}.before-fix` },
  });
  expect(copies(store)).toEqual(['memtool.db.before-fix']);
  expect(await store.run('search', { query: '登录' })).toMatchObject({ total: 1 });
  await store.run('doctor', { fix: true });
  expect(await store.run('search', { query: '登录', engine: 'fts' })).toMatchObject({ total: 1 });
});

test('what another process has repaired meanwhile is left alone, without a copy', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'x' });
  using other = new DatabaseSync(store.path);
  const { sql } = other.prepare("select sql from sqlite_schema where name = 'memory_items_type_key'").get() as {
    sql: string;
  };
  other.exec(`
    update memory_items set updated_at = '2026-07-01 08:00:00+08:00';
    drop index memory_items_type_key`);
  let isFirst = true;
  // the forms of times are checked after this
  const { checks, backup } = await repaired(store, () => {
    if (isFirst) other.exec(sql);
    isFirst = false;
  });
  expect(backup).toBe(`${store.path}.before-fix`);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'schema', message: 'every table and index exists' }));
  other.exec('drop index memory_items_type_key');
  isFirst = true;
  const again = await repaired(store, () => {
    if (isFirst) other.exec(sql);
    isFirst = false;
  });
  expect(again).not.toHaveProperty('backup');
  expect(copies(store)).toEqual(['memtool.db.before-fix']);
});

test('rows that allow no index are not said to be repaired, and leave no copy', async () => {
  using store = await tempStore();
  const lines = [3, 4].map((at) => JSON.stringify({ id: `note-${at}`, type: 'run', content: `text ${at}` }));
  await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
  const db = new DatabaseSync(store.path);
  const page = Number(db.prepare("select rootpage from sqlite_schema where name = 'memory_items'").get()?.['rootpage']);
  db.close();
  const bytes = fs.readFileSync(store.path);
  bytes.write('note-4', bytes.indexOf('note-3', (page - 1) * PAGE));
  fs.writeFileSync(store.path, bytes);
  for (let time = 0; time < 2; time += 1) {
    const error = await errorOf(store.run('doctor', { fix: true }));
    expect(error).toMatchObject({ code: 'DB_ERROR', hint: expect.stringContaining('export --salvage') });
    expect(error?.context).not.toHaveProperty('backup');
    expect(error?.context['checks']).toContainEqual(
      expect.objectContaining({ message: expect.not.stringContaining('built again') }),
    );
  }
  expect(copies(store)).toEqual([]);
});
