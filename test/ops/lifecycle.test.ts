import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyPatch } from 'diff';
import { contentDiff } from '../../src/ops/content-diff.ts';
import { createContext } from '../../src/ops/context.ts';
import { networkWarning } from '../../src/store/check-file.ts';
import { memtool } from '../helpers/memtool.ts';
import { DAY, errorOf, NOW, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';

describe('history and restore', () => {
  test('list every version, newest first, with its fields', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', key: 'k', content: 'one\ntwo\n', tag: ['a'] });
    await store.run('put', { id, content: 'one\n2\n', confidence: 'high' }, { nowMs: NOW + 1000 });
    await store.run('delete', { id: [id] }, { nowMs: NOW + 2000 });
    const history = await store.run('history', { id });
    expect(history).toMatchObject({ id, deleted: true });
    expect(history['versions']).toEqual([
      {
        version: 2,
        changed_at: '2026-06-01T12:00:02.000Z',
        change: 'delete',
        type: 'run',
        task_id: null,
        step_id: null,
        key: 'k',
        content: 'one\n2\n',
        tags: ['a'],
        source: null,
        weight: 1,
        created_at: '2026-06-01T12:00:00.000Z',
        updated_at: '2026-06-01T12:00:01.000Z',
        confidence_level: 'high',
        verified_by: null,
      },
      expect.objectContaining({
        version: 2,
        changed_at: '2026-06-01T12:00:01.000Z',
        change: 'update',
        content: 'one\n2\n',
      }),
      expect.objectContaining({
        version: 1,
        changed_at: '2026-06-01T12:00:00.000Z',
        change: 'insert',
        content: 'one\ntwo\n',
        confidence_level: 'medium',
      }),
    ]);
    expect(await store.run('history', { id, diff: [1, 2] })).toEqual({
      id,
      from: 1,
      to: 2,
      changed: { confidence_level: { from: 'medium', to: 'high' } },
      diff: '--- version 1\n+++ version 2\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    });
    expect(await errorOf(store.run('history', { id, diff: [1, 7] }))).toMatchObject({
      code: 'NOT_FOUND',
      hint: 'its versions: 2, 1',
    });
    expect(await errorOf(store.run('history', { id: 'nope' }))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('get and put of a deleted item suggest restore', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' });
    await store.run('delete', { id: [id] });
    for (const call of [
      store.run('get', { id: [id] }),
      store.run('put', { id, content: 'y' }),
      store.run('delete', { id: [id] }),
    ]) {
      expect(await errorOf(call)).toMatchObject({
        code: 'NOT_FOUND',
        hint: `bring it back with: memtool restore ${id}`,
      });
    }
  });

  test('restore of a live item needs a version', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: '1' });
    await store.run('put', { id, content: '2' });
    expect(await errorOf(store.run('restore', { id: [id] }))).toMatchObject({ code: 'PARAM_ERROR' });
    expect(await errorOf(store.run('restore', { id: ['nope'] }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(store.run('restore', { id: [id], version: 9 }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await store.run('restore', { id: [id], version: 1 })).toMatchObject({
      action: 'restored',
      version: 3,
      restored_version: 1,
    });
    expect((await store.run('history', { id }))['versions']).toMatchObject([
      { version: 3, change: 'restore', content: '1' },
      { version: 2, content: '2' },
      { version: 1, content: '1' },
    ]);
  });

  test('restore keeps the time of creation, and replaces one that cannot be read', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'one' });
    await store.run('put', { id, content: 'two' }, { nowMs: NOW + 1000 });
    const times = async (): Promise<unknown> =>
      (await store.run('get', { id: [id], fields: ['created_at', 'updated_at'] })).item;
    await store.run('restore', { id: [id], version: 1 }, { nowMs: NOW + 2000 });
    expect(await times()).toEqual({ created_at: '2026-06-01T12:00:00.000Z', updated_at: '2026-06-01T12:00:02.000Z' });
    await store.run('delete', { id: [id] }, { nowMs: NOW + 3000 });
    await store.run('restore', { id: [id] }, { nowMs: NOW + 4000 });
    expect(await times()).toEqual({ created_at: '2026-06-01T12:00:00.000Z', updated_at: '2026-06-01T12:00:04.000Z' });
    const db = new DatabaseSync(store.path);
    db.exec("update memory_items set created_at = 'then'");
    db.close();
    await store.run('delete', { id: [id] }, { nowMs: NOW + 5000 });
    await store.run('restore', { id: [id] }, { nowMs: NOW + 6000 });
    expect(await times()).toEqual({ created_at: '2026-06-01T12:00:06.000Z', updated_at: '2026-06-01T12:00:06.000Z' });
    const { versions } = await store.run('history', { id, fields: ['version', 'change', 'changed_at'] });
    expect(versions.map(Object.values)).toEqual([
      [5, '2026-06-01T12:00:06.000Z', 'restore'],
      [4, '2026-06-01T12:00:05.000Z', 'delete'],
      [4, '2026-06-01T12:00:04.000Z', 'restore'],
      [3, '2026-06-01T12:00:03.000Z', 'delete'],
      [3, '2026-06-01T12:00:02.000Z', 'restore'],
      [2, '2026-06-01T12:00:01.000Z', 'update'],
      [1, '2026-06-01T12:00:00.000Z', 'insert'],
    ]);
  });

  test('restore warns of another item that took the key', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', key: 'k', content: 'x' });
    await store.run('delete', { id: [id] });
    const other = await store.run('put', { type: 'run', key: 'k', content: 'y' });
    expect((await store.run('restore', { id: [id] }))['warnings']).toEqual([
      `another item has the same type, key, task and step: ${other['id']}`,
    ]);
  });

  test('after any writes: a restore after a delete gives the same item, and every write adds exactly 1', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('put' as const),
        content: fc.constantFrom('apple', '中文 索引', 'banana'),
        weight: fc.integer({ min: 0, max: 10 }),
      }),
      fc.record({ do: fc.constant('delete-restore' as const) }),
      fc.record({ do: fc.constant('restore' as const), version: fc.integer({ min: 1, max: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        using store = await tempStore();
        const { id } = await store.run('put', {
          type: 'feature',
          key: 'k',
          task_id: 't',
          content: 'start',
          tag: ['a'],
        });
        let version = 1;
        for (const one of steps) {
          const { item: before } = await store.run('get', { id: [id] });
          if (one.do === 'put') await store.run('put', { id, content: one.content, weight: one.weight });
          else if (one.do === 'restore')
            await store.run('restore', { id: [id], version: Math.min(one.version, version) });
          else {
            await store.run('delete', { id: [id] });
            expect(await store.run('search', { query: before['content'] })).toMatchObject({ total: 0 });
            await store.run('restore', { id: [id] });
            const { item: after } = await store.run('get', { id: [id] });
            expect(after).toEqual({ ...(before as object), version: version + 1, updated_at: expect.any(String) });
          }
          version += 1;
          const { item } = await store.run('get', { id: [id] });
          expect(item['version']).toBe(version);
          expect(await store.run('search', { query: item['content'] })).toMatchObject({ total: 1, fts5: true });
        }
        expect((await store.run('doctor'))['checks']).not.toContainEqual(
          expect.objectContaining({ status: 'warning' }),
        );
      }),
      { numRuns: 25 },
    );
  });
});

