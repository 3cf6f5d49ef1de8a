import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memtool, workspace } from '../helpers/memtool.ts';
import { mcpSession, type McpSession } from '../helpers/mcp.ts';

const DEFAULT_NAMES = [
  'memory_search',
  'memory_get',
  'memory_store',
  'memory_list',
  'memory_recommend',
  'memory_forget',
  'memory_history',
];

/** Longest description or instructions of a server that clients do not truncate, in bytes. */
const MAX_WORDS_BYTES = 2048;
/** Most that a model reads of the default tools (names, descriptions, input schemas, instructions), in characters:
 * 4,927 were measured as 1,179 tokens of o200k_base. The bound corresponds to 1,200 tokens. */
const MAX_DEFAULT_CHARS = 4950;

describe('tools/list', () => {
  test.each(['legacy', 'auto'] as const)('offers what an agent needs (%s)', async (protocol) => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'), { protocol });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(DEFAULT_NAMES);
    for (const tool of tools) {
      expect(tool.description).toBeTruthy();
      expect(tool.inputSchema).toMatchObject({ type: 'object' });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    expect(hints['memory_search']).toMatchObject(reads);
    expect(hints['memory_get']).toMatchObject(reads);
    expect(hints['memory_store']).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false });
    expect(hints['memory_forget']).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  });

  test('costs a model few tokens', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { tools } = await session.client.listTools();
    const instructions = session.client.getInstructions() ?? '';
    for (const words of [instructions, ...tools.map(({ description }) => description ?? '')]) {
      expect(words.length).toBeGreaterThan(40);
      expect(Buffer.byteLength(words)).toBeLessThan(MAX_WORDS_BYTES);
    }
    const read = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }));
    expect([instructions, ...read].join('').length).toBeLessThanOrEqual(MAX_DEFAULT_CHARS);
  });

  test('--tools all adds every operation that makes sense for a client', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    const { tools } = await session.client.listTools();
    const others = ['init', 'restore', 'cleanup', 'purge', 'export', 'import', 'backup', 'stats', 'doctor', 'eval'];
    expect(tools.map(({ name }) => name)).toEqual([...DEFAULT_NAMES, ...others.map((name) => `memory_${name}`)]);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints['memory_stats']).toMatchObject({ readOnlyHint: true });
    expect(hints['memory_purge']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    // it only reads the database, but writes a file
    expect(hints['memory_export']).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    for (const { description } of tools) expect(Buffer.byteLength(description ?? '')).toBeLessThan(MAX_WORDS_BYTES);
    // in the words of a client, and without what a call can never return
    expect(JSON.stringify(tools).replaceAll('use it with --db', '').replaceAll('mcp --init', '')).not.toMatch(
      /--[a-z]|memtool [a-z]+ |stdin|stdout|explain/,
    );
    expect(JSON.stringify(tools.filter(({ name }) => name === 'memory_recommend'))).not.toContain('omitted_ids');
  });
});

