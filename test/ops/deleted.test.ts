import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { DAY, errorOf, NOW, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';

/** A store with stored items s1 and s2 and deleted ones, of which the last two were deleted at the same time. */
async function withDeleted(): Promise<TestStore> {
  const store = await tempStore();
  const items = ['s1', 's2', 'a', 'b', 'c', 'd'].map((id, at) => ({
    id,
    type: at % 2 === 0 ? 'run' : 'feature',
    key: id === 'd' ? 'a' : id,
    task_id: 'T',
    tags: [id, 'all'],
    content: `content of ${id}`,
    version: 1,
    updated_at: '2026-05-01T00:00:00.000Z',
  }));
  await store.run('import', { input: '-' }, { stdin: stdinOf(items.map((item) => JSON.stringify(item)).join('\n')) });
  await store.run('put', { id: 'a', content: 'second version of a' });
  for (const [days, ids] of [
    [1, ['b']],
    [2, ['a']],
    [3, ['d', 'c']],
  ] as const)
    await store.run('delete', { id: ids }, { nowMs: NOW + days * DAY });
  return store;
}

const at = (days: number): string => new Date(NOW + days * DAY).toISOString();

describe('list --deleted', () => {
  test('lists what was deleted, as it was, the most recently deleted first', async () => {
    using store = await withDeleted();
    const { items, total, next_cursor } = await store.run('list', { deleted: true });
    expect(items.map(({ id, deleted_at }: Record<string, unknown>) => [id, deleted_at])).toEqual([
      ['c', at(3)],
      ['d', at(3)],
      ['a', at(2)],
      ['b', at(1)],
    ]);
    expect([total, next_cursor]).toEqual([4, null]);
    expect(Object.keys(items[2])).toEqual([...Object.keys((await store.run('list')).items[0]), 'deleted_at']);
    expect(items[2]).toEqual({
      ...(await store.run('history', { id: 'a' })).versions[0],
      changed_at: undefined,
      change: undefined,
      id: 'a',
      content: 'second version of a',
      version: 2,
      deleted_at: at(2),
    });
    expect(
      await store.run('list', { deleted: true, fields: ['key', 'snippet', 'chars', 'deleted_at'], limit: 1 }),
    ).toMatchObject({ items: [{ key: 'c', snippet: 'content of c', chars: 12, deleted_at: at(3) }], total: 4 });
  });

  test('takes the filters of stored items; since and until bound the deletion', async () => {
    using store = await withDeleted();
    for (const [filters, ids] of [
      [{ type: 'run' }, ['c', 'a']],
      [{ key: 'a' }, ['d', 'a']],
      [{ key: 'a', type: 'feature' }, ['d']],
      [{ task_id: 'T', tag: ['all', 'b'] }, ['b']],
      [{ task_id: 'other' }, []],
      [{ step_id: 'S' }, []],
      [{ since: at(2) }, ['c', 'd', 'a']],
      [{ until: at(2) }, ['a', 'b']],
      [{ since: at(2), until: at(2), key: 'a' }, ['a']],
    ] as const) {
      const { items, total } = await store.run('list', { deleted: true, ...filters });
      expect([items.map(({ id }: { id: string }) => id), total]).toEqual([ids, ids.length]);
    }
    const anHourLater = { nowMs: Date.parse(at(2)) + 3_600_000 };
    expect(await store.run('list', { deleted: true, since: '1h', key: 'a' }, anHourLater)).toMatchObject({ total: 2 });
    expect(await store.run('list', { deleted: true, key: 'none' })).toMatchObject({
      items: [],
      total: 0,
      hint: expect.stringContaining('no deleted item passes these filters'),
    });
  });

  test('goes page by page, also among items that were deleted together', async () => {
    using store = await withDeleted();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.run('list', { deleted: true, limit: 1, ...(cursor !== undefined && { cursor }) });
      expect(page).toMatchObject({ total: 4, items: [expect.anything()] });
      seen.push(page.items[0].id);
      cursor = page.next_cursor ?? undefined;
      // a deletion between two pages does not shift them
      if (seen.length === 2) await store.run('delete', { id: ['s1'] }, { nowMs: NOW + 9 * DAY });
      if (seen.length === 2) await store.run('restore', { id: ['s1'] }, { nowMs: NOW + 9 * DAY });
    } while (cursor !== undefined);
    expect(seen).toEqual(['c', 'd', 'a', 'b']);
    const { next_cursor } = await store.run('list', { deleted: true, limit: 1 });
    expect(await errorOf(store.run('list', { limit: 1, cursor: next_cursor }))).toMatchObject({ code: 'PARAM_ERROR' });
  });

  test('refuses what only stored items have, and the other way round', async () => {
    using store = await withDeleted();
    for (const input of [
      { deleted: true, exclude_stale: true },
      { deleted: true, sort_by: 'mixed' },
      { fields: ['deleted_at'] },
    ])
      expect(await errorOf(store.run('list', input))).toMatchObject({ code: 'PARAM_ERROR', hint: expect.any(String) });
  });

  test('lists an item once, and not when it is stored again or purged', async () => {
    using store = await withDeleted();
    const ids = async (): Promise<string[]> =>
      (await store.run('list', { deleted: true })).items.map(({ id }: { id: string }) => id);
    await store.run('restore', { id: ['a'] }, { nowMs: NOW + 4 * DAY });
    expect(await ids()).toEqual(['c', 'd', 'b']);
    await store.run('delete', { id: ['a'] }, { nowMs: NOW + 5 * DAY });
    expect(await ids()).toEqual(['a', 'c', 'd', 'b']);
    expect((await store.run('list', { deleted: true })).total).toBe(4);
    await store.run('purge', { id: ['c'], apply: true });
    expect(await ids()).toEqual(['a', 'd', 'b']);
    // another program inserts a deleted item again, with its old version
    const db = new DatabaseSync(store.path);
    db.exec(`insert into memory_items (id, type, content, version, created_at, updated_at)
      values ('b', 'run', 'again', 1, '2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z')`);
    db.close();
    expect(await ids()).toEqual(['a', 'd']);
    await store.run('delete', { id: ['b'] }, { nowMs: NOW + 6 * DAY });
    expect(await ids()).toEqual(['b', 'a', 'd']);
    const { items } = await store.run('list', { deleted: true, limit: 1 });
    expect(items[0]).toMatchObject({ id: 'b', content: 'again', deleted_at: at(6) });
    expect(await store.run('restore', { id: ['b'] })).toMatchObject({ restored_version: 1 });
    expect(await store.run('get', { id: ['b'] })).toMatchObject({ item: { content: 'again' } });
  });

  test('reads an index in the order of the deletions, which older databases get with their next write', async () => {
    using store = await withDeleted();
    using db = new DatabaseSync(store.path);
    const isThere = (): boolean =>
      db.prepare("select 1 from sqlite_master where name = 'memory_history_deletions'").get() !== undefined;
    expect(isThere()).toBe(true);
    db.exec('drop index memory_history_deletions');
    expect((await store.run('list', { deleted: true })).items).toHaveLength(4);
    expect((await store.run('doctor')).checks).toContainEqual(
      expect.objectContaining({ name: 'schema', status: 'ok', message: expect.stringContaining('the next write') }),
    );
    await store.run('put', { type: 'run', content: 'x' });
    expect(isThere()).toBe(true);
    // with a very long history a write would block others for too long
    db.exec(
      "drop index memory_history_deletions; update memory_history set seq = 1000001 where change = 'delete' and item_id = 'a'",
    );
    await store.run('put', { type: 'run', content: 'x' });
    expect(isThere()).toBe(false);
    await store.run('doctor', { fix: true });
    expect(isThere()).toBe(true);
  });
});

