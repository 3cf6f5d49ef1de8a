import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createContext } from '../../src/ops/context.ts';
import { makePythonDatabase } from '../helpers/python-database.ts';
import { memtool, openedByAnother, PROGRAM, workspace } from '../helpers/memtool.ts';
import { tempStore } from '../helpers/store.ts';
import { tempFolder, type TempFolder } from '../helpers/temp-folder.ts';

/** A user other than root, whom permissions do not bind: the one who runs the tests, else nobody. */
const UNPRIVILEGED: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Runs the built program on a database as that user. */
function asNobody(db: string, ...args: string[]): { status: number | null; json: Record<string, unknown> } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, '--db', db, ...args], {
    ...UNPRIVILEGED,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, json: JSON.parse(stdout) };
}

test('a connection for reading writes nothing', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'kept' });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  // a query for near words creates a table of the connection's own
  context.store.vocabulary('ke', 1);
  for (const change of ['delete from memory_items', 'create table t (a)', 'pragma user_version = 9'])
    expect(() => context.store.db.exec(change)).toThrow(/readonly/);
  expect((await store.run('list')).total).toBe(1);
});

// closing any descriptor of a file releases the locks of its process, and an older SQLite then removes the log
test.skipIf(!fs.existsSync('/proc/locks'))(
  'nothing that reads the file of an open database releases its locks',
  async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x' });
    const isLocked = (): boolean => {
      const { ino } = fs.statSync(store.path);
      const own = new RegExp(`POSIX +\\S+ +READ +${process.pid} +\\S+:${ino} `);
      return own.test(fs.readFileSync('/proc/locks', 'utf8'));
    };
    for (const access of ['read', 'write', 'create'] as const) {
      using context = createContext({ dbPath: store.path, access, operations: [] });
      context.store.get('nosuch');
      expect([access, context.store.journalMode(), isLocked()]).toEqual([access, 'wal', true]);
      const copy = `${store.path}.copy`;
      context.store.file.copyTo(copy);
      expect(fs.readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3');
      expect([access, isLocked()]).toEqual([access, true]);
    }
    expect(isLocked()).toBe(false);
  },
);

test('a write turns on the write-ahead log that another program has turned off', async () => {
  using folder = await workspace();
  const mode = (sql = 'pragma journal_mode') => {
    using other = new DatabaseSync(folder.file('memtool.db'));
    return other.prepare(sql).get();
  };
  const log = async () =>
    ((await folder.run('doctor')).json['checks'] as { name: string }[]).find(({ name }) => name === 'log');
  for (const write of [['put', '--type', 'run', '--content', 'x'], ['init'], ['doctor', '--fix']]) {
    mode('pragma journal_mode = delete');
    expect(await log()).toMatchObject({ status: 'warning', fix: expect.stringMatching(/^memtool doctor .*--fix$/) });
    expect(mode()).toEqual({ journal_mode: 'delete' });
    expect((await folder.run(...write)).code).toBe(0);
    expect([write, mode()]).toEqual([write, { journal_mode: 'wal' }]);
    expect(await log()).toMatchObject({ status: 'ok' });
  }
});

