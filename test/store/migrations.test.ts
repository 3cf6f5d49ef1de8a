import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { ancestor } from '../helpers/ancestor.ts';
import { memtool } from '../helpers/memtool.ts';
import { tempStore } from '../helpers/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

describe('a database of the Python tool', () => {
  test('is opened by a reading command, is copied first, and keeps every row and its history', async () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    ancestor(db);
    const before = fs.readFileSync(db);
    const found = await memtool(['--db', db, 'search', '灰度']);
    expect(found.json).toMatchObject({ ok: true, fts5: true, total: 1 });
    expect(found.json['items']).toMatchObject([
      {
        id: '0123456789abcdef0123456789abcdef',
        type: 'project',
        task_id: null,
        step_id: null,
        key: 'glossary',
        content: '灰度发布 第三版',
        tags: ['zh'],
        source: null,
        weight: 1,
        version: 3,
        created_at: '2026-01-01T00:00:00.000Z',
        updated_at: '2026-01-03T00:00:00.000Z',
        confidence_level: 'high',
        verified_by: 'ops',
      },
    ]);
    expect((await memtool(['--db', db, 'list'])).json).toMatchObject({ total: 4 });
    const history = await memtool(['--db', db, 'history', '0123456789abcdef0123456789abcdef']);
    expect(history.json['versions']).toMatchObject([
      { version: 3, change: 'update', content: '灰度发布 第三版', changed_at: '2026-01-03T00:00:00.000Z' },
      {
        version: 2,
        change: 'update',
        content: '灰度发布 第二版',
        tags: ['zh'],
        confidence_level: 'medium',
        changed_at: '2026-01-02T00:00:00.000Z',
      },
      {
        version: 1,
        change: 'insert',
        content: '灰度发布 第一版',
        tags: [],
        confidence_level: 'low',
        changed_at: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect((await memtool(['--db', db, 'history', 'gone'])).json).toMatchObject({
      deleted: true,
      versions: [{ version: 4, content: 'an item that was deleted' }],
    });
    expect((await memtool(['--db', db, 'stats'])).json).toMatchObject({ history: { deleted_items: 1 } });
    expect((await memtool(['--db', db, 'purge', '--deleted-before', '2099-01-01'])).json).toMatchObject({
      ids: ['gone'],
    });
    // the copy is unchanged, private, and still a database of the old tool
    const backup = `${db}.before-migration`;
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(backup, { readOnly: true });
    expect(copy.prepare('select count(*) as n, sum(access_count) as a from memory_items').get()).toMatchObject({
      n: 4,
      a: 7,
    });
    expect(copy.prepare('pragma user_version').get()).toMatchObject({ user_version: 0 });
    copy.close();
    expect(before.length).toBeGreaterThan(0);
    expect(fs.readdirSync(folder.path).toSorted()).toEqual(['old.db', 'old.db.before-migration']);
    expect((await memtool(['--db', db, 'doctor'])).json).toMatchObject({ ok: true });
  });

  test('is written, deleted from and restored like any other', async () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    ancestor(db);
    expect(
      (await memtool(['--db', db, 'put', '--type', 'project', '--key', 'glossary', '--content', '第四版'])).json,
    ).toMatchObject({ action: 'updated', version: 4 });
    expect(
      (await memtool(['--db', db, 'restore', '0123456789abcdef0123456789abcdef', '--version', '1'])).json,
    ).toMatchObject({ version: 5 });
    expect((await memtool(['--db', db, 'get', '0123456789abcdef0123456789abcdef'])).json['item']).toMatchObject({
      content: '灰度发布 第一版',
    });
    expect((await memtool(['--db', db, 'restore', 'gone'])).json).toMatchObject({
      action: 'restored',
      version: 5,
      restored_version: 4,
    });
    const schema = tablesOf(db);
    using fresh = await tempStore();
    expect(schema).toEqual(tablesOf(fresh.path));
  });

  test('is migrated once by ten processes that start together', async () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    ancestor(db);
    const runs = await Promise.all(Array.from({ length: 10 }, () => memtool(['--db', db, 'list'])));
    expect(runs.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(fs.readdirSync(folder.path).toSorted()).toEqual(['old.db', 'old.db.before-migration']);
  });
});

/** Every table and index of a database as SQL, without spaces. */
function tablesOf(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db
    .prepare("select type, name, sql from sqlite_master where name not like 'sqlite_%' order by name")
    .all();
  db.close();
  return rows.map(({ type, name, sql }) => ({ type, name, sql: String(sql).replaceAll(/["\s]+/g, ' ') }));
}

describe('the schema version', () => {
  test('of a newer memtool is refused before anything is touched', async () => {
    using store = await tempStore();
    const db = new DatabaseSync(store.path);
    db.exec('pragma user_version = 9999');
    db.close();
    const before = fs.readFileSync(store.path);
    for (const args of [
      ['list'],
      ['put', '--type', 'project', '--key', 'k', '--content', 'v'],
      ['init'],
      ['doctor', '--fix'],
    ]) {
      const ran = await memtool(['--db', store.path, ...args]);
      expect(ran.code).toBe(4);
      expect(ran.json).toMatchObject({ ok: false, error: 'DB_ERROR', retryable: false, schema_version: 9999 });
    }
    expect(fs.readFileSync(store.path).equals(before)).toBe(true);
  });

  test('0 with our tables is corrected by ten processes at once', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'project', key: 'k', content: 'v' });
    const db = new DatabaseSync(store.path);
    db.exec('pragma user_version = 0');
    db.close();
    const runs = await Promise.all(Array.from({ length: 10 }, () => memtool(['--db', store.path, 'list'])));
    expect(runs.map(({ code, json }) => [code, json['total']])).toEqual(Array.from({ length: 10 }, () => [0, 1]));
  });
});

test('export and doctor report what an import would refuse of a database of the Python tool', async () => {
  using folder = tempFolder();
  const db = folder.file('old.db');
  ancestor(db);
  const run = (...args: string[]) => memtool(['--db', db, ...args], { cwd: folder.path });
  const { warnings } = (await run('export', '--output', 'old.jsonl')).json as { warnings: string[] };
  expect(warnings).toEqual([
    'an import would refuse 2 of these items: b (updated_at must be an RFC 3339 time such as 2026-01-31T08:00:00Z, got "not a time"); c (content must not be empty)',
  ]);
  expect((await run('doctor')).json).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({ name: 'contents', status: 'warning', message: expect.stringMatching(/: c$/) }),
    ]),
  });
  // also of versions, if they are exported
  const writer = new DatabaseSync(db);
  writer.exec(
    "update memory_history set content = '' where item_id = '0123456789abcdef0123456789abcdef' and version = 1",
  );
  writer.close();
  const whole = (await run('export', '--history', '--output', 'whole.jsonl')).json as { warnings: string[] };
  expect(whole.warnings[0]).toContain('refuse 3 of these items: 0123456789abcdef0123456789abcdef (content');
  expect((await run('import', '--input', 'whole.jsonl', '--dry-run', '--skip-invalid')).json).toMatchObject({
    invalid: 3,
  });
  // the warning is true
  const imported = (await run('import', '--input', 'old.jsonl', '--dry-run', '--skip-invalid')).json;
  expect(imported).toMatchObject({ invalid: 2 });
});