test('delete takes several ids, all or none', async () => {
  using store = await tempStore();
  const ids = [];
  for (const content of ['a', 'b']) ids.push((await store.run('put', { type: 'run', content }))['id']);
  expect(await errorOf(store.run('delete', { id: [...ids, 'nope'] }))).toMatchObject({
    code: 'NOT_FOUND',
    context: { id: 'nope' },
  });
  expect(await store.run('list')).toMatchObject({ total: 2 });
  expect(await store.run('delete', { id: [...ids, ...ids] })).toEqual({ deleted: 2, ids });
  expect(await errorOf(store.run('delete'))).toMatchObject({ code: 'PARAM_ERROR', message: 'an id is required' });
});

describe('the difference between two versions', () => {
  const version = fc
    .array(fc.constantFrom('a', 'b', 'c', '', ' '), { maxLength: 12 })
    .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end));

  test('turns one into the other', () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const diff = contentDiff({ from: 1, to: 2, before, after });
        expect(before === after ? before : applyPatch(before, diff)).toBe(after);
      }),
    );
  });

  test.each([
    ['', '', '@@ -1,100000 +1,100000 @@', '', ''],
    ['same\n', '5\n6\n7\n8\n', '@@ -1,100004 +1,100004 @@', ' same\n', ' 5\n 6\n 7\n'],
    ['1\n2\n3\n4\n', '3\n4', '@@ -2,100005 +2,100005 @@', ' 2\n 3\n 4\n', ' 3\n 4\n\\ No newline at end of file\n'],
  ])('of texts with nothing in common is one change, between %j and %j', (lead, end, head, lead3, end3) => {
    const text = (word: string) =>
      `${lead}${Array.from({ length: 100_000 }, (_, at) => `${word} ${at}\n`).join('')}${end}`;
    const [before, after] = [text('old'), text('new')];
    const diff = contentDiff({ from: 1, to: 2, before, after });
    expect(applyPatch(before, diff)).toBe(after);
    // the smallest difference is not searched for: everything is removed, then added
    const removed = diff.indexOf('-old 0\n');
    expect(diff.slice(0, removed)).toBe(`--- version 1\n+++ version 2\n${head}\n${lead3}`);
    const last = '+new 99999\n';
    expect(diff.slice(diff.indexOf(last) + last.length)).toBe(end3);
  });
});

describe('cleanup', () => {
  async function aged(): Promise<TestStore> {
    const store = await tempStore();
    for (const [type, days] of [
      ['run', 40],
      ['run', 10],
      ['feature', 430],
      ['feature', 40],
      ['project', 900],
      ['project', 40],
    ] as const) {
      await store.run('put', { type, key: `${type}-${days}`, content: 'x' }, { nowMs: NOW - days * DAY });
    }
    return store;
  }
  const keys = (result: Output): string[] => (result['candidates'] as { key: string }[]).map(({ key }) => key);
  const keptKeys = async (store: TestStore): Promise<string[]> =>
    ((await store.run('list')).items as { key: string }[]).map(({ key }) => key);

  test.each([
    [{}, ['project-900', 'feature-430', 'run-40']],
    [{ stale_threshold: 0.2 }, ['project-900', 'feature-430', 'run-40']],
    [{ type: 'run' }, ['run-40']],
    [{ older_than_days: 40 }, ['project-900', 'feature-430', 'feature-40', 'project-40', 'run-40']],
    [{ older_than_days: 40.5 }, ['project-900', 'feature-430']],
    [{ older_than_days: 41 }, ['project-900', 'feature-430']],
    [{ older_than_days: 40, stale_threshold: 0.2, type: 'run' }, ['run-40']],
    [{ older_than_days: 365, stale_threshold: 0.1 }, []],
    [{ stale_threshold: 1, limit: 2 }, ['project-900', 'feature-430']],
  ])('%j selects %j, oldest first, and --apply deletes just these', async (input, expected) => {
    using store = await aged();
    const dry = await store.run('cleanup', input);
    expect(keys(dry).filter((key) => !(expected as string[]).includes(key))).toEqual([]);
    expect(keys(dry).toSorted()).toEqual(expected.toSorted());
    expect(dry).toMatchObject({ applied: false, count: expected.length, deleted: 0 });
    const ages = (dry['candidates'] as { age_days: number }[]).map(({ age_days }) => age_days);
    expect(ages).toEqual(ages.toSorted((a, b) => b - a));
    const all = await keptKeys(store);
    expect(all).toHaveLength(6);
    const applied = await store.run('cleanup', { ...input, apply: true });
    expect(applied).toMatchObject({
      applied: true,
      count: expected.length,
      deleted: expected.length,
      candidates: dry['candidates'],
      by_type: dry['by_type'],
    });
    expect(await keptKeys(store)).toEqual(all.filter((key) => !(expected as string[]).includes(key)));
  });

  test('returns age and decay, and deleted items can be restored', async () => {
    using store = await aged();
    const { candidates } = await store.run('cleanup', { type: 'run' });
    expect(candidates).toEqual([{ id: expect.any(String), type: 'run', key: 'run-40', age_days: 40, decay: 0.138011 }]);
    await store.run('cleanup', { type: 'run', apply: true });
    expect(await store.run('restore', { id: [candidates[0]['id']] })).toMatchObject({ key: 'run-40' });
  });

  test.each([1, 2, 5, 6, 7])('with a limit of %d takes the oldest, and says whether more qualify', async (limit) => {
    using store = await aged();
    const all = { stale_threshold: 1, limit };
    const expected = { count: Math.min(limit, 6), truncated: limit < 6 };
    const { candidates } = await store.run('cleanup', all);
    const ages = (candidates as { age_days: number }[]).map(({ age_days }) => age_days);
    expect(ages).toEqual([900, 430, 40, 40, 40, 10].slice(0, limit));
    expect(await store.run('cleanup', all)).toMatchObject(expected);
    expect(await store.run('cleanup', { ...all, apply: true })).toMatchObject({ ...expected, candidates });
  });

  test('selects an item whose decay equals the threshold', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'half', content: 'x' }, { nowMs: NOW - 14 * DAY });
    expect(keys(await store.run('cleanup', { stale_threshold: 0.5 }))).toEqual(['half']);
    expect(keys(await store.run('cleanup', { stale_threshold: 0.499 }))).toEqual([]);
  });

  test.each(['2026-06-01 12:00:00', '2026-06-01T12:00:00+08:00', '2026-05-32T00:00:00.000Z', 'yesterday'])(
    'skips an item whose time another program has stored as %j',
    async (time) => {
      using store = await aged();
      const db = new DatabaseSync(store.path);
      db.prepare("update memory_items set updated_at = ? where key = 'project-40'").run(time);
      db.close();
      expect(keys(await store.run('cleanup')).toSorted()).toEqual(['feature-430', 'project-900', 'run-40']);
      expect(keys(await store.run('cleanup', { older_than_days: 41 })).toSorted()).toEqual([
        'feature-430',
        'project-900',
      ]);
    },
  );

  test('a threshold of 0 selects items so old that their decay is 0', async () => {
    using store = await tempStore();
    const at = (day: number) => ({ nowMs: NOW - day * DAY });
    await store.run('put', { type: 'run', key: 'ancient', content: 'x' }, at(1076 * 14));
    await store.run('put', { type: 'run', key: 'old', content: 'x' }, at(1000 * 14));
    expect(keys(await store.run('cleanup', { stale_threshold: 0 }))).toEqual(['ancient']);
    expect(keys(await store.run('cleanup', { stale_threshold: 1e-300 }))).toEqual(['ancient', 'old']);
  });

  test('a dry run leaves the file untouched, byte for byte', async () => {
    using store = await aged();
    const before = fs.readFileSync(store.path);
    await store.run('cleanup', { stale_threshold: 1 });
    await store.run('purge', { deleted_before: '2100-01-01' });
    expect(fs.readFileSync(store.path).equals(before)).toBe(true);
  });

  test('items from the future are neither old nor boosted', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'future', content: 'cache note' }, { nowMs: NOW + 9999 * DAY });
    await store.run('put', { type: 'run', key: 'now', content: 'cache note cache' });
    expect(await store.run('cleanup', { older_than_days: 30 })).toMatchObject({ count: 0 });
    const { items } = await store.run('search', { query: 'cache', explain: true });
    const factors = (items as { explain: { recency: number; mixed: number } }[]).map(({ explain }) => explain);
    expect(factors).toHaveLength(2);
    for (const { recency, mixed } of factors) expect([recency, mixed]).toEqual([1, expect.closeTo(0.76)]);
  });
});