describe('a path that is not a database', () => {
  test('is answered with the one of that name in a parent folder', async () => {
    using folder = await workspace();
    const inner = folder.file('src/more/deep');
    fs.mkdirSync(inner, { recursive: true });
    // an empty file and a folder of that name are no databases
    folder.file('src/more/memtool.db', '');
    fs.mkdirSync(folder.file('src/memtool.db'));
    const { code, json } = await memtool(['list'], { cwd: inner });
    expect([code, json['hint']]).toEqual([
      2,
      `there is one in a parent folder: --db ${folder.file('memtool.db')}; or create it with: memtool init --db ${inner}/memtool.db`,
    ]);
  });

  test.each(['-wal', '-shm', '-journal'])('is not made where SQLite would remove it: %s', async (suffix) => {
    using folder = await workspace();
    const name = folder.file('memtool.db');
    const other = folder.file('other.db');
    const run = (...args: string[]) => memtool(args, { cwd: folder.path });
    await run('init', '--db', other);
    await run('put', '--db', other, '--type', 'run', '--content', 'kept');
    const refused = { code: 2, json: { error: 'PARAM_ERROR', message: expect.stringContaining('SQLite would take') } };
    expect(await run('init', '--db', name + suffix)).toMatchObject(refused);
    expect(await run('backup', '--db', other, '--output', name + suffix)).toMatchObject(refused);
    expect(await run('export', '--db', other, '--output', name + suffix)).toMatchObject(refused);
    // the other way round: the database comes after the file that it would own
    fs.renameSync(other, folder.file(`new.db${suffix}`));
    expect(await run('init', '--db', folder.file('new.db'))).toMatchObject(refused);
    expect((await run('list', '--db', folder.file(`new.db${suffix}`))).json).toMatchObject({ total: 1 });
    // a name is refused only beside a database
    folder.file('notes', 'no database');
    expect(await run('export', '--output', folder.file(`notes${suffix}`))).toMatchObject({ code: 0 });
  });

  test('only init creates one, with its folder, and only for the owner', async () => {
    using folder = tempFolder();
    const db = folder.file('no/such/m.db');
    for (const args of [
      ['list'],
      ['search', 'x'],
      ['put', '--type', 'project', '--content', 'v'],
      ['export'],
      ['doctor'],
    ]) {
      const ran = await memtool(['--db', db, ...args]);
      expect(ran.code).toBe(2);
      expect(ran.json).toEqual({
        ok: false,
        error: 'PARAM_ERROR',
        message: `no database at ${db}`,
        hint: `create it with: memtool init --db ${db}`,
        retryable: false,
        db,
      });
    }
    expect(fs.readdirSync(folder.path)).toEqual([]);
    expect((await memtool(['--db', db, 'init'])).json).toEqual({
      ok: true,
      db,
      created: true,
      schema_version: 1,
      fts5: true,
      journal_mode: 'wal',
    });
    expect(fs.statSync(db).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder.file('no/such'))).toEqual(['m.db']);
    const bytes = fs.readFileSync(db);
    expect((await memtool(['--db', db, 'init'])).json).toMatchObject({ created: false });
    expect(fs.readFileSync(db).equals(bytes)).toBe(true);
  });

  test.each([
    ['a folder', (folder: string) => folder, 2, 'PARAM_ERROR'],
    ['an empty path', () => '', 2, 'PARAM_ERROR'],
  ])('%s is refused', async (_what, pathOf, code, error) => {
    using folder = tempFolder();
    const ran = await memtool(['--db', pathOf(folder.path), 'list']);
    expect([ran.code, ran.json['error']]).toEqual([code, error]);
  });

  test('an empty file does not count as a database, but init may fill it', async () => {
    using folder = tempFolder();
    const db = folder.file('z.db', '');
    expect((await memtool(['--db', db, 'list'])).json).toMatchObject({
      error: 'DB_ERROR',
      hint: expect.stringContaining('memtool init'),
    });
    expect((await memtool(['--db', db, 'put', '--type', 'run', '--content', 'x'])).code).toBe(4);
    expect(fs.statSync(db).size).toBe(0);
    expect((await memtool(['--db', db, 'init'])).json).toMatchObject({ ok: true, created: true });
  });

  test('a text file stays unchanged, whatever the command', async () => {
    using folder = tempFolder();
    const db = folder.file('t.db', 'plain text\n'.repeat(900));
    const before = fs.readFileSync(db);
    for (const args of [
      ['list'],
      ['init'],
      ['search', 'x'],
      ['export'],
      ['put', '--type', 'run', '--content', 'x'],
      ['cleanup'],
      ['doctor'],
      ['doctor', '--fix'],
      ['purge', 'x', '--apply'],
    ]) {
      const ran = await memtool(['--db', db, ...args]);
      expect([args, ran.code, ran.json['error']]).toEqual([args, 4, 'DB_ERROR']);
    }
    expect(fs.readFileSync(db).equals(before)).toBe(true);
    expect(fs.readdirSync(folder.path)).toEqual(['t.db']);
  });
});