describe('restore of several', () => {
  test('brings back all of them in one transaction, or none', async () => {
    using store = await withDeleted();
    for (const [ids, code] of [
      [['a', 'nosuch'], 'NOT_FOUND'],
      [['a', 's1'], 'PARAM_ERROR'],
    ] as const) {
      expect(await errorOf(store.run('restore', { id: ids }))).toMatchObject({ code });
      expect(await store.run('list', { deleted: true })).toMatchObject({ total: 4 });
    }
    expect(await errorOf(store.run('restore', { id: ['a', 'b'], version: 1 }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: '--version cannot be combined with several ids',
    });
    expect(await store.run('restore', { id: ['b', 'a', 'b'] })).toEqual({
      restored: 2,
      items: [
        { id: 'b', version: 2, restored_version: 1, type: 'feature', key: 'b' },
        { id: 'a', version: 3, restored_version: 2, type: 'run', key: 'a' },
      ],
    });
    expect(await store.run('get', { id: ['a'] })).toMatchObject({ item: { content: 'second version of a' } });
    expect(await store.run('search', { query: 'content' })).toMatchObject({ fts5: true, total: 3 });
    expect(await store.run('list', { deleted: true })).toMatchObject({ total: 2 });
    // one id, even if it is repeated, is answered as before
    expect(await store.run('restore', { id: ['c', 'c'] })).toEqual({
      action: 'restored',
      id: 'c',
      version: 2,
      restored_version: 1,
      type: 'run',
      key: 'c',
    });
  });

  test('undoes a cleanup as its hint says', async () => {
    using store = await withDeleted();
    const clean = { older_than_days: 0, apply: true };
    const { hint } = await store.run('cleanup', clean, { nowMs: NOW + 4 * DAY });
    expect(hint).toBe('undo with: memtool restore s1 s2');
    expect(await store.run('restore', { id: ['s1', 's2'] })).toMatchObject({ restored: 2 });
    expect(await store.run('cleanup', { older_than_days: 900 })).not.toHaveProperty('hint');
    for (let n = 0; n < 21; n += 1) await store.run('put', { type: 'run', content: 'x' });
    const many = await store.run('cleanup', clean, { nowMs: NOW + 5 * DAY });
    const command = `memtool list --deleted --since ${at(5)} --until ${at(5)} --fields id --limit 1000`;
    expect(many.hint).toBe(`undo with: memtool restore ID …; these ids are listed by: ${command}`);
    // what was deleted a moment before or after was not cleaned up
    for (const nowMs of [NOW + 5 * DAY - 1, NOW + 5 * DAY + 1]) {
      const { id } = await store.run('put', { type: 'run', content: 'x' });
      await store.run('delete', { id: [id] }, { nowMs });
    }
    const listed = await store.run('list', { deleted: true, since: at(5), until: at(5), fields: ['id'], limit: 1000 });
    const ids = ({ items }: Output): string[] => items.map(({ id }: { id: string }) => id).toSorted();
    expect(ids(listed)).toEqual(ids({ items: many.candidates }));
  });
});

describe('what is not found because it was deleted', () => {
  test('is named by get, list and search, with the command that brings it back', async () => {
    using store = await withDeleted();
    const restored = `one was deleted at ${at(1)}; bring it back with: memtool restore b`;
    expect((await errorOf(store.run('get', { type: 'feature', key: 'b' }))).hint).toBe(
      `no stored item has it, but ${restored}`,
    );
    for (const [name, input] of [
      ['list', { key: 'b' }],
      ['search', { query: 'words', key: 'b' }],
      ['recommend', { tag: ['b'] }],
    ] as const)
      expect((await store.run(name, input)).hint).toMatch(new RegExp(`^no item has --.* b \\(.*\\), but ${restored}$`));
    expect((await store.run('search', { query: 'b' })).hint).toBe(
      `no item contains this text; of the items with this key or task, ${restored}`,
    );
    const several = 'several were deleted; list them with: memtool list --deleted';
    expect((await store.run('list', { key: 'a' })).hint).toContain(`${several} --key a`);
    expect((await store.run('list', { key: 'a', task_id: 'T' })).hint).toContain(`${several} --task-id T --key a`);
    expect((await store.run('list', { type: 'run', key: 's2' })).hint).toBe(
      'no item passes all of these filters; leave one of them out',
    );
    // an item that is there is not explained away
    expect(await store.run('list', { key: 's1' })).not.toHaveProperty('hint');
    await store.run('delete', { id: ['s1', 's2'] });
    expect((await store.run('list')).hint).toBe(`nothing is stored in this database, but ${several}`);
    await store.run('purge', { deleted_before: '2999-01-01', apply: true });
    expect((await store.run('search', { query: 'b' })).hint).toMatch(/^nothing is stored in this database; store/);
  });

  test('is not named to a call whose filters it does not pass, even if nothing else is there', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', key: 'draft/1', content: 'x', tag: ['t'] });
    await store.run('delete', { id: [id] });
    const restored = `one was deleted at ${at(0)}; bring it back with: memtool restore ${id}`;
    expect((await store.run('list')).hint).toBe(`nothing is stored in this database, but ${restored}`);
    expect((await store.run('recommend', { key_prefix: 'draft/' })).hint).toContain(restored);
    const nothing = /^nothing is stored in this database; store something with: memtool put /;
    expect((await errorOf(store.run('get', { type: 'project', key: 'draft/1' }))).hint).toMatch(nothing);
    for (const [name, input] of [
      ['list', { type: 'project' }],
      ['list', { task_id: 'T' }],
      ['search', { query: 'x', key: 'draft/2' }],
      ['search', { query: 'x', tag: ['t', 'u'] }],
      ['recommend', { key_prefix: 'done/' }],
    ] as const)
      expect((await store.run(name, input)).hint).toMatch(nothing);
  });

  test('with a tag that contains a comma', async () => {
    using store = await tempStore();
    for (const content of ['one', 'two']) {
      const { id } = await store.run('put', { type: 'run', content, tag: ['a,b'] });
      await store.run('delete', { id: [id] });
    }
    await store.run('put', { type: 'run', content: 'three' });
    expect((await store.run('list', { tag: ['a,b'] })).hint).toMatch(/list --deleted --tag '\["a,b"\]'$/);
  });
});