describe('purge', () => {
  test('removes an item, its history and its words from every byte of the file', async () => {
    using store = await tempStore();
    for (let n = 0; n < 50; n += 1) await store.run('put', { type: 'run', content: `ordinary note ${n} 普通笔记` });
    const { id } = await store.run('put', {
      type: 'run',
      key: 'zebrakey',
      content: 'token zebraSECRETquagga42 密钥斑马',
    });
    await store.run('put', { id, content: 'token zebraSECONDquagga42' });
    expect(await store.run('purge', { id: [id] })).toEqual({ applied: false, purged: 0, ids: [id] });
    expect(await store.run('get', { id: [id] })).toMatchObject({ item: { version: 2 } });
    expect(await store.run('purge', { id: [id], apply: true })).toEqual({ applied: true, purged: 1, ids: [id] });
    for (const file of fs.readdirSync(store.folder)) {
      const raw = fs.readFileSync(`${store.folder}/${file}`).toString('latin1').toLowerCase();
      expect(raw).not.toContain('zebra');
      expect(raw).not.toContain(Buffer.from('斑马').toString('latin1').toLowerCase());
    }
    expect(await errorOf(store.run('history', { id }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await store.run('list')).toMatchObject({ total: 50 });
    expect((await store.run('doctor'))['checks']).not.toContainEqual(expect.objectContaining({ status: 'warning' }));
  });
  test('by time selects only items deleted before it, and no restored ones', async () => {
    using store = await tempStore();
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c']) ids.push((await store.run('put', { type: 'run', content }))['id']);
    await store.run('delete', { id: [ids[0], ids[1]] }, { nowMs: NOW });
    await store.run('restore', { id: [ids[1]] });
    await store.run('delete', { id: [ids[2]] }, { nowMs: NOW + 10 * DAY });
    expect((await store.run('purge', { deleted_before: '2026-06-02' }))['ids']).toEqual([ids[0]]);
    expect(await errorOf(store.run('purge', { apply: true }))).toMatchObject({ code: 'PARAM_ERROR' });
    expect(await errorOf(store.run('purge', { id: ['nope'], apply: true }))).toMatchObject({ code: 'NOT_FOUND' });
  });
  test('by time goes by the last deletion, and leaves out one at exactly that time', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' });
    await store.run('delete', { id: [id] }, { nowMs: NOW });
    await store.run('restore', { id: [id] }, { nowMs: NOW + 1000 });
    await store.run('delete', { id: [id] }, { nowMs: NOW + 2000 });
    for (const [deleted_before, ids] of [
      ['2026-06-01T12:00:01Z', []],
      ['2026-06-01T12:00:02Z', []],
      ['2026-06-01T12:00:02.001Z', [id]],
    ])
      expect(await store.run('purge', { deleted_before })).toEqual({ applied: false, purged: 0, ids });
    const aDayLater = (ms: number) => ({ nowMs: NOW + 2000 + DAY + ms });
    expect(await store.run('purge', { deleted_before: '1d' }, aDayLater(0))).toMatchObject({ ids: [] });
    expect(await store.run('purge', { deleted_before: '24h', apply: true }, aDayLater(1))).toMatchObject({ ids: [id] });
  });
  test('by time leaves out what has no record of a deletion, whose last version can still be restored', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'one' });
    await store.run('put', { id, content: 'two' });
    const db = new DatabaseSync(store.path);
    db.exec('delete from memory_items');
    db.close();
    expect(await store.run('purge', { deleted_before: '2100-01-01', apply: true })).toMatchObject({ ids: [] });
    expect(await store.run('restore', { id: [id] })).toMatchObject({ restored_version: 1 });
    expect(await store.run('purge', { id: [id], apply: true })).toMatchObject({ purged: 1 });
  });
  test('by time goes by the deletion, even if a version has a later time', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' }, { nowMs: NOW + 9999 * DAY });
    await store.run('delete', { id: [id] }, { nowMs: NOW });
    expect((await store.run('purge', { deleted_before: '2026-06-02' })).ids).toEqual([id]);
  });
  test('of an item named twice, deleted or without a history, removes it once', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' });
    await store.run('delete', { id: [id] });
    const db = new DatabaseSync(store.path);
    db.exec(`insert into memory_items (id, type, content, created_at, updated_at)
      values ('foreign', 'run', 'of another program', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`);
    db.close();
    const input = { id: ['foreign', id, id, 'foreign'] };
    // it is not clear whether an item must be named, deleted before, or both
    expect(await errorOf(store.run('purge', { ...input, deleted_before: '2100-01-01', apply: true }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
    expect((await store.run('purge', input)).ids).toEqual(['foreign', id]);
    expect(await store.run('purge', { ...input, apply: true })).toEqual({
      applied: true,
      purged: 2,
      ids: ['foreign', id],
    });
    for (const gone of ['foreign', id])
      expect(await errorOf(store.run('history', { id: gone }))).toMatchObject({ code: 'NOT_FOUND' });
    // there is nothing left to continue
    await store.run('import', {}, { stdin: stdinOf(JSON.stringify({ id, type: 'run', content: 'new' })) });
    expect((await store.run('get', { id: [id] })).item.version).toBe(1);
  });
});