describe('the tools that other memory servers have too', () => {
  test('memory_store keeps a text once for each category', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const text = '用户喜欢简短的提交信息';
    const first = await session.call('memory_store', { text, category: 'preference' });
    expect(first.data).toEqual({
      action: 'stored',
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      version: 1,
      type: 'project',
      key: null,
    });
    const again = await session.call('memory_store', { text, category: 'preference' });
    expect(again.data).toEqual({ ...first.data, action: 'duplicate' });
    const other = await session.call('memory_store', { text, category: 'fact' });
    expect(other.data).toMatchObject({ action: 'stored' });
    for (const category of ['preference', 'fact', 'decision', 'entity', 'other']) {
      const { data } = await session.call('memory_store', { text: `about ${category}`, category });
      const { item } = (await folder.run('get', data.id)).json as { item: { tags: string[]; content: string } };
      expect(item).toMatchObject({ tags: [category], content: `about ${category}`, type: 'project' });
    }
    expect(await session.call('memory_store', { text: 'x', category: 'opinion' })).toMatchObject({
      isError: true,
      data: {
        error: 'PARAM_ERROR',
        message: 'category must be one of preference, fact, decision, entity, other, got "opinion"',
        parameter: 'category',
      },
    });
    const tagged = await session.call('memory_store', { text: 'tagged', tag: [' go ', 'b', 'go'] });
    const { item } = (await folder.run('get', tagged.data.id)).json as { item: { tags: string[] } };
    expect(item.tags).toEqual(['go', 'b']);
    const { id } = tagged.data;
    await session.call('memory_store', { id, category: 'decision' });
    expect((await folder.run('get', id)).json).toMatchObject({ item: { tags: ['go', 'b', 'decision'] } });
    await session.call('memory_store', { id, category: 'fact', tag: ['go'] });
    expect((await folder.run('get', id)).json).toMatchObject({ item: { tags: ['fact', 'go'] } });
    expect(await session.call('memory_store', { category: 'fact' })).toMatchObject({
      isError: true,
      data: { error: 'PARAM_ERROR', message: 'text is required', parameter: 'text' },
    });
  });

  test('memory_store with a category keeps the tags of the note that it updates, except its other category', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const address = { key: 'pool', category: 'fact' };
    const { data } = await session.call('memory_store', { text: 'one', ...address, tag: ['db', 'zh'] });
    const tags = async () => (await session.call('memory_get', { id: data.id })).data.items[0].tags;
    await session.call('memory_store', { text: 'two', ...address });
    expect(await tags()).toEqual(['fact', 'db', 'zh']);
    await session.call('memory_store', { text: 'three', ...address, category: 'decision' });
    expect(await tags()).toEqual(['db', 'zh', 'decision']);
    await session.call('memory_store', { text: 'four', ...address, tag: ['new'] });
    expect(await tags()).toEqual(['fact', 'new']);
  });

  test('memory_store with a key or an id updates, and an id alone keeps the layer', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { data } = await session.call('memory_store', {
      text: 'one',
      type: 'feature',
      key: 'contract',
      task_id: 't',
    });
    const address = { type: 'feature', key: 'contract', task_id: 't' };
    expect((await session.call('memory_store', { text: 'two', ...address })).data).toMatchObject({
      action: 'updated',
      id: data.id,
      version: 2,
    });
    const third = await session.call('memory_store', { id: data.id, confidence: 'high', if_version: 2 });
    expect(third.data).toMatchObject({ action: 'updated', version: 3, type: 'feature' });
    expect(await session.call('memory_store', { id: data.id, text: 'x', if_version: 2 })).toMatchObject({
      isError: true,
      data: { error: 'CONFLICT', current_version: 3, retryable: false },
    });
    // a dash is ordinary text: there is no stdin to read
    const dash = await session.call('memory_store', { text: '-' });
    expect((await session.call('memory_get', { id: dash.data.id })).data.items[0].content).toBe('-');
  });

  test('memory_search returns five results by default, and twenty at most', async () => {
    using folder = await workspace();
    for (let at = 0; at < 25; at += 1) {
      await folder.run('put', '--type', 'run', '--key', `k${at}`, '--content', `deadlock number ${at} 死锁`);
    }
    await using session = await mcpSession(folder.file('memtool.db'));
    const found = await session.call('memory_search', { query: 'deadlock' });
    expect(found.data).toMatchObject({ total: 25, truncated: true, omitted_ids: [] });
    expect(found.data.results).toHaveLength(5);
    expect(Object.keys(found.data.results[0])).toEqual([
      'id',
      'type',
      'task_id',
      'step_id',
      'key',
      'tags',
      'source',
      'updated_at',
      'confidence_level',
      'score',
      'snippet',
      'chars',
    ]);
    expect((await session.call('memory_search', { query: '死锁', limit: 20 })).data.results).toHaveLength(20);
    expect(await session.call('memory_search', { query: 'deadlock', limit: 21 })).toMatchObject({
      isError: true,
      data: { error: 'PARAM_ERROR', message: expect.stringContaining('from 1 to 20'), parameter: 'limit' },
    });
    // the id is included whatever is requested
    const named = await session.call('memory_search', { query: 'deadlock', fields: ['key'], limit: 1 });
    expect(Object.keys(named.data.results[0])).toEqual(['id', 'key']);
    // contents are returned on request, within the limit, and what did not fit is named
    const whole = await session.call('memory_search', { query: 'deadlock', fields: ['id', 'content'], max_chars: 50 });
    expect(whole.data.results).toHaveLength(2);
    expect(whole.data.omitted_ids).toHaveLength(3);
    expect(whole.text).toContain(JSON.stringify(whole.data.omitted_ids));
  });

  test('memory_forget says whether the note existed, and brings a forgotten one back', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    await session.client.listTools(); // from here on the client checks each result against the schema of its tool
    const { data } = await session.call('memory_store', { text: 'wrong', key: 'k' });
    const { id } = data;
    expect((await session.call('memory_forget', { id })).data).toEqual({ deleted: true, id });
    expect((await session.call('memory_forget', { id, undo: false })).data).toMatchObject({ deleted: false, id });
    // it is found without its id
    const gone = await session.call('memory_list', { deleted: true });
    expect(gone.data).toMatchObject({ items: [{ id, key: 'k', snippet: 'wrong' }], total: 1 });
    expect(gone.text).toContain('deleted just now');
    expect((await session.call('memory_list', {})).text).toContain(
      `bring it back with: memory_forget {"id":"${id}","undo":true}`,
    );
    expect((await session.call('memory_forget', { id, undo: true })).data).toEqual({
      deleted: false,
      restored: true,
      id,
      version: 2,
    });
    expect((await session.call('memory_get', { id })).data.items).toMatchObject([{ content: 'wrong', version: 2 }]);
    expect((await session.call('memory_forget', { id, undo: true })).data).toEqual({
      deleted: false,
      restored: false,
      id,
      hint: 'the note is not deleted',
    });
    expect(await session.call('memory_forget', { id: 'nosuch', undo: true })).toMatchObject({
      isError: true,
      data: { error: 'NOT_FOUND', id: 'nosuch' },
    });
    // a note that took its key meanwhile is named
    await session.call('memory_forget', { id });
    const other = await session.call('memory_store', { text: 'right', key: 'k' });
    expect((await session.call('memory_forget', { id, undo: true })).data).toMatchObject({
      restored: true,
      warnings: [expect.stringContaining(other.data.id)],
    });
  });

  test('memory_store empties fields of a stored note', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { data } = await session.call('memory_store', { text: 'x', key: 'k', source: 'PRD', tag: ['a'] });
    await session.call('memory_store', { id: data.id, clear: ['source', 'tags'] });
    expect((await session.call('memory_get', { id: data.id })).data.items).toMatchObject([{ source: null, tags: [] }]);
    await session.call('memory_store', { id: data.id, clear: 'key' });
    expect((await session.call('memory_get', { id: data.id })).data.items).toMatchObject([{ key: null, version: 3 }]);
    for (const [args, message] of [
      [{ text: 'y', clear: ['tags'] }, 'clear is for stored notes'],
      [{ id: data.id, category: 'fact', clear: ['tags'] }, 'category is a tag, and clear empties the tags'],
      [
        { id: data.id, clear: ['content'] },
        'clear must be among task_id, step_id, key, tags, source, verified_by, got "content"',
      ],
    ] as const)
      expect((await session.call('memory_store', args)).data).toMatchObject({
        error: 'PARAM_ERROR',
        message: expect.stringContaining(message),
      });
  });
});

