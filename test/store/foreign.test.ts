import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { memtool, workspace } from '../helpers/memtool.ts';
import { errorOf, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

describe('foreign files', () => {
  test.each([0, 1, 7])('the database of another program (user_version %d) keeps every byte', async (version) => {
    using folder = tempFolder();
    const file = folder.file('other.db');
    const db = new DatabaseSync(file);
    db.exec(`create table customers (id integer primary key); pragma user_version = ${version}`);
    db.close();
    const before = fs.readFileSync(file);
    for (const args of [['list'], ['init'], ['put', '--type', 'run', '--content', 'x'], ['doctor', '--fix']]) {
      const ran = await memtool(['--db', file, ...args]);
      expect([args, ran.code, ran.json['error']]).toEqual([args, 4, 'DB_ERROR']);
    }
    expect(fs.readFileSync(file).equals(before)).toBe(true);
    expect(fs.readdirSync(folder.path)).toEqual(['other.db']);
  });

  test('a failed migration leaves the database, and no copy of it', async () => {
    using folder = tempFolder();
    const file = folder.file('old.db');
    const db = new DatabaseSync(file);
    db.exec(`
      create table memory_items (id text primary key, type text, key text, content text, created_at text, updated_at text);
      insert into memory_items values ('a', 'nosuchtype', 'k', 'x', '2026-01-01', '2026-01-01')`);
    db.close();
    for (let at = 0; at < 2; at += 1) expect((await memtool(['--db', file, 'list'])).code).toBe(4);
    expect(fs.readdirSync(folder.path)).toEqual(['old.db']);
    const after = new DatabaseSync(file, { readOnly: true });
    expect(after.prepare('select id from memory_items').all()).toHaveLength(1);
    after.close();
  });

  test('a newer schema is not touched even if there is a -wal file next to it', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    const raise = new DatabaseSync(db);
    raise.exec('pragma user_version = 99');
    raise.close();
    spawnSync(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(${JSON.stringify(db)}); db.exec("create table t (a)"); process.kill(process.pid, 'SIGKILL')`,
    ]);
    const before = fs.readFileSync(db);
    expect((await folder.run('list')).json).toMatchObject({ error: 'DB_ERROR', schema_version: 99 });
    expect(fs.readFileSync(db).equals(before)).toBe(true);
    expect(fs.existsSync(`${db}-wal`)).toBe(true);
  });

  test.each([
    ['a name that is too long', 'n'.repeat(300)],
    ['a file in place of a folder', 'file/m.db'],
  ])('%s is a PARAM_ERROR', async (_what, name) => {
    using folder = tempFolder();
    folder.file('file', 'x');
    const ran = await memtool(['--db', folder.file(name), 'list']);
    expect([ran.code, ran.json['error']]).toEqual([2, 'PARAM_ERROR']);
  });
});

test('an item that another program wrote has a history, and its export imports', async () => {
  using store = await tempStore();
  using other = await tempStore();
  const db = new DatabaseSync(store.path);
  db.exec(
    "insert into memory_items (id, type, content, created_at, updated_at, version) values ('a', 'run', 'x', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', 3)",
  );
  db.close();
  expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
    { version: 3, change: 'update', changed_at: '2026-01-02T00:00:00.000Z', content: 'x' },
  ]);
  const { lines } = await store.run('export', { history: true });
  expect(await other.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({ inserted: 1 });
  expect(await store.run('delete', { id: ['a'] })).toMatchObject({ deleted: 1 });
  expect(await store.run('restore', { id: ['a'] })).toMatchObject({ version: 4 });
  expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
    { version: 4, change: 'restore', content: 'x' },
    { version: 3, change: 'delete', content: 'x' },
    { version: 3, changed_at: '2026-01-02T00:00:00.000Z', content: 'x' },
  ]);
});

test('what another program made of an item is the newest entry of its history', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'ours' });
  await store.run('put', { id, content: 'ours, second' });
  const db = new DatabaseSync(store.path);
  db.exec(`
    update memory_items set version = 9, content = 'theirs', updated_at = '2026-07-01T00:00:00.000Z';
    insert into memory_items (id, type, content, created_at, updated_at)
    values ('new', 'run', 'theirs', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
  db.close();
  expect((await store.run('history', { id })).versions).toMatchObject([
    { version: 9, change: 'update', changed_at: '2026-07-01T00:00:00.000Z', content: 'theirs' },
    { version: 1, change: 'insert', content: 'ours' },
  ]);
  expect((await store.run('history', { id: 'new' })).versions).toMatchObject([
    { version: 1, change: 'insert', changed_at: '2026-01-01T00:00:00.000Z', content: 'theirs' },
  ]);
});

test.each([
  [
    'set back to an earlier version',
    (id: string) => `update memory_items set version = 1, content = 'theirs' where id = '${id}'`,
  ],
  [
    'deleted and inserted again',
    (id: string) => `
      delete from memory_items where id = '${id}';
      insert into memory_items (id, type, content, created_at, updated_at)
      values ('${id}', 'run', 'theirs', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')`,
  ],
])('an item that another program has %s keeps the texts of both', async (_what, sql) => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'ours' });
  await store.run('put', { id, content: 'ours, second' });
  const db = new DatabaseSync(store.path);
  db.exec(sql(id));
  db.close();
  await store.run('put', { id, content: 'later' });
  const { versions } = await store.run('history', { id });
  expect(versions).toContainEqual(expect.objectContaining({ version: 1, content: 'ours' }));
  await store.run('restore', { id: [id], version: 1 });
  expect((await store.run('get', { id: [id] })).item.content).toBe('theirs');
});

test('a deleted item that another program has inserted again keeps its deletion and both texts', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'ours' });
  await store.run('delete', { id: [id] });
  const db = new DatabaseSync(store.path);
  db.prepare(`
    insert into memory_items (id, type, content, created_at, updated_at)
    values (?, 'run', 'theirs', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')`).run(id);
  db.close();
  await store.run('put', { id, content: 'later' });
  const { versions } = await store.run('history', { id });
  expect(versions.map(({ change }: { change: string }) => change)).toEqual(['update', 'insert', 'delete', 'insert']);
  expect(versions).toContainEqual(expect.objectContaining({ change: 'delete', version: 1, content: 'ours' }));
  await store.run('restore', { id: [id], version: 1 });
  expect((await store.run('get', { id: [id] })).item.content).toBe('theirs');
});