test('a purge that could not rewrite the file is finished by doctor --fix, which reports what blocks it', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'zebraSECRET' });
  await store.run('put', { type: 'run', content: 'other' });
  const reader = new DatabaseSync(store.path);
  reader.exec('begin; select count(*) from memory_items');
  reader.prepare('select count(*) from memory_items').get();
  const refused = await errorOf(store.run('purge', { id: [id], apply: true }));
  expect(refused).toMatchObject({ code: 'DB_ERROR', hint: expect.stringContaining('doctor --fix') });
  expect(await errorOf(store.run('doctor', { fix: true }))).toMatchObject({ code: 'DB_ERROR', retryable: true });
  reader.close();
  await store.run('doctor', { fix: true });
  // no copy that would retain what was purged
  expect(fs.readdirSync(store.folder)).toEqual(['memtool.db']);
  expect(fs.readFileSync(store.path).includes('zebraSECRET')).toBe(false);
});

test('unreadable times are repaired by the write that doctor suggests, which changes nothing else', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'x', tag: ['a'], weight: 8, verified_by: 'me' });
  const { item } = await store.run('get', { id: [id] });
  const times = async (): Promise<Output> =>
    (await store.run('doctor')).checks.find(({ name }: { name: string }) => name === 'times');
  for (const column of ['created_at', 'updated_at']) {
    expect(await times()).toMatchObject({ status: 'ok' });
    const db = new DatabaseSync(store.path);
    db.exec(`update memory_items set ${column} = 'garbage'`);
    db.close();
    const { status, message, fix } = await times();
    expect([status, message]).toEqual(['warning', expect.stringContaining(id)]);
    const words = fix.replace(/^.*: memtool /, '').replace('ID', id);
    expect((await memtool([...words.split(' '), '--db', store.path])).json).toMatchObject({ ok: true });
  }
  const time = expect.any(String);
  const after = { ...item, version: 3, created_at: time, updated_at: time };
  expect(await store.run('get', { id: [id] })).toEqual({ item: after });
  expect(await times()).toMatchObject({ status: 'ok' });
  const { lines } = await store.run('export');
  using other = await tempStore();
  expect(await other.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({ inserted: 1 });
});

test('valid times in another form are not called unreadable, and doctor --fix writes them as memtool does', async () => {
  using store = await tempStore();
  const ids: string[] = [];
  for (const at of ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'])
    ids.push((await store.run('put', { type: 'run', content: 'x' }, { nowMs: Date.parse(at) })).id);
  const [first = '', second = '', third = ''] = ids;
  const db = new DatabaseSync(store.path);
  const write = db.prepare('update memory_items set created_at = ?, updated_at = ? where id = ?');
  write.run('2026-01-01', '2026-05-01T08:00:00+08:00', first);
  write.run('2026-03-01 00:00', '2026-03-01T00:00:00Z', second);
  db.close();
  const listed = async (input = {}): Promise<string[]> =>
    (await store.run('list', { fields: ['id'], ...input })).items.map(({ id }: { id: string }) => id);
  // the decay of such a time is right, its place among the updates is not
  expect(await listed({ sort_by: 'recency' })).toEqual([first, third, second]);
  expect(await listed()).toEqual([third, second, first]);
  const times = async (fix = false): Promise<Output> =>
    (await store.run('doctor', { fix })).checks.filter(({ name }: { name: string }) => name.startsWith('time'));
  expect(await times()).toEqual([
    { name: 'times', status: 'ok', message: 'all times can be read', fix: null },
    {
      name: 'time_forms',
      status: 'warning',
      message: expect.stringMatching(new RegExp(`another form .*: ${first}, ${second}$`)),
      fix: expect.stringMatching(/^memtool doctor --fix/),
    },
  ]);
  expect(await times(true)).toMatchObject([
    { status: 'ok' },
    { status: 'ok', message: expect.stringContaining('2 items') },
  ]);
  expect(await times()).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
  expect(await listed()).toEqual([first, third, second]);
  expect(await store.run('get', { id: [first] })).toMatchObject({
    item: { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-05-01T00:00:00.000Z', version: 1 },
  });
  expect(await store.run('history', { id: second })).toMatchObject({
    versions: [{ version: 1, updated_at: '2026-03-01T00:00:00.000Z' }],
  });
});

test('the checks of times name the first 20 items, however many there are', async () => {
  using store = await tempStore();
  const ids = Array.from({ length: 22 }, (_, at) => `n${at}`);
  const lines = ids.map((id) => JSON.stringify({ id, type: 'run', content: 'x' }));
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  for (const [name, time] of [
    ['times', 'garbage'],
    ['time_forms', '2026-01-01T00:00:00Z'],
  ] as const) {
    const db = new DatabaseSync(store.path);
    db.prepare('update memory_items set updated_at = ?').run(time);
    db.close();
    const { checks } = await store.run('doctor');
    expect(checks).toContainEqual(
      expect.objectContaining({ name, message: expect.stringMatching(`: ${ids.slice(0, 20).join(', ')}$`) }),
    );
  }
});

test('a version that does not exist is answered with the newest 20 of those that do', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'x' });
  for (let version = 2; version <= 20; version += 1) await store.run('put', { id, content: `x ${version}` });
  const hint = async (): Promise<unknown> => (await errorOf(store.run('history', { id, diff: [1, 99] }))).hint;
  expect(await hint()).toBe('its versions: 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1');
  await store.run('put', { id, content: 'x 21' });
  expect(await hint()).toBe('its versions: 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2 …');
});

test('history reads no more contents than it shows', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'x'.repeat(50_000) });
  await store.run('put', { id, content: 'short' });
  await store.run('put', { id, content: 'shorter' });
  const db = new DatabaseSync(store.path);
  const page = db
    .prepare("select pageno from dbstat where name = 'memory_history' and pagetype = 'overflow' order by path limit 1")
    .get();
  db.close();
  // the first page of the long content names a next page that does not exist
  const fd = fs.openSync(store.path, 'r+');
  fs.writeSync(fd, Buffer.from([0x7f, 0xff, 0xff, 0xff]), 0, 4, (Number(page?.['pageno']) - 1) * 8192);
  fs.closeSync(fd);
  expect(await store.run('history', { id, limit: 2 })).toMatchObject({
    total: 3,
    versions: [{ content: 'shorter' }, { content: 'short' }],
  });
  expect(await errorOf(store.run('history', { id, limit: 3 }))).toMatchObject({ code: 'DB_ERROR' });
});

test('a history with a limit is the start of the full history', async () => {
  using store = await tempStore();
  const other = await store.run('put', { type: 'run', content: 'of another item' });
  for (let weight = 1; weight <= 5; weight += 1) await store.run('put', { id: other.id, weight });
  const { id } = await store.run('put', { type: 'run', content: 'one' });
  const check = async (): Promise<void> => {
    const { versions } = await store.run('history', { id });
    for (let limit = 1; limit <= versions.length + 1; limit += 1) {
      const part = await store.run('history', { id, limit });
      expect([part.total, part.versions]).toEqual([versions.length, versions.slice(0, limit)]);
    }
  };
  await check();
  await store.run('put', { id, content: 'two' });
  await check();
  await store.run('delete', { id: [id] });
  await check();
  await store.run('restore', { id: [id] });
  await store.run('delete', { id: [id] });
  await check();
  await store.run('restore', { id: [id], version: 1 });
  const db = new DatabaseSync(store.path);
  db.exec("update memory_items set version = version + 1, content = 'by another program'");
  db.close();
  await check();
});

