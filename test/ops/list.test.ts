import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import {
  mixedScore,
  CONFIDENCE_SCORES,
  recencyScore,
  isStale,
  staleUntil,
  type FreshnessFields,
} from '../../src/search/recency.ts';
import { whereOf } from '../../src/store/filters.ts';
import { updatedSort } from '../../src/store/item-source.ts';
import { confidence, type } from '../helpers/arbitraries.ts';
import { DAY, errorOf, NOW, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';

interface Row {
  readonly id: string;
  readonly type: string;
  readonly task_id: string | null;
  readonly tags: readonly string[];
  readonly updated_at: string;
  readonly confidence_level: string;
}

async function fill(store: TestStore, rows: readonly Row[]): Promise<void> {
  const lines = rows.map((row) =>
    JSON.stringify({ ...row, key: 'k', content: `content of ${row.id}`, created_at: row.updated_at, version: 1 }),
  );
  await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
}

function ids(items: readonly { id: string }[]): string[] {
  return items.map(({ id }) => id);
}

const fields = {
  id: fc.stringMatching(/^[a-z0-9]{1,6}$/),
  type,
  task_id: fc.constantFrom(null, 'a', 'b'),
  tags: fc.uniqueArray(fc.constantFrom('go', 'golang', 'Go'), { maxLength: 3 }),
  updated_at: fc.integer({ min: -5, max: 1000 }).map((days) => new Date(NOW - days * DAY).toISOString()),
  confidence_level: confidence,
};
const row: fc.Arbitrary<Row> = fc.record(fields);

/** The key by which times are compared: those that do not start and end as memtool writes them come last. */
function sortable({ updated_at }: Row): string {
  return /^\d{4}-\d\d-\d\dT.*Z$/.test(updated_at) ? updated_at : '';
}

/** The same as the operation's `list`, over a plain array. */
function model(rows: readonly Row[], input: Record<string, unknown>): string[] {
  const value = (one: Row): number => {
    const item = one as unknown as FreshnessFields;
    const by: Record<string, number> = {
      updated: 0,
      confidence: CONFIDENCE_SCORES[item.confidence_level],
      recency: recencyScore(item, NOW),
      mixed: mixedScore(item, NOW),
    };
    return by[String(input['sort_by'] ?? 'updated')] ?? 0;
  };
  const {
    type: wantedType,
    task_id: task,
    tag,
    since,
    until,
  } = input as { type?: string; task_id?: string; tag?: string[]; since?: string; until?: string };
  return rows
    .filter((one) => wantedType === undefined || one.type === wantedType)
    .filter((one) => task === undefined || one.task_id === task)
    .filter((one) => (tag ?? []).every((wanted) => one.tags.includes(wanted)))
    .filter((one) => since === undefined || one.updated_at >= since)
    .filter((one) => until === undefined || one.updated_at <= until)
    .filter((one) => input['exclude_stale'] !== true || !isStale(one as unknown as FreshnessFields, NOW))
    .toSorted(
      (a, b) =>
        value(b) - value(a) ||
        (sortable(a) < sortable(b) ? 1 : sortable(a) > sortable(b) ? -1 : 0) ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ id }) => id);
}

