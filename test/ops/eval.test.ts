import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { normalisedDiscountedGain, percentile, recall, reciprocalRank } from '../../src/search/retrieval-metrics.ts';
import { errorOf, tempStore } from '../helpers/store.ts';

describe('measures', () => {
  test.each([
    [[true, false, false], 1, 1, 1, 1],
    [[false, true, false], 1, 1, 0.5, 1 / Math.log2(3)],
    [[false, false, false], 2, 0, 0, 0],
    [[true, false, true], 2, 1, 1, (1 + 1 / 2) / (1 + 1 / Math.log2(3))],
    [[true], 2, 0.5, 1, 1 / (1 + 1 / Math.log2(3))],
    [[], 1, 0, 0, 0],
  ])('%j of %d: recall %d, reciprocal rank %d, nDCG %d', (gains, relevant, recalled, mrr, ndcg) => {
    expect(recall(gains, relevant)).toBe(recalled);
    expect(reciprocalRank(gains)).toBe(mrr);
    expect(normalisedDiscountedGain(gains, relevant, 10)).toBeCloseTo(ndcg, 12);
  });
  test.each([
    [[true, true], 5, 2, 1],
    [[false, true], 5, 2, 1 / Math.log2(3) / (1 + 1 / Math.log2(3))],
    [[true], 3, 1, 1],
  ])('nDCG of %j of %d answers, of which %d can be found, is %d', (gains, relevant, k, expected) => {
    expect(normalisedDiscountedGain(gains, relevant, k)).toBeCloseTo(expected, 12);
  });
  test('percentile takes the nearest rank', () => {
    expect([0, 0.5, 0.95, 1].map((share) => percentile([3, 1, 2, 4], share))).toEqual([1, 2, 4, 4]);
  });
});