test('any version can be restored, also of a deleted item', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', key: 'k', content: 'one', tag: ['a'] });
  for (const content of ['two', 'three']) await store.run('put', { id, content, tag: ['b'] });
  const content = async (): Promise<unknown> => (await store.run('get', { id: [id] })).item.content;
  expect(await store.run('restore', { id: [id], version: 1 })).toMatchObject({ version: 4, restored_version: 1 });
  expect(await content()).toBe('one');
  expect(await store.run('restore', { id: [id], version: 4 })).toMatchObject({ version: 5, restored_version: 4 });
  await store.run('delete', { id: [id] });
  expect(await store.run('restore', { id: [id] })).toMatchObject({ version: 6, restored_version: 5 });
  expect(await content()).toBe('one');
  await store.run('delete', { id: [id] });
  expect(await store.run('restore', { id: [id], version: 3 })).toMatchObject({ version: 7, restored_version: 3 });
  expect(await content()).toBe('three');
  expect(await errorOf(store.run('restore', { id: [id], version: 99 }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await errorOf(store.run('restore', { id: ['nosuch'] }))).toMatchObject({ code: 'NOT_FOUND' });
  expect(await errorOf(store.run('restore', { id: [id] }))).toMatchObject({ code: 'PARAM_ERROR' });
});

describe('doctor and stats', () => {
  test('doctor detects an index that is out of date, missing, damaged or of another tokenizer, and repairs it', async () => {
    for (const damage of [
      'delete from memory_fts where rowid = (select min(seq) from memory_items)',
      "insert into memory_fts (rowid, key, tags, source, content) values (999, '', '', '', 'ghost')",
      'drop table memory_fts',
      "update meta set value = 'other' where key = 'tokenizer_version'",
      'delete from memory_fts_data where id > 10',
    ]) {
      using store = await tempStore();
      for (const content of ['用户身份校验', 'alpha beta']) await store.run('put', { type: 'run', content });
      const db = new DatabaseSync(store.path, { defensive: false });
      db.exec(damage);
      db.close();
      expect((await store.run('doctor'))['checks']).toContainEqual(
        expect.objectContaining({ name: 'index', status: 'warning', fix: 'memtool doctor --fix' }),
      );
      // whatever the damage, the item is found: by a scan if the index cannot find it
      expect((await store.run('search', { query: '身份' }))['total']).toBe(1);
      expect((await store.run('doctor', { fix: true }))['checks']).toContainEqual(
        expect.objectContaining({ name: 'index', status: 'ok' }),
      );
      expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 1 });
      expect((await store.run('doctor'))['checks']).not.toContainEqual(expect.objectContaining({ status: 'warning' }));
    }
  });
  test.each(['data', 'idx', 'docsize', 'config'])(
    'an index whose table %s is unreadable hides no memory, and doctor --fix replaces it after a copy',
    async (table) => {
      for (const byte of [0xff, 0]) {
        using store = await tempStore();
        for (const content of ['用户身份校验', 'alpha beta']) await store.run('put', { type: 'run', content });
        const db = new DatabaseSync(store.path);
        const { rootpage } = db
          .prepare('select rootpage from sqlite_master where name = :name')
          .get({ name: `memory_fts_${table}` }) as { rootpage: number };
        db.close();
        const fd = fs.openSync(store.path, 'r+');
        fs.writeSync(fd, Buffer.alloc(120, byte), 0, 120, (rootpage - 1) * 8192);
        fs.closeSync(fd);
        const damaged = fs.readFileSync(store.path);
        expect(await store.run('search', { query: '身份' })).toMatchObject({ warning: 'FTS_UNAVAILABLE', total: 1 });
        expect((await store.run('export', { output: '-' })).lines).toHaveLength(2);
        expect(await errorOf(store.run('put', { type: 'run', content: 'x' }))).toMatchObject({
          code: 'DB_ERROR',
          hint: expect.stringContaining('memtool doctor'),
        });
        expect(fs.readFileSync(store.path).equals(damaged)).toBe(true);
        const { checks, backup } = await store.run('doctor', { fix: true });
        expect(checks).not.toContainEqual(expect.objectContaining({ status: 'warning' }));
        expect(backup).toBe(`${store.path}.before-fix`);
        expect(fs.readFileSync(backup).equals(damaged)).toBe(true);
        expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
        expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 1 });
        expect(await store.run('doctor')).toEqual({
          checks: expect.not.arrayContaining([expect.objectContaining({ status: expect.not.stringMatching('ok') })]),
        });
        using repaired = new DatabaseSync(store.path);
        expect(repaired.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
      }
    },
  );
  test.each([
    'index memory_items_updated',
    'index memory_items_type_key',
    'index memory_history_item',
    'table memory_history',
    'table meta',
  ])('a missing %s is detected and rebuilt', async (part) => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'k', content: 'x' });
    const db = new DatabaseSync(store.path);
    db.exec(`drop ${part}`);
    db.close();
    const schema = (status: string) => expect.objectContaining({ name: 'schema', status });
    expect((await store.run('doctor')).checks).toContainEqual(schema('warning'));
    expect((await store.run('doctor', { fix: true })).checks).toContainEqual(schema('ok'));
    expect((await store.run('doctor')).checks).toContainEqual(schema('ok'));
    expect(await store.run('put', { type: 'run', key: 'k', content: 'y' })).toMatchObject({ version: 2 });
  });
  test.each(['delete from memory_fts_config', 'update memory_fts_config set v = 9', 'drop table memory_fts_config'])(
    'an index that FTS5 rejects (%s) hides no memory and is repaired',
    async (damage) => {
      using store = await tempStore();
      await store.run('put', { type: 'run', content: '用户身份校验' });
      const db = new DatabaseSync(store.path, { defensive: false });
      db.exec(damage);
      db.close();
      expect(await store.run('search', { query: '身份' })).toMatchObject({ warning: 'FTS_UNAVAILABLE', total: 1 });
      expect(await store.run('recommend', { context: '用户身份校验' })).toMatchObject({
        warning: 'FTS_UNAVAILABLE',
        items: [{ content: '用户身份校验', reasons: ['context_match', 'recent'] }],
      });
      expect((await store.run('doctor', { fix: true })).checks).not.toContainEqual(
        expect.objectContaining({ status: 'warning' }),
      );
      expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 1 });
    },
  );
  test.each([
    'create virtual table memory_fts using fts5 (id, content_search)',
    'create virtual table memory_fts using fts4 (id, content_search)',
    `create virtual table memory_fts using fts5 (id); pragma writable_schema = on;
    update sqlite_schema set sql = 'create virtual table memory_fts using unknown (id)' where name = 'memory_fts'`,
    'create table memory_fts (key)',
    'create view memory_fts as select 1 as key',
    'create index memory_fts on memory_history (item_id)',
    'create table memory_fts_data (id)',
  ])(
    'what another program has put in the place of the index hides no memory, and a write replaces it: %s',
    async (sql) => {
      using store = await tempStore();
      await store.run('put', { type: 'run', content: '用户身份校验' });
      const db = new DatabaseSync(store.path, { defensive: false });
      db.exec(`create table memory_fts_notes as select 'mine' as note; drop table memory_fts; ${sql}`);
      db.close();
      expect(await store.run('search', { query: '身份' })).toMatchObject({ warning: 'FTS_UNAVAILABLE', total: 1 });
      expect((await store.run('doctor')).checks).toContainEqual(
        expect.objectContaining({ name: 'index', status: 'warning', message: 'the search index is missing' }),
      );
      await store.run('put', { type: 'run', content: '身份' });
      expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 2 });
      expect((await store.run('doctor')).checks).not.toContainEqual(expect.objectContaining({ status: 'warning' }));
      using repaired = new DatabaseSync(store.path);
      expect(repaired.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(repaired.prepare('select note from memory_fts_notes').get()).toEqual({ note: 'mine' });
    },
  );
  test('a damaged index is replaced without the tables of the user whose names are similar', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: '用户身份校验' });
    const db = new DatabaseSync(store.path, { defensive: false });
    db.exec("create table memory_fts_notes as select 'mine' as note");
    const { rootpage } = db.prepare("select rootpage from sqlite_master where name = 'memory_fts_data'").get() as {
      rootpage: number;
    };
    db.close();
    const fd = fs.openSync(store.path, 'r+');
    fs.writeSync(fd, Buffer.alloc(120), 0, 120, (rootpage - 1) * 8192);
    fs.closeSync(fd);
    await store.run('doctor', { fix: true });
    expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 1 });
    using repaired = new DatabaseSync(store.path);
    expect(repaired.prepare('select note from memory_fts_notes').get()).toEqual({ note: 'mine' });
  });
  test('export --salvage needs no index', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'kept' });
    const db = new DatabaseSync(store.path);
    db.exec('drop index memory_items_updated');
    db.close();
    const output = path.join(store.folder, 'out.jsonl');
    expect(await store.run('export', { output, salvage: true })).toMatchObject({ count: 1 });
  });
  test('export --salvage writes what can be read of a damaged table, and reports what cannot', async () => {
    using store = await tempStore();
    const lines = Array.from({ length: 300 }, (_, at) =>
      JSON.stringify({
        id: `i${String(at).padStart(3, '0')}`,
        type: 'run',
        content: `${at} ${'填充 filler '.repeat(60)}`,
      }),
    );
    await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
    const db = new DatabaseSync(store.path);
    const { pageno } = db
      .prepare("select pageno from dbstat where name = 'memory_items' and pagetype = 'leaf' limit 1 offset 20")
      .get() as { pageno: number };
    db.close();
    const fd = fs.openSync(store.path, 'r+');
    fs.writeSync(fd, Buffer.alloc(8192, 0xff), 0, 8192, (pageno - 1) * 8192);
    fs.closeSync(fd);
    const output = path.join(store.folder, 'out.jsonl');
    expect(await errorOf(store.run('export', { output }))).toMatchObject({
      code: 'DB_ERROR',
      hint: expect.stringContaining('export --salvage'),
    });
    expect(await errorOf(store.run('export', { output: '-', salvage: true }))).toMatchObject({ code: 'PARAM_ERROR' });
    fs.writeFileSync(output, ''); // an empty file holds nothing that could be lost
    const damaged = await errorOf(store.run('export', { output, salvage: true }));
    const count = Number(damaged?.context['count']);
    const written = fs.readFileSync(output, 'utf8').trim().split('\n');
    // an earlier export may be whole
    expect(await errorOf(store.run('export', { output, salvage: true }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('already exists'),
    });
    expect(fs.readFileSync(output, 'utf8').trim().split('\n')).toEqual(written);
    expect(written).toHaveLength(count);
    expect(count).toBeGreaterThan(280);
    // a script must not take the file for a whole one
    expect(damaged).toMatchObject({
      code: 'DB_ERROR',
      message: `only ${count} items saved in ${output}: ${300 - count} stored items could not be read`,
      hint: expect.stringContaining(`memtool import --db NEW.db --input ${output}`),
      retryable: false,
      context: { output, unreadable: 300 - count },
    });
    const ids = written.map((line) => JSON.parse(line).id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    // filters and versions too
    const whole = path.join(store.folder, 'whole.jsonl');
    expect(
      await errorOf(store.run('export', { output: whole, salvage: true, history: true, type: 'run' })),
    ).toMatchObject({ context: { count } });
    expect(
      fs
        .readFileSync(whole, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(ids);
    const none = path.join(store.folder, 'none.jsonl');
    expect(await errorOf(store.run('export', { output: none, salvage: true, type: 'project' }))).toMatchObject({
      context: { count: 0 },
    });
  });
  test.each(['sqlite_autoindex_memory_items_1', 'memory_items_updated', 'memory_items_layer', 'memory_items_type_key'])(
    'export --salvage writes every item, sorted by id, although %s is damaged',
    async (index) => {
      using store = await tempStore();
      const ids = Array.from({ length: 300 }, (_, at) => `i${(at * 7) % 300}-${'long'.repeat(20)}`);
      const lines = ids.map((id, at) =>
        JSON.stringify({ id, type: 'run', key: id, content: 'x', updated_at: new Date(NOW - at).toISOString() }),
      );
      await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
      const db = new DatabaseSync(store.path);
      const { pageno } = db
        .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf' limit 1 offset 1")
        .get(index) as { pageno: number };
      db.close();
      const fd = fs.openSync(store.path, 'r+');
      fs.writeSync(fd, Buffer.alloc(8192, 0xff), 0, 8192, (pageno - 1) * 8192);
      fs.closeSync(fd);
      const output = path.join(store.folder, 'out.jsonl');
      expect(await store.run('export', { output, salvage: true })).not.toHaveProperty('warnings');
      const written = fs.readFileSync(output, 'utf8').trim().split('\n');
      expect(written.map((line) => JSON.parse(line).id)).toEqual(ids.toSorted());
    },
  );
  test('export --salvage writes of a sound database what an export writes, whatever the filters', async () => {
    using store = await tempStore();
    const items = ['m', 'z', 'a', 'B', 'é', '\uFFFD', '😀', '1'].map((id, at) => ({
      id,
      type: ['run', 'feature', 'project'][at % 3],
      key: 'k',
      tags: at % 2 === 0 ? ['even'] : [],
      content: `text ${at}`,
      updated_at: `2026-01-0${at + 1}`,
    }));
    const text = items.map((item) => JSON.stringify(item)).join('\n');
    await store.run('import', {}, { stdin: stdinOf(text) });
    await store.run('put', { id: 'z', content: 'second' });
    await store.run('delete', { id: ['B'] });
    for (const [at, filters] of [
      {},
      { type: 'run' },
      { tag: ['even'] },
      { since: '2026-01-02', until: '2026-01-05' },
      { key: 'none' },
      { history: true },
    ].entries()) {
      const outputs = ['plain', 'salvaged'].map((name) => path.join(store.folder, `${at}-${name}`));
      const [plain = '', salvaged = ''] = outputs;
      const { output: _plain, ...told } = await store.run('export', { ...filters, output: plain });
      const { output: _salvaged, ...same } = await store.run('export', { ...filters, output: salvaged, salvage: true });
      expect(same).toEqual(told);
      expect(fs.readFileSync(salvaged, 'utf8')).toBe(fs.readFileSync(plain, 'utf8'));
    }
  });
  test.each([
    ["update memory_items set content = '' where id = 'b'", ['index warning …: b', 'contents warning …: b']],
    ["update memory_items set tags_json = '{' where id = 'b'", ['tags warning …: b']],
    ["update memory_items set tags_json = '{}' where id in ('b', 'c')", ['tags warning …: b, c']],
    ["update memory_items set created_at = 'then' where id = 'b'", ['times warning …: b']],
    ["update memory_items set updated_at = 'then' where id = 'b'", ['times warning …: b']],
    ["update memory_items set updated_at = '2026-02-30T00:00:00.000Z' where id = 'b'", ['times warning …: b']],
    ["update memory_items set updated_at = '2026-01-01T00:00:00Z' where id = 'b'", ['time_forms warning …: b']],
    ["update memory_items set version = 0 where id = 'b'", ['versions error …: b', 'history warning …: b']],
    ["update memory_items set weight = 10.5 where id = 'b'", ['weights error …: b']],
    ["update memory_items set weight = -0.5 where id = 'b'", ['weights error …: b']],
    ["update memory_items set weight = 0 where id = 'b'; update memory_items set weight = 10 where id = 'a'", []],
    ["update memory_items set key = 'c' where id = 'b'", ['logical_keys warning …: b / c']],
    ["update memory_items set key = 'c'", ['logical_keys warning …: a / c / …']],
    ["update memory_items set key = 'c', step_id = id", []],
    ["update memory_items set key = 'c', task_id = id", []],
    ['update memory_items set key = null', ['index warning …: a, b, c']],
    ["update memory_items set content = '新的文字' where id = 'b'", ['index warning …: b']],
    ["update memory_items set content = 'a much longer text of b' where id = 'b'", ['index warning …: b']],
    ["update memory_items set content_search = 'x' where id = 'b'", ['index warning …: b']],
    [`update memory_items set tags_json = '["new"]', source = 'CI' where id = 'b'`, ['index warning …: b']],
    ["update memory_items set version = 2 where id = 'b'", ['history warning …: b']],
    ["delete from memory_history where item_id = 'b'", ['history warning …: b']],
    [
      "insert into memory_items (id, type, content, created_at, updated_at) values ('d', 'run', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
      ['index warning …: it lacks 1 item and has 0 rows without an item', 'history warning …: d'],
    ],
    ["delete from memory_items where id = 'b'", ['index warning …: it lacks 0 items and has 1 row without an item']],
  ])('doctor names the items that another program has broken: %s', async (damage, expected) => {
    using store = await tempStore();
    const lines = ['a', 'b', 'c'].map((id) =>
      JSON.stringify({ id, type: 'run', key: id, content: `the text of ${id}` }),
    );
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    const db = new DatabaseSync(store.path);
    db.exec(damage);
    db.close();
    const { checks } = expected.some((one) => one.includes('error'))
      ? ((await errorOf(store.run('doctor'))).context as Output)
      : await store.run('doctor');
    const found = (checks as { name: string; status: string; message: string }[])
      .filter(({ status }) => status !== 'ok')
      .map(({ name, status, message }) => `${name} ${status} ${message.replace(/^.*?:/, '…:')}`);
    expect(found).toEqual(expected);
  });
  test('what another tokenizer has stored does not keep recommend from finding an item', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: '用户身份校验' });
    const harm = (): void => {
      using db = new DatabaseSync(store.path);
      db.exec(
        "update meta set value = 'other' where key = 'tokenizer_version'; update memory_items set content_search = 'xx yy'",
      );
    };
    harm();
    expect(await store.run('recommend', { context: '用户身份校验' })).toMatchObject({
      warning: 'FTS_UNAVAILABLE',
      items: [{ content: '用户身份校验', reasons: ['context_match', 'recent'] }],
    });
    // nor from ranking it above one that is only more reliable
    await store.run('put', { type: 'run', content: '其他', confidence: 'high' });
    harm();
    expect(await store.run('recommend', { context: '用户身份校验', limit: 1 })).toMatchObject({
      warning: 'FTS_UNAVAILABLE',
      items: [{ content: '用户身份校验' }],
    });
  });
  test('doctor --fix makes a text findable that another program has changed', async () => {
    using store = await tempStore();
    for (const content of ['the login times out', '用户身份校验']) await store.run('put', { type: 'run', content });
    const db = new DatabaseSync(store.path);
    db.exec("update memory_items set content = '登录超时 after thirty seconds' where content like 'the login%'");
    db.close();
    const found = async (query: string) => (await store.run('search', { query, engine: 'fts' })).total;
    const index = async (input: Record<string, unknown>) =>
      ((await store.run('doctor', input)).checks as { name: string; message: string }[]).find(
        ({ name }) => name === 'index',
      )?.message;
    expect(await index({})).toMatch(/^the search index does not have the present text of 1 item, which another/);
    expect(await index({ fix: true })).toMatch(/; it has been rebuilt for 2 items$/);
    expect([await found('登录'), await found('thirty'), await found('times')]).toEqual([1, 1, 0]);
    expect(await index({})).toBe('every item is in the search index');
  });
  test('doctor --fix copies the database before a repair, and only then', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: '用户身份校验' });
    expect(await store.run('doctor', { fix: true })).not.toHaveProperty('backup');
    const db = new DatabaseSync(store.path);
    db.exec("update meta set value = 'other' where key = 'tokenizer_version'");
    db.close();
    expect((await store.run('doctor', { fix: true }))['backup']).toBe(`${store.path}.before-fix`);
    using copy = new DatabaseSync(`${store.path}.before-fix`);
    expect(copy.prepare("select value from meta where key = 'tokenizer_version'").get()).toEqual({ value: 'other' });
    expect(copy.prepare('select content from memory_items').all()).toEqual([{ content: '用户身份校验' }]);
  });
  test('the next write repairs the index too', async () => {
    for (const damage of [
      'drop table memory_fts',
      "update meta set value = 'other'",
      'delete from memory_fts_data where id > 10',
    ]) {
      using store = await tempStore();
      const { id } = await store.run('put', { type: 'run', key: 'k', content: '用户身份校验' });
      const db = new DatabaseSync(store.path, { defensive: false });
      db.exec(damage);
      db.close();
      expect(await store.run('search', { query: '身份' })).toMatchObject({
        fts5: false,
        warning: 'FTS_UNAVAILABLE',
        total: 1,
      });
      expect(await errorOf(store.run('search', { query: '身份', engine: 'fts' }))).toMatchObject({
        code: 'FTS_UNAVAILABLE',
      });
      // a dry run works as the import would, and repairs nothing
      const line = JSON.stringify({ type: 'run', key: 'other', content: '身份' });
      const dry = await store.run('import', { dry_run: true }, { stdin: stdinOf(line) });
      expect(dry).toMatchObject({ inserted: 1, warnings: [] });
      expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: false, total: 1 });
      await store.run('put', { id, tag: ['t'] });
      expect(await store.run('search', { query: '身份' })).toMatchObject({ fts5: true, total: 1 });
    }
  });
  test('an error that has ended the read transaction itself is thrown unchanged', async () => {
    using store = await tempStore();
    using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
    const failing = () =>
      context.store.snapshot(() => {
        context.store.db.exec('rollback'); // as SQLite does automatically if the disk fails
        throw new Error('disk I/O error');
      });
    expect(failing).toThrow('disk I/O error');
  });
  test('a database that cannot be copied before a fix is refused, not reported as a defect', async () => {
    using store = await tempStore(`${'n'.repeat(243)}.db`);
    const db = new DatabaseSync(store.path);
    db.exec("update meta set value = 'other'");
    db.close();
    expect(await errorOf(store.run('doctor', { fix: true }))).toMatchObject({
      code: 'DB_ERROR',
      hint: expect.stringContaining('in the folder of the database'),
    });
  });
  test('permissions of other users are detected and revoked', async () => {
    using store = await tempStore();
    fs.chmodSync(store.path, 0o644);
    expect((await store.run('doctor'))['checks']).toContainEqual(
      expect.objectContaining({ name: 'permissions', status: 'warning' }),
    );
    await store.run('doctor', { fix: true });
    expect(fs.statSync(store.path).mode & 0o777).toBe(0o600);
  });
  // as `stat -f -c %t` prints the type
  test.each([
    ['6969', 'nfs'],
    ['517b', 'smb'],
    ['ff534d42', 'cifs'],
    ['fe534d42', 'smb2'],
    ['65735546', 'fuse'],
    ['1021997', '9p'],
  ])('a file system of type %s, %s, is reported as shared', (type, name) => {
    expect(networkWarning(Number.parseInt(type, 16))).toEqual({
      name: 'place',
      status: 'warning',
      message: `the file is on a file system of type ${name}, where locks may not hold between machines`,
      fix: 'let only one machine write it, or move it to a local disk',
    });
  });

  test.each([
    ['ef53', 'ext4'],
    ['9123683e', 'btrfs'],
    ['58465342', 'xfs'],
    ['1021994', 'tmpfs'],
    ['794c7630', 'overlayfs'],
  ])('a file system of type %s, %s, is not', (type) => {
    expect(networkWarning(Number.parseInt(type, 16))).toBeUndefined();
  });

  test('stats counts layers, confidence, ages and sizes', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: '1234', confidence: 'high' }, { nowMs: NOW - 3 * DAY });
    const { id } = await store.run('put', { type: 'project', content: '中文' }, { nowMs: NOW - 400 * DAY });
    await store.run('put', { type: 'run', content: 'x' });
    await store.run('delete', { id: [id] });
    expect(await store.run('stats')).toEqual({
      db: store.path,
      total: 2,
      by_type: { project: 0, feature: 0, run: 2 },
      by_confidence: { high: 1, medium: 1, low: 0 },
      by_age: { within_1_days: 1, within_7_days: 1, within_30_days: 0, within_180_days: 0, older: 0 },
      history: { versions: 3, deleted_items: 1 },
      size: { database: fs.statSync(store.path).size, content: 5, index: expect.any(Number) },
      schema_version: 1,
      tokenizer_version: 'jieba-12',
      index: 'ready',
    });
  });
});