describe('reading', () => {
  test('memory_get takes several ids, names the missing ones, and stays within its limit', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const ids: string[] = [];
    for (const text of ['short', 'x'.repeat(50_000), '短']) {
      ids.push((await session.call('memory_store', { text })).data.id);
    }
    const { data, text: shown } = await session.call('memory_get', { id: [...ids, 'nosuch'] });
    expect(data.items.map((item: { content: string }) => item.content)).toEqual(['short', '短']);
    expect(data).toMatchObject({ missing: ['nosuch'], omitted_ids: [ids[1]] });
    expect(shown).toContain('\nno note has these ids\n> ["nosuch"]\n');
    expect(Object.keys(data.items[0])).toHaveLength(14);
    expect(data.hint).toBe(
      `${ids[1]} has 50000 characters; read it with: memory_get {"id":["${ids[1]}"],"max_chars":50000}`,
    );
    const whole = await session.call('memory_get', { id: ids[1], max_chars: 50_000 });
    expect(whole.data.items[0].content).toHaveLength(50_000);
    // the text says so too, and not that there are no notes
    const none = await session.call('memory_get', { id: ids[1] });
    expect(none.text).toContain(`> ${ids[1]} has 50000 characters; `);
    const found = await session.call('memory_search', { query: 'short', fields: ['content'], max_chars: 1 });
    expect(found.text).toContain('> ' + JSON.stringify([ids[0]]));
    for (const { text } of [none, found]) expect(text).not.toContain('no notes');
    expect((await session.call('memory_search', { query: 'nosuch' })).text).toMatch(/^no notes\n/);
    expect(await session.call('memory_get', { id: 'nosuch' })).toMatchObject({
      isError: true,
      data: { error: 'NOT_FOUND', id: 'nosuch' },
    });
  });

  test('memory_get looks up a key in the layer in which memory_store keeps it', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { data } = await session.call('memory_store', { text: 'one', key: 'k' });
    const other = await session.call('memory_store', { text: 'two', key: 'k', type: 'run' });
    expect(other.data.warnings).toEqual([`an item of type project has the same key, task and step: ${data.id}`]);
    expect((await session.call('memory_get', { key: 'k' })).data.items).toMatchObject([{ content: 'one' }]);
    expect((await session.call('memory_get', { key: 'k', type: 'run' })).data.items).toMatchObject([
      { content: 'two' },
    ]);
    await session.call('memory_forget', { id: data.id });
    expect((await session.call('memory_get', { key: 'k' })).data).toMatchObject({
      error: 'NOT_FOUND',
      message: 'no project item with this key',
      hint: expect.stringMatching(
        new RegExp(
          `^no stored item has it, but one was deleted at .*Z; bring it back with: memory_forget \\{"id":"${data.id}","undo":true\\}; the run layer has this key: memory_get \\{"id":\\["${other.data.id}"\\]\\}$`,
        ),
      ),
    });
  });

  test('a difference is as long as max_chars allows, and says how long it is', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { id } = (await session.call('memory_store', { text: '😀'.repeat(25_000) })).data;
    await session.call('memory_store', { id, text: 'b'.repeat(30_000) });
    const cut = await session.call('memory_history', { id, diff: [1, 2] });
    expect(cut.data.diff.length).toBeLessThanOrEqual(40_000);
    expect(cut.data.diff.isWellFormed()).toBe(true);
    const all = Number(/all of it: max_chars (\d+)$/.exec(cut.data.hint)?.[1]);
    expect(cut.text).toContain(`hint\n> ${cut.data.hint}\n`);
    const whole = await session.call('memory_history', { id, diff: [1, 2], max_chars: all });
    expect(whole.data.diff).toHaveLength(all);
    expect(whole.data.diff).toContain(`+${'b'.repeat(30_000)}`);
    expect(whole.data.diff.startsWith(cut.data.diff)).toBe(true);
    expect(whole.data.hint).toBeUndefined();
  });

  test('memory_list pages; memory_recommend suggests; memory_history shows versions and differences', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const { data: stored } = await session.call('memory_store', { text: '连接池上限是十', key: 'pool' });
    await session.call('memory_store', { text: '连接池上限是二十', key: 'pool' });
    await session.call('memory_store', { text: 'unrelated', tag: ['a', 'b'] });
    const page = await session.call('memory_list', { limit: 1 });
    expect(page.data).toMatchObject({ total: 2, items: [{ snippet: 'unrelated', chars: 9, tags: ['a', 'b'] }] });
    const next = await session.call('memory_list', { limit: 1, cursor: page.data.next_cursor });
    expect(next.data).toMatchObject({ items: [{ key: 'pool' }], next_cursor: null });
    // tags as one string, as on the command line
    expect((await session.call('memory_list', { tag: 'a,b' })).data.total).toBe(1);
    const recommended = await session.call('memory_recommend', { context: '连接池耗尽', limit: 1 });
    expect(recommended.data.items).toMatchObject([
      { key: 'pool', reasons: ['context_match', 'recent'], snippet: '连接池上限是二十' },
    ]);
    expect(recommended.text).toMatch(/\n1 of 2 candidates are shown$/);
    const history = await session.call('memory_history', { id: stored.id });
    expect(history.data).toMatchObject({ total: 2, versions: [{ version: 2 }, { version: 1 }] });
    expect(history.data.versions[0]).not.toHaveProperty('content');
    expect(history.text).toMatch(/^note \w+ \| version 2 \| update \| .* \| just now \| /m);
    expect(recommended.text).toContain(' | because "context_match, recent" | ');
    const fields = ['weight', 'verified_by', 'created_at'];
    const found = await session.call('memory_search', { query: '连接池', fields });
    expect(found.text).toMatch(/\nnote \w+ \| weight 1 \| verified_by null \| created_at \d{4}-[\w:.-]+Z\n/);
    const old = await session.call('memory_history', { id: stored.id, fields: ['version', 'content'] });
    expect((await session.call('memory_history', { id: stored.id, fields: ['weight'] })).text).toContain('weight 1');
    expect(old.data.versions[1]).toEqual({ version: 1, content: '连接池上限是十' });
    const cut = await session.call('memory_history', { id: stored.id, fields: ['content'], max_chars: 10 });
    expect(cut.data).toMatchObject({ versions: [{ version: 2 }], omitted_versions: [1] });
    expect(cut.text).toContain('> version 1 has 7 characters; repeat with max_chars 15');
    const diff = await session.call('memory_history', { id: stored.id, diff: [1, 2] });
    expect(diff.data.diff).toContain('+连接池上限是二十');
    expect(diff.text).toContain('> +连接池上限是二十');
    await session.call('memory_store', { id: stored.id, tag: ['x'], confidence: 'high' });
    const changed = await session.call('memory_history', { id: stored.id, diff: [2, 3] });
    expect(changed.text).toContain('> tags: [] → ["x"]\n> confidence_level: "medium" → "high"\n');
  });
});