describe('one file is enough', () => {
  test('when a command has ended, the .db file alone is complete', async () => {
    using folder = await workspace();
    for (const args of [
      ['put', '--type', 'project', '--key', 'k1', '--content', 'v'],
      ['search', 'v'],
      ['list'],
      ['get', '--type', 'project', '--key', 'k1'],
      ['doctor'],
    ]) {
      expect((await folder.run(...args)).code).toBe(0);
      expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
    }
    fs.copyFileSync(folder.file('memtool.db'), folder.file('copy.db'));
    expect(
      (await memtool(['--db', folder.file('copy.db'), 'get', '--type', 'project', '--key', 'k1'])).json,
    ).toMatchObject({ item: { content: 'v' } });
  });

  const ITEM =
    "insert into memory_items (id, type, content, created_at, updated_at) values ('a', 'run', 'left behind', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')";

  /** Leaves a write in the -wal file, as a process killed right after its commit does. */
  function writeAndDie(db: string, sql: string): void {
    spawnSync(process.execPath, [
      '-e',
      `
      const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(${JSON.stringify(db)}).exec(${JSON.stringify(sql)});
      process.kill(process.pid, 'SIGKILL');`,
    ]);
    expect(fs.existsSync(`${db}-wal`)).toBe(true);
  }

  test('doctor --fix checkpoints the -wal file without a copy, since the stored data does not change', async () => {
    using folder = await workspace();
    writeAndDie(folder.file('memtool.db'), "insert into meta (key, value) values ('other', 'x')");
    const { json } = await folder.run('doctor', '--fix');
    expect(json).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'log', message: expect.stringMatching(/checkpointed$/) }),
      ]),
    });
    expect(json).not.toHaveProperty('backup');
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });

  test.each([
    [['doctor'], 'warning', /^\d+ bytes of writes are in the -wal file/],
    [['doctor', '--fix'], 'ok', /have been checkpointed$/],
  ])('%j reports what a killed writer left in the -wal file, which is checkpointed', async (args, status, message) => {
    using folder = await workspace();
    writeAndDie(folder.file('memtool.db'), ITEM);
    const { checks } = (await folder.run(...args)).json as { checks: unknown[] };
    expect(checks).toContainEqual({
      name: 'log',
      status,
      message: expect.stringMatching(message),
      fix: status === 'ok' ? null : expect.stringMatching(/^memtool doctor .*--fix$/),
    });
    expect(fs.existsSync(folder.file('memtool.db-wal'))).toBe(false);
    expect((await folder.run('get', 'a')).json).toMatchObject({ item: { content: 'left behind' } });
    const again = (await folder.run('doctor')).json as { checks: unknown[] };
    expect(again.checks).toContainEqual({
      name: 'log',
      status: 'ok',
      message: 'no writes are left in the -wal file',
      fix: null,
    });
  });

  test('doctor --fix does not touch the -wal file of a running process', async () => {
    using folder = await workspace();
    using other = new DatabaseSync(folder.file('memtool.db'));
    other.exec('begin');
    other.prepare('select count(*) from memory_items').get();
    await folder.run('put', '--type', 'run', '--content', 'x');
    const { checks } = (await folder.run('doctor', '--fix')).json as { checks: unknown[] };
    expect(checks).toContainEqual(expect.objectContaining({ name: 'log', status: 'warning', fix: null }));
    other.exec('commit');
    expect((await folder.run('list')).json).toMatchObject({ total: 1 });
  });

  test('a reading command checkpoints what a killed writer left in the -wal file', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    writeAndDie(db, ITEM);
    expect((await folder.run('get', 'a')).json).toMatchObject({ item: { content: 'left behind' } });
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });

  test('a file or a folder that may not be read is one error', async () => {
    using folder = await workspace();
    fs.mkdirSync(folder.file('closed'));
    for (const [file, command] of [
      ['memtool.db', 'list'],
      ['closed/memtool.db', 'list'],
      ['closed/memtool.db', 'init'],
      ['closed/below/memtool.db', 'init'],
    ] as const) {
      fs.chmodSync(folder.path, 0o755);
      for (const closed of ['memtool.db', 'closed']) fs.chmodSync(folder.file(closed), 0o000);
      const { status, json } = asNobody(folder.file(file), command);
      fs.chmodSync(folder.file('closed'), 0o700); // so that it can be removed
      expect([file, command, status, json]).toMatchObject([
        file,
        command,
        4,
        { error: 'DB_ERROR', message: expect.stringMatching(/permission/), hint: expect.stringMatching(/permissions/) },
      ]);
    }
  });

  test('reading a file that the user cannot write leaves nothing next to it', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'project', '--key', 'k1', '--content', 'readable');
    fs.chmodSync(folder.file('memtool.db'), 0o444);
    fs.chmodSync(folder.path, 0o777);
    const { json } = asNobody(folder.file('memtool.db'), 'search', 'readable');
    expect(json).toMatchObject({ ok: true, total: 1 });
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
    fs.chmodSync(folder.file('memtool.db'), 0o600);
    expect((await folder.run('put', '--type', 'run', '--content', 'x')).json).toMatchObject({ ok: true });
  });

  test('a refused write leaves nothing next to the file that would lock out its owner', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    const run = (...args: string[]): Record<string, unknown> => asNobody(db, ...args).json;
    const put = ['put', '--type', 'run', '--content', 'x'];
    fs.chmodSync(folder.path, 0o777);
    fs.chmodSync(db, 0o444);
    expect(run(...put)).toMatchObject({ error: 'DB_ERROR', hint: expect.stringContaining('writable') });
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
    fs.chmodSync(db, 0o666);
    expect(run(...put)).toMatchObject({ ok: true });
    // as another program may leave it
    fs.writeFileSync(`${db}-shm`, '', { mode: 0o400 });
    const refused = run(...put);
    expect(refused).toMatchObject({ error: 'DB_ERROR', hint: expect.stringContaining(`rm ${db}-shm`) });
    // one of the user's own is gone by then
    const place =
      UNPRIVILEGED.uid === undefined
        ? { status: 'ok', fix: null }
        : { status: 'warning', fix: expect.stringContaining(`rm ${db}-shm`) };
    expect(run('doctor')).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'place', ...place })]),
    });
    fs.rmSync(`${db}-shm`, { force: true });
    expect(run(...put)).toMatchObject({ ok: true });
  });

  test('a reader who cannot write the file gets an error if the owner changes it meanwhile, not a mix of two states', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    const lines = (version: number): string =>
      Array.from({ length: 4000 }, (_, at) =>
        JSON.stringify({ id: `m${at}`, type: 'run', version, content: `version ${version} ${'x'.repeat(500)}` }),
      ).join('\n');
    await folder.pipe(lines(1), 'import', '--input', '-');
    const setWritable = (isWritable: boolean): void => {
      fs.chmodSync(db, isWritable ? 0o644 : 0o444);
      fs.chmodSync(folder.path, isWritable ? 0o755 : 0o555);
    };
    const importAgain = async (): Promise<void> => {
      await folder.pipe(lines(2), 'import', '--input', '-');
    };
    const changeInPlace = async (): Promise<void> => {
      using owner = new DatabaseSync(db);
      owner.exec("update memory_items set weight = 2 where id = 'm0'");
    };
    // the second change keeps the size of the file
    for (const change of [importAgain, changeInPlace]) {
      setWritable(false);
      const reader = spawn(process.execPath, [PROGRAM, '--db', db, 'export'], {
        ...UNPRIVILEGED,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [first] = (await once(reader.stdout, 'data')) as [Buffer];
      reader.stdout.pause();
      setWritable(true);
      await change();
      const chunks = [first];
      reader.stdout.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
      const [code] = (await once(reader, 'close')) as [number];
      const text = Buffer.concat(chunks).toString('utf8');
      expect(code).toBe(4);
      expect(text).toContain('"retryable":true');
      expect(text).toContain('changed while it was being read');
    }
  });

  test('a link to a database is read with the -wal file of its target', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    fs.mkdirSync(folder.file('links'));
    fs.symlinkSync(db, folder.file('links/link.db'));
    using writer = new DatabaseSync(db);
    writer.exec('begin');
    writer.prepare('select count(*) from memory_items').get();
    await folder.run('put', '--type', 'run', '--key', 'k', '--content', 'waits in the log');
    const through = (...args: string[]) => memtool(['--db', folder.file('links/link.db'), ...args]);
    expect((await through('get', '--type', 'run', '--key', 'k')).json).toMatchObject({
      item: { content: 'waits in the log' },
    });
    expect((await through('doctor')).json).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'log', status: 'warning' })]),
    });
    writer.exec('commit');
    expect((await through('put', '--type', 'run', '--content', 'x')).json).toMatchObject({ ok: true });
    expect(fs.readdirSync(folder.file('links'))).toEqual(['link.db']);
  });

  test('names a -wal file that nobody may read there', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    const writer = new DatabaseSync(db);
    writer.exec("insert into meta values ('left', 'by a writer')");
    for (const name of ['left.db', 'left.db-wal'])
      fs.copyFileSync(name === 'left.db' ? db : `${db}-wal`, folder.file(name));
    writer.close();
    for (const name of ['left.db', 'left.db-wal']) fs.chmodSync(folder.file(name), 0o444);
    fs.chmodSync(folder.path, 0o555);
    const { json } = asNobody(folder.file('left.db'), 'list');
    fs.chmodSync(folder.path, 0o755);
    expect(json).toMatchObject({
      error: 'DB_ERROR',
      hint: expect.stringContaining('left.db-wal holds writes'),
    });
  });

  test('says that a database of the Python tool there has to be migrated', () => {
    using folder = tempFolder();
    const db = folder.file('old.db');
    makePythonDatabase(db);
    fs.chmodSync(db, 0o444);
    fs.chmodSync(folder.path, 0o555);
    const { status, json } = asNobody(db, 'list');
    fs.chmodSync(folder.path, 0o755);
    expect([status, json]).toMatchObject([
      4,
      { message: expect.stringContaining('has to be migrated'), hint: expect.stringContaining(`cp ${db} migrated.db`) },
    ]);
  });

  test('reads in a folder that cannot be written', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'project', '--key', 'k1', '--content', 'readable');
    fs.chmodSync(folder.file('memtool.db'), 0o444);
    fs.chmodSync(folder.path, 0o555);
    const run = (...args: string[]) => asNobody(folder.file('memtool.db'), ...args);
    const [found, listed, again] = [run('search', 'readable'), run('list'), run('init')];
    const written = run('put', '--type', 'run', '--content', 'x');
    fs.chmodSync(folder.path, 0o755);
    for (const { json } of [found, listed]) expect(json).toMatchObject({ ok: true, total: 1 });
    expect(again).toMatchObject({ status: 0, json: { created: false, schema_version: 1 } });
    expect(written).toMatchObject({
      status: 4,
      json: { error: 'DB_ERROR', retryable: false, hint: expect.stringContaining('writable') },
    });
  });

  test('init succeeds on a file that lacks nothing, and fails on one without its index', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    fs.chmodSync(folder.path, 0o755);
    fs.chmodSync(db, 0o444);
    const complete = asNobody(db, 'init');
    fs.chmodSync(db, 0o644);
    const other = new DatabaseSync(db);
    other.exec('drop table memory_fts');
    other.close();
    fs.chmodSync(db, 0o444);
    expect(complete).toMatchObject({ status: 0, json: { created: false, fts5: true, journal_mode: 'wal' } });
    expect(asNobody(db, 'init')).toMatchObject({ status: 4, json: { error: 'DB_ERROR', retryable: false } });
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });
});

