import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CONTENT_BYTES } from '../../src/core/memory.ts';
import { content, name } from '../helpers/arbitraries.ts';
import { errorOf, NOW, stdinOf, tempStore, type Output } from '../helpers/store.ts';

describe('put', () => {
  test('inserts with the defaults of the item', async () => {
    using store = await tempStore();
    const put = await store.run('put', { type: 'project', key: 'glossary', content: 'x' });
    expect(put).toEqual({
      action: 'inserted',
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      version: 1,
      type: 'project',
      key: 'glossary',
    });
    expect(await store.run('get', { id: [put['id']] })).toEqual({
      item: {
        id: put['id'],
        type: 'project',
        task_id: null,
        step_id: null,
        key: 'glossary',
        content: 'x',
        tags: [],
        source: null,
        weight: 1,
        version: 1,
        created_at: '2026-06-01T12:00:00.000Z',
        updated_at: '2026-06-01T12:00:00.000Z',
        confidence_level: 'medium',
        verified_by: null,
      },
    });
    expect(Object.keys((await store.run('get', { id: [put['id']] }))['item'])).toEqual([
      'id',
      'type',
      'task_id',
      'step_id',
      'key',
      'content',
      'tags',
      'source',
      'weight',
      'version',
      'created_at',
      'updated_at',
      'confidence_level',
      'verified_by',
    ]);
  });

  test('replaces the given fields and keeps the others', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', {
      type: 'feature',
      key: 'k',
      task_id: 't',
      content: 'x',
      tag: ['a'],
      source: 's',
      weight: 2,
      confidence: 'high',
      verified_by: 'me',
    });
    const later = { nowMs: NOW + 1000 };
    expect(await store.run('put', { id, content: 'y' }, later)).toEqual({
      action: 'updated',
      id,
      version: 2,
      type: 'feature',
      key: 'k',
    });
    expect((await store.run('get', { id: [id] }))['item']).toMatchObject({
      content: 'y',
      tags: ['a'],
      source: 's',
      weight: 2,
      confidence_level: 'high',
      verified_by: 'me',
      task_id: 't',
      created_at: '2026-06-01T12:00:00.000Z',
      updated_at: '2026-06-01T12:00:01.000Z',
    });
    expect(await store.run('put', { id, type: 'run', key: 'k2', tag: ['b', 'c'] })).toMatchObject({
      version: 3,
      type: 'run',
      key: 'k2',
    });
    expect((await store.run('get', { id: [id] }))['item']).toMatchObject({
      content: 'y',
      tags: ['b', 'c'],
      type: 'run',
      task_id: 't',
    });
  });

  const given = {
    type: 'run',
    key: 'other key',
    task_id: 'other task',
    step_id: 'other step',
    content: 'other text',
    tag: ['other'],
    source: 'other source',
    weight: 7,
    confidence: 'low',
    verified_by: 'other person',
  };
  test.each(Object.entries(given))('replaces %s, given alone, and nothing else', async (field, value) => {
    using store = await tempStore();
    const first = { type: 'feature', key: 'k', task_id: 't', step_id: 's', content: 'x', tag: ['a'], source: 'here' };
    const { id } = await store.run('put', { ...first, weight: 2, confidence: 'high', verified_by: 'me' });
    const { item } = await store.run('get', { id: [id] });
    await store.run('put', { id, [field]: value }, { nowMs: NOW + 1000 });
    const stored = { tag: 'tags', confidence: 'confidence_level' }[field] ?? field;
    const changed = { [stored]: value, version: 2, updated_at: '2026-06-01T12:00:01.000Z' };
    expect((await store.run('get', { id: [id] })).item).toEqual({ ...item, ...changed });
    expect((await store.run('history', { id })).versions[1]).toMatchObject({ version: 1, [stored]: item[stored] });
  });

  test('stores tags trimmed, in NFC and each once, however they are given', async () => {
    using store = await tempStore();
    const tag = [' go ', 'go', 'cafe\u0301', 'café', 'two words'];
    const { id } = await store.run('put', { type: 'run', content: 'x', tag });
    expect((await store.run('get', { id: [id] })).item.tags).toEqual(['go', 'café', 'two words']);
    for (const one of [' go', 'cafe\u0301 '])
      expect(await store.run('list', { tag: [one] })).toMatchObject({ total: 1 });
  });

  test('with an id warns if another item has the same key', async () => {
    using store = await tempStore();
    const first = await store.run('put', { type: 'run', key: 'k', content: 'x' });
    const { id } = await store.run('put', { type: 'run', key: 'other', content: 'y' });
    const shared = [`another item has the same type, key, task and step: ${first.id}`];
    expect((await store.run('put', { id, key: 'k' })).warnings).toEqual(shared);
    expect(await store.run('put', { id, weight: 2 })).not.toHaveProperty('warnings');
    expect(await store.run('put', { id, task_id: 't' })).not.toHaveProperty('warnings');
    expect((await store.run('put', { id: first.id, task_id: 't' })).warnings).toHaveLength(1);
  });

  test('by key updates the newest of the same type, key, task and step, where null matches only null', async () => {
    using store = await tempStore();
    const first = await store.run('put', { type: 'run', key: 'log', content: '1' });
    const inTask = await store.run('put', { type: 'run', key: 'log', task_id: 't', content: '2' });
    const inStep = await store.run('put', { type: 'run', key: 'log', task_id: 't', step_id: 's', content: '3' });
    expect(new Set([first['id'], inTask['id'], inStep['id']]).size).toBe(3);
    expect(await store.run('put', { type: 'run', key: 'log', task_id: 't', content: '2b' })).toMatchObject({
      action: 'updated',
      id: inTask['id'],
      version: 2,
    });
    expect(await store.run('put', { type: 'feature', key: 'log', content: '4' })).toMatchObject({ action: 'inserted' });
    const second = await store.run('put', { type: 'run', key: 'log', content: '5', new: true }, { nowMs: NOW + 1000 });
    expect(second).toMatchObject({ action: 'inserted', version: 1 });
    expect(await store.run('put', { type: 'run', key: 'log', weight: 3 }, { nowMs: NOW + 2000 })).toMatchObject({
      id: second['id'],
      version: 2,
    });
  });

  test.each([
    ['tags', []],
    ['key', null],
    ['task_id', null],
    ['step_id', null],
    ['source', null],
    ['verified_by', null],
  ])('empties %s, if it is to be cleared, and nothing else', async (field, value) => {
    using store = await tempStore();
    const { id } = await store.run('put', { ...given, tag: ['okapi'], content: 'zebra' });
    const { item } = await store.run('get', { id: [id] });
    expect(await store.run('put', { id, clear: [field] }, { nowMs: NOW + 1000 })).toMatchObject({ action: 'updated' });
    const changed = { [field]: value, version: 2, updated_at: '2026-06-01T12:00:01.000Z' };
    expect((await store.run('get', { id: [id] })).item).toEqual({ ...item, ...changed });
    // the index too
    const text = String(item[field]);
    expect((await store.run('search', { query: text, match: 'all' })).total).toBe(0);
    expect((await store.run('search', { query: 'zebra' })).total).toBe(1);
    await store.run('restore', { id: [id], version: 1 });
    expect((await store.run('get', { id: [id] })).item).toMatchObject({ [field]: item[field], version: 3 });
  });

  test('clears several fields while it replaces others; by key too', async () => {
    using store = await tempStore();
    const address = { type: 'run', key: 'k', task_id: 't' };
    await store.run('put', { ...address, content: 'x', tag: ['a'], source: 's', verified_by: 'me' });
    await store.run('put', { ...address, clear: ['tags', 'verified_by'], source: 'other', content: 'y' });
    const expected = { content: 'y', tags: [], source: 'other', verified_by: null, version: 2 };
    expect((await store.run('get', address)).item).toMatchObject({ ...address, ...expected });
  });

  test.each([
    [{ key: 'k', clear: ['key'] }, 'key can be cleared only with --id'],
    [{ key: 'k', task_id: 't', clear: ['task_id'] }, 'task_id can be cleared only with --id'],
    [{ id: 'a', tag: ['x'], clear: ['tags'] }, 'tags is both given and cleared'],
    [{ id: 'a', key: 'x', clear: ['source', 'key'] }, 'key is both given and cleared'],
    [{ new: true, content: 'x', clear: ['tags'] }, '--clear is for stored items'],
    [{ dedupe: true, content: 'x', clear: ['tags'] }, '--clear is for stored items'],
    [{ id: 'a', add_tag: ['x'], clear: ['tags'] }, 'tags are both added and cleared'],
    [{ id: 'a', add_tag: ['x', 'y'], remove_tag: ['z', 'y'] }, 'the same tag is both given and removed'],
    [{ id: 'a', tag: ['x'], remove_tag: ['x'] }, 'the same tag is both given and removed'],
    [{ id: 'a', clear: ['content'] }, 'clear must be among task_id, step_id, key, tags, source, verified_by'],
  ])('refuses %j, and changes nothing', async (input, message) => {
    using store = await tempStore();
    await store.run('import', {}, { stdin: stdinOf('{"id":"a","type":"run","key":"k","content":"x","tags":["t"]}') });
    expect(await errorOf(store.run('put', { type: 'run', ...input }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining(message),
    });
    expect((await store.run('list')).items).toMatchObject([{ id: 'a', version: 1, tags: ['t'] }]);
  });

  test('warns of a new item whose key another layer has, with the same task and step', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'project', key: 'k', content: 'x' });
    const warning = `an item of type project has the same key, task and step: ${id}`;
    const put = { type: 'feature', key: 'k', content: 'y' };
    expect(await store.run('put', put)).toMatchObject({ action: 'inserted', warnings: [warning] });
    for (const input of [put, { ...put, key: 'other' }, { ...put, task_id: 't' }, { type: 'run', content: 'z' }])
      expect(await store.run('put', input)).not.toHaveProperty('warnings');
    expect((await store.run('put', { ...put, type: 'run' })).warnings).toHaveLength(2);
  });

  test('warns of a new item without task and step whose key an item of a task has, which get by key would return', async () => {
    using store = await tempStore();
    const put = { type: 'feature', key: 'contract', content: 'x' };
    for (const part of [{ task_id: 't' }, { step_id: 's' }, { task_id: 't', step_id: 's' }]) {
      const key = `k-${JSON.stringify(part)}`;
      const { id } = await store.run('put', { ...put, ...part, key });
      const warnings = [expect.stringMatching(`^another item of type feature has this key, .*: ${id}; .*--task-id`)];
      expect(await store.run('put', { ...put, key })).toMatchObject({ action: 'inserted', warnings });
      // an update, another key, another task, and an item without a key
      for (const input of [{ key }, { key: `${key}2` }, { key, task_id: 'u' }, { key: undefined }])
        expect(await store.run('put', { ...put, ...input })).not.toHaveProperty('warnings');
    }
  });

  test('adds and removes single tags of the stored item, and keeps the others in their order', async () => {
    using store = await tempStore();
    const address = { type: 'run', key: 'k' };
    const tagsOf = async (): Promise<unknown> => (await store.run('get', address)).item.tags;
    const { id } = await store.run('put', { ...address, content: 'x', tag: ['b'], add_tag: ['a', 'b'] });
    expect(await tagsOf()).toEqual(['b', 'a']);
    await store.run('put', { ...address, add_tag: ['c', 'b', 'c'], remove_tag: ['nosuch'] });
    expect(await tagsOf()).toEqual(['b', 'a', 'c']);
    expect(await store.run('put', { id, remove_tag: ['b', 'c'] })).toMatchObject({ action: 'updated', version: 3 });
    expect(await tagsOf()).toEqual(['a']);
    await store.run('put', { id, tag: ['x', 'y'], add_tag: ['z'] });
    expect(await tagsOf()).toEqual(['x', 'y', 'z']);
    // the index too
    expect((await store.run('search', { query: 'a c' })).total).toBe(0);
    expect((await store.run('search', { query: 'z' })).total).toBe(1);
    // what changes nothing is a write like any other
    expect(await store.run('put', { id, add_tag: ['z'], remove_tag: ['a'] })).toMatchObject({ version: 5 });
    expect(await tagsOf()).toEqual(['x', 'y', 'z']);
  });

  test('holds the limit of the number of tags for the result', async () => {
    using store = await tempStore();
    const tags = (from: number, count: number): string[] => Array.from({ length: count }, (_, at) => `t${from + at}`);
    const { id } = await store.run('put', { type: 'run', content: 'x', tag: tags(0, 60) });
    expect(await errorOf(store.run('put', { id, add_tag: tags(50, 60) }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: 'the item would have 110 tags, but at most 100 are stored',
    });
    await store.run('put', { id, add_tag: tags(50, 60), remove_tag: tags(0, 10) });
    expect((await store.run('get', { id: [id] })).item.tags).toEqual(tags(10, 100));
    expect(
      await errorOf(store.run('put', { type: 'run', content: 'y', tag: tags(0, 60), add_tag: tags(60, 60) })),
    ).toMatchObject({
      code: 'PARAM_ERROR',
    });
  });

  test('an item that another program gave more tags than that may keep as many, and get fewer, but not more', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x' });
    const tags = Array.from({ length: 105 }, (_, at) => `t${at}`);
    const db = new DatabaseSync(store.path);
    db.prepare('update memory_items set tags_json = ?').run(JSON.stringify(tags));
    db.close();
    expect(await errorOf(store.run('put', { id, add_tag: ['new'] }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: 'the item would have 106 tags, but at most 100 are stored',
    });
    await store.run('put', { id, add_tag: ['new'], remove_tag: ['t0'] });
    await store.run('put', { id, remove_tag: ['t1'] });
    expect((await store.run('get', { id: [id] })).item.tags).toEqual([...tags.slice(2), 'new']);
  });

  test('by key, get, put and import mean the same item: the newest by its time, then by its id', async () => {
    const times = { a: '2026-01-02', b: '2026-01-03', c: '2026-01-03', d: '2026-01-01' };
    for (const order of ['abcd', 'dcba', 'cadb', 'bdac']) {
      using store = await tempStore();
      const line = { type: 'run', key: 'k', task_id: 't' };
      const lines = Array.from(order, (id) => {
        const updated_at = times[id as keyof typeof times];
        return JSON.stringify({ ...line, id, content: `text of ${id}`, updated_at });
      });
      await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
      expect((await store.run('get', line)).item.id).toBe('b');
      await store.run(
        'import',
        { on_conflict: 'overwrite' },
        { stdin: stdinOf(JSON.stringify({ ...line, content: 'imported', updated_at: times.b })) },
      );
      expect((await store.run('get', { id: ['b'] })).item).toMatchObject({ content: 'imported', version: 2 });
      expect(await store.run('put', { ...line, content: 'put' })).toMatchObject({ id: 'b', version: 3 });
    }
  });

  test('by key stays the newest, also where another item of the key is ahead of the clock', async () => {
    using store = await tempStore();
    const ahead = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
    const lines = ['p', 'q'].map((id, at) =>
      JSON.stringify({ id, type: 'run', key: 'k', content: id, updated_at: ahead(2 - at) }),
    );
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    for (const [at, text] of ['new', 'newer'].entries()) {
      const put = { type: 'run', key: 'k', content: text, if_version: at + 1 };
      expect(await store.run('put', put)).toMatchObject({ id: 'p' });
      expect((await store.run('get', { type: 'run', key: 'k' })).item).toMatchObject({ id: 'p', content: text });
    }
    // alone, or by its id, an item gets the time of the write
    await store.run('delete', { id: ['q'] });
    await store.run('put', { type: 'run', key: 'k', content: 'alone' });
    expect((await store.run('get', { id: ['p'] })).item.updated_at).toBe(ahead(0));
  });

  test.each([
    ['by its id, the time of the write', [2, 1], { id: 'p' }, 0, 0],
    ['by key, that of the write if the others are not ahead', [2, -1], { type: 'run', key: 'k' }, 0, 0],
    ['by key, a later time than another that is ahead', [2, 1], { type: 'run', key: 'k' }, 1, 1],
  ])('of two items of a key one gets %s', async (_what, hours, address, hour, ms) => {
    using store = await tempStore();
    const time = (at: number) => new Date(NOW + at * 3_600_000).toISOString();
    const lines = ['p', 'q'].map((id, at) =>
      JSON.stringify({ id, type: 'run', key: 'k', content: id, updated_at: time(hours[at] ?? 0) }),
    );
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    await store.run('put', { ...address, content: 'written' });
    const { item } = await store.run('get', { id: ['p'] });
    expect(item.updated_at).toBe(new Date(NOW + hour * 3_600_000 + ms).toISOString());
  });

  test('by key never gets a time that is none', async () => {
    using store = await tempStore();
    const last = '9999-12-31T23:59:59.999Z';
    const lines = ['p', 'q'].map((id) => JSON.stringify({ id, type: 'run', key: 'k', content: id, updated_at: last }));
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    const { id } = await store.run('put', { type: 'run', key: 'k', content: 'written' });
    expect((await store.run('get', { id: [id] })).item.updated_at).toBe(new Date(NOW).toISOString());
  });

  test('without a key always inserts', async () => {
    using store = await tempStore();
    const [a, b] = [
      await store.run('put', { type: 'run', content: 'x' }),
      await store.run('put', { type: 'run', content: 'x' }),
    ];
    expect(a['id']).not.toBe(b['id']);
    expect(a['key']).toBeNull();
  });

  test('takes its text from a file or stdin byte for byte, except for one BOM', async () => {
    using store = await tempStore();
    const text = '\uFEFF\uFEFFrun `date`; $5!; "q" \'s\' \\n back\\slash %s ${HOME}\r\n\t🟥\n';
    fs.writeFileSync(path.join(store.folder, 'a.md'), text);
    const byFile = await store.run('put', { type: 'run', file: path.join(store.folder, 'a.md') });
    const byStdin = await store.run('put', { type: 'run' }, { stdin: stdinOf(text) });
    const byDash = await store.run('put', { type: 'run', content: '-' }, { stdin: stdinOf(text) });
    for (const { id } of [byFile, byStdin, byDash])
      expect((await store.run('get', { id: [id] }))['item']['content']).toBe(text.slice(1));
  });

  // reading it would release the locks that the process holds (store/file-header.ts)
  test('does not read the open database as a text, whatever its name', async () => {
    using store = await tempStore();
    const link = path.join(store.folder, 'link');
    fs.symlinkSync(store.path, link);
    for (const file of [store.path, link, `${store.path}-wal`, `${store.path}-shm`])
      expect(await errorOf(store.run('put', { type: 'run', file }))).toMatchObject({
        code: 'PARAM_ERROR',
        message: `file ${JSON.stringify(file)} is the database itself`,
      });
  });

  test('stores the name of a file as it is, but warns if the file exists', async () => {
    using store = await tempStore();
    const file = path.join(store.folder, 'a.md');
    fs.writeFileSync(file, 'its text');
    const put = async (text: string): Promise<Record<string, unknown>> => {
      const written = await store.run('put', { type: 'run', content: text }, { stdin: stdinOf('') });
      expect((await store.run('get', { id: [written.id] })).item.content).toBe(text);
      return written;
    };
    for (const text of [file, `@${file}`])
      expect((await put(text))['warnings']).toEqual([expect.stringContaining('write it with --file')]);
    for (const text of [`${file}x`, `@@${file}`, store.folder, `${file}/b`, `${file}\n`, `see ${file}`, '@', '~'])
      expect(await put(text)).not.toHaveProperty('warnings');
    // a front end without stdin has no --file either
    expect(await store.run('put', { type: 'run', content: file })).not.toHaveProperty('warnings');
  });

  test('stores 16 MiB, and not a byte more', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'é'.repeat(MAX_CONTENT_BYTES / 2) });
    expect((await store.run('get', { id: [id] }))['item']['content']).toHaveLength(MAX_CONTENT_BYTES / 2);
    expect(
      await errorOf(store.run('put', { type: 'run', content: 'é'.repeat(MAX_CONTENT_BYTES / 2) + 'x' })),
    ).toMatchObject({ code: 'PARAM_ERROR', message: '--content is larger than 16 MiB' });
  });

  test.each([
    ['no type', { content: 'x' }, 'PARAM_ERROR', '--type is required'],
    ['no content for a new item', { type: 'run', key: 'k', tag: ['a'] }, 'PARAM_ERROR', 'no content'],
    ['nothing at all', { type: 'run', key: 'k' }, 'PARAM_ERROR', 'nothing to write'],
    ['content and file', { type: 'run', content: 'x', file: 'y' }, 'PARAM_ERROR', 'more than once'],
    ['an id that is not stored', { id: 'nope', content: 'x' }, 'NOT_FOUND', 'no item with id "nope"'],
    ['--new with an id', { id: 'x', new: true, content: 'x' }, 'PARAM_ERROR', '--new and --id'],
    [
      '--if-version without a target',
      { type: 'run', content: 'x', if_version: 1 },
      'PARAM_ERROR',
      '--if-version needs',
    ],
    ['NUL in the content', { type: 'run', content: 'a\0b' }, 'PARAM_ERROR', 'NUL'],
    ['half a surrogate pair', { type: 'run', content: 'a\ud800' }, 'PARAM_ERROR', 'surrogate'],
    [
      'a file that is not there',
      { type: 'run', file: '/nonexistent' },
      'PARAM_ERROR',
      'file "/nonexistent" does not exist',
    ],
    ['a folder as file', { type: 'run', file: '/tmp' }, 'PARAM_ERROR', 'is a folder'],
    ['an empty content', { type: 'run', content: '' }, 'PARAM_ERROR', 'must not be empty'],
    ['weight above 10', { type: 'run', content: 'x', weight: 11 }, 'PARAM_ERROR', 'weight must be'],
    ['a control character in the key', { type: 'run', key: 'a\nb', content: 'x' }, 'PARAM_ERROR', 'control'],
  ])('refuses %s, and changes nothing', async (_what, input, code, message) => {
    using store = await tempStore();
    const error = await errorOf(store.run('put', input));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect(error.message + error.hint).not.toContain('a\0b');
    expect(await store.run('list')).toMatchObject({ total: 0 });
  });

  test('compares and sets with --if-version', async () => {
    using store = await tempStore();
    const address = { type: 'project', key: 'k' };
    expect(await errorOf(store.run('put', { ...address, content: '0', if_version: 1 }))).toMatchObject({
      code: 'CONFLICT',
      context: { id: null, expected_version: 1, current_version: 0 },
    });
    const { id } = await store.run('put', { ...address, content: '1', if_version: 0 });
    expect(await store.run('put', { ...address, content: '2', if_version: 1 })).toMatchObject({ version: 2 });
    for (const target of [address, { id }]) {
      expect(await errorOf(store.run('put', { ...target, content: '3', if_version: 1 }))).toMatchObject({
        code: 'CONFLICT',
        context: { id, expected_version: 1, current_version: 2 },
      });
    }
    expect((await store.run('get', address))['item']).toMatchObject({ content: '2', version: 2 });
    expect((await store.run('history', { id }))['versions']).toHaveLength(2);
  });

  test('returns any well-formed text unchanged', async () => {
    using store = await tempStore();
    await fc.assert(
      fc.asyncProperty(content, name, name, async (text, key, task) => {
        const { id } = await store.run(
          'put',
          { type: 'run', key, task_id: task, content: 'x', new: true },
          { stdin: stdinOf('') },
        );
        await store.run('put', { id, content: '-' }, { stdin: stdinOf(text) });
        expect((await store.run('get', { id: [id] }))['item']).toMatchObject({
          content: text,
          key,
          task_id: task,
          version: 2,
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe('get', () => {
  test('by key lets omitted fields match anything; the newest wins, then the id', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'log', task_id: 'a', content: 'old' });
    await store.run('put', { type: 'run', key: 'log', task_id: 'b', step_id: 's', content: 'new' }, { nowMs: NOW + 1 });
    expect((await store.run('get', { type: 'run', key: 'log' }))['item']).toMatchObject({ content: 'new' });
    expect((await store.run('get', { type: 'run', key: 'log', task_id: 'a' }))['item']).toMatchObject({
      content: 'old',
    });
    expect(
      (await store.run('get', { type: 'run', key: 'log', step_id: 's', fields: ['key', 'content'] }))['item'],
    ).toEqual({ key: 'log', content: 'new' });
  });
  test.each([
    [{}, 'PARAM_ERROR', 'give an id, or --type and --key'],
    [{ type: 'run' }, 'PARAM_ERROR', 'give an id, or --type and --key'],
    [{ id: ['x'], key: 'y' }, 'PARAM_ERROR', 'not both'],
    [{ id: ['nope'] }, 'NOT_FOUND', 'no item with id "nope"'],
    [{ type: 'run', key: 'nope' }, 'NOT_FOUND', 'no run item'],
    [{ type: 'run', key: 'k', fields: ['nosuch'] }, 'PARAM_ERROR', 'fields must be among'],
  ])('refuses %j', async (input, code, message) => {
    using store = await tempStore();
    const error = await errorOf(store.run('get', input));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
  test.each(['task_id', 'step_id'])(
    'by key and %s takes the item of that one, not a newer one of another',
    async (part) => {
      using store = await tempStore();
      for (const [at, value] of ['one', 'two'].entries())
        await store.run('put', { type: 'run', key: 'k', [part]: value, content: value }, { nowMs: NOW + at });
      for (const value of ['one', 'two'])
        expect((await store.run('get', { type: 'run', key: 'k', [part]: value })).item.content).toBe(value);
      expect(await errorOf(store.run('get', { type: 'run', key: 'k', [part]: 'three' }))).toMatchObject({
        code: 'NOT_FOUND',
        context: { query: { type: 'run', key: 'k', [part]: 'three' } },
      });
    },
  );

  test('finds a key given in another normal form', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'project', key: '한점'.normalize('NFD'), content: 'x' });
    expect((await store.run('get', { type: 'project', key: '한점' }))['item']).toMatchObject({
      key: '한점'.normalize('NFC'),
    });
  });
});

describe('private parts', () => {
  test('are dropped before anything is stored, indexed or kept in the history, and put reports how many characters', async () => {
    using store = await tempStore();
    const part = '<private>口令 😀 hunter2hunter2</private>';
    const text = `公开${part} public`;
    const { id, private_chars } = await store.run('put', { type: 'run', key: 'k', content: text });
    expect(private_chars).toBe(Array.from(part).length);
    expect((await store.run('get', { id: [id] })).item.content).toBe('公开 public');
    expect(await store.run('put', { type: 'run', key: 'k', content: 'no part' })).not.toHaveProperty('private_chars');
    expect((await store.run('search', { query: 'hunter2hunter2 口令' })).items).toEqual([]);
    expect(fs.readFileSync(store.path).includes('hunter2hunter2')).toBe(false);
  });
  test('may not be the whole text', async () => {
    using store = await tempStore();
    expect(await errorOf(store.run('put', { type: 'run', content: '<private>hunter2hunter2' }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.not.stringContaining('hunter2'),
    });
    expect((await store.run('list')).total).toBe(0);
  });
  test('are dropped from imported items and their versions too', async () => {
    using store = await tempStore();
    const item = { id: 'a', type: 'run', content: 'x<private>secretword</private>', version: 1 };
    const read = await store
      .run(
        'import',
        { input: '-' },
        {
          stdin: stdinOf(
            [item, { ...item, id: 'b', content: '<private>y' }].map((line) => JSON.stringify(line)).join('\n'),
          ),
        },
      )
      .catch((error: unknown) => error);
    expect(read).toMatchObject({ code: 'PARAM_ERROR', message: expect.stringContaining('private') });
    expect(await store.run('import', { input: '-' }, { stdin: stdinOf(JSON.stringify(item)) })).toMatchObject({
      inserted: 1,
      warnings: ['<private> parts were dropped from the content of 1 line'],
    });
    expect((await store.run('get', { id: ['a'] })).item.content).toBe('x');
    expect(fs.readFileSync(store.path).includes('secretword')).toBe(false);
  });
});

describe('get of several items', () => {
  test('counts characters, not UTF-16 units, as chars', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'a😀数' });
    expect(await store.run('get', { id: [id], fields: ['chars'] })).toEqual({ item: { chars: 3 } });
    expect((await store.run('list', { fields: ['chars'] })).items).toEqual([{ chars: 3 }]);
    expect((await store.run('recommend', { fields: ['chars'] })).items).toEqual([{ chars: 3 }]);
  });

  test('distinguishes ids by their spaces', async () => {
    using store = await tempStore();
    const lines = ['a', ' a', 'a '].map((id) => JSON.stringify({ id, type: 'run', content: `the content of "${id}"` }));
    await store.run('import', { input: '-' }, { stdin: stdinOf(lines.join('\n')) });
    expect(await store.run('get', { id: ['a ', ' a'], fields: ['id', 'content'] })).toMatchObject({
      items: [
        { id: 'a ', content: 'the content of "a "' },
        { id: ' a', content: 'the content of " a"' },
      ],
      missing: [],
    });
    expect(await store.run('delete', { id: [' a'] })).toMatchObject({ ids: [' a'] });
    expect((await store.run('list', { fields: ['id'] })).items.map(({ id }: Output) => id).toSorted()).toEqual([
      'a',
      'a ',
    ]);
  });

  test('returns them in the order of the ids, names the missing ones, and stays within a budget', async () => {
    using store = await tempStore();
    const put = async (key: string, text: string): Promise<string> =>
      (await store.run('put', { type: 'project', key, content: text })).id;
    const [a, b, c] = [await put('a', 'aaaa'), await put('b', '数据库'), await put('c', 'cc')];
    expect(await store.run('get', { id: [c, 'nosuch', a, c], fields: ['id', 'content', 'chars'] })).toEqual({
      items: [
        { id: c, content: 'cc', chars: 2 },
        { id: a, content: 'aaaa', chars: 4 },
      ],
      missing: ['nosuch'],
      omitted_ids: [],
    });
    expect(await store.run('get', { id: [a, b, c], max_chars: 5, fields: ['key', 'content'] })).toEqual({
      items: [{ key: 'a', content: 'aaaa' }],
      missing: [],
      omitted_ids: [b, c],
      hint: `${b} has 3 characters, ${c} has 2 characters; read the first with: memtool get ${b} --max-chars 3`,
    });
    // no content is printed, so there is nothing to limit
    expect((await store.run('get', { id: [a, b, c], max_chars: 1, fields: ['key'] })).items).toHaveLength(3);
    expect(await store.run('get', { type: 'project', key: 'b', max_chars: 3, fields: ['content'] })).toEqual({
      items: [{ content: '数据库' }],
      missing: [],
      omitted_ids: [],
    });
  });

  test('is NOT_FOUND if none exists, and refuses a key together with ids', async () => {
    using store = await tempStore();
    expect(await errorOf(store.run('get', { id: ['x', 'y'] }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(store.run('get', { id: ['x', 'y'], type: 'run' }))).toMatchObject({ code: 'PARAM_ERROR' });
  });
});

describe('put --dedupe', () => {
  test.each([
    ['English', 'The staging database is reset every night.'],
    ['Chinese', '灰度发布先开百分之五，观察一小时再放量。'],
    ['code', 'const pool = createPool({ max: 10 });\n'],
    ['no words', '!!! → ???'],
    ['an emoji', '😀'],
    ['one character', '库'],
    ['a decomposed letter', 'cafe\u0301'],
    ['long', '数据库 index '.repeat(5000)],
  ])('inserts a text once: %s', async (_name, text) => {
    using store = await tempStore();
    const first = await store.run('put', { type: 'project', content: text, dedupe: true });
    expect(first.action).toBe('inserted');
    expect(await store.run('put', { type: 'project', content: text, dedupe: true })).toEqual({
      ...first,
      action: 'duplicate',
    });
    expect((await store.run('list')).total).toBe(1);
    expect((await store.run('history', { id: first.id })).versions).toHaveLength(1);
  });

  test('distinguishes texts that share their words, and other layers, tasks and tags', async () => {
    using store = await tempStore();
    const base = { type: 'project', content: 'alpha beta gamma', tag: ['fact'] };
    await store.run('put', { ...base, dedupe: true });
    for (const other of [
      { content: 'gamma beta alpha' },
      { content: 'alpha beta gamma ' },
      { content: 'Alpha beta gamma' },
      { type: 'run' },
      { task_id: 't' },
      { step_id: 's' },
      { tag: ['decision'] },
    ]) {
      expect([other, (await store.run('put', { ...base, ...other, dedupe: true })).action]).toEqual([
        other,
        'inserted',
      ]);
    }
    // fewer tags are a weaker condition
    const { tag: _tag, ...untagged } = base;
    expect((await store.run('put', { ...untagged, dedupe: true })).action).toBe('duplicate');
    expect((await store.run('put', { ...base, tag: ['fact', 'more'], dedupe: true })).action).toBe('inserted');
  });

  test('recognises any text again, among others that are nearly the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 6 }), async (texts) => {
        using store = await tempStore();
        for (const text of texts) await store.run('put', { type: 'run', content: text, dedupe: true });
        for (const text of texts) {
          expect((await store.run('put', { type: 'run', content: text, dedupe: true })).action).toBe('duplicate');
        }
        const kept = new Set(texts.map((text) => text.replace(/^\uFEFF/, '')));
        expect((await store.run('list')).total).toBe(kept.size);
      }),
      { numRuns: 20 },
    );
  });

  test.each(['alpha beta', '😀'])(
    'names the newest of several items with the text %s, then the one with the first id',
    async (text) => {
      using store = await tempStore();
      const lines = Object.entries({ a: '2026-01-02', c: '2026-01-03', b: '2026-01-03', d: '2026-01-01' }).map(
        ([id, updated_at]) => JSON.stringify({ id, type: 'run', content: text, updated_at }),
      );
      await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
      expect(await store.run('put', { type: 'run', content: text, dedupe: true })).toMatchObject({
        action: 'duplicate',
        id: 'b',
      });
    },
  );

  test('compares with the tags that would result', async () => {
    using store = await tempStore();
    const given = { type: 'run', content: 'one', dedupe: true };
    const { id } = await store.run('put', { ...given, tag: ['a'], add_tag: ['b'] });
    expect(await store.run('put', { ...given, add_tag: ['b'], remove_tag: ['c'] })).toMatchObject({
      action: 'duplicate',
      id,
    });
    expect((await store.run('put', { ...given, add_tag: ['c'] })).action).toBe('inserted');
  });

  test('names the given fields that the stored item has otherwise', async () => {
    using store = await tempStore();
    const given = { type: 'run', content: 'one', dedupe: true, source: 'log' };
    const { id } = await store.run('put', given);
    const same = { action: 'duplicate', id, version: 1, type: 'run', key: null };
    expect(await store.run('put', { ...given, weight: 1, confidence: 'medium' })).toEqual(same);
    const told = await store.run('put', { ...given, source: 'PRD', weight: 2, confidence: 'high', verified_by: 'me' });
    expect(told).toEqual({
      ...same,
      warnings: [
        `nothing was written, but the stored item differs in --source, --weight, --confidence, --verified-by; to change it, use: memtool put --id ${id} --source PRD --weight 2 --confidence high --verified-by me`,
      ],
    });
  });

  test('forgets a text that was deleted or changed', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'one', dedupe: true });
    await store.run('put', { id, content: 'two' });
    expect((await store.run('put', { type: 'run', content: 'one', dedupe: true })).action).toBe('inserted');
    await store.run('delete', { id: [id] });
    expect((await store.run('put', { type: 'run', content: 'two', dedupe: true })).action).toBe('inserted');
  });

  test.each([{ id: 'x' }, { key: 'k' }, { new: true }, { if_version: 0 }])('refuses %j', async (more) => {
    using store = await tempStore();
    expect(await errorOf(store.run('put', { type: 'run', content: 'x', dedupe: true, ...more }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
  });

  test('needs a content', async () => {
    using store = await tempStore();
    expect(await errorOf(store.run('put', { type: 'run', dedupe: true }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('no content'),
    });
  });
});

test('history stays within a number of characters, newest first, and says what it left out', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'one' });
  await store.run('put', { id, content: 'x'.repeat(50) });
  await store.run('put', { id, content: '数据库' });
  const cut = await store.run('history', { id, fields: ['version', 'content'], max_chars: 10 });
  expect(cut).toEqual({
    id,
    deleted: false,
    versions: [
      { version: 3, content: '数据库' },
      { version: 1, content: 'one' },
    ],
    omitted_versions: [2],
    hint: 'version 2 has 50 characters; repeat with --max-chars 56',
  });
  const whole = await store.run('history', { id, max_chars: 56 });
  expect(whole).toMatchObject({ versions: { length: 3 }, omitted_versions: [] });
  expect(whole).not.toHaveProperty('hint');
  // no content is printed, so there is nothing to limit
  expect((await store.run('history', { id, fields: ['version'], max_chars: 1 })).versions).toHaveLength(3);
});

