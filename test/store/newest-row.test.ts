import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createContext } from '../../src/ops/context.ts';
import { get } from '../../src/ops/get.ts';
import { RowSpread } from '../../src/store/row-spread.ts';
import { Statements } from '../../src/store/statement.ts';
import { DAY, keys, NOW, stdinOf, tempStore, type TestStore } from '../helpers/store.ts';

/** Imports `count` notes of one length, written a hundred days ago. */
async function importNotes(store: TestStore, count: number): Promise<void> {
  const updated_at = new Date(NOW - 100 * DAY).toISOString();
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({ type: 'run', key: `n${at}`, content: `alpha word ${10_000 + at}`, updated_at }),
  );
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
}

test.each([200, 2600])('an item that is kept up to date is found among %i others with equal words', async (count) => {
  using store = await tempStore();
  const guide = { type: 'project', key: 'guide', content: 'alpha word 99999', confidence: 'high', weight: 5 };
  const { id } = await store.run('put', guide);
  await importNotes(store, count);
  for (const change of [
    { id, weight: 4 },
    { ...guide, content: 'alpha word 99998' },
  ]) {
    await store.run('put', change);
    expect(keys(await store.run('search', { query: 'alpha word', limit: 3 }))[0]).toBe('guide');
  }
  await store.run('put', { type: 'run', key: 'last', content: 'alpha word 1' });
  await store.run('restore', { id: [id], version: 1 });
  expect(keys(await store.run('search', { query: 'alpha word', limit: 3 }))[0]).toBe('guide');
});

test('the newest row keeps its number, and so does one for which no higher number is left', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'alpha' });
  const seqs = (): unknown[] => {
    using db = new DatabaseSync(store.path);
    return db
      .prepare('select seq from memory_items order by id')
      .all()
      .map(({ seq }) => seq);
  };
  for (const content of ['beta', 'gamma']) await store.run('put', { id, content });
  expect(seqs()).toEqual([1]);
  using db = new DatabaseSync(store.path);
  db.exec(`update memory_items set seq = ${Number.MAX_SAFE_INTEGER}; delete from memory_fts`);
  db.close();
  await store.run('doctor', { fix: true });
  await store.run('put', { id, content: 'delta' });
  expect(seqs()).toEqual([Number.MAX_SAFE_INTEGER]);
  expect((await store.run('search', { query: 'delta' })).total).toBe(1);
});

test('below a row with the highest number, the other items are still written, found and restored', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'alpha' });
  const last = await store.run('put', { type: 'run', content: 'beta' });
  using db = new DatabaseSync(store.path);
  db.exec(`update memory_items set seq = ${Number.MAX_SAFE_INTEGER} where id = '${last.id}'; delete from memory_fts`);
  db.close();
  await store.run('doctor', { fix: true });
  expect(await store.run('put', { id, content: 'gamma' })).toMatchObject({ version: 2 });
  expect(await store.run('restore', { id: [id], version: 1 })).toMatchObject({ version: 3 });
  for (const [query, found] of [
    ['alpha', id],
    ['beta', last.id],
  ])
    expect((await store.run('search', { query, engine: 'fts' })).items).toMatchObject([{ id: found }]);
});

test('an item that is written constantly is visible to every reader', async () => {
  using store = await tempStore();
  for (const key of ['a', 'b']) await store.run('put', { type: 'project', key, content: 'x' });
  using reader = createContext({ dbPath: store.path, access: 'read', operations: [] });
  const list = reader.store.list.bind(reader.store);
  // somebody writes between the two queries of a get by key
  reader.store.list = (query) => {
    const found = list(query);
    using writer = createContext({ dbPath: store.path, access: 'write', operations: [] });
    for (const key of ['a', 'b'])
      writer.store.write(() => {
        const memory = writer.store.findByLogicalKey({ type: 'project', key, task_id: null, step_id: null });
        if (memory !== undefined)
          writer.store.replace({
            memory: { ...memory, version: memory.version + 1 },
            change: 'update',
            changedAt: memory.updated_at,
          });
      });
    return found;
  };
  for (let round = 0; round < 3; round += 1)
    expect(get.run(reader, { type: 'project', key: 'a' })).toMatchObject({ item: { key: 'a' } });
});

test('the number of items does not depend on how far apart their rows are', async () => {
  using store = await tempStore();
  await importNotes(store, 300);
  const db = new DatabaseSync(store.path);
  db.exec('update memory_items set seq = seq * 1000000 where seq % 3 = 0; delete from memory_fts');
  db.close();
  await store.run('doctor', { fix: true });
  using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
  expect(context.store.indexStatistics().count).toBe(300);
  expect(context.store.documentFrequency('"alpha"')).toBe(300);
});

test('the number of items, and of those with a word, is as accurate after many updates', async () => {
  using store = await tempStore();
  const figures = (): number[] => {
    using context = createContext({ dbPath: store.path, access: 'read', operations: [] });
    return [context.store.indexStatistics().count, context.store.documentFrequency('"alpha"')];
  };
  const write = async (numbers: readonly number[], round: number): Promise<void> => {
    const lines = numbers.map((at) => {
      const content = `${at % 4 < 2 ? 'alpha' : 'beta'} word ${round}`;
      return JSON.stringify({ type: 'run', key: `n${at}`, content, version: round });
    });
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  };
  const all = Array.from({ length: 2400 }, (_, at) => at);
  await write(all, 1);
  expect(figures()).toEqual([2400, 1201]); // the second is estimated
  // every other row is rewritten eight times
  for (let round = 2; round < 10; round += 1)
    await write(
      all.filter((at) => at % 2 === 0),
      round,
    );
  expect((await store.run('list', { limit: 1 })).total).toBe(2400);
  const [count, frequency] = figures();
  expect(count).toBe(2400);
  expect(frequency).toBeGreaterThan(1150);
  expect(frequency).toBeLessThan(1250);
  await store.run('delete', {
    id: (await store.run('list', { limit: 1000, fields: ['id'] })).items.map(({ id }: { id: string }) => id),
  });
  expect(figures()[0]).toBeLessThan(1900);
});

test.each([
  ['none is missing', 'true', 0],
  // 64 rows give the density to within one or two hundredths
  ['every third is missing', 'n % 3 <> 0', 800],
  // the density changes once, and is measured at 16 positions of 40,000 ids
  ['the newest were rewritten repeatedly', 'n <= 8000 or n % 16 = 0', 2500],
])('the number of rows above what is counted is estimated: %s', (_what, isThere, most) => {
  using db = new DatabaseSync(':memory:');
  db.exec(`create table memory_fts_docsize (id integer primary key, sz blob);
    insert into memory_fts_docsize (id) with recursive ids (n) as (select 1 union all select n + 1 from ids where n < 40000)
    select n from ids where ${isThere}`);
  const spread = new RowSpread(new Statements(db));
  for (const upTo of [10_000, 25_000, 40_000]) {
    const there = Number(db.prepare('select count(*) as n from memory_fts_docsize where id <= ?').get(upTo)?.['n']);
    expect(Math.abs(spread.rows(upTo) - there)).toBeLessThanOrEqual(most);
  }
});
