import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { memtool, openedByAnother, PROGRAM, workspace, type Workspace } from '../helpers/memtool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

/** Puts the same key repeatedly, each time in a new process. */
async function putMany(db: string, writer: string, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    const ran = await memtool([
      '--db',
      db,
      'put',
      '--type',
      'project',
      '--key',
      'same',
      '--content',
      `${writer} ${at}`,
    ]);
    if (ran.code !== 0) throw new Error(ran.stdout);
  }
}

test('two writers of one key, 200 times each: one item, version 400, 400 versions', { timeout: 240_000 }, async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  await Promise.all([putMany(db, 'a', 200), putMany(db, 'b', 200)]);
  const { items, total } = (await folder.run('list')).json as {
    items: { id: string; version: number }[];
    total: number;
  };
  expect([total, items[0]?.version]).toEqual([1, 400]);
  const { versions } = (await folder.run('history', items[0]?.id ?? '')).json as {
    versions: { version: number; content: string }[];
  };
  expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 400 }, (_, at) => 400 - at));
  expect(new Set(versions.map(({ content }) => content)).size).toBe(400);
});

test('exactly one of many writers that compare and set the same version wins', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'project', '--key', 'k', '--content', '0');
  const runs = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      folder.run('put', '--type', 'project', '--key', 'k', '--content', `w${at}`, '--if-version', '1'),
    ),
  );
  expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 6, 6, 6, 6, 6, 6, 6]);
  expect((await folder.run('get', '--type', 'project', '--key', 'k')).json).toMatchObject({ item: { version: 2 } });
});

describe('what another process writes while a command waits for the lock counts', () => {
  const times = "'2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z'";
  const insert = `insert into memory_items (id, type, key, content, version, created_at, updated_at) values`;
  test.each([
    [
      'cleanup keeps what has just been updated',
      ['cleanup', '--older-than-days', '100', '--apply'],
      "update memory_items set updated_at = '2999-01-01T00:00:00.000Z'",
      { code: 0, json: { deleted: 0, candidates: [] } },
    ],
    [
      'purge keeps what has just been restored',
      ['purge', '--deleted-before', '2999-01-01', '--apply'],
      `${insert} ('gone', 'run', 'gone', 'theirs', 5, ${times})`,
      { code: 0, json: { purged: 0 } },
    ],
    [
      'restore does not replace what has just been restored',
      ['restore', 'gone'],
      `${insert} ('gone', 'run', 'gone', 'theirs', 5, ${times})`,
      { code: 2, json: { error: 'PARAM_ERROR' } },
    ],
    [
      'put by key updates what has just been inserted',
      ['put', '--type', 'run', '--key', 'absent', '--content', 'mine'],
      `${insert} ('new', 'run', 'absent', 'theirs', 5, ${times})`,
      { code: 0, json: { action: 'updated', id: 'new', version: 6 } },
    ],
    [
      'put keeps the fields that have just been written',
      ['put', '--id', 'there', '--weight', '3'],
      "update memory_items set content = 'theirs', version = 5",
      { code: 0, json: { version: 6 } },
    ],
    [
      'import does not set back what has just become newer',
      ['import', '--input', 'newer.jsonl'],
      "update memory_items set content = 'theirs', version = 5",
      { code: 0, json: { updated: 0, skipped: 1 } },
    ],
  ])('%s', async (_what, args, sql, expected) => {
    using folder = await workspace();
    const old = { type: 'run', content: 'old', version: 1, updated_at: '2020-01-01T00:00:00.000Z' };
    const lines = ['there', 'gone'].map((id) => JSON.stringify({ ...old, id, key: id }));
    await folder.pipe(lines.join('\n'), 'import', '--input', '-');
    await folder.run('delete', 'gone');
    folder.file('newer.jsonl', JSON.stringify({ ...old, id: 'there', key: 'there', content: 'newer', version: 2 }));
    using holder = new DatabaseSync(folder.file('memtool.db'));
    holder.exec('begin immediate');
    const waiting = folder.run(...args);
    await openedByAnother(folder.file('memtool.db'));
    await new Promise((resolve) => setTimeout(resolve, 500)); // from opening the file to waiting for the lock
    holder.exec(`${sql}; commit`);
    expect(await waiting).toMatchObject(expected);
    const { total, items } = (await folder.run('list', '--fields', 'content')).json;
    if (sql.startsWith(insert)) expect(total).toBe(2);
    else if (sql.includes('theirs')) expect(items).toEqual([{ content: 'theirs' }]);
    else expect(total).toBe(1);
  });
});