test('figures of the index that are cached for many reads belong to the state that is read', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'the first quokka' });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  context.store.expectManyReads();
  const frequency = () => context.store.snapshot(() => context.store.documentFrequency('"quokka"'));
  expect([frequency(), frequency()]).toEqual([1, 1]);
  await store.run('put', { type: 'run', content: 'another quokka' });
  expect([frequency(), frequency()]).toEqual([2, 2]);
  const during = context.store.snapshot(() => {
    const writer = new DatabaseSync(store.path);
    writer.exec('delete from memory_fts where rowid = 1; delete from memory_items where seq = 1');
    writer.close();
    return context.store.documentFrequency('"quokka"');
  });
  expect([during, frequency()]).toEqual([2, 1]);
});

test('texts that are cached for many reads belong to the state that is read', async () => {
  using store = await tempStore();
  for (const content of ['the first quokka', 'a second one', 'a third one'])
    await store.run('put', { type: 'run', content });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  context.store.expectManyReads();
  const read = (seqs: readonly number[], mostChars = 1000) =>
    context.store.snapshot(() => [...context.store.scoredTexts(seqs, mostChars)]);
  const contents = (...args: Parameters<typeof read>) => read(...args).map(({ seq, content }) => `${seq} ${content}`);
  const [first] = read([2]);
  expect(read([2])[0]).toBe(first);
  // cached, read, missing and cached ones, in the order of the request
  expect(contents([7, 3, 2, 9, 1, 8])).toEqual(['3 a third one', '2 a second one', '1 the first quokka']);
  expect(contents([3, 7, 1, 2])).toEqual(['3 a third one', '1 the first quokka', '2 a second one']);
  expect(contents([1, 2], 8)).toEqual(['1 the firs', '2 a second']);
  expect(contents([1], 16)).toEqual(['1 the first quokka']);
  const writer = new DatabaseSync(store.path);
  writer.exec("update memory_items set content = 'another one' where seq = 2; delete from memory_items where seq = 3");
  writer.close();
  expect(contents([3, 2, 1])).toEqual(['2 another one', '1 the first quokka']);
});