describe('list', () => {
  test('equals a plain array model under filters, sorts and pages', async () => {
    const time = fc.integer({ min: 0, max: 1000 }).map((days) => new Date(NOW - days * DAY).toISOString());
    const call = fc.record(
      {
        type,
        task_id: fc.constantFrom('a', 'b'),
        tag: fc.subarray(['go', 'golang', 'Go'], { minLength: 1 }),
        since: time,
        until: time,
        sort_by: fc.constantFrom('updated', 'confidence', 'recency', 'mixed'),
        exclude_stale: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 25 }),
        fc.array(call, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        async (rows, calls, limit) => {
          using store = await tempStore();
          await fill(store, rows);
          for (const input of calls) {
            const expected = model(rows, input);
            const found: string[] = [];
            let cursor: string | null = null;
            do {
              const page: Output = await store.run('list', { ...input, limit, ...(cursor === null ? {} : { cursor }) });
              expect(page['total']).toBe(expected.length);
              found.push(...page['items'].map(({ id }: { id: string }) => id));
              cursor = page['next_cursor'];
            } while (cursor !== null);
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(['updated', 'confidence', 'recency', 'mixed'])(
    'pages by %s that end between equal items lose none and repeat none',
    async (sort_by) => {
      using store = await tempStore();
      // times in the future, at which every item has the same recency
      const rows = [2, 2, 1, 1, 3].map((days, at) => ({
        id: `i${at}`,
        type: 'run',
        task_id: null,
        tags: [],
        updated_at: new Date(NOW + days * DAY).toISOString(),
        confidence_level: 'medium',
      }));
      await fill(store, rows);
      for (const limit of [1, 2, 3]) {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Output = await store.run('list', { sort_by, limit, ...(cursor !== null && { cursor }) });
          found.push(...ids(page.items));
          cursor = page.next_cursor;
        } while (cursor !== null && found.length < 10);
        expect([limit, found]).toEqual([limit, ['i4', 'i0', 'i1', 'i2', 'i3']]);
      }
    },
  );

  test.each(['updated', 'confidence', 'recency', 'mixed'])(
    'the next page by %s continues the first one, however much later it is asked for',
    async (sort_by) => {
      using store = await tempStore();
      const rows = [1, 2, 3, 4].map((days) => ({
        id: `i${days}`,
        type: 'run',
        task_id: null,
        tags: [],
        updated_at: new Date(NOW - days * DAY).toISOString(),
        confidence_level: 'medium',
      }));
      await fill(store, rows);
      const call = { sort_by, exclude_stale: true, limit: 1 };
      const pages: Output[] = [await store.run('list', call)];
      for (const days of [40, 80, 120]) {
        const options = { nowMs: NOW + days * DAY };
        pages.push(await store.run('list', { ...call, cursor: pages.at(-1).next_cursor }, options));
      }
      expect(pages.map(({ items, total }) => [...ids(items), total])).toEqual([
        ['i1', 4],
        ['i2', 4],
        ['i3', 4],
        ['i4', 4],
      ]);
      expect(pages.at(-1).next_cursor).toBeNull();
    },
  );

  test('since and until include their own instant, and not the millisecond beyond it', async () => {
    using store = await tempStore();
    const at = '2026-03-01T10:00:00.000Z';
    await store.run('put', { type: 'run', key: 'k', content: 'alpha' }, { nowMs: Date.parse(at) });
    for (const [filter, total] of [
      [{ since: at }, 1],
      [{ since: '2026-03-01T10:00:00.001Z' }, 0],
      [{ until: at }, 1],
      [{ until: '2026-03-01T09:59:59.999Z' }, 0],
      [{ since: at, until: '2026-03-01T11:00:00+01:00' }, 1],
      // as the end of a range, a date includes its whole day
      [{ until: '2026-03-01' }, 1],
      [{ until: '2026-02-28' }, 0],
      [{ since: '2026-03-01' }, 1],
      [{ since: '2026-03-02' }, 0],
      [{ until: '2026-03-01T00:00' }, 0],
      [{ until: '2026-02-28 -12:00' }, 1],
      [{ until: '2026-02-28-09:00' }, 0],
    ] as const) {
      expect([filter, (await store.run('list', filter)).total]).toEqual([filter, total]);
      expect([filter, (await store.run('search', { query: 'alpha', ...filter })).total]).toEqual([filter, total]);
      expect([filter, (await store.run('export', filter)).lines.length]).toEqual([filter, total]);
    }
  });

  test('since and until take an age, and the pages of a list keep that of the first', async () => {
    using store = await tempStore();
    const writtenAt = (ms: number) => ({ nowMs: Date.parse('2026-03-01T10:00:00.000Z') + ms });
    for (const [key, at] of [
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ] as const)
      await store.run('put', { type: 'run', key, content: 'alpha' }, writtenAt(at));
    for (const [age, ms] of [
      ['90s', 90_000],
      ['30m', 1_800_000],
      ['12h', 43_200_000],
      ['7d', 604_800_000],
      ['2w', 1_209_600_000],
    ] as const) {
      const asked = async (filter: Record<string, string>, later = 0) => {
        const options = writtenAt(1 + ms + later);
        const { lines } = await store.run('export', filter, options);
        const totals = [
          (await store.run('list', filter, options)).total,
          (await store.run('search', { query: 'alpha', ...filter }, options)).total,
        ];
        expect([age, totals]).toEqual([age, [lines.length, lines.length]]);
        return lines.length;
      };
      expect(await asked({ since: age })).toBe(2);
      expect(await asked({ until: age })).toBe(2);
      expect(await asked({ since: age, until: age })).toBe(1);
      expect(await asked({ since: age }, 2)).toBe(0);
      const page = { since: age, limit: 1, fields: ['key'] };
      const first = await store.run('list', page, writtenAt(1 + ms));
      const next = await store.run('list', { ...page, cursor: first.next_cursor }, writtenAt(10 + ms));
      expect([first.items, next.items, next.next_cursor]).toEqual([[{ key: 'c' }], [{ key: 'b' }], null]);
    }
    expect(await store.run('list', { since: '999999w' })).toMatchObject({ total: 3 });
    for (const since of ['7', 'd', '7 d', '-7d', '+7d', '7D', '1.5d', '7y', '7days', '1w2d', '1234567s', '7d ago'])
      expect([since, await errorOf(store.run('list', { since }))]).toEqual([
        since,
        expect.objectContaining({ code: 'PARAM_ERROR', message: expect.stringContaining(', or an age such as 7d') }),
      ]);
  });

  test('is sorted, and without stale items, to the millisecond, whatever times another program has stored', async () => {
    const edges = Object.values(staleUntil(NOW)).flatMap((time) =>
      [-1, 0, 1].map((more) => new Date(Date.parse(time) + more).toISOString()),
    );
    const odd = ['', 'yesterday', '2026-02-30T00:00:00.000Z', '2025-13-01T00:00:00.000Z', '2024-01-01T24:00:00.000Z'];
    const foreign = [
      '2026-01-01T00:00:00Z',
      '2024-03-01T08:00:00+08:00',
      '2024-03-01 08:00:00',
      '0001-01-01T00:00:00.000Z',
    ];
    const time = fc.oneof(
      fc.constantFrom(...edges, ...odd, ...foreign, '9999-12-31T23:59:59.999Z'),
      fc.integer({ min: -5 * DAY, max: 1000 * DAY }).map((age) => new Date(NOW - age).toISOString()),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ ...fields, updated_at: time }), { selector: ({ id }) => id, maxLength: 25 }),
        async (rows) => {
          using store = await tempStore();
          await fill(
            store,
            rows.map((one) => ({ ...one, updated_at: new Date(NOW).toISOString() })),
          );
          const db = new DatabaseSync(store.path);
          for (const { id, updated_at } of rows)
            db.prepare('update memory_items set updated_at = ? where id = ?').run(updated_at, id);
          db.close();
          for (const sort_by of ['updated', 'confidence', 'recency', 'mixed']) {
            for (const exclude_stale of [true, false]) {
              const { items, total } = await store.run('list', { sort_by, exclude_stale });
              const expected = model(rows, { sort_by, exclude_stale });
              expect([sort_by, exclude_stale, total, ids(items)]).toEqual([
                sort_by,
                exclude_stale,
                expected.length,
                expected,
              ]);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('tags are found however another program has spelled them in JSON, and nowhere else', async () => {
    using store = await tempStore();
    const written = {
      escaped: String.raw`["\u6570\u636e", "x\u0022y", "a\/b"]`,
      plain: '["数据","a/b"]',
      broken: '["数据"',
      keys: '{"数据":"value"}',
      comma: '["m","n"]',
      none: '[]',
    };
    const db = new DatabaseSync(store.path);
    for (const [id, tags] of Object.entries(written)) {
      await store.run('put', { type: 'run', key: id, content: 'c' });
      db.prepare('update memory_items set id = key, tags_json = ? where key = ?').run(tags, id);
    }
    db.close();
    const found = async (tag: string) => ids((await store.run('list', { tag: [tag] })).items).toSorted();
    expect(await found('数据')).toEqual(['escaped', 'plain']);
    expect(await found('a/b')).toEqual(['escaped', 'plain']);
    expect(await found('x"y')).toEqual(['escaped']);
    expect(await found('value')).toEqual(['keys']);
    expect(await found(',')).toEqual([]);
  });

  test('the items of a very common tag are listed in order, page by page, with their number', async () => {
    using store = await tempStore();
    const rows = Array.from({ length: 2500 }, (_, at) => ({
      id: `i${at}`,
      type: ['run', 'feature', 'project'][at % 3] ?? '',
      task_id: null,
      tags: at % 10 === 0 ? ['tenth'] : ['common'],
      updated_at: new Date(NOW - ((at * 7919) % 2500) * 3_600_000).toISOString(),
      confidence_level: ['high', 'medium', 'low'][(at % 7) % 3] ?? '',
    }));
    await fill(store, rows);
    for (const input of [
      { tag: ['common'] },
      { tag: ['common'], sort_by: 'mixed' },
      { tag: ['tenth'], sort_by: 'recency', exclude_stale: true },
    ]) {
      const expected = model(rows, input);
      const first = await store.run('list', { ...input, limit: 200 });
      expect(first.total).toBe(expected.length);
      expect(ids(first.items)).toEqual(expected.slice(0, 200));
      if (expected.length <= 200) continue;
      const second = await store.run('list', { ...input, limit: 50, cursor: first.next_cursor });
      expect(ids(second.items)).toEqual(expected.slice(200, 250));
    }
  });

  test('works without the indexes that an earlier memtool did not create; the next write creates them', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'k', tag: ['db'], content: 'c' });
    const indexes = (change = ''): string[] => {
      const db = new DatabaseSync(store.path);
      db.exec(change);
      const rows = db
        .prepare("select name from sqlite_master where type = 'index' and name like 'memory_items_%' order by name")
        .all();
      db.close();
      return rows.map((one) => String(one['name']));
    };
    const all = indexes();
    expect(all).toEqual(expect.arrayContaining(['memory_items_layer', 'memory_items_tags']));
    indexes('drop index memory_items_layer; drop index memory_items_tags');
    for (const input of [{ sort_by: 'mixed' }, { tag: ['db'] }, { exclude_stale: true }])
      expect((await store.run('list', input)).total).toBe(1);
    expect(indexes()).toHaveLength(all.length - 2);
    await store.run('put', { type: 'run', key: 'k2', content: 'c' });
    expect(indexes()).toEqual(all);
  });

  test('a very large database gets its missing indexes from doctor --fix, since a write would block others for too long', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'k', content: 'c' });
    const asked = (change = ''): unknown => {
      const db = new DatabaseSync(store.path);
      if (change !== '') db.exec(change);
      const count = db
        .prepare("select count(*) as n from sqlite_master where name in ('memory_items_layer', 'memory_items_tags')")
        .get();
      db.close();
      return count?.['n'];
    };
    const schema = async (): Promise<Output> =>
      (await store.run('doctor')).checks.find((one: { name: string }) => one.name === 'schema');
    asked('drop index memory_items_layer; drop index memory_items_tags');
    expect(await schema()).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('the next write creates'),
      fix: null,
    });
    asked('delete from memory_fts where rowid = 1; update memory_items set seq = 200001');
    await store.run('doctor', { fix: true }); // adds the item to the full-text index
    asked('drop index memory_items_layer; drop index memory_items_tags');
    await store.run('put', { type: 'run', key: 'k2', content: 'c' });
    expect(asked()).toBe(0);
    expect(await schema()).toMatchObject({ status: 'warning', fix: expect.stringContaining('doctor --fix') });
    await store.run('doctor', { fix: true });
    expect([asked(), await schema()]).toMatchObject([2, { status: 'ok' }]);
  });

  test('the items of a task are looked up by the task, whatever the other filters', async () => {
    using store = await tempStore();
    const db = new DatabaseSync(store.path);
    for (const filters of [
      { type: 'run', task_id: 't' },
      { type: 'run', task_id: 't', fresh: { atMs: NOW, staleUntil: staleUntil(NOW) } },
      { type: 'run', task_id: 't', since: '2026-01-01T00:00:00.000Z', tags: ['db'] },
    ] as const) {
      const { sql, parameters } = whereOf(filters);
      db.function('memory_is_stale', (_type, _updated, _now) => 0);
      const plan = db.prepare(`explain query plan select count(*) from memory_items m where ${sql}`);
      plan.setAllowUnknownNamedParameters(true);
      expect(JSON.stringify(plan.all(parameters))).toContain('memory_items_task_step (task_id=?)');
    }
    db.close();
  });

  test.each([
    [{}, 'SCAN m USING INDEX memory_items_updated'],
    [{ type: 'run' }, 'SEARCH m USING INDEX memory_items_layer (type=?)'],
    [{ type: 'run', since: '2026-01-01' }, 'SEARCH m USING INDEX memory_items_layer (type=? AND updated_sort>?)'],
    [{ type: 'run', key: 'k' }, 'SEARCH m USING INDEX memory_items_type_key (type=? AND key=?)'],
    [{ key: 'k' }, 'SEARCH m USING INDEX memory_items_type_key (type=? AND key=?)'],
    [{ type: 'run', task_id: 't' }, 'SEARCH m USING INDEX memory_items_task_step (task_id=?)'],
  ] as const)('no more items are read than needed for %j, sorted by update', async (filters, expected) => {
    using store = await tempStore();
    using db = new DatabaseSync(store.path);
    const { sql, parameters } = whereOf(filters);
    const plan = db
      .prepare(`explain query plan
        select m.id from memory_items m where ${sql} order by ${updatedSort(filters)} desc, m.id limit 20`)
      .all(parameters)
      .map(({ detail }) => detail);
    const isBySort = expected.includes('type_key') || expected.includes('task_step');
    expect(plan).toEqual([expected, ...(isBySort ? ['USE TEMP B-TREE FOR ORDER BY'] : [])]);
  });

  test('an item with an unreadable time matches neither since nor until', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' });
    const db = new DatabaseSync(store.path);
    db.prepare("update memory_items set updated_at = 'yesterday'").run();
    db.close();
    expect((await store.run('list')).items).toMatchObject([{ id }]);
    for (const filter of [{ until: '2100-01-01' }, { since: '1970-01-01' }]) {
      expect([filter, (await store.run('list', filter)).items]).toEqual([filter, []]);
      expect([filter, (await store.run('search', { query: 'x', ...filter })).items]).toEqual([filter, []]);
    }
  });

  test.each([
    ['%', 0],
    ['g%', 0],
    ['go', 1],
    ['GO', 0],
    ['golang', 1],
    ['g_', 0],
  ])('tag %j finds %d items: it matches exactly, including case', async (tag, total) => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x', tag: ['go'] });
    await store.run('put', { type: 'run', content: 'x', tag: ['golang', 'mango'] });
    expect(await store.run('list', { tag: [tag] })).toMatchObject({ total });
  });

  test('a filter that matches nothing says so, and suggests what is near', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'feature', task_id: 'Auth', key: 'k', content: 'use jwt' });
    for (const [task, hint] of [
      ['auth', 'did you mean Auth?'],
      ['Auth ', 'did you mean Auth?'],
      ['auht', 'did you mean Auth?'],
      ['payments', 'no item has --task-id payments'],
    ] as const) {
      expect((await store.run('list', { task_id: task }))['hint']).toContain(hint);
      expect((await store.run('search', { query: 'jwt', task_id: task }))['hint']).toContain(hint);
    }
    expect(await store.run('list', { task_id: 'Auth' })).not.toHaveProperty('hint');
  });

  test('every empty list says why', async () => {
    using store = await tempStore();
    const hintOf = async (name: string, input: Record<string, unknown>, nowMs = NOW): Promise<Output> =>
      (await store.run(name, input, { nowMs })).hint;
    for (const [name, input] of [
      ['list', {}],
      ['list', { task_id: 'Auth' }],
      ['search', { query: 'jwt' }],
      ['recommend', {}],
    ] as const)
      expect(await hintOf(name, input)).toMatch(/^nothing is stored in this database; store .*: memtool put /);
    await store.run('put', { type: 'feature', task_id: 'Auth', key: 'k', content: 'use jwt' });
    await store.run('put', { type: 'project', task_id: 'Other', key: 'other', content: 'use jwt' });
    const last = '2026-06-01T12:00:00.000Z';
    for (const [input, hint] of [
      [{ type: 'run' }, 'no run item is stored; see what is stored with: memtool stats'],
      [
        { since: '2026-06-02T00:00:00.000Z' },
        `no item was updated at 2026-06-02T00:00:00.000Z or later; the last update was at ${last}`,
      ],
      [{ until: '2026-05-31T00:00:00.000Z' }, 'no item was updated at 2026-05-31T00:00:00.000Z or earlier'],
      [{ task_id: 'Auth', key: 'other' }, 'no item passes all of these filters; leave one of them out'],
    ] as const) {
      expect(await hintOf('list', input)).toBe(hint);
      expect(await hintOf('search', { query: 'jwt', ...input })).toBe(hint);
    }
    // the items pass the filters, but the text is not in them
    expect(await hintOf('search', { query: 'absent', type: 'feature' })).toMatch(
      /^no item contains any of these words/,
    );
    await store.run('put', { type: 'project', key: 'present', content: 'absent' });
    expect(await hintOf('search', { query: 'absent', type: 'feature' })).toMatch(/^nothing matches within these/);
    const later = NOW + 900 * DAY;
    const stale = 'everything that the other filters admit is stale; ';
    expect(await hintOf('list', { exclude_stale: true }, later)).toBe(`${stale}leave out --exclude-stale`);
    expect(await hintOf('recommend', {}, later)).toBe(`${stale}add --include-stale`);
    expect(await hintOf('recommend', { key_prefix: 'x' })).toBe(
      'no item has a key that starts with x (matched exactly)',
    );
    expect(await hintOf('list', {})).toBeUndefined();
  });

  test('a cursor of other filters, or an invalid one, is refused', async () => {
    using store = await tempStore();
    for (let n = 0; n < 3; n += 1) await store.run('put', { type: 'run', content: 'x' });
    const { next_cursor: cursor } = await store.run('list', { limit: 1 });
    expect(await store.run('list', { limit: 2, fields: ['id'], cursor })).toMatchObject({
      total: 3,
      next_cursor: null,
    });
    expect(await errorOf(store.run('list', { cursor, type: 'run' }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('other filters'),
    });
    const late = JSON.parse(Buffer.from(cursor, 'base64url').toString()).with(1, 1e18);
    for (const bad of ['x', 'bm90IGpzb24', 'e30', '[]', Buffer.from(JSON.stringify(late)).toString('base64url')])
      expect(await errorOf(store.run('list', { cursor: bad }))).toMatchObject({ code: 'PARAM_ERROR' });
  });

  test('broken times and tags (written by another program) stay visible and sort last', async () => {
    using store = await tempStore();
    const stored: string[] = [];
    for (const key of ['a', 'b', 'c'])
      stored.push((await store.run('put', { type: 'run', key, content: 'alpha', tag: ['t'] })).id);
    const db = new DatabaseSync(store.path);
    db.exec(
      "update memory_items set updated_at = 'garbage' where key = 'a'; update memory_items set updated_at = '', tags_json = '{' where key = 'b'",
    );
    db.close();
    for (const sort_by of ['updated', 'recency', 'mixed']) {
      const { items, warnings } = await store.run('list', { sort_by });
      expect((items as { key: string }[]).map(({ key }) => key)[0]).toBe('c');
      expect(items).toHaveLength(3);
      expect(warnings).toEqual([
        expect.stringMatching(/^the updated_at of some items is not a time, so that they count as the oldest: /),
      ]);
      for (const id of stored.slice(0, 2)) expect(warnings[0]).toContain(id);
      expect(warnings[0]).not.toContain(stored[2]);
    }
    expect(await store.run('list', { key: 'c' })).not.toHaveProperty('warnings');
    expect(await store.run('list', { exclude_stale: true })).toMatchObject({ total: 3 });
    expect(await store.run('list', { tag: ['t'] })).toMatchObject({ total: 2 });
    expect(await store.run('search', { query: 'alpha' })).toMatchObject({
      total: 3,
      warnings: [expect.stringContaining('not a time')],
    });
    const unclean = { warnings: [expect.stringMatching(/never cleaned up: "\w+", "\w+" \(see: memtool doctor\)$/)] };
    expect(await store.run('cleanup', { limit: 1 }, { nowMs: NOW + 9999 * DAY })).toMatchObject(unclean);
    expect(await store.run('cleanup', { older_than_days: 0, apply: true }, { nowMs: NOW + 9999 * DAY })).toMatchObject({
      deleted: 1,
      ...unclean,
    });
    expect((await store.run('doctor'))['checks']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'times', status: 'warning' }),
        expect.objectContaining({ name: 'tags', status: 'warning' }),
      ]),
    );
  });
});

test('list shows the start and the length of each content on request', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', key: 'k', content: `数据库\n${'x'.repeat(500)}` });
  const { items } = await store.run('list', { fields: ['key', 'snippet', 'chars'] });
  expect(items).toEqual([{ key: 'k', snippet: expect.stringMatching(/^数据库 x{100,160}…$/), chars: 504 }]);
});