describe('what get and history cannot do is explained', () => {
  test('a key that another layer has', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'feature', key: 'contract', task_id: 'login', content: 'x' });
    expect(await errorOf(store.run('get', { type: 'project', key: 'contract' }))).toMatchObject({
      code: 'NOT_FOUND',
      hint: `the feature layer has this key: memtool get ${String(id)}`,
    });
    expect(await errorOf(store.run('get', { type: 'project', key: 'contract', task_id: 'pay' }))).toMatchObject({
      hint: expect.not.stringContaining('layer'),
    });
  });

  test('a key in the place of an id: of one item, or of several', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'feature', key: 'contract', task_id: 'login', content: 'x' });
    expect(await errorOf(store.run('delete', { id: ['contract'] }))).toMatchObject({
      hint: 'this is the key of an item; read it with: memtool get --type feature --key contract',
    });
    await store.run('put', { type: 'feature', key: 'contract', task_id: 'pay', content: 'y' });
    expect(await errorOf(store.run('delete', { id: ['contract'] }))).toMatchObject({
      hint: 'this is the key of several items; list them with: memtool list --key contract --fields id,type,task_id,step_id',
    });
  });

  test.each([{ limit: 1 }, { fields: ['version'] }, { max_chars: 9 }])(
    'a difference of versions with %j',
    async (input) => {
      using store = await tempStore();
      const { id } = await store.run('put', { type: 'run', content: 'one' });
      await store.run('put', { id, content: 'two' });
      expect(await errorOf(store.run('history', { id, diff: [1, 2], ...input }))).toMatchObject({
        code: 'PARAM_ERROR',
      });
      expect(await store.run('history', { id, diff: [1, 2] })).toMatchObject({ from: 1, to: 2 });
    },
  );
});