test('twelve concurrent first runs of init all succeed', async () => {
  using folder = tempFolder();
  const db = folder.file('memtool.db');
  const runs = await Promise.all(Array.from({ length: 12 }, () => memtool(['--db', db, 'init'])));
  expect(runs.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual(Array.from({ length: 12 }, () => 0));
  expect((await memtool(['--db', db, 'doctor'])).json).toMatchObject({ ok: true });
});

test('writers of different keys and readers at once: nothing fails, nothing is lost', async () => {
  using folder = await workspace();
  const runs = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      at % 2 === 0
        ? folder.run('put', '--type', 'run', '--task-id', 't', '--key', `k${at}`, '--content', `alpha ${at}`)
        : folder.run('search', 'alpha'),
    ),
  );
  expect(runs.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual(Array.from({ length: 24 }, () => 0));
  expect((await folder.run('search', 'alpha')).json).toMatchObject({ total: 12 });
});

/** A workspace with many memories whose index was built by another tokenizer. */
async function outdated(count: number): Promise<Workspace> {
  const folder = await workspace();
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ type: 'run', key: `k${at}`, content: `第${at}步 重建索引 rebuild ${'用户登录缓存 '.repeat(20)}` }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  using db = new DatabaseSync(folder.file('memtool.db'));
  db.exec("update meta set value = 'other' where key = 'tokenizer_version'");
  return folder;
}

test('a rebuild killed at any point loses nothing: every item is found, and the next rebuild is complete', async () => {
  using folder = await outdated(2000);
  const db = folder.file('memtool.db');
  for (const delayMs of [0, 50, 100, 150, 200, 250]) {
    const child = spawn(process.execPath, [PROGRAM, '--db', db, 'doctor', '--fix'], { stdio: 'ignore' });
    const ended = once(child, 'close');
    setTimeout(() => child.kill('SIGKILL'), delayMs);
    await ended;
    expect((await folder.run('search', '第1999步', '--limit', '1', '--fields', 'key')).json).toMatchObject({
      ok: true,
      items: [{ key: 'k1999' }],
    });
    expect((await folder.run('list', '--limit', '1')).json).toMatchObject({ total: 2000 });
  }
  expect((await folder.run('doctor', '--fix')).code).toBe(0);
  expect((await folder.run('doctor')).json['checks']).not.toContainEqual(
    expect.objectContaining({ status: 'warning' }),
  );
  expect((await folder.run('search', '第1999步', '--limit', '1', '--fields', 'key')).json).toMatchObject({
    fts5: true,
    items: [{ key: 'k1999' }],
  });
});

test('two rebuilds and a writer at once: all succeed, and the index is complete', async () => {
  using folder = await outdated(500);
  const runs = await Promise.all([
    folder.run('doctor', '--fix'),
    folder.run('doctor', '--fix'),
    folder.run('put', '--type', 'run', '--key', 'new', '--content', '写在重建当中'),
  ]);
  expect(runs.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual([0, 0, 0]);
  expect((await folder.run('doctor')).json['checks']).not.toContainEqual(
    expect.objectContaining({ status: 'warning' }),
  );
  expect((await folder.run('search', '写在重建当中', '--limit', '1', '--fields', 'key')).json).toMatchObject({
    fts5: true,
    items: [{ key: 'new' }],
  });
});

test('exactly one of eight concurrent inits reports that it created the database', async () => {
  using folder = tempFolder();
  const db = folder.file('new.db');
  const runs = await Promise.all(Array.from({ length: 8 }, () => memtool(['--db', db, 'init'])));
  expect(runs.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
  expect(runs.filter(({ json }) => json['created'] === true)).toHaveLength(1);
});
