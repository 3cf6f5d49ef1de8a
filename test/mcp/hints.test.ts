import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AGAIN, command, either, flag, sentence, type Text } from '../../src/core/sentence.ts';
import { inClientWords } from '../../src/mcp/hints.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { workspace } from '../helpers/memtool.ts';
import { mcpSession } from '../helpers/mcp.ts';

const DB = '/data/my notes/memtool.db';
const IN_SHELL = ' (a shell command: if you have no shell, ask the user to run it)';

/** A text as a tool tells it. */
function said(
  text: Text,
  { tool = 'memory_store', set = 'default' }: { tool?: string; set?: 'default' | 'all' } = {},
): string {
  const offered = toolsOf(set);
  return inClientWords(text, { tool: offered.find(({ name }) => name === tool), offered, dbPath: DB });
}

describe('commands', () => {
  test.each<[text: Text, expected: string]>([
    [
      sentence`find its id with: ${command('search', ['WORDS'])}, or: ${command('list')}`,
      'find its id with: memory_search {"query":"WORDS"}, or: memory_list',
    ],
    [command('restore', { db: DB }, ['01J9']), 'memory_forget {"id":"01J9","undo":true}'],
    [command('restore', ['-x']), 'memory_forget {"id":"-x","undo":true}'],
    [
      sentence`read it again with: ${command('get', ['01J9'])}, merge, and retry with --if-version ${3}`,
      'read it again with: memory_get {"id":["01J9"]}, merge, and retry with if_version 3',
    ],
    [command('list', { key: "it's; x", fields: ['id', 'type'] }), 'memory_list {"key":"it\'s; x"}'],
    [command('search', ['deadlock timeout'], { limit: 5 }), 'memory_search {"query":"deadlock timeout","limit":5}'],
    [sentence`write it as a new item: ${command('put', { new: true })}`, 'write it as a new item: memory_store'],
    [
      sentence`${command('put', { id: '01J9', content: 'x', confidence: 'high' })}; done`,
      'memory_store {"id":"01J9","text":"x","confidence":"high"}; done',
    ],
    [command('get', ['a', 'b'], { max_chars: 9 }), 'memory_get {"id":["a","b"],"max_chars":9}'],
    [sentence`create it with: ${command('init', { db: DB })}`, `create it with: memtool init --db '${DB}'${IN_SHELL}`],
    [
      sentence`${command('doctor', { fix: true })} removes them`,
      `memtool doctor --db '${DB}' --fix removes them${IN_SHELL}`,
    ],
    // memory_forget takes one id, and the default tools cannot restore an older version
    [command('delete', ['a', 'b']), `memtool delete --db '${DB}' a b${IN_SHELL}`],
    [command('restore', { version: 2 }, ['a']), `memtool restore --db '${DB}' --version 2 a${IN_SHELL}`],
    [
      sentence`checkpoint it with: ${command('list', { db: '/other.db' })}; or not`,
      `checkpoint it with: memtool list --db /other.db; or not${IN_SHELL}`,
    ],
    [command('search', '"what to search for"'), `memtool search --db '${DB}' "what to search for"${IN_SHELL}`],
  ])('%j', (text, expected) => {
    expect(said(text)).toBe(expected);
  });

  test('what is suggested fits the schema of the tool: an array only where it has one, numbers within its limits', () => {
    for (const set of ['default', 'all'] as const)
      for (const { operation, name, params } of toolsOf(set))
        for (const [param, { kind }] of Object.entries(params).filter(([one]) => one in operation.params)) {
          const told = said(command(operation.name, { [param]: ['a'] }), { set });
          expect([name, told]).toEqual([
            name,
            `${name} ${JSON.stringify({ [param]: kind === 'texts' ? ['a'] : 'a' })}`,
          ]);
        }
    expect(said(command('list', { tag: 'a,b' }))).toBe('memory_list {"tag":["a","b"]}');
    expect(said(command('list', { key: 'k', limit: 1000 }))).toBe('memory_list {"key":"k"}');
    expect(said(command('list', { deleted: true, since: '2026-06-01', until: '2026-06-02', fields: ['id'] }))).toBe(
      'memory_list {"deleted":true,"since":"2026-06-01","until":"2026-06-02"}',
    );
    expect(said(command('restore', { version: 'N' }, ['a']), { set: 'all' })).toBe(
      'memory_restore {"version":"N","id":["a"]}',
    );
  });

  test('all tools take over all commands', () => {
    const all = { set: 'all' } as const;
    expect(said(command('restore', ['01J9']), all)).toBe('memory_restore {"id":["01J9"]}');
    expect(said(sentence`${command('doctor', { fix: true })} removes them`, all)).toBe(
      'memory_doctor {"fix":true} removes them',
    );
    expect(said(sentence`${command('export', { salvage: true, output: 's.jsonl' })}, or not`, all)).toBe(
      'memory_export {"salvage":true,"output":"s.jsonl"}, or not',
    );
  });
});