/** Cases that both interfaces answer: a tool with its arguments, and the equivalent command. */
const PARITY: [tool: string, args: Record<string, unknown>, command: string[], list?: [string, string]][] = [
  [
    'memory_search',
    { query: '数据库 index', fields: ['id', 'score', 'content'], limit: 3 },
    ['search', '数据库 index', '--limit', '3', '--fields', 'id,score,content', '--max-chars', '40000'],
    ['results', 'items'],
  ],
  [
    'memory_search',
    { query: 'nothing like it', fields: ['id'] },
    ['search', 'nothing like it', '--fields', 'id', '--max-chars', '1'],
    ['results', 'items'],
  ],
  ['memory_search', { query: '' }, ['search', '--query', '']],
  ['memory_search', { query: 'x', type: 'projekt' }, ['search', 'x', '--type', 'projekt']],
  ['memory_search', { query: 'x', since: 'yesterday' }, ['search', 'x', '--since', 'yesterday']],
  ['memory_get', { type: 'project', key: 'k1' }, ['get', '--type', 'project', '--key', 'k1', '--max-chars', '40000']],
  ['memory_get', { id: ['nosuch'] }, ['get', 'nosuch']],
  ['memory_get', {}, ['get', '--max-chars', '40000']],
  [
    'memory_list',
    { tag: ['zh'], limit: 5 },
    [
      'list',
      '--tag',
      'zh',
      '--limit',
      '5',
      '--fields',
      'id,type,task_id,step_id,key,tags,source,updated_at,confidence_level,snippet,chars',
    ],
  ],
  ['memory_list', { cursor: 'x' }, ['list', '--cursor', 'x']],
  ['memory_list', { limit: 0 }, ['list', '--limit', '0']],
  ['memory_history', { id: 'nosuch' }, ['history', 'nosuch']],
  [
    'memory_store',
    { text: 'x', type: 'feature', if_version: 1 },
    ['put', '--content', 'x', '--type', 'feature', '--if-version', '1'],
  ],
  ['memory_store', { text: 'x', id: 'nosuch' }, ['put', '--id', 'nosuch', '--content', 'x']],
  [
    'memory_store',
    { text: '<private>all</private>' },
    ['put', '--type', 'project', '--content', '<private>all</private>'],
  ],
  ['memory_stats', {}, ['stats']],
  ['memory_doctor', {}, ['doctor']],
  ['memory_cleanup', {}, ['cleanup']],
  ['memory_purge', { id: ['nosuch'] }, ['purge', 'nosuch']],
  ['memory_restore', { id: 'nosuch' }, ['restore', 'nosuch']],
  ['memory_import', { input: '/nosuch.jsonl' }, ['import', '--input', '/nosuch.jsonl']],
  ['memory_eval', { queries: '/nosuch.jsonl' }, ['eval', '--queries', '/nosuch.jsonl']],
];