test('rows of matches come in order, the newest if there are more than wanted; cached ones are of the state read', async () => {
  using store = await tempStore();
  for (const content of ['the first quokka', 'another animal', 'a second quokka', 'a third quokka'])
    await store.run('put', { type: 'run', content });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  const rows = (most: number) => context.store.snapshot(() => context.store.rowsOrNewest('"quokka"', most));
  const isCached = () => rows(9) === rows(9);
  expect([rows(9), rows(3), rows(2), isCached()]).toEqual([[1, 3, 4], [1, 3, 4], [3, 4], false]);
  context.store.expectManyReads();
  expect([rows(9), rows(3), rows(2), isCached()]).toEqual([[1, 3, 4], [1, 3, 4], [3, 4], true]);
  await store.run('put', { type: 'run', content: 'a fourth quokka' });
  expect([rows(9), rows(3), rows(2)]).toEqual([
    [1, 3, 4, 5],
    [3, 4, 5],
    [4, 5],
  ]);
});

test('a -wal file that two closing processes have left to each other is checkpointed', async () => {
  using store = await tempStore();
  const files = () => fs.readdirSync(path.dirname(store.path)).toSorted();
  const name = path.basename(store.path);
  const context = createContext({ dbPath: store.path, access: 'write', operations: [] });
  context.store.db.exec('begin immediate; update meta set value = value; commit');
  // another connection that closes at the same moment: it sees this one's lock, and is gone when that is released
  const other = new DatabaseSync(store.path, { readOnly: true });
  other.prepare('select count(*) from memory_items').get();
  const close = context.store.db.close.bind(context.store.db);
  context.store.db.close = () => {
    close();
    other.close();
    expect(files()).toContain(`${name}-wal`);
  };
  context[Symbol.dispose]();
  expect(files()).toEqual([name]);
});

