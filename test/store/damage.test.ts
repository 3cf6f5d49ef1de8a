import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { runCommand, PROGRAM, shell, workspace, type Workspace } from '../helpers/memtool.ts';

const PAGE = 8192;
/** First byte of an interior page of a table. Source: sqlite.org/fileformat2.html, section 1.6. */
const INTERIOR = 0x05;

/** Fills a database with 40 notes over several pages, whose index is of another tokenizer, so that the next write
 * rebuilds it. */
async function fill(folder: Workspace): Promise<{ file: string; bytes: Buffer; root: number }> {
  const file = folder.file('memtool.db');
  const lines = Array.from({ length: 40 }, (_, at) =>
    JSON.stringify({ id: `n${at}`, type: 'run', content: `note ${at} ${'filler '.repeat(150)}` }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  const db = new DatabaseSync(file);
  db.exec("update meta set value = 'other' where key = 'tokenizer_version'");
  const page = Number(db.prepare("select rootpage from sqlite_schema where name = 'memory_items'").get()?.['rootpage']);
  db.close();
  return { file, bytes: fs.readFileSync(file), root: (page - 1) * PAGE };
}

/** Offset of a cell of an interior page: the number of the child page in four bytes, then the largest row in it as a
 * varint (here of one byte). */
function cell(bytes: Buffer, root: number, at: number): number {
  return root + bytes.readUInt16BE(root + 12 + 2 * at);
}

describe('a table whose pages are in the wrong order', () => {
  test.each([
    [
      'rows that start again',
      (first: number, second: number, bytes: Buffer) => {
        swap(bytes, first, second);
        // rows after the first page are searched for in it, and the next page starts with row 1 again
        bytes[first + 4] = (bytes[second + 4] ?? 0) + 1;
      },
    ],
    ['rows that are not found', (first: number, second: number, bytes: Buffer) => swap(bytes, first, second)],
  ])('is reported as damage, at once: %s', async (_name, harm) => {
    using folder = await workspace();
    const { file, bytes, root } = await fill(folder);
    expect([bytes[root], bytes.readUInt16BE(root + 3)]).toEqual([INTERIOR, expect.any(Number)]);
    harm(cell(bytes, root, 0), cell(bytes, root, 1), bytes);
    fs.writeFileSync(file, bytes);
    const ended = runCommand('timeout', [
      '20',
      process.execPath,
      PROGRAM,
      '--db',
      file,
      'put',
      '--type',
      'run',
      '--content',
      'x',
    ]);
    const { code, json } = await ended;
    expect([code, json]).toMatchObject([4, { error: 'DB_ERROR', hint: expect.stringContaining('memtool doctor') }]);
    expect(fs.readFileSync(file).equals(bytes)).toBe(true);
  });
});

describe('a write that could not be found again is not acknowledged', () => {
  /** Puts every `step`-th entry of the index in which ids are looked up in the place of another id: its first letter is
   * replaced. */
  function scramble(file: string, bytes: Buffer, step: number): void {
    const db = new DatabaseSync(file);
    const name = 'sqlite_autoindex_memory_items_1';
    const page = Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage']);
    db.close();
    let entries = 0;
    for (let at = (page - 1) * PAGE; at < page * PAGE - 1; at += 1) {
      const isIdentifier = bytes[at] === 'n'.charCodeAt(0) && (bytes[at + 1] ?? 0) <= '9'.charCodeAt(0);
      if (!isIdentifier) continue;
      if (entries % step === 0) bytes[at] = '-'.charCodeAt(0) + (at % 90);
      entries += 1;
    }
    fs.writeFileSync(file, bytes);
  }

  test('of a new item', async () => {
    using folder = await workspace();
    const { file, bytes } = await fill(folder);
    scramble(file, bytes, 1);
    let refused = 0;
    for (let at = 0; at < 20; at += 1) {
      const put = await folder.run('put', '--type', 'run', '--content', `x ${at}`);
      if (put.code === 0) {
        expect(await folder.run('get', String(put.json['id']))).toMatchObject({ code: 0 });
        continue;
      }
      expect(put.json).toMatchObject({ error: 'DB_ERROR' });
      refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('of a stored item', async () => {
    using folder = await workspace();
    const { file, bytes } = await fill(folder);
    scramble(file, bytes, 3);
    let refused = 0;
    // of these ids, some are not found, and some are found but would not be again after a write
    for (let at = 10; at < 16; at += 1) {
      fs.writeFileSync(file, bytes);
      const id = `n${at}`;
      if ((await folder.run('get', id)).code !== 0) continue;
      const put = await folder.run('put', '--id', id, '--content', 'changed');
      if (put.code === 0) {
        expect((await folder.run('get', id)).json).toMatchObject({ item: { id, content: 'changed' } });
        continue;
      }
      expect([id, put.json]).toMatchObject([id, { error: 'DB_ERROR' }]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

test.each([
  ['of keys', 'memory_items_type_key', 'key-3', 'key-X'],
  ['of ids', 'sqlite_autoindex_memory_items_1', 'note-3', 'note-Y'],
  ['of ids, so that two seem to be the same', 'sqlite_autoindex_memory_items_1', 'note-3', 'note-4'],
])('an index %s that does not agree with the memories is detected and built again', async (_name, index, from, to) => {
  using folder = await workspace();
  const file = folder.file('memtool.db');
  const lines = Array.from({ length: 9 }, (_, at) =>
    JSON.stringify({ id: `note-${at}`, type: 'run', key: `key-${at}`, content: `text ${at}` }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  const db = new DatabaseSync(file);
  const page = Number(db.prepare('select rootpage from sqlite_schema where name = ?').get(index)?.['rootpage']);
  db.close();
  const bytes = fs.readFileSync(file);
  const at = bytes.indexOf(from, (page - 1) * PAGE);
  expect(at).toBeLessThan(page * PAGE);
  bytes.write(to, at);
  fs.writeFileSync(file, bytes);
  const by = index.includes('key') ? ['--type', 'run', '--key', 'key-3'] : ['note-3'];
  expect((await folder.run('get', ...by)).code).toBe(3);
  const found = await folder.run('doctor');
  expect(found).toMatchObject({ code: 4, json: { hint: expect.stringMatching(/^memtool doctor .*--fix/) } });
  expect((await folder.run('doctor', '--fix')).json).toMatchObject({ ok: true, backup: `${file}.before-fix` });
  expect((await folder.run('get', ...by)).json).toMatchObject({ item: { content: 'text 3' } });
  expect((await folder.run('doctor')).json).toMatchObject({ ok: true });
});

test('a damaged search index is found behind many problems of another index', async () => {
  using folder = await workspace();
  const file = folder.file('memtool.db');
  const lines = Array.from({ length: 150 }, (_, at) =>
    JSON.stringify({ id: `note-${at}`, type: 'run', key: `key-${at}`, content: `text ${at}` }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  const db = new DatabaseSync(file, { defensive: false });
  db.exec(`
    pragma writable_schema = on;
    update sqlite_schema set sql = replace(sql, '(type, key)', '(key, type)') where name = 'memory_items_type_key';
    update memory_fts_data set block = zeroblob(40) where id = (select max(id) from memory_fts_data)`);
  db.close();
  expect((await folder.run('doctor')).code).toBe(4);
  const { json } = await folder.run('doctor', '--fix');
  expect(json).toMatchObject({ ok: true });
  const { checks } = (await folder.run('doctor')).json as { checks: { status: string }[] };
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
});

function swap(bytes: Buffer, first: number, second: number): void {
  const [a, b] = [bytes.readUInt32BE(first), bytes.readUInt32BE(second)];
  bytes.writeUInt32BE(b, first);
  bytes.writeUInt32BE(a, second);
}

test('a user who has followed the hint on a damaged file gets a different hint', async () => {
  using folder = await workspace();
  for (let at = 0; at < 3; at += 1)
    await folder.run('put', '--type', 'run', '--content', `${'text '.repeat(2000)}${at}`);
  const db = folder.file('memtool.db');
  fs.truncateSync(db, 60_000);
  const hintOf = async (...args: string[]): Promise<string> => String((await folder.run(...args)).json['hint']);
  expect(await hintOf('list')).toContain('memtool doctor');
  for (const args of [['doctor'], ['doctor', '--fix']]) {
    const hint = await hintOf(...args);
    expect(hint).toContain(`memtool export --db ${db} --salvage`);
    expect(hint).not.toContain('memtool doctor');
  }
  const last = await hintOf('export', '--salvage', '--output', 'saved.jsonl');
  expect(last).toContain(`sqlite3 ${db} .recover`);
  expect(last).not.toMatch(/memtool (?:doctor|export)/);
});

test('a backup replaces a damaged database as the hints say, and no log is applied to it', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'run', '--key', 'k', '--content', 'in the backup');
  const [db, copy] = [folder.file('memtool.db'), folder.file('BACKUP.db')];
  await folder.run('backup', '--output', copy);
  await folder.run('put', '--type', 'run', '--key', 'k', '--content', 'x'.repeat(100_000));
  fs.truncateSync(db, 120_000);
  const hints: string[] = [];
  for (const args of [['list'], ['doctor'], ['export', '--salvage', '--output', 'saved.jsonl']]) {
    const { code, json } = await folder.run(...args);
    expect([args, code]).toEqual([args, 4]);
    hints.push(String(json['hint']));
  }
  const command = `memtool --db BACKUP.db backup --output ${db} --overwrite`;
  for (const hint of hints) expect(hint).toContain(`restore a backup with: ${command}`);
  expect(hints[0]).toContain(`memtool doctor --db ${db}; save`);
  // the log of a killed writer
  fs.copyFileSync(copy, folder.file('other.db'));
  using writer = new DatabaseSync(folder.file('other.db'));
  writer.exec("update memory_items set content = 'from the log'");
  for (const suffix of ['-wal', '-shm']) fs.copyFileSync(folder.file(`other.db${suffix}`), `${db}${suffix}`);
  expect(fs.statSync(`${db}-wal`).size).toBeGreaterThan(0);
  const refused = await shell(command, { cwd: folder.path });
  expect([refused.code, refused.json]).toMatchObject([2, { hint: expect.stringContaining(`rm ${db}-wal ${db}-shm`) }]);
  for (const suffix of ['-wal', '-shm']) fs.rmSync(`${db}${suffix}`);
  expect((await shell(command, { cwd: folder.path })).json).toMatchObject({ ok: true, items: 1 });
  expect((await folder.run('list')).json).toMatchObject({ items: [{ content: 'in the backup', version: 1 }] });
  expect((await folder.run('doctor')).json).toMatchObject({ ok: true });
  fs.writeFileSync(db, '');
  expect((await folder.run('list')).json['hint']).toMatch(new RegExp(`^restore a backup with: ${command}; or create`));
  fs.writeFileSync(db, 'no database\0'.repeat(100));
  expect((await folder.run('list')).json['hint']).toContain(command);
});

test('the fixes of a failing doctor are commands for this database', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'run', '--content', 'x');
  const db = folder.file('memtool.db');
  using writer = new DatabaseSync(db);
  writer.exec('update memory_items set version = 0');
  const { json } = await folder.run('doctor');
  expect(json).toMatchObject({ error: 'DB_ERROR' });
  expect(json['checks']).toContainEqual(
    expect.objectContaining({
      name: 'versions',
      fix: expect.stringMatching(
        new RegExp(
          `memtool export --db ${db} --salvage .*; or .*: memtool --db BACKUP.db backup --output ${db} --overwrite$`,
        ),
      ),
    }),
  );
});

test('a file that is not a database is not suggested for recovery', async () => {
  using folder = await workspace();
  fs.writeFileSync(folder.file('memtool.db'), '# a text\n'.repeat(100));
  const { json } = await folder.run('doctor');
  expect(json).toMatchObject({ error: 'DB_ERROR', message: expect.stringContaining('not a database') });
  expect(json['hint']).toContain('check --db');
});

test('a salvage says that there may be other items if nothing lists them all', async () => {
  using folder = await workspace();
  for (let at = 0; at < 30; at += 1)
    await folder.run('put', '--type', 'run', '--key', `k${at}`, '--content', `alpha ${at} ${'word'.repeat(50)}`);
  const db = new DatabaseSync(folder.file('memtool.db'));
  const roots = ['memory_items', 'sqlite_autoindex_memory_items_1', 'memory_items_updated'].map(
    (name) => db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage'] as number,
  );
  const { page_size: bytes } = db.prepare('pragma page_size').get() as { page_size: number };
  db.close();
  const fd = fs.openSync(folder.file('memtool.db'), 'r+');
  for (const root of roots) fs.writeSync(fd, Buffer.alloc(bytes), 0, bytes, (root - 1) * bytes);
  fs.closeSync(fd);
  const { code, json } = await folder.run('export', '--salvage', '--output', 'saved.jsonl');
  expect([code, json['count']]).toEqual([4, 0]);
  expect(json['message']).toMatch(/saved\.jsonl: there may be others, since/);
  expect(fs.readFileSync(folder.file('saved.jsonl'), 'utf8')).toBe('');
});
