import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { asFileError } from '../../src/store/sqlite-errors.ts';
import { shell, workspace } from '../helpers/memtool.ts';
import { errorOf, tempStore, type TestStore } from '../helpers/store.ts';

async function filled(): Promise<TestStore> {
  const store = await tempStore();
  for (const content of ['数据库索引', 'connection pool', 'to be deleted'])
    await store.run('put', { type: 'project', key: content, content });
  const { items } = await store.run('list', {});
  await store.run('delete', { id: [items[0].id] });
  return store;
}

const linesOf = async (db: string): Promise<unknown> => {
  using copy = new DatabaseSync(db);
  return ['memory_items', 'memory_history', 'meta', 'memory_fts_docsize'].map((table) =>
    copy.prepare(`select * from ${table}`).all(),
  );
};

test('a backup is the complete database: sound, private, a single file, and directly usable', async () => {
  using store = await filled();
  const output = path.join(store.folder, 'copies', 'copy.db');
  fs.mkdirSync(path.dirname(output));
  const told = await store.run('backup', { output });
  expect(told).toEqual({ output, items: 2, bytes: fs.statSync(output).size });
  expect(fs.readdirSync(path.dirname(output))).toEqual(['copy.db']);
  expect(fs.statSync(output).mode & 0o777).toBe(0o600);
  expect(await linesOf(output)).toEqual(await linesOf(store.path));
  using copy = new DatabaseSync(output);
  expect(copy.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
});

test('a backup contains what is committed while another connection writes', async () => {
  using store = await filled();
  using writer = new DatabaseSync(store.path);
  writer.exec("begin immediate; update memory_items set content = 'not committed'");
  const output = path.join(store.folder, 'copy.db');
  expect(await store.run('backup', { output })).toMatchObject({ items: 2 });
  writer.exec('rollback');
  expect(await linesOf(output)).toEqual(await linesOf(store.path));
});

test('an existing file is replaced only on request, and never by a broken copy', async () => {
  using store = await filled();
  const output = path.join(store.folder, 'copy.db');
  fs.writeFileSync(output, 'precious');
  expect(await errorOf(store.run('backup', { output }))).toMatchObject({
    code: 'PARAM_ERROR',
    hint: expect.stringContaining('--overwrite'),
  });
  expect(fs.readFileSync(output, 'utf8')).toBe('precious');
  // an unreadable root page of the table makes the copy fail
  using writer = new DatabaseSync(store.path);
  writer.exec('pragma wal_checkpoint(truncate)');
  const { rootpage } = writer.prepare("select rootpage from sqlite_master where name = 'memory_items'").get() as {
    rootpage: number;
  };
  writer.close();
  const fd = fs.openSync(store.path, 'r+');
  fs.writeSync(fd, Buffer.alloc(100, 0xff), 0, 100, (rootpage - 1) * 8192);
  fs.closeSync(fd);
  expect(await errorOf(store.run('backup', { output, overwrite: true }))).toMatchObject({ code: 'DB_ERROR' });
  expect(fs.readFileSync(output, 'utf8')).toBe('precious');
  expect(fs.readdirSync(store.folder).filter((name) => name.includes('.tmp'))).toEqual([]);
});

test.each([
  ['a memory of an unknown layer', "pragma ignore_check_constraints = on; update memory_items set type = 'nosuch'"],
  ['a damaged search index', 'delete from memory_fts_data where id > 100'],
])('a copy with %s is discarded, and the file that it would replace stays', async (_what, damage) => {
  using store = await filled();
  const db = new DatabaseSync(store.path);
  db.enableDefensive(false);
  db.exec(damage);
  db.close();
  const output = path.join(store.folder, 'copy.db');
  fs.writeFileSync(output, 'precious');
  expect(await errorOf(store.run('backup', { output, overwrite: true }))).toMatchObject({
    code: 'DB_ERROR',
    message: expect.stringMatching(/^the copy is damaged and was discarded: ./),
    hint: expect.stringContaining('memtool doctor'),
  });
  expect(fs.readFileSync(output, 'utf8')).toBe('precious');
  expect(fs.readdirSync(store.folder).toSorted()).toEqual(['copy.db', 'memtool.db']);
});

test('the database itself, a folder and a missing folder are refused', async () => {
  using store = await filled();
  for (const output of [store.path, store.folder, path.join(store.folder, 'nosuch/copy.db'), '/dev/null'])
    expect(await errorOf(store.run('backup', { output, overwrite: true }))).toMatchObject({ code: 'PARAM_ERROR' });
  expect((await store.run('list', {})).total).toBe(2);
});

test('a target next to the log of another database is refused, and so is a name that belongs to this one', async () => {
  using store = await filled();
  for (const suffix of ['-wal', '-shm', '-journal']) {
    const output = path.join(store.folder, `old${suffix}.db`);
    fs.writeFileSync(`${output}${suffix}`, 'of another');
    for (const overwrite of [false, true]) {
      expect(await errorOf(store.run('backup', { output, overwrite }))).toMatchObject({
        code: 'PARAM_ERROR',
        message: expect.stringContaining(`old${suffix}.db${suffix}`),
      });
    }
    expect(fs.existsSync(output)).toBe(false);
    for (const name of ['backup', 'export'])
      expect(await errorOf(store.run(name, { output: `${store.path}${suffix}` }))).toMatchObject({
        code: 'PARAM_ERROR',
      });
  }
  expect(await errorOf(store.run('backup', { output: '-' }))).toMatchObject({ code: 'PARAM_ERROR' });
});

test('a copy that cannot be written is told as that of the output or of the repair, and leaves nothing', async () => {
  using folder = await workspace();
  const lines = Array.from({ length: 100 }, () => `{"type":"run","content":"${'text '.repeat(1000)}"}`);
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  const db = new DatabaseSync(folder.file('memtool.db'));
  db.exec('drop index memory_items_updated');
  db.close();
  const limited = (line: string) => shell(`ulimit -f 100; memtool ${line}`, { cwd: folder.path });
  expect((await limited('backup --output copy.db')).json).toMatchObject({
    error: 'PARAM_ERROR',
    message: 'output "copy.db" cannot be used: disk I/O error',
    hint: 'choose another output file',
  });
  expect((await limited('doctor --fix')).json).toMatchObject({
    error: 'DB_ERROR',
    message: `the database could not be copied: the copy cannot be used: disk I/O error; nothing was changed: ${folder.file('memtool.db')}`,
  });
  expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
});

test.each([
  ['the disk is full', 13, 'ENOSPC'],
  ['a file cannot be written (SQLITE_IOERR_WRITE)', 778, 'EIO'],
  ['a file cannot be flushed (SQLITE_IOERR_FSYNC)', 1034, 'EIO'],
  ['the database cannot be read (SQLITE_IOERR_READ)', 266, undefined],
  ['the database is damaged', 11, undefined],
])(
  'of what SQLite reports while it copies, only what is about the copy is an error of that file: %s',
  (_what, errcode, code) => {
    const error = Object.assign(new Error('message'), { errcode });
    const told = asFileError(error);
    if (code === undefined) expect(told).toBe(error);
    else expect(told).toMatchObject({ message: 'message', code, syscall: 'write', cause: error });
  },
);

test('leftovers that cannot be removed do not make a backup fail', async () => {
  using store = await filled();
  const folder = path.join(store.folder, '.memtool-1-abc.tmp');
  fs.mkdirSync(folder);
  fs.utimesSync(folder, new Date(0), new Date(0));
  await store.run('backup', { output: path.join(store.folder, 'copy.db') });
  expect(fs.existsSync(folder)).toBe(true);
});

test('leftovers of a killed run are removed by the next run, once they are old', async () => {
  using store = await filled();
  const old = path.join(store.folder, '.memtool-4242-abc.tmp');
  const young = path.join(store.folder, '.memtool-4242-abd.tmp');
  const companions = ['-wal', '-shm', '-journal'].map((suffix) => `${old}${suffix}`);
  const others = ['.memtool-4242-abc.tmp.txt', '.memtool-x-abc.tmp', 'memtool-4242-abc.tmp'].map((name) =>
    path.join(store.folder, name),
  );
  for (const file of [old, young, ...companions, ...others]) fs.writeFileSync(file, 'half');
  for (const file of [old, ...companions, ...others]) fs.utimesSync(file, new Date(0), new Date(0));
  await store.run('backup', { output: path.join(store.folder, 'copy.db') });
  expect([old, ...companions].filter((file) => fs.existsSync(file))).toEqual([]);
  expect([young, ...others].filter((file) => !fs.existsSync(file))).toEqual([]);
});