test('the -wal file stays while somebody has the database open', async () => {
  using store = await tempStore();
  const other = new DatabaseSync(store.path);
  other.exec('begin; select count(*) from memory_items');
  await store.run('put', { type: 'run', content: 'seen by both' });
  expect(fs.existsSync(`${store.path}-wal`)).toBe(true);
  other.close();
  expect(fs.existsSync(`${store.path}-wal`)).toBe(false);
  expect((await store.run('list')).total).toBe(1);
});

test('a database with several names is warned of, since each name has a log of its own', async () => {
  using folder = await workspace();
  const put = ['put', '--type', 'project', '--key', 'k', '--content', 'v'];
  expect((await folder.run(...put)).json).not.toHaveProperty('warnings');
  fs.linkSync(folder.file('memtool.db'), folder.file('other.db'));
  const warning = expect.stringContaining('has 2 names (hard links)');
  expect((await folder.run(...put, '--new')).json['warnings']).toContainEqual(warning);
  expect((await folder.run('doctor')).json['checks']).toContainEqual(
    expect.objectContaining({ name: 'place', status: 'warning', message: warning }),
  );
  expect((await folder.run('list')).json).not.toHaveProperty('warnings');
  fs.unlinkSync(folder.file('other.db'));
  expect((await folder.run(...put, '--new')).json).not.toHaveProperty('warnings');
});

