import { DatabaseSync } from 'node:sqlite';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkInput } from '../../src/core/params.ts';
import { invoke } from '../../src/ops/invoke.ts';
import { Lines } from '../../src/ops/operation.ts';
import { findOperation } from '../../src/ops/registry.ts';
import { item } from '../helpers/arbitraries.ts';
import { jsonLines, type Line } from '../../src/ops/json-lines.ts';
import { errorOf, NOW, stdinOf, tempStore, type Output } from '../helpers/store.ts';

const line = (fields: Record<string, unknown>): string => JSON.stringify({ type: 'project', content: 'x', ...fields });

describe('export and import', () => {
  test('export, import into an empty database, export: the same bytes, whatever the items', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 12 }),
        fc.boolean(),
        async (items, history) => {
          using first = await tempStore();
          using second = await tempStore();
          const text = items.map((one) => JSON.stringify(one)).join('\n');
          expect(await first.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({
            inserted: items.length,
            invalid: 0,
          });
          const { lines } = await first.run('export', { history });
          await second.run('import', {}, { stdin: stdinOf(lines.join('\n')), nowMs: NOW + 5000 });
          expect((await second.run('export', { history })).lines).toEqual(lines);
          if (!history) {
            const sorted = items.toSorted((a, b) => Buffer.from(a.id).compare(Buffer.from(b.id)));
            // the same fields in the same order; what a terminal would obey is escaped
            const unescaped = lines.map((one: string) => JSON.stringify(JSON.parse(one)));
            expect(unescaped).toEqual(sorted.map((one) => JSON.stringify(one)));
          }
          expect(await second.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({
            unchanged: items.length,
            inserted: 0,
            updated: 0,
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('export --history carries the versions, and import brings them back', async () => {
    using first = await tempStore();
    using second = await tempStore();
    const { id } = await first.run('put', { type: 'run', key: 'k', content: 'one' });
    await first.run('put', { id, content: 'two', tag: ['a'] }, { nowMs: NOW + 1000 });
    await first.run('delete', { id: [id] }, { nowMs: NOW + 2000 });
    await first.run('restore', { id: [id], version: 1 }, { nowMs: NOW + 3000 });
    const { lines } = await first.run('export', { history: true });
    expect(JSON.parse(lines[0]).history).toMatchObject([
      { version: 3, change: 'restore' },
      { version: 2, change: 'delete' },
      { version: 2, change: 'update' },
      { version: 1, change: 'insert' },
    ]);
    await second.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    expect(await second.run('history', { id })).toEqual(await first.run('history', { id }));
    // versions belong to their item whatever id it gets
    using third = await tempStore();
    const withoutIds = lines.map((whole: string) => whole.replaceAll(/"id":"[^"]*",/g, ''));
    await third.run('import', {}, { stdin: stdinOf(withoutIds.join('\n')) });
    const found = await third.run('get', { type: 'run', key: 'k' });
    const { versions } = await first.run('history', { id });
    expect((await third.run('history', { id: found.item.id })).versions).toEqual(versions);
    expect((await third.run('stats')).history).toMatchObject({ deleted_items: 0 });
  });

  test('a file is written completely or not at all, and only its owner can read it', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x' });
    const output = path.join(store.folder, 'out.jsonl');
    expect(await store.run('export', { output, type: 'run' })).toEqual({ output, count: 1, filters: { type: 'run' } });
    expect(fs.statSync(output).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(output, 'utf8')).toMatch(/^\{"id":.*\}\n$/);
    fs.chmodSync(output, 0o640);
    await store.run('export', { output });
    expect(fs.statSync(output).mode & 0o777).toBe(0o640);
    fs.symlinkSync(output, path.join(store.folder, 'link'));
    await store.run('export', { output: path.join(store.folder, 'link') });
    expect(fs.lstatSync(path.join(store.folder, 'link')).isSymbolicLink()).toBe(true);
    expect(await errorOf(store.run('export', { output: store.folder }))).toMatchObject({ code: 'PARAM_ERROR' });
    expect(await errorOf(store.run('export', { output: path.join(store.folder, 'no/such/x') }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('is in a folder that does not exist'),
    });
    expect(fs.readdirSync(store.folder).toSorted()).toEqual(['link', 'memtool.db', 'out.jsonl']);
  });

  test('a file of any length holds the same lines as stdout', async () => {
    using store = await tempStore();
    const lines = Array.from({ length: 40 }, (_, at) =>
      line({ id: `i${at}`, content: `${at} ${'数据库 filler '.repeat(at * 100)}` }),
    );
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    const output = path.join(store.folder, 'out.jsonl');
    await store.run('export', { output });
    expect(fs.statSync(output).size).toBeGreaterThan(1_000_000);
    const { lines: printed } = await store.run('export');
    expect(fs.readFileSync(output, 'utf8') === `${printed.join('\n')}\n`).toBe(true);
  });

  test('weight 0, every layer and filtered parts are all there; deleted items are not', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', key: 'a', content: '1', weight: 0 });
    await store.run('put', { type: 'feature', key: 'b', content: '2' });
    const { id } = await store.run('put', { type: 'project', key: 'c', content: '3' });
    await store.run('delete', { id: [id] });
    expect((await store.run('export')).lines).toHaveLength(2);
    expect((await store.run('export', { type: 'run' })).lines.map((one: string) => JSON.parse(one).weight)).toEqual([
      0,
    ]);
  });
});

describe('import', () => {
  test.each([
    ['invalid JSON', '{"type":"project",', 'not valid JSON (at character 19)'],
    ['two concatenated objects', `${line({})}${line({})}`, 'not valid JSON'],
    ['something after the object', `${line({})} trailing`, 'not valid JSON'],
    ['a list', '[1,2]', 'not a JSON object'],
    ['a string', '"str"', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['a number', '42', 'not a JSON object'],
    ['an empty object', '{}', 'type is required'],
    ['no content', '{"type":"run"}', 'content is required'],
    ['an unknown layer', line({ type: 'nosuch' }), 'type must be one of project, feature, run, got "nosuch"'],
    ['a number as id', line({ id: 42 }), 'id must be a string, got 42'],
    ['an empty id', line({ id: '' }), 'id must not be empty'],
    ['an id with a line break', line({ id: 'a\nb' }), 'id must not contain control characters'],
    ['an id that is too long', line({ id: 'x'.repeat(129) }), 'id must be at most 128 characters long'],
    ['NUL in a key', line({ key: 'x\0a' }), 'key must not contain a NUL character'],
    ['a string as tags', line({ tags: 'x,y' }), 'tags must be a list of strings'],
    ['a number among the tags', line({ tags: ['a', 1] }), 'tags must be a list of strings'],
    ['a weight out of range', line({ weight: 11 }), 'weight must be a number from 0 to 10, got 11'],
    ['an infinite weight', '{"type":"run","content":"x","weight":1e400}', 'number from 0 to 10, got Infinity'],
    ['a weight as text', line({ weight: '3' }), 'weight must be a number'],
    ['a version of 0', line({ version: 0 }), 'version must be a whole number from 1'],
    ['a broken version', line({ version: 1.5 }), 'version must be a whole number from 1'],
    ['a day that does not exist', line({ created_at: '2026-02-30T00:00:00Z' }), 'created_at must be an RFC 3339 time'],
    ['an age as a time', line({ created_at: '7d' }), 'created_at must be an RFC 3339 time'],
    ['an empty time', line({ updated_at: '' }), 'updated_at must not be empty'],
    ['an unknown confidence', line({ confidence_level: 'sure' }), 'confidence_level must be one of high, medium, low'],
    ['an empty content', line({ content: '' }), 'content must not be empty'],
    ['half a surrogate pair', '{"type":"run","content":"SECRET\\ud800"}', 'content must be well-formed Unicode'],
    ['NUL in a content', '{"type":"run","content":"SECRET\\u0000"}', 'content must not contain a NUL character'],
    [
      'history that does not fit',
      line({
        version: 2,
        history: [
          JSON.parse(
            line({
              version: 1,
              changed_at: '2026-01-01',
              change: 'insert',
              task_id: null,
              step_id: null,
              key: null,
              tags: [],
              source: null,
              weight: 1,
              created_at: '2026-01-01',
              updated_at: '2026-01-01',
              confidence_level: 'low',
              verified_by: null,
            }),
          ),
        ],
      }),
      "history must begin with the item's own version",
    ],
  ])('refuses %s, names the line, and changes nothing', async (_what, bad, message) => {
    using store = await tempStore();
    const text = [line({ id: 'a' }), bad, line({ id: 'c' })].join('\n');
    const error = await errorOf(store.run('import', {}, { stdin: stdinOf(text) }));
    expect(error).toMatchObject({
      code: 'PARAM_ERROR',
      context: { line: 2, invalid: 1, errors: [{ line: 2, message: expect.stringContaining(message) }] },
    });
    expect(error.message).toContain('line 2 of stdin');
    expect(JSON.stringify(error.context) + error.message).not.toContain('SECRET');
    expect(await store.run('list')).toMatchObject({ total: 0 });
    expect(await store.run('import', { skip_invalid: true }, { stdin: stdinOf(text) })).toMatchObject({
      inserted: 2,
      invalid: 1,
      errors: [{ line: 2 }],
    });
  });

  test('limits the list of bad lines', async () => {
    using store = await tempStore();
    const error = await errorOf(store.run('import', {}, { stdin: stdinOf('{bad\n'.repeat(4000)) }));
    expect(error.context).toMatchObject({ line: 1, invalid: 4000 });
    expect(error.context['errors']).toHaveLength(20);
  });

  test('accepts blank lines, CRLF, one BOM, U+2028, a file without a final newline, escapes and duplicate keys', async () => {
    using store = await tempStore();
    const text = `\uFEFF${line({ id: 'a', content: 'one\u2028two' })}\r\n\r\n   \n{"content":"\\u4f60\\u597d\\/\\ud83d\\ude00","key":"b","key":"c","type":"run","__proto__":{"x":1}}\n${line({ id: 'd', key: '__proto__', tags: ['constructor'] })}`;
    expect(await store.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({
      inserted: 3,
      warnings: ['unknown field "__proto__" on 1 line was ignored'],
    });
    expect((await store.run('get', { id: ['a'] })).item.content).toBe('one\u2028two');
    expect((await store.run('get', { type: 'run', key: 'c' })).item.content).toBe('你好/😀');
    expect((await store.run('get', { type: 'project', key: '__proto__' })).item.tags).toEqual(['constructor']);
  });

  test('normalises times, and orders by the instant', async () => {
    using store = await tempStore();
    const at = (key: string, time: string): string => line({ key, created_at: time, updated_at: time });
    await store.run(
      'import',
      {},
      {
        stdin: stdinOf(
          [
            at('a', '2026-01-01T12:00:00+02:00'),
            at('b', '2026-01-01T11:00:00Z'),
            at('c', '2026-01-01T10:00:00.500Z'),
            at('d', '2026-01-01 09:00:00'),
          ].join('\n'),
        ),
      },
    );
    const { items } = await store.run('list');
    expect(items.map(({ key, updated_at }: Record<string, string>) => [key, updated_at])).toEqual([
      ['b', '2026-01-01T11:00:00.000Z'],
      ['c', '2026-01-01T10:00:00.500Z'],
      ['a', '2026-01-01T10:00:00.000Z'],
      ['d', '2026-01-01T09:00:00.000Z'],
    ]);
  });

  test('treats null and an empty name in a line as absent', async () => {
    using store = await tempStore();
    const nothing = { confidence_level: null, weight: null, tags: null, version: null, created_at: null };
    const bare = {
      id: 'a',
      type: 'run',
      content: 'x',
      ...nothing,
      updated_at: null,
      key: '',
      task_id: '',
      verified_by: null,
    };
    const lines = `${JSON.stringify(bare)}\n`;
    expect(await store.run('import', {}, { stdin: stdinOf(lines) })).toMatchObject({ inserted: 1, warnings: [] });
    expect((await store.run('get', { id: ['a'] })).item).toMatchObject({
      confidence_level: 'medium',
      weight: 1,
      tags: [],
      version: 1,
      key: null,
      task_id: null,
    });
    for (const required of ['type', 'content', 'id']) {
      const bad = `${JSON.stringify({ ...bare, [required]: null })}\n`;
      expect(await errorOf(store.run('import', {}, { stdin: stdinOf(bad) }))).toMatchObject({ code: 'PARAM_ERROR' });
    }
  });

  test('accepts a file of the Python tool: fewer fields, its times and ids, unknown fields reported', async () => {
    using store = await tempStore();
    const old = {
      id: '0123456789abcdef0123456789abcdef',
      type: 'feature',
      key: 'k',
      content: '内容',
      tags: ['a'],
      version: 3,
      created_at: '2026-01-01T00:00:00+00:00',
      updated_at: '2026-02-01T00:00:00+00:00',
      confidence_level: 'high',
      verified_by: null,
      access_count: 4,
      last_accessed_at: null,
    };
    expect(await store.run('import', {}, { stdin: stdinOf(JSON.stringify(old)) })).toMatchObject({
      inserted: 1,
      warnings: [
        'unknown field "access_count" on 1 line was ignored',
        'unknown field "last_accessed_at" on 1 line was ignored',
      ],
    });
    expect((await store.run('get', { id: [old.id] })).item).toMatchObject({
      version: 3,
      confidence_level: 'high',
      updated_at: '2026-02-01T00:00:00.000Z',
      weight: 1,
      source: null,
    });
  });

  test('a line without an id means the item with its key, so that importing twice changes nothing', async () => {
    using store = await tempStore();
    const text = [
      line({ key: 'a', content: '1' }),
      line({ key: 'a', task_id: 't', content: '2' }),
      line({ key: 'a', task_id: 't', step_id: 's', content: '3' }),
      line({ key: 'a', step_id: 's', content: '4' }),
      line({ key: 'a', type: 'run', content: '5' }),
    ].join('\n');
    expect(await store.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({ inserted: 5 });
    expect(await store.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({ unchanged: 5 });
    const later = (on_conflict?: string) =>
      store.run('import', { on_conflict }, { stdin: stdinOf(line({ key: 'a', content: 'new' })), nowMs: NOW + 1 });
    expect(await later()).toMatchObject({
      skipped: 1,
      warnings: [expect.stringMatching(/^lines that differ from the stored items were skipped.*: line 1 \(/)],
    });
    expect(await later('overwrite')).toMatchObject({ updated: 1, warnings: [] });
    expect((await store.run('get', { type: 'project', key: 'a' })).item).toMatchObject({
      content: 'new',
      version: 2,
      updated_at: '2026-06-01T12:00:00.001Z',
    });
  });

  test('imported items that share a key with others are named, since get and put use only the newest', async () => {
    using store = await tempStore();
    const run = async (lines: string[], options: Record<string, unknown> = {}): Promise<string[]> =>
      (await store.run('import', options, { stdin: stdinOf(lines.join('\n')) })).warnings;
    const ours = [
      line({ id: 'a', key: 'k' }),
      line({ id: 'b', key: 'k', task_id: 't' }),
      line({ id: 'c', key: 'shared' }),
      line({ id: 'd', key: 'shared' }),
      line({ id: 'e', key: null }),
    ];
    const told = (ids: string) => [
      expect.stringContaining(`get and put use only the newest of these: ${ids} (see them`),
    ];
    expect(await run(ours)).toEqual(told('c / d'));
    // the same again, other layers, tasks and steps, and items without a key
    expect(await run(ours)).toEqual([]);
    const apart = [
      line({ id: 'f', key: 'k', type: 'run' }),
      line({ id: 'g', key: 'k', step_id: 't' }),
      line({ id: 'h', key: 'K' }),
      line({ id: 'i', key: null }),
      line({ key: 'k', task_id: 't2', content: 'without an id' }),
    ];
    expect(await run(apart)).toEqual([]);
    const theirs = [line({ id: 'x', key: 'k', task_id: 't' }), line({ id: 'y', key: 'shared' })];
    const both = told('b / x, c / y / …');
    expect(await run(theirs, { dry_run: true })).toEqual(both);
    expect(await run(theirs)).toEqual(both);
    // an update that takes the key of another item
    expect(await run([line({ id: 'g', key: 'k', step_id: null, version: 2 })])).toEqual(told('a / g'));
    const many = Array.from({ length: 14 }, (_, n) => line({ id: `m${n}`, key: `many${n % 7}` }));
    expect(await run(many)).toEqual(told('m0 / m7, m1 / m8, m10 / m3, m11 / m4, m12 / m5 and 2 more'));
  });

  test('lines of an export that were only edited are skipped with a warning that says how to import them', async () => {
    using store = await tempStore();
    const lines = (content: string) =>
      Array.from({ length: 12 }, (_, n) => line({ id: `i${n}`, content, version: 3, updated_at: '2026-05-01' }));
    await store.run('import', {}, { stdin: stdinOf(lines('stored').join('\n')) });
    const others = [line({ id: 'i1', version: 2 }), lines('stored')[2], '']; // older, the same, blank
    const run = (options: Record<string, unknown> = {}, file = [...others, ...lines('edited')].join('\n')) =>
      store.run('import', options, { stdin: stdinOf(file) });
    expect(await run()).toMatchObject({
      skipped: 13,
      unchanged: 1,
      warnings: [expect.stringContaining('tells which is newer: lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 2 more (')],
    });
    expect(await run({ on_conflict: 'skip' })).toMatchObject({ skipped: 13, warnings: [] });
    const raised = line({ id: 'i0', content: 'edited', version: 4 });
    expect(await run({}, raised)).toMatchObject({ updated: 1, warnings: [] });
    expect(await run({ on_conflict: 'overwrite' })).toMatchObject({ warnings: [] });
    expect((await store.run('get', { id: ['i5'] })).item).toMatchObject({ content: 'edited', version: 4 });
  });

  test('a line replaces every field of the stored item', async () => {
    using store = await tempStore();
    const first = {
      id: 'a',
      type: 'run',
      task_id: 't',
      step_id: 's',
      key: 'k',
      content: 'x',
      tags: ['a'],
      source: 'here',
      weight: 2,
      version: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-02T00:00:00.000Z',
      confidence_level: 'high',
      verified_by: 'me',
    };
    const other = {
      id: 'a',
      type: 'feature',
      task_id: 'other task',
      step_id: 'other step',
      key: 'other key',
      content: 'y',
      tags: ['b', 'c'],
      source: 'there',
      weight: 3,
      version: 2,
      created_at: '2025-01-01T00:00:00.000Z',
      updated_at: '2026-01-03T00:00:00.000Z',
      confidence_level: 'low',
      verified_by: 'you',
    };
    const nothing = { task_id: null, step_id: null, key: null, tags: [], source: null, verified_by: null };
    for (const one of [first, other, { ...other, ...nothing, version: 3 }, { ...first, version: 4 }]) {
      await store.run('import', {}, { stdin: stdinOf(JSON.stringify(one)) });
      expect((await store.run('get', { id: ['a'] })).item).toEqual(one);
    }
    expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
      { version: 4, source: 'here', step_id: 's', verified_by: 'me', created_at: '2026-01-01T00:00:00.000Z' },
      { version: 3, source: null, step_id: null, verified_by: null },
      {
        version: 2,
        source: 'there',
        step_id: 'other step',
        verified_by: 'you',
        created_at: '2025-01-01T00:00:00.000Z',
      },
      { version: 1, source: 'here', step_id: 's', verified_by: 'me' },
    ]);
  });

  test('lines that differ in a single field are found by that field', async () => {
    using store = await tempStore();
    const base = { type: 'run', content: 'same', key: 'same', source: 'same', tags: ['same'] };
    const others = [
      { key: 'zebra' },
      { source: 'giraffe' },
      { tags: ['okapi'] },
      { tags: ['same', 'lion'] },
      { content: 'tapir' },
    ];
    const lines = others
      .flatMap((other) => [base, { ...base, ...other }])
      .map((one, at) => JSON.stringify({ id: `i${at}`, ...one }));
    await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
    for (const [at, query] of ['zebra', 'giraffe', 'okapi', 'lion', 'tapir'].entries()) {
      const { items } = await store.run('search', { query, engine: 'fts' });
      expect([query, items.map(({ id }: Output) => id)]).toEqual([query, [`i${2 * at + 1}`]]);
    }
  });

  test('names and tags are brought into their stored form', async () => {
    using store = await tempStore();
    const one = { id: 'a', key: 'cafe\u0301', task_id: 'e\u0301', tags: [' x ', 'x', '', '  ', 'e\u0301', 'é'] };
    await store.run('import', {}, { stdin: stdinOf(line(one)) });
    expect((await store.run('get', { id: ['a'] })).item).toMatchObject({
      key: 'café',
      task_id: 'é',
      tags: ['x', 'é'],
    });
    expect(await store.run('get', { type: 'project', key: 'café' })).toMatchObject({ item: { id: 'a' } });
    expect(await store.run('import', {}, { stdin: stdinOf(line(one)) })).toMatchObject({ unchanged: 1 });
    await store.run('import', {}, { stdin: stdinOf(line({ id: 'b', tags: ['', ' '] })) });
    expect((await store.run('get', { id: ['b'] })).item.tags).toEqual([]);
  });

  test('a content of 16 MiB is taken, and none that is larger', async () => {
    using store = await tempStore();
    const text = 'é'.repeat(8 * 1024 * 1024);
    const refused = store.run('import', {}, { stdin: stdinOf(line({ id: 'a', content: `${text}x` })) });
    expect(await errorOf(refused)).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('content is larger than 16 MiB'),
    });
    await store.run('import', {}, { stdin: stdinOf(line({ id: 'a', content: text })) });
    expect((await store.run('get', { id: ['a'] })).item.content).toBe(text);
  });

  describe('of a line with history', () => {
    const version = (number: number, more: Record<string, unknown> = {}) => ({
      version: number,
      changed_at: `2026-01-0${number}T00:00:00.000Z`,
      change: number === 1 ? 'insert' : 'update',
      type: 'project',
      task_id: null,
      step_id: null,
      key: 'k',
      content: `text ${number}`,
      tags: [],
      source: null,
      weight: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: `2026-01-0${number}T00:00:00.000Z`,
      confidence_level: 'low',
      verified_by: null,
      ...more,
    });
    const whole = (history: unknown) => {
      const { changed_at: _at, change: _change, ...fields } = version(3);
      return JSON.stringify({ id: 'a', ...fields, history });
    };
    const without = (field: string) =>
      Object.fromEntries(Object.entries(version(1)).filter(([name]) => name !== field));

    test.each<[what: string, history: unknown, message: string]>([
      ['that is no list', {}, 'history must be a list'],
      ['with an entry that is no object', [version(3), 2], 'not a JSON object'],
      ['of another version', [version(2), version(1)], "history must begin with the item's own version"],
      ['that begins with a deletion', [version(3, { change: 'delete' })], "history must begin with the item's own"],
      ['with an unknown change', [version(3), version(2, { change: 'moved' })], 'history: change must be one of'],
      ['without a change', [version(3), without('change')], 'history: change must be one of'],
      ['with a broken time', [version(3), version(2, { changed_at: 'then' })], 'history: changed_at must be'],
      ['without a time', [version(3), without('changed_at')], 'history: changed_at must be'],
      ['with an empty content', [version(3), version(2, { content: '' })], 'content must not be empty'],
      ...['type', 'task_id', 'key', 'content', 'tags', 'weight', 'version', 'created_at', 'verified_by'].map(
        (field): [string, unknown, string] => [
          `without ${field}`,
          [version(3), without(field)],
          `history: ${field} is required`,
        ],
      ),
    ])('refuses one %s, and changes nothing', async (_what, history, message) => {
      using store = await tempStore();
      expect(await errorOf(store.run('import', {}, { stdin: stdinOf(whole(history)) }))).toMatchObject({
        code: 'PARAM_ERROR',
        context: { errors: [{ line: 1, message: expect.stringContaining(message) }] },
      });
      expect((await store.run('list')).total).toBe(0);
    });

    test('versions and deletions are taken with their times in the stored form; some may be missing', async () => {
      using store = await tempStore();
      const history = [
        version(3, { change: 'restore' }),
        version(1, { change: 'delete', changed_at: '2026-01-02T08:00:00+08:00' }),
        version(1, { content: 'a<private>secretword</private>b' }),
      ];
      expect(await store.run('import', {}, { stdin: stdinOf(whole(history)) })).toMatchObject({
        warnings: ['<private> parts were dropped from the content of 1 line'],
      });
      expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
        { version: 3, change: 'restore', changed_at: '2026-01-03T00:00:00.000Z', content: 'text 3' },
        { version: 1, change: 'delete', changed_at: '2026-01-02T00:00:00.000Z' },
        { version: 1, change: 'insert', changed_at: '2026-01-01T00:00:00.000Z' },
      ]);
      expect(fs.readFileSync(store.path).includes('secretword')).toBe(false);
      expect(await store.run('put', { id: 'a', content: 'text 4' })).toMatchObject({ version: 4 });
    });

    test('that is empty, the import itself is the first entry', async () => {
      using store = await tempStore();
      await store.run('import', {}, { stdin: stdinOf(whole([])) });
      expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
        { version: 3, change: 'import', changed_at: '2026-06-01T12:00:00.000Z', content: 'text 3' },
      ]);
    });
  });

  test('fields that a line omits keep their stored values, and are found as before', async () => {
    using store = await tempStore();
    const zebra = { type: 'feature', key: 'zebra', tag: ['giraffe'], source: 'lion', content: 'old' };
    const { id } = await store.run('put', zebra);
    await store.run('put', { type: 'feature', key: 'other', content: 'a giraffe, a lion and a zebra' });
    for (const one of [
      { type: 'feature', key: 'zebra', content: 'new' },
      { id, type: 'feature', content: 'newest' },
      { id, type: 'feature', key: 'zebra', source: 'lion', content: 'tagless' },
      { id, type: 'feature', key: 'zebra', tags: ['giraffe'], content: 'sourceless' },
      { id, type: 'feature', source: 'lion', tags: ['giraffe'], content: 'keyless' },
      { id, type: 'feature', content: 'newest', tags: ['okapi'] },
    ]) {
      expect(
        await store.run('import', { on_conflict: 'overwrite' }, { stdin: stdinOf(JSON.stringify(one)) }),
      ).toMatchObject({ updated: 1 });
      const words = ['zebra', 'lion', one.tags?.[0] ?? 'giraffe', one.content];
      for (const query of words)
        expect([query, (await store.run('search', { query, engine: 'fts' })).items]).toEqual([
          query,
          expect.arrayContaining([expect.objectContaining({ key: 'zebra' })]),
        ]);
    }
  });

  describe('on a conflict', () => {
    const stored = {
      id: 'a',
      key: 'k',
      content: 'stored',
      version: 3,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-03T00:00:00Z',
    };
    test.each([
      ['newer', {}, 'unchanged', 3, 'stored'],
      ['newer', { content: 'x', version: 4 }, 'updated', 4, 'x'],
      ['newer', { content: 'x', version: 9 }, 'updated', 9, 'x'],
      ['newer', { content: 'x', version: 2, updated_at: '2026-05-01T00:00:00Z' }, 'skipped', 3, 'stored'],
      ['newer', { content: 'x', updated_at: '2026-01-04T00:00:00Z' }, 'updated', 4, 'x'],
      ['newer', { content: 'x' }, 'skipped', 3, 'stored'],
      ['overwrite', { content: 'x', version: 1 }, 'updated', 4, 'x'],
      ['overwrite', {}, 'unchanged', 3, 'stored'],
      ['overwrite', { version: 9 }, 'updated', 9, 'stored'],
      ['overwrite', { version: 2 }, 'unchanged', 3, 'stored'],
      ['overwrite', { updated_at: '2026-01-02T00:00:00Z' }, 'updated', 4, 'stored'],
      ['newer', { version: 9 }, 'updated', 9, 'stored'],
      ['skip', { content: 'x', version: 9 }, 'skipped', 3, 'stored'],
      ['error', {}, 'unchanged', 3, 'stored'],
    ])('%s with %j: %s, version %d', async (on_conflict, changes, counted, version, content) => {
      using store = await tempStore();
      await store.run('import', {}, { stdin: stdinOf(line(stored)) });
      const text = line({ ...stored, ...changes });
      const none = { inserted: 0, updated: 0, unchanged: 0, skipped: 0, invalid: 0 };
      expect(await store.run('import', { on_conflict, dry_run: true }, { stdin: stdinOf(text) })).toMatchObject({
        ...none,
        [counted]: 1,
        dry_run: true,
      });
      expect((await store.run('get', { id: ['a'] })).item).toMatchObject({ version: 3, content: 'stored' });
      expect(await store.run('import', { on_conflict }, { stdin: stdinOf(text) })).toMatchObject({
        ...none,
        [counted]: 1,
        dry_run: false,
      });
      expect((await store.run('get', { id: ['a'] })).item).toMatchObject({ version, content });
      expect((await store.run('history', { id: 'a' })).versions).toHaveLength(counted === 'updated' ? 2 : 1);
      expect((await store.run('search', { query: content })).total).toBe(1);
    });
    test.each([
      [{ updated_at: '2026-01-03T00:00:00.001Z' }, 'updated', 4, 0],
      [{ updated_at: '2026-01-03T00:00:00Z' }, 'skipped', 3, 1],
      [{ updated_at: '2026-01-03T02:00:00+02:00' }, 'skipped', 3, 1],
      [{ updated_at: '2026-01-02T00:00:00Z' }, 'skipped', 3, 0],
      [{ updated_at: '2026-01-03T01:00:00+02:00' }, 'skipped', 3, 0],
      [{ version: 2 }, 'skipped', 3, 0],
      [{ version: 2, updated_at: '2026-01-03T00:00:00Z' }, 'skipped', 3, 0],
      [{ version: 3 }, 'skipped', 3, 1],
      [{ version: 3, updated_at: '2026-01-03T00:00:00Z' }, 'skipped', 3, 1],
      [{ version: 3, updated_at: '2026-01-02T00:00:00Z' }, 'skipped', 3, 0],
      [{ version: 4 }, 'updated', 4, 0],
      [{ version: 7, updated_at: '2020-01-01' }, 'updated', 7, 1],
      [{}, 'skipped', 3, 1],
    ])('a line that says of its age only %j is %s by newer', async (age, counted, version, warnings) => {
      using store = await tempStore();
      await store.run('import', {}, { stdin: stdinOf(line(stored)) });
      const told = await store.run('import', {}, { stdin: stdinOf(line({ id: 'a', key: 'k', content: 'x', ...age })) });
      expect(told).toMatchObject({ updated: 0, skipped: 0, [counted]: 1 });
      expect(told.warnings).toHaveLength(warnings);
      expect((await store.run('get', { id: ['a'] })).item).toMatchObject({
        version,
        content: counted === 'updated' ? 'x' : 'stored',
      });
    });
    test('error refuses the whole file', async () => {
      using store = await tempStore();
      await store.run('import', {}, { stdin: stdinOf(line(stored)) });
      const text = [line({ id: 'b' }), line({ ...stored, content: 'x' })].join('\n');
      expect(await errorOf(store.run('import', { on_conflict: 'error' }, { stdin: stdinOf(text) }))).toMatchObject({
        code: 'PARAM_ERROR',
        context: { line: 2, id: 'a' },
      });
      expect(await store.run('list')).toMatchObject({ total: 1 });
    });
    test('the id of a deleted item continues with the next version', async () => {
      using store = await tempStore();
      await store.run('import', {}, { stdin: stdinOf(line(stored)) });
      await store.run('delete', { id: ['a'] });
      expect(await store.run('import', {}, { stdin: stdinOf(line(stored)) })).toMatchObject({ inserted: 1 });
      expect((await store.run('get', { id: ['a'] })).item).toMatchObject({ version: 4 });
      expect((await store.run('history', { id: 'a' })).versions).toMatchObject([
        {
          version: 4,
          change: 'import',
          changed_at: '2026-06-01T12:00:00.000Z',
          updated_at: '2026-01-03T00:00:00.000Z',
        },
        { version: 3, change: 'delete' },
        { version: 3, change: 'import' },
      ]);
      await store.run('delete', { id: ['a'] });
      await store.run('import', {}, { stdin: stdinOf(line({ ...stored, version: 9 })) });
      expect((await store.run('get', { id: ['a'] })).item).toMatchObject({ version: 9 });
    });
  });

  test('an export contains one state, whatever is written while its lines are read', async () => {
    using store = await tempStore();
    const ids = ['a', 'b', 'c'];
    await store.run('import', {}, { stdin: stdinOf(ids.map((id) => line({ id, content: `old ${id}` })).join('\n')) });
    const operation = findOperation('export');
    const checked = checkInput(operation?.params ?? {}, { output: '-' });
    if (operation === undefined || 'problem' in checked) throw new Error('export takes no --output -');
    using invocation = await invoke(operation, checked.input, { dbPath: store.path });
    if (!(invocation.result instanceof Lines)) throw new Error('export to stdout gives lines');
    const found: unknown[] = [];
    for await (const one of invocation.result.lines) {
      if (found.length === 0) {
        await store.run('put', { id: 'c', content: 'new c' });
        await store.run('delete', { id: ['b'] });
        await store.run('put', { type: 'run', content: 'another' });
      }
      found.push(one);
    }
    expect(found.map((one) => JSON.parse(String(one)).content)).toEqual(['old a', 'old b', 'old c']);
    expect((await store.run('export')).lines).toHaveLength(3);
  });

  test('from a file names it in errors; a missing file or a folder is a PARAM_ERROR', async () => {
    using store = await tempStore();
    const input = path.join(store.folder, 'i.jsonl');
    fs.writeFileSync(input, `${line({ id: 'a' })}\nnot json\n`);
    expect((await errorOf(store.run('import', { input }))).message).toContain(
      `line 2 of file ${JSON.stringify(input)}`,
    );
    expect(await errorOf(store.run('import', { input: `${input}.nope` }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('does not exist'),
    });
    expect(await errorOf(store.run('import', { input: store.folder }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('is a folder'),
    });
    // a server would run out of descriptors; only Linux lists the open ones there
    const inodes = [input, store.folder].map((file) => fs.statSync(file).ino);
    const descriptors = fs.existsSync('/proc/self/fd') ? fs.readdirSync('/proc/self/fd') : [];
    const open = descriptors.map((fd) => fs.statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })?.ino ?? 0);
    expect(open.filter((inode) => inodes.includes(inode))).toEqual([]);
    fs.writeFileSync(input, Buffer.from([0xff, 0xfe, 0x68, 0]));
    expect((await errorOf(store.run('import', { input }))).message).toContain('UTF-16');
    fs.writeFileSync(
      input,
      Buffer.concat([
        Buffer.from(`${line({ id: 'a' })}\n{"type":"run","content":"`),
        Buffer.from([0xc3, 0x28]),
        Buffer.from('"}\n'),
      ]),
    );
    expect((await errorOf(store.run('import', { input }))).message).toContain('line 2');
  });

  test('accepts a line of 15 MB', async () => {
    using store = await tempStore();
    const text = `${line({ key: 'big', content: 'a'.repeat(15_000_000) })}\n${line({ key: 'after' })}\n`;
    expect(await store.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({ inserted: 2 });
    expect((await store.run('get', { type: 'project', key: 'big' })).item.content).toHaveLength(15_000_000);
  });
});

describe('the lines of a file', () => {
  const shown = (found: Line): string =>
    `${found.number} ${'value' in found ? JSON.stringify(found.value) : `! ${found.problem}`}`;

  test.each([
    ['', []],
    ['7', ['1 7']],
    ['8\n7', ['1 8', '2 7']],
    ['8\n', ['1 8']],
    ['\n8\r\n\r\n \n9', ['2 8', '5 9']],
    ['\uFEFF8\n\uFEFF9\n', ['1 8', '2 ! not valid JSON']],
    ['{"a"\n', ['1 ! not valid JSON (at character 5)']],
    ['"b\u2028c\u0085"\n', ['1 "b\u2028c\u0085"']],
    [`"${'x'.repeat(7)}"\n1`, ['1 "xxxxxxx"', '2 1']],
    [`"${'x'.repeat(8)}"\n1`, ['1 "xxxxxxxx"', '2 1']],
    [`"${'x'.repeat(9)}"\n1`, ['1 ! line is longer than 10 bytes', '2 1']],
    [`1\n"${'数'.repeat(3)}"`, ['1 1', '2 ! line is longer than 10 bytes']],
  ])('of %j, of at most 10 bytes, are %j, wherever the chunks end', async (text, expected) => {
    const all = Buffer.from(text, 'utf8');
    for (let size = 1; size <= Math.max(1, all.length); size += 1) {
      // the source reuses its buffer, as a file does
      const buffer = new Uint8Array(size);
      const chunks = function* () {
        for (let at = 0; at < all.length; at += size) yield buffer.subarray(0, all.copy(buffer, 0, at, at + size));
      };
      const found = await Array.fromAsync(jsonLines(chunks(), 10));
      expect([size, found.map(shown)]).toEqual([size, expected]);
    }
  });

  test('that are not UTF-8 are reported, and the next ones are read', async () => {
    const found = await Array.fromAsync(jsonLines([Uint8Array.from([0x61, 0xff, 0x0a, 0x37])], 10));
    expect(found.map(shown)).toEqual(['1 ! line is not valid UTF-8 at byte 1', '2 7']);
  });
});

describe('findings of a review', () => {
  const items = (text: string, options: Record<string, unknown> = {}) => ({ ...options, text });
  test.each(['newer', 'overwrite', 'skip', 'error'])(
    'a dry run (%s) returns what the import then does, also for repeated items',
    async (on_conflict) => {
      const files = [
        [
          line({ id: 'a', version: 1 }),
          line({ id: 'a', version: 2, content: 'y' }),
          line({ id: 'a', version: 2, content: 'y' }),
          line({ id: 'a', version: 1 }),
        ],
        [line({ key: 'k', content: '1' }), line({ key: 'k', content: '2' })],
      ].map((lines) => items(lines.join('\n')));
      for (const { text } of files) {
        using store = await tempStore();
        const outcome = async (dry_run: boolean): Promise<unknown> => {
          try {
            const { dry_run: _dry, ...counts } = await store.run(
              'import',
              { on_conflict, dry_run },
              { stdin: stdinOf(text) },
            );
            return counts;
          } catch (error) {
            // an id that is generated each time
            return String(error).replaceAll(/[0-9A-Z]{26}/g, 'ID');
          }
        };
        const rehearsed = await outcome(true);
        expect(await store.run('list')).toMatchObject({ total: 0 });
        expect(await outcome(false)).toEqual(rehearsed);
      }
    },
  );

  test('overwriting with the same file again changes nothing', async () => {
    using store = await tempStore();
    const text = line({ id: 'a', content: 'x', version: 1, updated_at: '2026-01-01' });
    await store.run('import', {}, { stdin: stdinOf(line({ id: 'a', content: 'stored', version: 5 })) });
    expect(await store.run('import', { on_conflict: 'overwrite' }, { stdin: stdinOf(text) })).toMatchObject({
      updated: 1,
    });
    expect(await store.run('import', { on_conflict: 'overwrite' }, { stdin: stdinOf(text) })).toMatchObject({
      updated: 0,
      unchanged: 1,
    });
    expect((await store.run('get', { id: ['a'] })).item.version).toBe(6);
  });

  test('content that starts with a BOM, and names that grow when normalised, survive an export', async () => {
    using store = await tempStore();
    using other = await tempStore();
    await store.run('put', { type: 'run', key: 'k' }, { stdin: stdinOf('\uFEFF\uFEFFabc') });
    expect(await errorOf(store.run('put', { type: 'run', key: '\u0958'.repeat(512), content: 'x' }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
    await store.run('put', { type: 'run', key: '\u0958'.repeat(256), content: 'x', tag: ['é', 'e\u0301'] });
    const { lines } = await store.run('export');
    expect(await other.run('import', {}, { stdin: stdinOf(lines.join('\n')) })).toMatchObject({ inserted: 2 });
    expect((await other.run('export')).lines).toEqual(lines);
    expect(lines.map((one: string) => JSON.parse(one).tags.length).toSorted()).toEqual([0, 1]);
  });

  test('a version has room to grow, up to the largest exact integer', async () => {
    const MOST = Math.floor(Number.MAX_SAFE_INTEGER / 2);
    using store = await tempStore();
    const importVersion = (version: number): Promise<Output> =>
      store.run('import', {}, { stdin: stdinOf(line({ id: 'a', version })) });
    expect(await errorOf(importVersion(MOST + 1))).toMatchObject({ code: 'PARAM_ERROR' });
    await importVersion(MOST);
    expect(await store.run('put', { id: 'a', content: 'y' })).toMatchObject({ version: MOST + 1 });
    expect((await store.run('get', { id: ['a'] })).item.version).toBe(MOST + 1);
    const db = new DatabaseSync(store.path);
    db.exec(`update memory_items set version = ${Number.MAX_SAFE_INTEGER}`);
    db.close();
    expect(await errorOf(store.run('put', { id: 'a', content: 'z' }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('highest version'),
    });
    expect((await store.run('get', { id: ['a'] })).item.content).toBe('y');
    // nor does a deletion make room
    await store.run('delete', { id: ['a'] });
    for (const call of [importVersion(1), store.run('restore', { id: ['a'] })])
      expect(await errorOf(call)).toMatchObject({ code: 'PARAM_ERROR', message: expect.stringContaining('highest') });
    expect((await store.run('list')).total).toBe(0);
  });

  test('an export never overwrites the database, whatever its name', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x' });
    fs.symlinkSync(store.path, path.join(store.folder, 'link'));
    fs.linkSync(store.path, path.join(store.folder, 'hard'));
    for (const output of [store.path, path.join(store.folder, 'link'), path.join(store.folder, 'hard')]) {
      expect(await errorOf(store.run('export', { output }))).toMatchObject({
        code: 'PARAM_ERROR',
        message: expect.stringContaining('is the database itself'),
      });
    }
    expect(await store.run('list')).toMatchObject({ total: 1 });
  });

  test('an export accepts long names and dangling links', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x' });
    const long = path.join(store.folder, 'n'.repeat(250));
    expect(await store.run('export', { output: long })).toMatchObject({ count: 1 });
    fs.symlinkSync(path.join(store.folder, 'target'), path.join(store.folder, 'dangling'));
    expect(await store.run('export', { output: path.join(store.folder, 'dangling') })).toMatchObject({
      output: path.join(store.folder, 'target'),
    });
    expect(fs.lstatSync(path.join(store.folder, 'dangling')).isSymbolicLink()).toBe(true);
    // a link to a link, relative to the folder it is in
    fs.mkdirSync(path.join(store.folder, 'links'));
    fs.symlinkSync('../dangling-too', path.join(store.folder, 'links', 'first'));
    fs.symlinkSync('target-too', path.join(store.folder, 'dangling-too'));
    expect(await store.run('export', { output: path.join(store.folder, 'links', 'first') })).toMatchObject({
      output: path.join(store.folder, 'target-too'),
    });
    for (const link of ['links/first', 'dangling-too'])
      expect(fs.lstatSync(path.join(store.folder, link)).isSymbolicLink()).toBe(true);
    expect(await errorOf(store.run('export', { output: path.join(store.folder, 'n'.repeat(300)) }))).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining('a name that is too long'),
    });
  });
});

test('a database in the place of lines is recognised, and the hint says what to do', async () => {
  using store = await tempStore();
  await store.run('put', { type: 'run', content: 'x' });
  expect(await errorOf(store.run('import', { input: store.path }))).toMatchObject({
    code: 'PARAM_ERROR',
    message: `file ${JSON.stringify(store.path)} is a database, not JSON Lines`,
    hint: expect.stringContaining(`memtool export --db ${store.path} --output memories.jsonl`),
  });
  const stdin = {
    ...stdinOf(''),
    chunks: async function* () {
      yield fs.readFileSync(store.path);
    },
  };
  expect(await errorOf(store.run('import', { input: '-' }, { stdin }))).toMatchObject({
    message: 'stdin is a database, not JSON Lines',
  });
});

describe('an import tells', () => {
  const file = (...lines: string[]) => ({ stdin: stdinOf(lines.join('\n')) });
  test('of items that were edited later on this side, but less often', async () => {
    using store = await tempStore();
    await store.run('import', {}, file(line({ id: 'a', content: 'here', version: 2, updated_at: '2026-05-02' })));
    const other = line({ id: 'a', content: 'there', version: 3, updated_at: '2026-05-01' });
    expect(await store.run('import', { on_conflict: 'newer' }, file(other))).toMatchObject({
      updated: 1,
      warnings: [expect.stringContaining('older updated_at, replaced items that were edited later: line 1 (')],
    });
    const later = line({ id: 'a', content: 'there again', version: 4, updated_at: '2026-05-03' });
    expect(await store.run('import', {}, file(later))).toMatchObject({ updated: 1, warnings: [] });
  });
  test('of deleted items that it brings back', async () => {
    using store = await tempStore();
    await store.run('import', {}, file(line({ id: 'a' }), line({ id: 'b' })));
    await store.run('delete', { id: ['b'] });
    expect(await store.run('import', {}, file(line({ id: 'a' }), line({ id: 'b' }), line({ id: 'c' })))).toMatchObject({
      inserted: 2,
      warnings: ['items that were deleted here are back: line 2'],
    });
  });
  test('of an empty input', async () => {
    using store = await tempStore();
    for (const input of ['', '\n \n'])
      expect(await store.run('import', {}, { stdin: stdinOf(input) })).toMatchObject({
        inserted: 0,
        warnings: ['the input was empty: nothing was imported'],
      });
  });
});

describe('an import with history', () => {
  /** What the other machine has written since the last exchange: v2 to v4, with a deletion that was undone. */
  async function exchanged(to: Awaited<ReturnType<typeof tempStore>>) {
    using from = await tempStore();
    const { id } = await from.run('put', { type: 'run', key: 'k', content: 'v1' });
    await to.run('import', {}, { stdin: stdinOf((await linesOfExport(from)).join('\n')) });
    await from.run('put', { id, content: 'v2' });
    await from.run('delete', { id: [String(id)] });
    await from.run('restore', { id: [String(id)] });
    await from.run('put', { id, content: 'v4' });
    return { id: String(id), lines: (await linesOfExport(from)).join('\n') };
  }
  const versions = async (store: Awaited<ReturnType<typeof tempStore>>, id: string) =>
    ((await store.run('history', { id })).versions as { version: number; change: string; content: string }[]).map(
      ({ version, change, content }) => `${version} ${change} ${content}`,
    );

  test('brings the versions between the stored one and its own', async () => {
    using to = await tempStore();
    const { id, lines } = await exchanged(to);
    expect(await to.run('import', {}, { stdin: stdinOf(lines) })).toMatchObject({ updated: 1, warnings: [] });
    expect(await versions(to, id)).toEqual([
      '4 import v4',
      '3 restore v2',
      '2 delete v2',
      '2 update v2',
      '1 insert v1',
    ]);
    expect(await to.run('restore', { id: [id], version: 2 })).toMatchObject({ version: 5 });
    expect(await to.run('import', {}, { stdin: stdinOf(lines) })).toMatchObject({ updated: 0, skipped: 1 });
  });

  test('brings those after the last version of an item that was deleted here', async () => {
    using to = await tempStore();
    const { id, lines } = await exchanged(to);
    await to.run('put', { id, content: 'here' });
    await to.run('delete', { id: [id] });
    expect(await to.run('import', {}, { stdin: stdinOf(lines) })).toMatchObject({ inserted: 1 });
    expect(await versions(to, id)).toEqual([
      '4 import v4',
      '3 restore v2',
      '2 delete here',
      '2 update here',
      '1 insert v1',
    ]);
    expect((await to.run('list', { deleted: true })).total).toBe(0);
  });

  test('brings no version that is not between the known one and its own', async () => {
    using store = await tempStore();
    await store.run('import', {}, { stdin: stdinOf(line({ id: 'a', content: 'v9', version: 9 })) });
    const whole = (await linesOfExport(store))[0] ?? '';
    const { history, ...fields } = JSON.parse(whole) as { history: Record<string, unknown>[] };
    const entries = [12, 14, 13, 11, 10, 10, 9].map((version) => ({ ...history[0], version }));
    const text = JSON.stringify({ ...fields, version: 12, history: entries });
    expect(await store.run('import', {}, { stdin: stdinOf(text) })).toMatchObject({ updated: 1 });
    expect((await versions(store, 'a')).map((one) => one.split(' ')[0])).toEqual(['12', '11', '10', '9']);
  });

  test('names the unknown fields of versions', async () => {
    using store = await tempStore();
    await store.run('put', { type: 'run', content: 'x' });
    const text = (await linesOfExport(store)).join('\n').replace('"changed_at"', '"mood":1,"changed_at"');
    const { warnings } = await store.run('import', { dry_run: true }, { stdin: stdinOf(text) });
    expect(warnings).toEqual(['unknown field "history.mood" on 1 line was ignored']);
  });

  test('overwrites a newer item without going back in its numbers', async () => {
    using to = await tempStore();
    const { id, lines } = await exchanged(to);
    for (const content of ['a', 'b', 'c', 'd']) await to.run('put', { id, content });
    await to.run('import', { on_conflict: 'overwrite' }, { stdin: stdinOf(lines) });
    expect(await versions(to, id)).toEqual([
      '6 import v4',
      '5 update d',
      '4 update c',
      '3 update b',
      '2 update a',
      '1 insert v1',
    ]);
  });
});

async function linesOfExport(store: Awaited<ReturnType<typeof tempStore>>): Promise<string[]> {
  const output = `${store.path}.jsonl`;
  await store.run('export', { history: true, output });
  return fs.readFileSync(output, 'utf8').trim().split('\n');
}

test('a line that replaces another text of the same version is named, since both sides edited it', async () => {
  using store = await tempStore();
  const fields = { id: 'a', type: 'run', key: 'k', version: 4, created_at: '2026-01-01T00:00:00Z' };
  const imported = (content: string, updated_at: string): Promise<Output> =>
    store.run('import', {}, { stdin: stdinOf(JSON.stringify({ ...fields, content, updated_at })) });
  expect((await imported('here', '2026-01-02T00:00:00Z')).warnings).toEqual([]);
  const { updated, warnings } = await imported('there', '2026-01-03T00:00:00Z');
  expect([updated, warnings]).toEqual([1, [expect.stringMatching(/same version that had another text: line 1 /)]]);
  expect((await imported('there', '2026-01-04T00:00:00Z')).warnings).toEqual([]);
});