test('a purge that cannot rewrite the file says so, and doctor --fix finishes it', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'zebraSECRET text' });
  const reader = new DatabaseSync(store.path);
  reader.exec('begin');
  reader.prepare('select count(*) from memory_items').get();
  expect(await errorOf(store.run('purge', { id: [id], apply: true }))).toMatchObject({
    code: 'DB_ERROR',
    hint: 'finish it with: memtool doctor --fix',
  });
  reader.exec('commit');
  reader.close();
  expect((await store.run('doctor')).checks).toContainEqual(
    expect.objectContaining({ name: 'purge', status: 'warning' }),
  );
  await store.run('doctor', { fix: true });
  expect((await store.run('doctor')).checks).toContainEqual(expect.objectContaining({ name: 'purge', status: 'ok' }));
  for (const file of fs.readdirSync(store.folder))
    expect(fs.readFileSync(`${store.folder}/${file}`).toString('latin1')).not.toContain('zebraSECRET');
});

describe('after another program has changed an item, its history', () => {
  /** The history as version, change and content, newest first; also in parts. */
  async function historyOf(store: TestStore, id: string): Promise<string[]> {
    const told = ({ versions }: Output): string[] =>
      versions.map((entry: Output) => `${entry.version} ${entry.change} ${entry.content}`);
    const { total, ...whole } = await store.run('history', { id, limit: 100 });
    for (let limit = 1; limit <= total; limit += 1)
      expect(told(await store.run('history', { id, limit }))).toEqual(
        told({ versions: whole.versions.slice(0, limit) }),
      );
    expect(total).toBe(whole.versions.length);
    return told(whole);
  }
  const insert = (id: string): string => `
    insert into memory_items (id, type, content, created_at, updated_at)
    values ('${id}', 'run', 'theirs', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')`;

  test.each([
    [
      'raised its version',
      false,
      () => `update memory_items set version = 9, content = 'theirs'`,
      ['9 update theirs', '1 insert one'],
      ['11 update last', '10 update later', '9 update theirs', '1 insert one'],
    ],
    [
      'set its version back',
      false,
      () => `update memory_items set version = 1, content = 'theirs'`,
      ['1 insert theirs', '1 insert one'],
      ['4 update last', '3 update later', '1 insert theirs', '1 insert one'],
    ],
    [
      'inserted it again after its deletion',
      true,
      insert,
      ['1 insert theirs', '2 delete two', '2 update two', '1 insert one'],
      ['4 update last', '3 update later', '1 insert theirs', '2 delete two', '2 update two', '1 insert one'],
    ],
    [
      'inserted it again as the version that was deleted',
      true,
      (id: string) => `${insert(id)}; update memory_items set version = 2`,
      ['2 update theirs', '2 delete two', '2 update two', '1 insert one'],
      ['4 update last', '3 update later', '2 update theirs', '2 delete two', '2 update two', '1 insert one'],
    ],
  ])('that %s tells every text that is left, each in its place', async (_what, isDeleted, sql, before, after) => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'one' });
    await store.run('put', { id, content: 'two' });
    if (isDeleted) await store.run('delete', { id: [id] });
    const db = new DatabaseSync(store.path);
    db.exec(sql(id));
    db.close();
    expect(await historyOf(store, id)).toEqual(before);
    await store.run('put', { id, content: 'later' });
    await store.run('put', { id, content: 'last' });
    expect(await historyOf(store, id)).toEqual(after);
  });

  test('goes on above every version that there was, whatever writes, and its export imports', async () => {
    using store = await tempStore();
    const ids: string[] = [];
    for (const key of ['a', 'b', 'c']) {
      const { id } = await store.run('put', { type: 'run', key, content: 'one' });
      for (const content of ['two', 'three']) await store.run('put', { id, content });
      ids.push(id);
    }
    const [put, imported, restored] = ids as [string, string, string];
    const db = new DatabaseSync(store.path);
    db.exec(`update memory_items set version = 1, content = 'theirs'`);
    db.close();
    const { lines } = await store.run('export', { history: true });
    using other = await tempStore();
    expect(await other.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({ inserted: 3 });
    expect((await other.run('export', { history: true })).lines).toEqual(lines);
    const line = JSON.stringify({ id: imported, type: 'run', content: 'four', version: 2 });
    // the text of version 3 is lost, so it is not in the export
    for (const [place, version] of [
      [store, 4],
      [other, 3],
    ] as const) {
      expect(await place.run('put', { id: put, content: 'four' })).toMatchObject({ version });
      await place.run('import', {}, { stdin: stdinOf(line) });
      expect(await place.run('restore', { id: [restored], version: 2 })).toMatchObject({ version });
      for (const id of [put, imported])
        expect(await historyOf(place, id)).toEqual([
          expect.stringMatching(new RegExp(`^${version} .* four$`)),
          '1 insert theirs',
          '2 update two',
          '1 insert one',
        ]);
    }
  });

  test('never goes on with a lower version', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'one' });
    const db = new DatabaseSync(store.path);
    db.exec(`update memory_items set version = 9`);
    db.close();
    expect(await store.run('put', { id, content: 'two' })).toMatchObject({ version: 10 });
    db.open();
    db.exec(`update memory_items set version = 20`);
    db.close();
    expect(await store.run('restore', { id: [id], version: 9 })).toMatchObject({ version: 21 });
  });
});