describe('eval', () => {
  test('counts the copies at one position, and a key and its id, as one answer', async () => {
    using store = await tempStore();
    const ids: string[] = [];
    for (const task_id of ['t1', 't2', 't3'])
      ids.push((await store.run('put', { type: 'run', key: 'k', task_id, content: 'connection refused' })).id);
    const queries = path.join(store.folder, 'q.jsonl');
    for (const relevant of [ids, ['k', ids[0]]]) {
      fs.writeFileSync(queries, JSON.stringify({ query: 'connection', relevant }));
      expect(await store.run('eval', { queries })).toMatchObject({ recall: 1, mrr: 1, ndcg: 1 });
    }
  });

  test('measures known questions by id or key, saves the figures, and compares with them', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', key: 'pool', content: '连接池 的 上限 是 20' });
    await store.run('put', { type: 'run', key: 'login', content: 'login returns 401' });
    const queries = path.join(store.folder, 'q.jsonl');
    const save = path.join(store.folder, 'before.jsonl');
    fs.writeFileSync(
      queries,
      [
        { query: '连接池 上限', relevant: [id] },
        { query: 'login code', relevant: ['login'] },
        { query: 'nothing', relevant: ['x'] },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    );
    expect(await errorOf(store.run('eval', { queries, save: queries }))).toMatchObject({ code: 'PARAM_ERROR' });
    const before = await store.run('eval', { queries, save });
    expect(before).toMatchObject({ queries: 3, k: 10, recall: 2 / 3, mrr: 2 / 3, ndcg: 2 / 3, empty: 1 });
    expect(before.latency_ms.p99).toBeGreaterThanOrEqual(before.latency_ms.p50);
    await store.run('put', { type: 'run', key: 'x', content: 'nothing' });
    await store.run('delete', { id: [id] });
    const { compared } = await store.run('eval', { queries, compare: save });
    expect(compared).toEqual({ queries: 3, recall: 0, mrr: 0, ndcg: 0, better: 1, worse: 1 });
    // the same file may contain the earlier figures and receive the new ones
    expect((await store.run('eval', { queries, compare: save, save })).compared).toEqual(compared);
    expect((await store.run('eval', { queries, compare: save })).compared).toMatchObject({ better: 0, worse: 0 });
  });
  test('measures what search returns: copies share a position, and an answer counts once', async () => {
    using store = await tempStore();
    for (const task_id of ['a', 'b', 'c'])
      await store.run('put', { type: 'run', task_id, key: 'note', content: 'alpha' });
    const { id } = await store.run('put', { type: 'run', task_id: 'd', key: 'note', content: 'alpha alpha beta' });
    const queries = path.join(store.folder, 'q.jsonl');
    const { items } = await store.run('search', { query: 'alpha' });
    expect(items).toHaveLength(2);
    const copy = items.find((item: { id: string }) => item.id !== id).duplicates[0];
    fs.writeFileSync(queries, JSON.stringify({ query: 'alpha', relevant: ['note'] }));
    expect(await store.run('eval', { queries })).toMatchObject({ recall: 1, mrr: 1, ndcg: 1 });
    fs.writeFileSync(queries, JSON.stringify({ query: 'alpha', relevant: [copy, id] }));
    expect(await store.run('eval', { queries, k: 2 })).toMatchObject({ recall: 1, mrr: 1, ndcg: 1 });
  });
  test('reserves stdout for its answer', async () => {
    using store = await tempStore();
    const queries = path.join(store.folder, 'q.jsonl');
    fs.writeFileSync(queries, '{"query":"a","relevant":["k"]}\n');
    expect(await errorOf(store.run('eval', { queries, save: '-' }))).toMatchObject({ code: 'PARAM_ERROR' });
  });
  test('compares only with complete lines of an earlier run, also after a BOM', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'k', content: 'connection refused' });
    const [queries, compare] = [path.join(store.folder, 'q.jsonl'), path.join(store.folder, 'before.jsonl')];
    fs.writeFileSync(queries, '\uFEFF{"query":"refused","relevant":["k"]}\n{"query":"half","relevant":["k"]}\n');
    fs.writeFileSync(
      compare,
      '\uFEFF{"query":"refused","recall":0,"mrr":0,"ndcg":0.5}\n{"query":"half","ndcg":0.5}\n{"query":"other"}\n',
    );
    const found = await store.run('eval', { queries, compare });
    expect(found.compared).toMatchObject({ queries: 1, recall: 1, ndcg: 0.5 });
  });
  test.each([
    ['the questions', '{"query":"refused","relevant":["k"]}', 'no figures', '--save FIGURES'],
    ['an incomplete line', '{"query":"refused","ndcg":0.5}', 'no figures', '--save FIGURES'],
    ['nothing', '', 'no figures', '--save FIGURES'],
    ['other JSON', 'not json', 'line 1', '--save FIGURES'],
    ['other questions', '{"query":"else","recall":0,"mrr":0,"ndcg":0}', 'none of these queries', 'same questions'],
  ])('refuses to compare with a file of %s, and saves nothing', async (_what, text, message, hint) => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'k', content: 'connection refused' });
    const [queries, compare] = [path.join(store.folder, 'q.jsonl'), path.join(store.folder, 'before.jsonl')];
    fs.writeFileSync(queries, '{"query":"refused","relevant":["k"]}');
    fs.writeFileSync(compare, text);
    expect(await errorOf(store.run('eval', { queries, compare, save: compare }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
    expect(fs.readFileSync(compare, 'utf8')).toBe(text);
  });
  test('warns of answers that no stored item can be', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', key: 'k', content: 'connection refused' });
    const queries = path.join(store.folder, 'q.jsonl');
    const ask = async (...relevant: string[]) => {
      fs.writeFileSync(queries, JSON.stringify({ query: 'refused', relevant }));
      return (await store.run('eval', { queries })).warnings;
    };
    expect(await ask('k', id)).toBeUndefined();
    expect(await ask('k', 'K', `${id} `)).toEqual([
      `no stored item has these ids or keys, so that they count as not found: "K", "${id} "`,
    ]);
    const many = Array.from({ length: 22 }, (_, at) => `no${at}`);
    expect(await ask(...many)).toEqual([expect.stringMatching(/"no19", and 2 more$/)]);
  });
  test('a path that cannot be used is told as that of the questions or of the output', async () => {
    using store = await tempStore();
    const [queries, loop] = [path.join(store.folder, 'q.jsonl'), path.join(store.folder, 'loop')];
    fs.writeFileSync(queries, '{"query":"refused","relevant":["k"]}');
    fs.symlinkSync(loop, loop);
    const long = path.join(store.folder, 'x'.repeat(300));
    for (const [input, message] of [
      [{ queries, save: long }, /^output ".* has a name that is too long$/],
      [{ queries, save: loop }, /^output ".*loop" leads through too many symbolic links$/],
      [{ queries: loop, save: queries }, /^file ".*loop" leads through too many symbolic links$/],
      [{ queries: long, save: queries }, /^file ".* has a name that is too long$/],
    ] as const)
      expect(await errorOf(store.run('eval', input))).toMatchObject({
        code: 'PARAM_ERROR',
        message: expect.stringMatching(message),
      });
  });
  test.each([
    ['invalid JSON', 'not json', 'line 1'],
    ['no query', '{"relevant":["a"]}', 'needs a query'],
    ['no answers', '{"query":"a","relevant":[]}', 'needs a query'],
    ['nothing', '\n\n', 'there is no query'],
    ['a bad line after blank ones', '\uFEFF{"query":"a","relevant":["k"]}\n\n\n{"query":"a"}', 'line 4'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'not valid UTF-8'],
  ])('refuses a file with %s', async (_what, text, message) => {
    using store = await tempStore();
    const queries = path.join(store.folder, 'q.jsonl');
    fs.writeFileSync(queries, text);
    expect(await errorOf(store.run('eval', { queries }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining(message),
    });
    expect(await errorOf(store.run('eval', { queries: `${queries}.nope` }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('does not exist'),
    });
  });
});
