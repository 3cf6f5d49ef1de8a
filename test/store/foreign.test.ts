import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { memtool, workspace } from '../helpers/memtool.ts';
import { errorOf, tempStore } from '../helpers/store.ts';
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
    { version: 3, change: 'update', content: 'x' },
  ]);
  const { lines } = await store.run('export', { history: true });
  const { stdinOf } = await import('../helpers/store.ts');
  expect(await other.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({ inserted: 1 });
  expect(await store.run('delete', { id: ['a'] })).toMatchObject({ deleted: 1 });
  expect(await store.run('restore', { id: 'a' })).toMatchObject({ version: 4 });
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