test('what another program was killed in the middle of writing is not read as stored', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  const lines = Array.from({ length: 300 }, (_, at) =>
    JSON.stringify({ id: `n${at}`, type: 'run', content: `committed ${'x'.repeat(3000)}` }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  const script = `
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const db = new DatabaseSync(process.argv[1]);
    db.exec("pragma journal_mode = delete; pragma cache_size = 5; begin; update memory_items set content = 'not ' || content");
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['-e', script, db]);
  expect(fs.statSync(`${db}-journal`).size).toBeGreaterThan(0);
  fs.chmodSync(folder.path, 0o555);
  for (const file of [db, `${db}-journal`]) fs.chmodSync(file, 0o444);
  const { status, json } = asNobody(db, 'get', 'n1');
  expect([status, json]).toMatchObject([4, { error: 'DB_ERROR', hint: expect.stringContaining(`${db}-journal`) }]);
  fs.chmodSync(folder.path, 0o755);
  for (const file of [db, `${db}-journal`]) fs.chmodSync(file, 0o644);
  expect((await folder.run('get', 'n1')).json).toMatchObject({
    item: { content: expect.stringMatching(/^committed/) },
  });
});

test('init refuses a link to a name that SQLite would take for a part of another database', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'run', '--content', 'kept');
  const link = folder.file('w.db');
  fs.symlinkSync('memtool.db-wal', link);
  expect(await memtool(['--db', link, 'init'])).toMatchObject({ code: 2 });
  expect(fs.existsSync(folder.file('memtool.db-wal'))).toBe(false);
});

test.each([
  ['a file', (folder: TempFolder) => folder.file('x', 'text')],
  ['a device', () => '/dev/null'],
  [
    'a link to a file',
    (folder: TempFolder) => {
      folder.file('x', 'text');
      const link = folder.file('link');
      fs.symlinkSync('x', link);
      return link;
    },
  ],
])('a database cannot be below %s, and no hint says so', async (_what, parentIn) => {
  using folder = tempFolder();
  const parent = parentIn(folder);
  const link = folder.file('w.db');
  fs.symlinkSync(path.join(parent, 'a.db'), link);
  for (const db of [path.join(parent, 'a.db'), path.join(parent, 'sub/a.db'), link])
    for (const args of [['init'], ['list'], ['put', '--type', 'run', '--content', 'x']]) {
      const { code, json } = await memtool(['--db', db, ...args]);
      expect([db, args, code, json['message']]).toEqual([
        db,
        args,
        2,
        expect.stringMatching(/^the database cannot be at .*: .* is not a folder$/),
      ]);
      expect(json['hint']).toBe('check --db or MEMTOOL_DB');
    }
});

test('an import that waits for its sender holds no state of the database', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  await folder.run('put', '--type', 'run', '--content', 'x');
  const child = spawn(process.execPath, [PROGRAM, '--db', db, 'import', '--input', '-'], { stdio: 'pipe' });
  child.stdin.write('{"id":"n1","type":"run","content":"first"}\n');
  await openedByAnother(db);
  await new Promise((resolve) => setTimeout(resolve, 500)); // until the first line has been checked
  await folder.run('put', '--type', 'run', '--content', 'y');
  const other = new DatabaseSync(db);
  expect(other.prepare('pragma wal_checkpoint(truncate)').get()).toMatchObject({ busy: 0 });
  other.close();
  child.stdin.end('{"id":"n2","type":"run","content":"second"}\n');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect((await folder.run('list')).json).toMatchObject({ total: 4 });
});

test('doctor --fix keeps a time that was written while it waited for the lock', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  const { json } = await folder.run('put', '--type', 'run', '--content', 'x');
  const holder = new DatabaseSync(db);
  holder.exec("update memory_items set updated_at = '2026-01-01T00:00:00+00:00'; begin immediate");
  const fixed = folder.run('doctor', '--fix');
  await openedByAnother(db);
  await new Promise((resolve) => setTimeout(resolve, 1000)); // until it has made its checks and waits
  holder.exec("update memory_items set updated_at = '2026-07-01T00:00:00.000Z'; commit");
  holder.close();
  expect((await fixed).code).toBe(0);
  expect((await folder.run('get', String(json['id']))).json).toMatchObject({
    item: { updated_at: '2026-07-01T00:00:00.000Z' },
  });
});

test('doctor --fix names its copy if it has repaired something, and cannot finish a purge', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  await folder.run('put', '--type', 'run', '--content', 'x');
  using reader = new DatabaseSync(db);
  reader.exec("update memory_items set updated_at = '2026-01-01T00:00:00+00:00'");
  reader.exec("insert into meta (key, value) values ('unfinished_purge', '1'); begin");
  reader.prepare('select count(*) from memory_items').get();
  const { code, json } = await folder.run('doctor', '--fix');
  expect([code, json['retryable'], json['backup']]).toEqual([4, true, `${db}.before-fix`]);
  expect(fs.existsSync(`${db}.before-fix`)).toBe(true);
  reader.exec('commit');
  expect((await folder.run('doctor', '--fix')).json).not.toHaveProperty('backup');
  expect((await folder.run('doctor')).code).toBe(0);
});

test('doctor --fix that cannot get the lock makes no copy', async () => {
  using folder = await workspace();
  const holder = new DatabaseSync(folder.file('memtool.db'));
  holder.exec("update meta set value = 'other'; begin immediate");
  expect((await folder.run('doctor', '--fix')).json).toMatchObject({ error: 'DB_ERROR', retryable: true });
  holder.close();
  expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
});

describe('locks', () => {
  test('a writer waits for a lock that is released in time', async () => {
    using folder = await workspace();
    const holder = new DatabaseSync(folder.file('memtool.db'));
    holder.exec('begin immediate');
    const put = folder.run('put', '--type', 'project', '--key', 'k1', '--content', 'v');
    await openedByAnother(folder.file('memtool.db'));
    await new Promise((resolve) => setTimeout(resolve, 500)); // from opening the file to waiting for the lock
    holder.exec('rollback');
    holder.close();
    expect((await put).json).toMatchObject({ ok: true, action: 'inserted' });
  });

  const WRITE = ['put', '--type', 'project', '--key', 'k1', '--content', 'v'];
  test.each([
    ['removed', 'rollback', WRITE, ''],
    ['replaced by another database', 'rollback', WRITE, ''],
    ['replaced by another database', 'commit', WRITE, ''],
    ['replaced by another database', 'commit', ['purge', 'n1', '--apply'], ''],
    ['replaced by another database', 'commit', ['init'], "update meta set value = 'other'"],
    ['replaced by another database', 'commit', ['doctor', '--fix'], "update meta set value = 'other'"],
    [
      'replaced by another database',
      'commit',
      ['doctor', '--fix'],
      "update memory_items set updated_at = '2026-01-01T00:00:00+00:00'",
    ],
  ])(
    'a writer that waited for a lock does not write into a file that was %s meanwhile (%s, %j, %s)',
    async (what, end, args, damage) => {
      using folder = await workspace();
      const [file, other] = [folder.file('memtool.db'), folder.file('other.db')];
      await folder.pipe('{"id":"n1","type":"project","key":"other","content":"of the other branch"}', 'import');
      fs.copyFileSync(file, other);
      const bytes = fs.readFileSync(other);
      const holder = new DatabaseSync(file);
      if (damage !== '') holder.exec(damage);
      holder.exec('begin immediate');
      const written = folder.run(...args);
      await openedByAnother(file);
      if (what === 'removed') fs.unlinkSync(file);
      else fs.renameSync(other, file);
      holder.exec(`update memory_items set source = hex(randomblob(20000)); ${end}`);
      holder.close();
      const { code, json } = await written;
      expect([code, json['error'], json['retryable']]).toEqual([4, 'DB_ERROR', true]);
      expect(json['message']).toContain('nothing was written');
      if (what === 'removed') {
        expect(fs.existsSync(file)).toBe(false);
        return;
      }
      expect(fs.readFileSync(file).equals(bytes)).toBe(true);
      // no log is left that SQLite would take for that of the other file
      expect(fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
      expect((await folder.run('get', 'n1')).json).toMatchObject({ item: { content: 'of the other branch' } });
      expect((await folder.run('doctor')).code).toBe(0);
    },
  );

  test('after 5 s a held lock is a retryable DB_ERROR; readers never wait', async () => {
    using folder = await workspace();
    const holder = new DatabaseSync(folder.file('memtool.db'));
    holder.exec('begin immediate');
    const put = folder.run('put', '--type', 'project', '--key', 'k1', '--content', 'v');
    expect((await folder.run('list')).json).toMatchObject({ ok: true, total: 0 });
    const { code, json } = await put;
    holder.exec('rollback');
    holder.close();
    expect(code).toBe(4);
    expect(json).toMatchObject({ error: 'DB_ERROR', retryable: true, message: expect.stringContaining('5000 ms') });
    expect((await folder.run('list')).json).toMatchObject({ total: 0 });
  });
});

test.each([
  ['an export', '{"id":"a","type":"run"}\n', 'import --db memtool.db --input'],
  ['a text', '术语表 glossary\n', 'it is a text: check --db'],
  ['other bytes', 'SQLite format 9\0\x01\x02', 'restore a backup with'],
])('%s in place of a database is not to be overwritten because of a hint', async (_name, bytes, hint) => {
  using folder = tempFolder();
  const file = folder.file('x.db', bytes.padEnd(200, bytes));
  const { json } = await memtool(['--db', file, 'list']);
  expect(json['hint']).toContain(hint);
  if (hint !== 'restore a backup with') expect(json['hint']).not.toContain('overwrite');
});