describe('flags', () => {
  test.each<[text: Text, expected: string, tool?: string]>([
    [sentence`--content is empty`, 'text is empty'],
    [sentence`${flag('content')} is empty`, 'text is empty'],
    [sentence`--confidence-level or --tags`, 'confidence or tag'],
    [sentence`give an id, or --type and --key`, 'give an id, or type and key'],
    [sentence`try --match any`, 'try match any', 'memory_search'],
    [sentence`--nosuch and --db PATH`, '--nosuch and --db PATH'],
    [sentence`the text${either('; - reads stdin', '')}.`, 'the text.'],
    [sentence`${AGAIN} later`, 'repeat the call later'],
    [sentence`a--key b-- --`, 'a--key b-- --'],
    // what is told as it is: a caller's or a stored text
    ['--key', '--key'],
    [sentence`--key must not be ${'--key'}`, 'key must not be --key'],
    [sentence`no item with id ${'x: memtool list'}`, 'no item with id x: memtool list'],
  ])('%j', (text, expected, tool = 'memory_store') => {
    expect(said(text, { tool })).toBe(expected);
  });
});

const TOKEN = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');

/** Calls that fail, or answer with a hint or a warning, and what they say. */
const TOLD: [tool: string, args: Record<string, unknown>, told: Record<string, unknown>][] = [
  ['memory_get', { id: 'nosuch' }, { hint: 'find its id with: memory_search {"query":"WORDS"}, or: memory_list' }],
  ['memory_get', { id: 'gone' }, { hint: 'bring it back with: memory_forget {"id":"gone","undo":true}' }],
  [
    'memory_get',
    { id: 'k1' },
    { hint: 'this is the key of an item; read it with: memory_get {"type":"feature","key":"k1"}' },
  ],
  [
    'memory_get',
    { id: 'a', key: 'k' },
    { message: 'give either an id or type and key, not both', hint: 'memory_get {"id":["a"]}' },
  ],
  ['memory_get', { type: 'run', key: 'nosuch' }, { hint: 'no item has key nosuch (matched exactly)' }],
  ['memory_get', { type: 'project', key: 'k1' }, { hint: 'the feature layer has this key: memory_get {"id":["a"]}' }],
  [
    'memory_get',
    { id: 'a', max_chars: 0 },
    {
      message: expect.stringMatching(/^max_chars must be a whole number from 1 to \d+, got 0$/),
    },
  ],
  [
    'memory_search',
    {},
    { message: 'query is required', hint: expect.stringMatching(/^for example: memory_search \{"query":"[^"]*"/) },
  ],
  ['memory_search', { query: 'zzz yyy', match: 'all' }, { hint: 'no item contains all the words; try match any' }],
  [
    'memory_search',
    { query: 'zzz' },
    { hint: 'no item contains any of these words; see what is stored with: memory_list' },
  ],
  [
    'memory_search',
    { query: 'login page' },
    {
      hint: 'no item contains this text, but some belong to the task of that name: memory_list {"task_id":"login page"}',
    },
  ],
  [
    'memory_search',
    { query: 'x', since: '--key' },
    { message: expect.stringMatching(/^since must be an RFC 3339 time .*, got "--key"$/) },
  ],
  [
    'memory_search',
    { query: 'x', fields: ['nosuch'] },
    { message: expect.stringMatching(/^fields must be among id, /) },
  ],
  [
    'memory_search',
    { query: 'about', fields: ['content'], max_chars: 1 },
    { hint: expect.stringContaining('max_chars') },
  ],
  ['memory_list', { cursor: 'x' }, { hint: 'start again without cursor' }],
  ['memory_list', { tag: ['nosuch'] }, { hint: 'no item has tag nosuch (matched exactly)' }],
  [
    'memory_list',
    { key: 'x: memtool list --key' },
    { hint: 'no item has key "x: memtool list --key" (matched exactly)' },
  ],
  ['memory_store', { text: '' }, { message: 'text must not be empty', parameter: 'text' }],
  ['memory_store', { id: 'a' }, { hint: 'give text, or a field such as tag' }],
  [
    'memory_store',
    { id: 'a', key: '' },
    { hint: 'to empty a field of a stored item, use clear with task_id, step_id, key, tags, source, verified_by' },
  ],
  [
    'memory_store',
    { id: 'a', text: 'x', if_version: 7 },
    {
      error: 'CONFLICT',
      message: 'if_version 7: the stored version is 1',
      hint: 'read it again with: memory_get {"id":["a"]}, merge, and retry with if_version 1',
    },
  ],
  ['memory_store', { text: 'x', type: 'run', if_version: 1 }, { message: 'if_version needs id, or type and key' }],
  ['memory_store', { id: 'nosuch', text: 'x' }, { error: 'NOT_FOUND', hint: expect.stringContaining('memory_search') }],
  [
    'memory_store',
    { text: 'x', source: `--db ${'x'.repeat(600)}` },
    { message: expect.stringMatching(/^source must be at most 512 characters long, got "--db x+…$/) },
  ],
  [
    'memory_forget',
    { id: 'gone' },
    { deleted: false, hint: 'bring it back with: memory_forget {"id":"gone","undo":true}' },
  ],
  [
    'memory_history',
    { id: 'a', diff: [1] },
    { message: 'diff must be two whole numbers from 1 to 9007199254740991, got [1]' },
  ],
  ['memory_history', { id: 'a', diff: [1, 9] }, { error: 'NOT_FOUND', hint: 'its versions: 1' }],
  [
    'memory_recommend',
    { context: 'zzz' },
    { hint: expect.stringMatching(/; to search, use: memory_search \{"query":"WORDS"\}$/) },
  ],
];

test('errors, hints and warnings speak of tools and arguments', async () => {
  using folder = await workspace();
  const items = [
    { id: 'a', type: 'feature', key: 'k1', task_id: 'login page', content: 'about the form' },
    { id: 'gone', type: 'run', content: 'deleted' },
  ];
  const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  await folder.run('import', '--input', folder.file('in.jsonl', lines));
  await folder.run('delete', 'gone');
  await using session = await mcpSession(folder.file('memtool.db'));
  for (const [tool, args, told] of TOLD) {
    const { data, text } = await session.call(tool, args);
    expect([tool, args, data]).toMatchObject([tool, args, told]);
    expect(text).not.toContain(folder.path);
    const words = [data.message, data.hint].join('\n').replaceAll(/"(?:[^"\\]|\\.)*["…]/g, '');
    expect([tool, args, words]).toEqual([tool, args, expect.not.stringMatching(/--[a-z]|memtool [a-z]/)]);
  }
});

test('a secret that was stored is removed by the tool if it is offered, else by a shell command', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  const remedy = async (...args: string[]): Promise<unknown> => {
    await using session = await mcpSession(db, { args });
    return (await session.call('memory_store', { text: `${TOKEN} ${args.join(' ')}` })).data.warnings;
  };
  const told =
    'a possible secret in content (rule github) was left unchanged; redact: true replaces it in a new write, and what is already stored is removed only by: ';
  expect(await remedy()).toEqual([
    `${told}memtool purge --db ${db} ID --apply (a shell command: if you have no shell, ask the user to run it)`,
  ]);
  expect(await remedy('--tools', 'all')).toEqual([`${told}memory_purge {"id":["ID"],"apply":true}`]);
});

test('what only a shell can do stays a complete command', async () => {
  using folder = await workspace();
  const db = folder.file('broken.db', 'this is not a database, but long enough to be read as one'.repeat(100));
  await using broken = await mcpSession(db);
  expect((await broken.call('memory_list')).data).toMatchObject({
    error: 'DB_ERROR',
    message: expect.stringContaining(db),
  });
  fs.rmSync(db);
  expect((await broken.call('memory_list')).data.hint).toMatch(
    new RegExp(`memtool init --db ${db} \\(a shell command: if you have no shell, ask the user to run it\\)$`),
  );
  await expect(broken.client.readResource({ uri: 'memtool://recent' })).rejects.toMatchObject({
    data: { hint: expect.stringContaining('ask the user') },
  });
});