test('history can be limited to the newest entries, and to some fields', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', key: 'k', content: '一' });
  for (const content of ['二二', '三三三']) await store.run('put', { id, content });
  expect(await store.run('history', { id, limit: 2, fields: ['version', 'change', 'chars'] })).toEqual({
    id,
    deleted: false,
    total: 3,
    versions: [
      { version: 3, change: 'update', chars: 3 },
      { version: 2, change: 'update', chars: 2 },
    ],
  });
});

test.each([
  ['version', 9_007_336_693_694_464n, 'versions'],
  ['version', 0, 'versions'],
  ['weight', 1e300, 'weights'],
])('a %s of %s, as on a damaged page, is reported by doctor', async (column, value, name) => {
  using store = await tempStore();
  await store.run('put', { type: 'run', key: 'bad', content: 'x' });
  const db = new DatabaseSync(store.path);
  db.prepare(`update memory_items set ${column} = ?`).run(value);
  db.close();
  expect(await errorOf(store.run('doctor'))).toMatchObject({
    code: 'DB_ERROR',
    context: { checks: expect.arrayContaining([expect.objectContaining({ name, status: 'error' })]) },
  });
});

test('a version that no number can hold is reported by every reading command, and the other items are saved', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', key: 'bad', content: 'x' });
  await store.run('put', { type: 'run', key: 'good', content: 'y' });
  const db = new DatabaseSync(store.path);
  db.prepare('update memory_items set version = ? where id = ?').run(9_007_336_693_694_464n, id);
  db.close();
  for (const [name, input] of [
    ['get', { id: [id] }],
    ['list', {}],
    ['history', { id }],
    ['search', { query: 'x' }],
  ] as const) {
    expect([name, await errorOf(store.run(name, input))]).toMatchObject([name, { code: 'DB_ERROR' }]);
  }
  const output = path.join(store.folder, 'saved.jsonl');
  expect(await errorOf(store.run('export', { output, salvage: true }))).toMatchObject({
    message: `only 1 item saved in ${output}: 1 stored item could not be read`,
  });
  expect(fs.readFileSync(output, 'utf8')).toContain('"key":"good"');
});