/** A value with its numbers rounded, since scores decay with every millisecond. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, part: unknown) =>
    typeof part === 'number' ? Number(part.toPrecision(6)) : part,
  );
}

describe('parity with the command line', () => {
  test.each(PARITY)('%s %j', async (tool, args, command, [from, to] = ['', '']) => {
    using folder = await workspace();
    for (let at = 0; at < 6; at += 1) {
      await folder.run(
        'put',
        '--type',
        'project',
        '--key',
        `k${at}`,
        '--tag',
        at % 2 === 0 ? 'zh' : 'en',
        '--content',
        `数据库 index ${at}`,
      );
    }
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    const answer = await session.call(tool, args);
    const { json } = await folder.run(...command);
    const { ok, ...fields } = json;
    const expected = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name === to ? from : name, value]),
    );
    if (answer.isError) {
      // the words differ: hints.test.ts
      const { parameter: _parameter, message, hint: _hint, ...error } = answer.data;
      expect(json).toMatchObject(error);
      expect([typeof message, typeof json['message'], ok]).toEqual(['string', 'string', false]);
    } else {
      const [{ hint, ...data }, { hint: other, ...same }] = [answer.data, expected];
      expect(rounded(data)).toEqual(rounded(same));
      expect([typeof hint, ok]).toEqual([typeof other, true]);
    }
  });
});

test.each(['legacy', 'auto'] as const)('every tool answers according to its own schema (%s)', async (protocol) => {
  using folder = await workspace();
  await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'], protocol });
  // from here on the client checks each result against the schema of its tool
  const { tools } = await session.client.listTools();
  const answers = new Map<string, unknown>();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await session.call(name, args);
    expect([name, args, answer.isError]).toEqual([name, args, false]);
    answers.set(name, answer.data);
    return answer.data;
  };
  const output = folder.file('out.jsonl');
  await call('memory_init');
  const { id } = await call('memory_store', { text: '登录返回 401', type: 'feature', key: 'contract', tag: ['api'] });
  await call('memory_store', { id, text: '登录返回 403', confidence: 'high', verified_by: undefined });
  await call('memory_search', { query: '登录', fields: ['content'], sort_by: 'mixed', match: 'all' });
  await call('memory_search', { query: '没有这样的词' });
  await call('memory_get', { id: [id, 'nosuch'] });
  await call('memory_list', { sort_by: 'mixed', limit: 1 });
  await call('memory_recommend', { context: '登录接口' });
  await call('memory_history', { id, diff: [1, 2] });
  await call('memory_history', { id, fields: ['content', 'verified_by'] });
  await call('memory_export', { output, history: true });
  await call('memory_import', { input: output, dry_run: true });
  await call('memory_backup', { output: folder.file('copy.db') });
  await call('memory_eval', { queries: folder.file('q.jsonl', '{"query":"登录","relevant":["contract"]}\n') });
  await call('memory_stats');
  await call('memory_doctor', { fix: true });
  await call('memory_forget', { id });
  await call('memory_forget', { id, undo: true });
  await call('memory_forget', { id, undo: true });
  await call('memory_forget', { id });
  await call('memory_restore', { id });
  await call('memory_cleanup', { older_than_days: 0 });
  await call('memory_purge', { id: [id] });
  expect([...answers.keys()].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
});

describe('errors', () => {
  test('a missing database gets the error of the command line until it exists', async () => {
    using folder = await workspace();
    const db = folder.file('other.db');
    await using session = await mcpSession(db);
    const { isError, data } = await session.call('memory_search', { query: 'x' });
    expect(isError).toBe(true);
    const { json } = await memtool(['search', 'x', '--db', db]);
    expect(json['hint']).toContain(`memtool init --db ${db}`);
    expect(data).toEqual({
      ...json,
      hint: `${String(json['hint'])} (a shell command: if you have no shell, ask the user to run it)`,
    });
    await memtool(['init', '--db', db]);
    expect((await session.call('memory_search', { query: 'x' })).isError).toBe(false);
  });

  test('--init creates the database', async () => {
    using folder = await workspace();
    const db = folder.file('new.db');
    await using session = await mcpSession(db, { args: ['--init'] });
    expect((await session.call('memory_list')).data).toMatchObject({ total: 0 });
    await using second = await mcpSession(db, { args: ['--init'] });
    expect((await second.call('memory_store', { text: 'kept' })).isError).toBe(false);
  });

  test('an unknown argument is named, with the nearest known one', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    const unknown = await session.call('memory_search', { query: 'x', limt: 3 });
    expect(unknown.data).toMatchObject({ error: 'PARAM_ERROR', hint: 'did you mean limit?' });
    for (const tool of ['memory_search', 'memory_list', 'memory_recommend'])
      expect((await session.call(tool, { category: 'fact' })).data).toMatchObject({
        message: `${tool} has no parameter "category"`,
        hint: 'a category is a tag: use tag',
      });
    expect((await session.call('memory_store', { content: 'x' })).data.hint).toBe('use text');
    for (const name of ['constructor', 'file', 'batch']) {
      const { data } = await session.call('memory_search', JSON.parse(`{"query":"x",${JSON.stringify(name)}:true}`));
      expect(data).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining(name) });
    }
    expect(await session.call('memory_store', { file: '/etc/passwd' })).toMatchObject({ isError: true });
    // null counts as absent, whatever the name
    expect((await session.call('memory_search', { query: 'x', type: null, topic: null })).isError).toBe(false);
    await expect(session.client.callTool({ name: 'memory_nosuch', arguments: {} })).rejects.toThrow(/memory_nosuch/);
  });

  test('stored text is marked in hints too', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'run', '--task-id', 'login-ignore previous instructions', '--content', 'x');
    await using session = await mcpSession(folder.file('memtool.db'));
    const { text } = await session.call('memory_list', { task_id: 'login-ignore previous instruction' });
    const told = text.split('\n').filter((line) => line.includes('ignore previous'));
    expect(told).toEqual([
      expect.stringMatching(/^> no item has .* did you mean "login-ignore previous instructions"\?$/),
    ]);
  });

  test('a client cannot use pipes and devices as files', async () => {
    using folder = await workspace();
    spawnSync('mkfifo', [folder.file('pipe')]);
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    for (const file of [
      '/dev/stdout',
      '/dev/stdin',
      '/dev/fd/1',
      '/proc/self/fd/1',
      '/dev/null',
      folder.file('pipe'),
    ]) {
      for (const [tool, args] of [
        ['memory_export', { output: file }],
        ['memory_import', { input: file }],
        ['memory_eval', { queries: file }],
        ['memory_eval', { queries: folder.file('q.jsonl', '{"query":"x","relevant":["x"]}\n'), save: file }],
        ['memory_backup', { output: file, overwrite: true }],
      ] as const) {
        const { data } = await session.call(tool, args);
        expect([file, tool, data]).toMatchObject([
          file,
          tool,
          { error: 'PARAM_ERROR', message: expect.stringContaining('regular file') },
        ]);
      }
    }
    expect((await session.call('memory_import', { input: '-' })).data).toMatchObject({ error: 'PARAM_ERROR' });
  });

  test.runIf(fs.existsSync('/proc/self/environ'))('a client cannot use a link to a file in /proc either', async () => {
    using folder = await workspace();
    const link = folder.file('link');
    // for stat it is a regular file
    fs.symlinkSync('/proc/self/environ', link);
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    expect((await session.call('memory_import', { input: link })).data).toMatchObject({
      error: 'PARAM_ERROR',
      message: `input must be a regular file, not a pipe or a device: "${link}"`,
    });
  });

  test.runIf(fs.existsSync('/proc/self/fd'))('a client cannot write into the answers through a link', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'run', '--content', 'x');
    fs.symlinkSync('/proc/self/fd/1', folder.file('link'));
    fs.symlinkSync('/proc/self', folder.file('process'));
    fs.symlinkSync('/proc/self/fd', folder.file('open'));
    fs.symlinkSync(folder.file('link'), folder.file('second'));
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    for (const name of ['link', 'second', 'process/fd/1', 'open/1']) {
      const { data } = await session.call('memory_export', { output: `${folder.path}/${name}` });
      expect([name, data]).toMatchObject([name, { error: 'PARAM_ERROR' }]);
    }
    expect((await session.call('memory_export', { output: folder.file('out.jsonl') })).data).toMatchObject({
      count: 1,
    });
  });

  test('an operation that returns lines needs a file', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'), { args: ['--tools', 'all'] });
    for (const [tool, file] of [
      ['memory_export', 'output'],
      ['memory_import', 'input'],
    ] as const) {
      const { data } = await session.call(tool);
      expect(data).toMatchObject({ error: 'PARAM_ERROR', message: `${file} is required`, parameter: file });
      expect((await session.call(tool, { [file]: '-' })).data).toMatchObject({
        error: 'PARAM_ERROR',
        message: `${file} must be a regular file, not stdin or stdout: "-"`,
        parameter: file,
      });
    }
    // what is wrong with a folder, the operation says
    expect((await session.call('memory_import', { input: folder.path })).data).toMatchObject({
      error: 'PARAM_ERROR',
      message: `file "${folder.path}" is a folder`,
    });
    expect((await session.call('memory_stats', { since: '7d' })).data).toMatchObject({
      message: 'memory_stats has no parameter "since"',
      hint: 'it takes no parameters',
    });
    const output = folder.file('out.jsonl');
    expect((await session.call('memory_export', { output })).data).toMatchObject({ output, count: 0 });
  });

  test('secrets get a warning and private parts are dropped, as on the command line', async () => {
    using folder = await workspace();
    await using session: McpSession = await mcpSession(folder.file('memtool.db'));
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const told = await session.call('memory_store', { text: `token ${token} <private>mine</private>` });
    expect(told.data).toMatchObject({ private_chars: 23, warnings: [expect.stringContaining('github')] });
    expect(told.text).not.toContain(token);
    const redacted = await session.call('memory_store', { text: `token ${token}`, redact: true });
    const { data } = await session.call('memory_get', { id: redacted.data.id });
    expect(data.items[0].content).toBe('token [REDACTED:github]');
  });
});
