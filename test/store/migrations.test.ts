import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { makePythonDatabase } from '../helpers/python-database.ts';
import { memtool } from '../helpers/memtool.ts';
import { tempStore } from '../helpers/store.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

describe('a database of the Python tool', () => {
  test('is opened by a reading command, is copied first, and keeps every row and its history', async () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    makePythonDatabase(db);
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
      versions: [
        { version: 4, change: 'delete', content: 'an item that was deleted', changed_at: '2026-01-05T00:00:00.000Z' },
        { version: 4, change: 'update', content: 'an item that was deleted' },
      ],
    });
    expect((await memtool(['--db', db, 'list', '--deleted'])).json).toMatchObject({
      total: 1,
      items: [{ id: 'gone', content: 'an item that was deleted', deleted_at: '2026-01-05T00:00:00.000Z' }],
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

  test.each([
    [['init'], { created: false }],
    [['put', '--type', 'run', '--content', 'x'], { action: 'inserted' }],
    [['delete', 'b'], { deleted: 1 }],
    [['export', '--output', 'out.jsonl'], { count: 4 }],
  ])('is migrated by %j, which names the copy, once', async (args, expected) => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    makePythonDatabase(db);
    const run = (...words: string[]) => memtool(['--db', db, ...words], { cwd: folder.path });
    const { warnings, ...rest } = (await run(...args)).json as { warnings: string[] };
    expect(rest).toMatchObject({ ok: true, ...expected });
    expect(warnings).toContain(
      `the database of the Python memtool was migrated; a copy of it as it was is in ${db}.before-migration`,
    );
    expect(fs.existsSync(`${db}.before-migration`)).toBe(true);
    expect((await run('init')).json).not.toHaveProperty('warnings');
  });

  test('is written, deleted from and restored like any other', async () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    makePythonDatabase(db);
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
    makePythonDatabase(db);
    const runs = await Promise.all(Array.from({ length: 10 }, () => memtool(['--db', db, 'list'])));
    expect(runs.map(({ code }) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    expect(fs.readdirSync(folder.path).toSorted()).toEqual(['old.db', 'old.db.before-migration']);
  });
});

/** The names of what a database holds, of those that meet a condition. */
function namesIn(db: DatabaseSync, condition: string): unknown[] {
  return db
    .prepare(`select name from sqlite_schema where ${condition} order by name`)
    .all()
    .map(({ name }) => name);
}

/** Every table and index of a database as SQL, without spaces. */
function tablesOf(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db
    .prepare("select type, name, sql from sqlite_master where name not like 'sqlite_%' order by name")
    .all();
  db.close();
  return rows.map(({ type, name, sql }) => ({ type, name, sql: String(sql).replaceAll(/["\s]+/g, ' ') }));
}

describe('what the Python tool or another program left in such a database', () => {
  /** Creates a database of the Python tool, with changes, and returns its path and a function that runs commands. */
  function changed(folder: ReturnType<typeof tempFolder>, sql: string) {
    const db = folder.file('old.db');
    makePythonDatabase(db);
    const writer = new DatabaseSync(db, { enableForeignKeyConstraints: false, defensive: false });
    writer.exec(sql);
    writer.close();
    return { db, run: (...args: string[]) => memtool(['--db', db, ...args], { cwd: folder.path }) };
  }

  test.each(['cascade', 'set null', 'restrict'])(
    'tables of the user that refer to items stay as they are (on delete %s)',
    async (action) => {
      using folder = tempFolder();
      const { db, run } = changed(
        folder,
        `create table notes (item_id text references memory_items (id) on delete ${action}, note text);
        create view titles as select key from memory_items;
        create unique index python_notes on notes (note);
        insert into notes values ('b', 'mine'), ('c', 'mine too')`,
      );
      expect((await run('list')).json).toMatchObject({ total: 4 });
      using file = new DatabaseSync(db);
      expect(file.prepare('select item_id, note from notes').all()).toEqual([
        { item_id: 'b', note: 'mine' },
        { item_id: 'c', note: 'mine too' },
      ]);
      expect(file.prepare('select count(*) as titles from titles').get()).toEqual({ titles: 4 });
      expect(file.prepare("select 1 as kept from sqlite_master where name = 'python_notes'").get()).toEqual({
        kept: 1,
      });
      // references are still enforced, to the new table
      expect(() => file.exec("insert into notes values ('d', 'a third')")).not.toThrow();
      expect(() => file.exec("insert into notes values ('none', 'no item')")).toThrow('FOREIGN KEY');
    },
  );

  test('versions that the old import set back: every text keeps its place in the history', async () => {
    using folder = tempFolder();
    const { run } = changed(
      folder,
      `update memory_items set version = 2, content = 'now' where id = 'd';
      insert into memory_history (item_id, version, content, changed_at, change_type) values
        ('d', 1, 'first', '2026-01-02T01:00:00+00:00', 'update'), ('d', 2, 'second', '2026-01-02T02:00:00+00:00', 'update'),
        ('d', 3, 'third', '2026-01-02T03:00:00+00:00', 'update'), ('d', 2, 'set back', '2026-01-02T04:00:00+00:00', 'update')`,
    );
    const { versions } = (await run('history', 'd')).json as { versions: { version: number; content: string }[] };
    expect(versions.map(({ version, content }) => [version, content])).toEqual([
      [5, 'now'],
      [4, 'set back'],
      [3, 'third'],
      [2, 'second'],
      [1, 'first'],
    ]);
    expect((await run('get', 'd')).json).toMatchObject({ item: { version: 5, content: 'now' } });
    await run('export', '--history', '--output', 'all.jsonl');
    const other = folder.file('new.db');
    await memtool(['init', '--db', other]);
    const imported = await memtool(['import', '--db', other, '--input', folder.file('all.jsonl'), '--skip-invalid']);
    expect(imported.json['errors']).not.toContainEqual(expect.objectContaining({ id: 'd' }));
    expect((await memtool(['history', 'd', '--db', other])).json).toMatchObject({
      versions: versions.map(({ version, content }) => ({ version, content })),
    });
  });

  test.each([
    ['content', "cast('数据库密码' as blob)", { content: '数据库密码' }],
    ['key', "cast('钥匙' as blob)", { key: '钥匙' }],
    ['confidence_level', "' HIGH '", { confidence_level: 'high' }],
    ['confidence_level', "'certain'", { confidence_level: 'medium' }],
    ['tags_json', `'["café", " pad ", "pad", 2026, ""]'`, { tags: ['café', 'pad', '2026'] }],
    ['tags_json', `'[9007199254740993, 1.10, "a", -1e400]'`, { tags: ['9007199254740993', '1.10', 'a', '-1e400'] }],
    ['tags_json', `'[''a'', ''b'']'`, { tags: ["['a', 'b']"] }],
    ['tags_json', `'{"a":1}'`, { tags: ['{"a":1}'] }],
    ['tags_json', "'null'", { tags: [] }],
    ['tags_json', "' '", { tags: [] }],
    ['key', "'cafe' || char(769)", { key: 'café' }],
    ['key', "''", { key: null }],
    ['task_id', "''", { task_id: null }],
    ['source', "cast('来源' as blob)", { source: '来源' }],
    ['verified_by', "'e' || char(769)", { verified_by: 'é' }],
    ['created_at', "'2026-01-01T08:00:00+08:00'", { created_at: '2026-01-01T00:00:00.000Z' }],
    ['created_at', "'then'", { created_at: 'then' }],
    ['version', '1.5', { version: 1 }],
    ['version', '-7', { version: 1 }],
    ['version', '1e300', { version: 4503599627370495 }],
    ['weight', '-1', { weight: 0 }],
    ['weight', "'heavy'", { weight: 1 }],
    ['weight', '9007199254740993', { weight: 10 }],
    // columns that are not taken over
    ['access_count', '9223372036854775807', {}],
    ['urgency_level', "x'00ff'", {}],
  ])('%s = %s is taken over', async (column, value, expected) => {
    using folder = tempFolder();
    const { run } = changed(folder, `update memory_items set ${column} = ${value} where id = 'd'`);
    const { item } = (await run('get', 'd')).json;
    expect(item).toMatchObject({ id: 'd', ...expected });
    expect((await run('list')).json).toMatchObject({ total: 4 });
  });

  test('a deletion that the old tool recorded can be undone, and is purged by its time', async () => {
    using folder = tempFolder();
    const { run } = changed(
      folder,
      `insert into memory_history
        (item_id, version, content, tags_json, weight, confidence_level, changed_at, change_type)
      values
        ('lost', 1, 'first', '[]', 1, 'low', '2026-01-02T00:00:00+00:00', 'update'),
        ('lost', 2, 'last', '["a"]', 3, 'high', '2026-01-03T00:00:00+00:00', 'delete')`,
    );
    expect((await run('history', 'lost')).json).toMatchObject({
      deleted: true,
      versions: [
        { version: 2, change: 'delete', changed_at: '2026-01-03T00:00:00.000Z', content: 'last', tags: ['a'] },
        {
          version: 2,
          change: 'update',
          changed_at: '2026-01-02T00:00:00.000Z',
          updated_at: '2026-01-02T00:00:00.000Z',
          content: 'last',
          weight: 3,
        },
        { version: 1, change: 'insert', changed_at: '2026-01-02T00:00:00.000Z', content: 'first', type: 'feature' },
      ],
    });
    const purgeable = async (time: string) => (await run('purge', '--deleted-before', time)).json['ids'];
    expect(await purgeable('2026-01-03T00:00:00Z')).toEqual([]);
    expect(await purgeable('2026-01-03T00:00:01Z')).toEqual(['lost']);
    expect((await run('restore', 'lost')).json).toMatchObject({ version: 3, restored_version: 2 });
    expect((await run('get', 'lost')).json['item']).toMatchObject({
      content: 'last',
      updated_at: expect.stringMatching(/Z$/),
      confidence_level: 'high',
    });
  });

  test('histories that were written in turns, and versions of the items below, at and above them', async () => {
    using folder = tempFolder();
    const { run } = changed(
      folder,
      `update memory_items set version = 9 where id = 'b';
      update memory_items set version = 2 where id = 'c';
      insert into memory_history (item_id, version, content, changed_at, change_type) values
        ('b', 1, 'b1', '2026-01-02T00:00:00Z', 'update'), ('c', 1, 'c1', '2026-01-03T00:00:00Z', 'update'),
        ('d', 5, 'd5', '2026-01-04T00:00:00Z', 'update'), ('c', 2, 'c2', '2026-01-05T00:00:00Z', 'update'),
        ('b', 2, 'b2', '2026-01-06T00:00:00Z', 'update'), ('c', 1, 'c1 again', '2026-01-07T00:00:00Z', 'update'),
        ('z', 1, 'z1', '2026-01-08T00:00:00Z', 'update');
      insert into memory_items (id, type, key, content, version, created_at, updated_at)
      values ('z', 'run', 'k', 'z2', 1, '2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z')`,
    );
    for (const [id, expected] of Object.entries({
      b: [
        [9, 'update', 'TypeError in getUserById', 'not a time'],
        [2, 'update', 'b2', '2026-01-02T00:00:00.000Z'],
        [1, 'insert', 'b1', '2026-01-01T00:00:00.000Z'],
      ],
      c: [
        [4, 'update', '', '2026-01-01T00:00:00.000Z'],
        [3, 'update', 'c1 again', '2026-01-05T00:00:00.000Z'],
        [2, 'update', 'c2', '2026-01-03T00:00:00.000Z'],
        [1, 'insert', 'c1', '2026-01-01T00:00:00.000Z'],
      ],
      d: [
        [6, 'update', 'a second one with the same key', '2026-01-02T00:00:00.000Z'],
        [5, 'update', 'd5', '2026-01-02T00:00:00.000Z'],
      ],
      z: [
        [2, 'update', 'z2', '2026-01-08T00:00:00.000Z'],
        [1, 'insert', 'z1', '2026-01-01T00:00:00.000Z'],
      ],
    })) {
      const { versions } = (await run('history', id)).json as { versions: Record<string, unknown>[] };
      const found = versions.map((one) => [one['version'], one['change'], one['content'], one['changed_at']]);
      expect([id, found]).toEqual([id, expected]);
      expect((await run('get', id)).json).toMatchObject({ item: { version: expected[0]?.[0] } });
    }
  });

  test.each([
    // tables of the index are missing, empty or unreadable for FTS5
    ...['data', 'idx', 'content', 'docsize', 'config'].map((table) => `drop table memory_fts_${table}`),
    'delete from memory_fts_data',
    "update memory_fts_data set block = x'0011'",
    'update memory_fts_config set v = 99',
    // the index is gone, and its tables are not
    "pragma writable_schema = on; delete from sqlite_schema where name = 'memory_fts'",
    // it is not one of FTS5, or not one at all
    'drop table memory_fts; create virtual table memory_fts using fts4 (id, content_search)',
    `pragma writable_schema = on;
    update sqlite_schema set sql = 'create virtual table memory_fts using unknown (id)' where name = 'memory_fts'`,
    'drop table memory_fts; create view memory_fts as select id, content_search from memory_items',
    'drop table memory_fts; create table memory_fts (id, content_search)',
    'drop table memory_fts; create index memory_fts on memory_history (item_id)',
    'drop table memory_fts',
  ])('the old index does not matter, whatever its state: %s', async (sql) => {
    using folder = tempFolder();
    const { db, run } = changed(folder, `create table memory_fts_notes (note); ${sql}`);
    expect((await run('search', '灰度')).json).toMatchObject({ ok: true, fts5: true, total: 1 });
    expect((await run('list')).json).toMatchObject({ total: 4 });
    expect((await run('put', '--id', 'b', '--content', 'next')).json).toMatchObject({ version: 2 });
    using file = new DatabaseSync(db);
    expect(file.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(namesIn(file, "name like 'memory\\_fts%' escape '\\'")).toEqual([
      'memory_fts',
      'memory_fts_config',
      'memory_fts_data',
      'memory_fts_docsize',
      'memory_fts_idx',
      'memory_fts_notes',
    ]);
  });

  test.each([
    ['table', 'meta', 'create table meta (note)'],
    // one that would take our rows
    ['table', 'META', 'create table META (key text primary key, value text)'],
    ['view', 'meta', 'create view meta as select 1 as value'],
    ['view', 'memory_history', 'drop table memory_history; create view memory_history as select 1 as item_id'],
    ['index', 'memory_items_updated', 'create table notes (note); create index memory_items_updated on notes (note)'],
  ])('a %s of the user named %s is neither used nor changed: the error names it', async (type, name, sql) => {
    using folder = tempFolder();
    const { db, run } = changed(folder, sql);
    const before = fs.readFileSync(db);
    for (const args of [['list'], ['put', '--type', 'run', '--content', 'x'], ['doctor', '--fix']]) {
      const refused = await run(...args);
      expect(refused).toMatchObject({ code: 4, json: { error: 'DB_ERROR', hint: expect.stringContaining('rename') } });
      expect(refused.json['message']).toContain(
        `: ${name}, a name that memtool needs, is that of a ${type} of your own:`,
      );
    }
    expect(fs.readFileSync(db).equals(before)).toBe(true);
    expect(fs.readdirSync(folder.path)).toEqual(['old.db']);
    if (type !== 'table') return;
    using file = new DatabaseSync(db);
    file.exec(`alter table ${name} rename to my_${name}`);
    file.close();
    expect((await run('list')).json).toMatchObject({ total: 4 });
  });

  test('a database without a history is taken over, beside the copies of earlier migrations', async () => {
    using folder = tempFolder();
    const { db, run } = changed(folder, 'drop table memory_history');
    for (const name of ['before-migration', 'before-migration-2']) folder.file(`old.db.${name}`, 'an earlier copy');
    expect((await run('list')).json).toMatchObject({ total: 4 });
    expect((await run('history', 'b')).json).toMatchObject({ versions: [{ version: 1, change: 'insert' }] });
    expect((await run('put', '--id', 'b', '--content', 'next')).json).toMatchObject({ version: 2 });
    for (const name of ['before-migration', 'before-migration-2'])
      expect(fs.readFileSync(folder.file(`old.db.${name}`), 'utf8')).toBe('an earlier copy');
    using copy = new DatabaseSync(`${db}.before-migration-3`, { readOnly: true });
    expect(copy.prepare('select count(*) as n from memory_items').get()).toEqual({ n: 4 });
  });

  test('ids that differ only in their type in SQLite become two ids', async () => {
    using folder = tempFolder();
    const { run } = changed(
      folder,
      `insert into memory_items (id, type, key, content, created_at, updated_at)
      values (cast('b' as blob), 'run', 'twin', 'the twin', '2026-01-01', '2026-01-01')`,
    );
    expect((await run('get', 'b')).json).toMatchObject({ item: { key: 'stacktrace' } });
    expect((await run('get', 'row-5')).json).toMatchObject({ item: { key: 'twin', content: 'the twin' } });
  });

  test('the command that migrates already respects references to the items', async () => {
    using folder = tempFolder();
    const { db, run } = changed(
      folder,
      `create table notes (item_id text references memory_items (id));
      insert into notes values ('b')`,
    );
    expect(await run('delete', 'b')).toMatchObject({ code: 4, json: { error: 'DB_ERROR' } });
    expect((await run('get', 'b')).json).toMatchObject({ item: { id: 'b' } });
    using file = new DatabaseSync(db);
    expect(file.prepare('pragma foreign_key_check').all()).toEqual([]);
  });

  test.each([
    [
      'of an item before it',
      "id = null where id in ('c', 'd')",
      "id = 'row-4' where id = 'b'",
      { 'row-4': 'stacktrace', 'row-3': 'empty', 'row-4-2': 'empty' },
    ],
    [
      'of an item after it',
      "id = null where id = 'b'",
      "id = 'row-2', key = 'own' where id = 'd'",
      { 'row-2': 'own', 'row-2-2': 'stacktrace', c: 'empty' },
    ],
    [
      'of an item before it, as bytes',
      "id = null where id = 'd'",
      "id = cast('row-4' as blob) where id = 'b'",
      { 'row-4': 'stacktrace', 'row-4-2': 'empty', c: 'empty' },
    ],
    [
      'of one item, and the next one is that of another',
      "id = null where id = 'c'",
      "id = iif(id = 'b', 'row-3', 'row-3-2'), key = id where id in ('b', 'd')",
      { 'row-3': 'b', 'row-3-2': 'd', 'row-3-3': 'empty' },
    ],
  ])('items without an id get one that no other has, if their own is that %s', async (_what, first, second, keys) => {
    using folder = tempFolder();
    const { run } = changed(folder, `update memory_items set ${first}; update memory_items set ${second}`);
    const { items } = (await run('list', '--fields', 'id,key')).json as { items: { id: string; key: string }[] };
    const byId = Object.fromEntries(items.map(({ id, key }) => [id, key]));
    expect(byId).toEqual({ '0123456789abcdef0123456789abcdef': 'glossary', ...keys });
    for (const id of Object.keys(keys)) expect((await run('delete', id)).json).toMatchObject({ deleted: 1 });
  });

  test.each([
    ['memory_items', 'weight', 'b'],
    ['memory_items', 'confidence_level', 'b'],
    ['memory_history', 'weight', '0123456789abcdef0123456789abcdef'],
    ['memory_history', 'tags_json', '0123456789abcdef0123456789abcdef'],
  ])('an older %s without %s is taken over', async (table, column, id) => {
    using folder = tempFolder();
    const { run } = changed(folder, `alter table ${table} drop column ${column}`);
    expect((await run('list')).json).toMatchObject({ total: 4 });
    expect((await run('history', id)).json).toMatchObject({ deleted: false });
  });

  test('what a killed migration left of a copy is replaced by a whole one', async () => {
    using folder = tempFolder();
    const { db, run } = changed(folder, 'select 1');
    fs.writeFileSync(`${db}.before-migration.tmp`, 'half a copy');
    expect((await run('list')).json).toMatchObject({ total: 4 });
    expect(fs.existsSync(`${db}.before-migration.tmp`)).toBe(false);
    using copy = new DatabaseSync(`${db}.before-migration`, { readOnly: true });
    expect(copy.prepare('select count(*) as n from memory_items').get()).toEqual({ n: 4 });
  });

  test('the Python tool that still uses the database is detected, and doctor --fix makes it writable again', async () => {
    using folder = tempFolder();
    const { db, run } = changed(folder, 'select 1');
    await run('list');
    const python = new DatabaseSync(db);
    python.exec(`
      create trigger memory_ai after insert on memory_items begin
        insert into memory_fts (id, content_search) values (new.id, new.content_search); end;
      create trigger memory_ad after delete on memory_items begin delete from memory_fts where id = old.id; end`);
    python.close();
    const put = ['put', '--type', 'run', '--content', 'written after all'];
    expect(await run(...put)).toMatchObject({ code: 4, json: { hint: expect.stringContaining('memtool doctor') } });
    const found = await run('doctor');
    expect(found).toMatchObject({ code: 4, json: { hint: expect.stringMatching(/^memtool doctor --db \S+ --fix/) } });
    expect(JSON.stringify(found.json)).toContain('the Python memtool has used this database');
    expect((await run('doctor', '--fix')).code).toBe(0);
    expect(await run(...put)).toMatchObject({ code: 0 });
    expect((await run('search', 'written')).json).toMatchObject({ total: 1, fts5: true });
  });
});

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
  makePythonDatabase(db);
  const run = (...args: string[]) => memtool(['--db', db, ...args], { cwd: folder.path });
  await run('init'); // migrates it
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