test('an item that another program removed, and of which nothing is kept, is not offered for a restore', async () => {
  using store = await tempStore();
  const [once, twice] = await Promise.all(
    ['once', 'twice'].map(async (key) => (await store.run('put', { type: 'run', key, content: 'x' })).id),
  );
  await store.run('put', { id: twice, content: 'y' });
  const db = new DatabaseSync(store.path);
  db.exec('delete from memory_items');
  db.close();
  for (const [operation, input] of [
    ['get', { id: [once] }],
    ['delete', { id: [once] }],
    ['restore', { id: [once] }],
    ['put', { id: once, content: 'z' }],
  ] as const) {
    const error = await errorOf(store.run(operation, input));
    expect(error).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining('another program removed it') });
  }
  expect(await errorOf(store.run('get', { id: [twice] }))).toMatchObject({ hint: expect.stringContaining('restore') });
  expect(await store.run('restore', { id: [twice] })).toMatchObject({ action: 'restored' });
  // what can be listed as deleted, and nothing else
  const { total } = await store.run('list', { deleted: true });
  expect((await store.run('stats'))['history']).toMatchObject({ deleted_items: total });
});

test('the undo hint of a cleanup says how to go on where a list is too short for it', async () => {
  using store = await tempStore();
  const lines = Array.from({ length: 1001 }, (_, at) =>
    JSON.stringify({ id: `i${at}`, type: 'run', content: 'x', updated_at: '2020-01-01T00:00:00Z' }),
  );
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  const { hint } = await store.run('cleanup', { apply: true, limit: 100_000 });
  expect(hint).toMatch(/--limit 1000, 1000 at a time: restore these, then list again$/);
});