test('--dedupe takes texts that differ only in line breaks at their end for the same', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: 'one\ntwo' });
  const breaks = `abc${'\n'.repeat(20)}`;
  await store.run('put', { type: 'run', content: breaks });
  expect(await store.run('put', { type: 'run', content: breaks, dedupe: true })).toMatchObject({ action: 'duplicate' });
  for (const same of ['one\ntwo\n', 'one\ntwo\r\n', 'one\ntwo'])
    expect(await store.run('put', { type: 'run', content: same, dedupe: true })).toMatchObject({
      action: 'duplicate',
      id,
    });
  for (const other of ['one\n\ntwo', 'one\ntwo ', '\none\ntwo'])
    expect(await store.run('put', { type: 'run', content: other, dedupe: true })).toMatchObject({ action: 'inserted' });
});

test('a compare-and-set by a key that only tasks have points at them, and inserts nothing', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'feature', key: 'contract', task_id: 'login', content: 'v1' });
  const refused = async (input: object): Promise<string | undefined> =>
    (await errorOf(store.run('put', { type: 'feature', content: 'v2', if_version: 1, ...input })))?.hint;
  expect(await refused({ key: 'contract' })).toBe(
    'items of type feature have this key in another task or step: memtool list --type feature --key contract; give the --task-id and --step-id of the one that is meant, or its --id',
  );
  expect(await refused({ key: 'contract', task_id: 'pay' })).toMatch(/^items of type feature have this key/);
  expect(await refused({ key: 'other' })).toBe('write it without --if-version, or with --if-version 0');
  expect(await store.run('list')).toMatchObject({ total: 1 });
});

test('get by a key that several tasks have says so', async () => {
  using store = await tempStore();
  for (const task_id of ['login', 'pay', 'refund'])
    await store.run('put', { type: 'feature', key: 'contract', task_id, content: task_id });
  const hint = async (input: object): Promise<string | undefined> =>
    (await store.run('get', { type: 'feature', key: 'contract', ...input })).hint;
  expect(await hint({})).toBe(
    'the newest of 3 items with this type and key, in whatever task and step: memtool list --type feature --key contract',
  );
  expect(await hint({ task_id: 'pay' })).toBeUndefined();
  await store.run('delete', { id: [(await store.run('get', { type: 'feature', key: 'contract' })).item.id] });
  expect(await hint({})).toMatch(/^the newest of 2 items /);
  expect(await hint({ max_chars: 1 })).toMatch(/ has \d characters; read it with: .*; the newest of 2 items /);
});
