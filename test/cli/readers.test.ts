import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortWords } from '../../src/cli/argv.ts';
import { readCall } from '../../src/cli/call.ts';
import { readFully } from '../../src/cli/full-reader.ts';
import { isMemtoolError, type MemtoolError } from '../../src/core/errors.ts';
import { flagName } from '../../src/core/flag-name.ts';
import type { Operation } from '../../src/ops/operation.ts';
import { OPERATIONS } from '../../src/ops/registry.ts';
import { READING } from '../../src/cli/reading.ts';
import { SEARCHING } from '../../src/cli/searching.ts';
import { WRITING } from '../../src/cli/writing.ts';

const ENV = { MEMTOOL_DB: '/env.db' };

async function full(argv: readonly string[]): Promise<unknown> {
  if (sortWords(argv, OPERATIONS).globals.has('version')) return 'version';
  try {
    const reading = await readFully(sortWords(argv, OPERATIONS), OPERATIONS, ENV);
    return reading.kind === 'call'
      ? { operation: reading.call.operation.name, input: reading.call.input, globals: reading.call.globals }
      : reading.kind;
  } catch (error) {
    if (isMemtoolError(error)) return error.code;
    throw error;
  }
}

function fast(argv: readonly string[]): unknown {
  const call = readCall(sortWords(argv, OPERATIONS), ENV);
  return call && { operation: call.operation.name, input: call.input, globals: call.globals };
}

async function refusal(argv: readonly string[]): Promise<MemtoolError> {
  try {
    await readFully(sortWords(argv, OPERATIONS), OPERATIONS, ENV);
  } catch (error) {
    if (isMemtoolError(error)) return error;
    throw error;
  }
  throw new Error(`${argv.join(' ')} was not refused`);
}

describe('the hot reader and the full reader', () => {
  const flags = [
    ...new Set(OPERATIONS.flatMap(({ params }) => Object.keys(params).map((name) => `--${flagName(name)}`))),
  ];
  const value = fc.oneof(
    fc.constantFrom(
      'run',
      'project',
      'json',
      'text',
      '1',
      '50',
      '0',
      '-1',
      '1.5',
      '1e5',
      '007',
      '',
      '-',
      '--',
      '---',
      '-x',
      '--limit',
      'true',
      'a,b',
      'mixed',
      '2026-01-01',
      'x=y',
      '"',
      '""',
      '"a b"',
      "'x'",
      '"\'"',
      '中文',
      'a\nb',
      '\ud800',
      'high',
      'newer',
      'bash',
      'id,key',
      '["id","key"]',
      '[id,key]',
    ),
    fc.string({ maxLength: 6 }),
  );
  const flag = fc.constantFrom(
    ...flags,
    '--db',
    '--format',
    '--json',
    '--help',
    '--version',
    '-h',
    '--nosuch',
    '--no-content',
    '--key.a',
    '--tags',
    '--limit=5',
  );
  const word = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(flag, value).map(([name, text]) => [`${name}=${text}`]) },
    { weight: 5, arbitrary: fc.tuple(flag, value).map((pair) => [...pair]) },
    flag.map((name) => [name]),
    value.map((text) => [text]),
  );

  test('agree on the input of any line, or both refuse it', async () => {
    const line = fc.tuple(
      fc.constantFrom(...OPERATIONS.map(({ name }) => name), 'nosuch'),
      fc.array(word, { maxLength: 4 }),
      fc.array(word, { maxLength: 1 }),
    );
    await fc.assert(
      fc.asyncProperty(line, async ([command, words, before]) => {
        const argv = [...before.flat(), command, ...words.flat()];
        const [quick, slow] = [fast(argv), await full(argv)];
        if (quick === undefined) expect(['help', 'version', 'PARAM_ERROR']).toContain(slow);
        else expect(slow).toEqual(quick);
      }),
      { numRuns: 3000 },
    );
  });

  test.each(['"', '""', '"a b"', "'x'", `"'"`, `"x'`])('keep the quotes of %s', async (quoted) => {
    for (const argv of [
      ['search', quoted],
      ['list', '--key', quoted],
      ['purge', quoted, 'other'],
    ]) {
      expect(fast(argv)).toBeDefined();
      expect(await full(argv)).toEqual(fast(argv));
    }
  });

  test('limited to some commands read the lines of these in the same way, and no others', async () => {
    const some = [READING, SEARCHING, WRITING].map(
      (operations) => operations as readonly unknown[] as readonly Operation[],
    );
    const line = fc.tuple(
      fc.array(word, { maxLength: 1 }),
      fc.constantFrom(...OPERATIONS.map(({ name }) => name), 'nosuch'),
      fc.array(word, { maxLength: 4 }),
    );
    fc.assert(
      fc.property(line, fc.constantFrom(...some), ([before, command, words], operations) => {
        const argv = [...before.flat(), command, ...words.flat()];
        const { operation } = sortWords(argv, OPERATIONS);
        const isOne = operation !== undefined && operations.includes(operation);
        expect(readCall(sortWords(argv, operations), ENV)).toEqual(
          isOne ? readCall(sortWords(argv, OPERATIONS), ENV) : undefined,
        );
      }),
      { numRuns: 3000 },
    );
  });

  test('agree on well-formed lines of every operation', async () => {
    const wellFormed = fc.constantFrom(...OPERATIONS).chain((operation) => {
      const given = Object.entries(operation.params).map(([name, param]) => {
        const flagWord = `--${flagName(name)}`;
        const values: fc.Arbitrary<string[]> =
          param.kind === 'flag'
            ? fc.constant([flagWord])
            : param.kind === 'choice'
              ? fc.constantFrom(...param.choices).map((choice) => [flagWord, choice])
              : param.kind === 'int' || param.kind === 'number'
                ? fc
                    .integer({ min: param.min, max: Math.min(param.max, 10_000) })
                    .map((number) => [`${flagWord}=${number}`])
                : param.kind === 'int-pair'
                  ? fc
                      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
                      .map(([a, b]) => [flagWord, String(a), String(b)])
                  : param.kind === 'texts'
                    ? fc.constantFrom(...(param.choices ?? ['a', 'b,c', '-x'])).map((text) => [flagWord, text])
                    : param.format === 'timestamp'
                      ? fc
                          .constantFrom('2026-01-01T00:00:00+02:00', ...(param.orAge ? ['7d'] : []))
                          .map((time) => [flagWord, time])
                      : fc
                          .constantFrom('x', '-x', '---', '007', '1e5', 'true', 'é'.normalize('NFD'), '中 文')
                          .map((text) => [flagWord, text]);
        return fc.tuple(fc.boolean(), values).map(([isGiven, words]) => (isGiven || param.required ? words : []));
      });
      return fc.tuple(...given).map((words) => [operation.name, ...words.flat()]);
    });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(wellFormed, async (argv) => {
        const quick = fast(argv);
        expect(quick).toBeDefined();
        expect(await full(argv)).toEqual(quick);
        accepted += 1;
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThanOrEqual(500);
  });
});

describe('a line', () => {
  test.each([
    [['put', '--type', 'run', '--content', '-x'], { type: 'run', content: '-x' }],
    [['put', '--type', 'run', '--content=--limit'], { type: 'run', content: '--limit' }],
    [['put', '--type', 'run', '--content=a=b=c'], { type: 'run', content: 'a=b=c' }],
    [['put', '--type=run', '--key', '---', '--content', '-'], { type: 'run', key: '---', content: '-' }],
    [
      ['put', '--type', 'run', '--key=__proto__', '--content', 'constructor'],
      { type: 'run', key: '__proto__', content: 'constructor' },
    ],
    [
      ['put', '--type', 'run', '--content', 'x', '--tag', 'a, b ,,a', '--tags', 'c'],
      { type: 'run', content: 'x', tag: ['a', 'b', 'c'] },
    ],
    [['list', '--tags', '["a, b","c"]', '--tag=d'], { tag: ['a, b', 'c', 'd'] }],
    [['get', '007'], { id: ['007'] }],
    [['get', '1e5'], { id: ['1e5'] }],
    [['get', '-'], { id: ['-'] }],
    [['get', '-5'], { id: ['-5'] }],
    [['get', '--', '-x'], { id: ['-x'] }],
    [['get', '--', '--id'], { id: ['--id'] }],
    [['search', '---'], { query: '---' }],
    [['search', 'one', 'two', '--limit', '3', 'three'], { query: 'one two three', limit: 3 }],
    [['search', '--explain', 'one', 'two'], { query: 'one two', explain: true }],
    [['search', '--limit', '3', 'one', '--', '--two'], { query: 'one --two', limit: 3 }],
    [['search', '--query', 'one', 'two', '--limit=3'], { query: 'one two', limit: 3 }],
    [['get', 'a', '--fields', 'id', 'b'], { id: ['a', 'b'], fields: ['id'] }],
    [['delete', 'a', 'b', 'a,b'], { id: ['a', 'b', 'a,b'] }],
    [['history', 'x', '--diff', '1', '2'], { id: 'x', diff: [1, 2] }],
    [['put', '--type', 'run', '--content', '-h', '--key', '-h'], { type: 'run', content: '-h', key: '-h' }],
    [
      ['put', '--type', 'run', '--key', 'k', '--confidence-level', 'high'],
      { type: 'run', key: 'k', confidence: 'high' },
    ],
    ...[
      '007',
      '1e5',
      '8812e400700',
      '12.0',
      '0x1F',
      '12345678901234567890',
      '+5',
      '-5',
      '1_000',
      'Infinity',
      'NaN',
      'true',
      'null',
      '[object Object]',
      ' ',
    ].map((text): [string[], object] => [['list', '--key', text, `--task-id=${text}`], { key: text, task_id: text }]),
  ])('%j is read as %j', async (argv, input) => {
    expect(fast(argv)).toMatchObject({ input });
    expect(await full(argv)).toMatchObject({ input });
  });

  test.each([
    [['--db', 'a.db', 'list', '--format', 'text'], { dbPath: 'a.db', format: 'text' }],
    [['list', '--json', '--db=b.db'], { dbPath: 'b.db', format: 'json' }],
    [['list'], { dbPath: '/env.db', format: 'json' }],
  ])('%j has the globals %j', (argv, globals) => {
    expect(fast(argv)).toMatchObject({ globals });
  });

  test.each([
    [[], 'no command was given', 'memtool --help'],
    [['serach'], 'unknown command "serach"', 'did you mean search?'],
    [['frobnicate'], 'unknown command "frobnicate"', 'memtool --help'],
    // the names that other tools use
    [['rm', 'ID'], 'unknown command "rm"', 'did you mean delete?'],
    [['Remember', 'this'], 'unknown command "Remember"', 'did you mean put?'],
    [['find', 'text'], 'unknown command "find"', 'did you mean search?'],
    [['create'], 'unknown command "create"', 'did you mean put?'],
    [['diff', 'x'], 'unknown command "diff"', 'did you mean history ID --diff A B?'],
    ...(
      [
        ['put', '--content-file', '--file'],
        ['put', '--name', '--key'],
        ['put', '-k', '--key'],
        ['search', '-k', '--limit'],
        ['search', '--topK', '--limit'],
        ['search', '--top_k', '--limit'],
        ['search', '--output', '--format'],
        ['export', '-o', '--output'],
        ['cleanup', '--yes', '--apply'],
        ['backup', '--force', '--overwrite'],
        ['list', '--page', '--cursor'],
        ['stats', '--database', '--db'],
      ] as const
    ).map(([command, flag, meant]): [string[], string, string] => [
      [command, flag, 'x'],
      `${command} has no flag "${flag}"`,
      `did you mean ${meant}?`,
    ]),
    [['delete', 'x', '--force'], 'delete has no flag "--force"', 'leave it out: memtool never asks'],
    [['purge', 'x', '--no-input'], 'purge has no flag "--no-input"', 'leave it out: memtool never asks'],
    [['search', 'x', '--no-explain'], 'search has no flag "--no-explain"', '--explain is off unless it is given'],
    [['put', '--project', 'x'], 'put has no flag "--project"', 'a project has a database of its own'],
    [['stats', '--project', 'x'], 'stats has no flag "--project"', 'see: memtool stats --help'],
    [['list', '--task_id', 'x'], 'list has no flag "--task_id"', 'did you mean --task-id?'],
    [['put', '--stdin'], 'put has no flag "--stdin"', 'a piped stdin is the content'],
    [['list', '--query', 'x'], 'list has no flag "--query"', 'memtool search WORDS'],
    [['search', 'x', '--page', '2'], 'search has no flag "--page"', 'raise --limit'],
    [['search', '--no-verify flag'], 'search has no flag "--no-verify" with a space in it', 'goes after --'],
    [['list', '--key one'], 'list has no flag "--key" with a space in it', 'quote only the value, not the flag'],
    [['list', '--limt', '3'], 'list has no flag "--limt"', 'did you mean --limit?'],
    [['list', '--versio'], 'list has no flag "--versio"', 'memtool list --help'],
    [['list', '--nosuch=3'], 'list has no flag "--nosuch"', 'memtool list --help'],
    [['put', '--no-content'], 'put has no flag "--no-content"', 'did you mean --content?'],
    [['put', '--key.a', '1'], 'put has no flag "--key.a"', 'did you mean --key?'],
    [['get', '-x'], 'get has no flag "-x"', 'goes after --'],
    [['list', '--limit'], '--limit needs a value', '--limit=VALUE'],
    [['list', '--limit', '--'], '--limit needs a value', '--limit=VALUE'],
    [['put', '--key', '--content', 'x'], '--key needs a value', '--key=--content'],
    [['put', '--content', '--help'], '--content needs a value', '--content=--help'],
    [['put', '--weight', '1e400'], '--weight must be a number from 0 to 10, got "1e400"', ''],
    [['put', '--key', 'a', '--key', 'b'], '--key was given more than once', 'give it once'],
    [['list', '--limit=1', '--limit=2'], '--limit was given more than once', 'give it once'],
    [['history', 'a', '--id', 'b'], '--id was given more than once', 'give it once'],
    [['history', 'a', 'b'], 'unexpected word "b"', 'takes one id'],
    [['list', 'stray'], 'unexpected word "stray"', 'takes no words'],
    [['import', 'FILE'], 'unexpected word "FILE"', 'only flags, such as --input;'],
    [['export', 'FILE'], 'unexpected word "FILE"', 'only flags, such as --output;'],
    [['put', '{"content":"SECRET"}'], 'unexpected word', 'only flags, such as --content;'],
    // a value that a flag does not take must not become a part of the query
    [
      ['search', 'one', '--fields', 'id', 'key'],
      'unexpected word "key" after --fields: the words of a query must follow each other',
      'separate the values of --fields with commas, without spaces; or quote the whole query',
    ],
    [
      ['search', 'one', 'two', '--explain', 'true'],
      '--explain takes no value',
      'write --explain alone, or leave it out',
    ],
    [['search', '--explain', 'true', 'login'], '--explain takes no value', 'alone'],
    [['search', '--explain', 'false', '--limit', '5', 'login'], '--explain takes no value', 'alone'],
    [['purge', '--apply', 'false', 'a'], '--apply takes no value', 'alone'],
    [['purge', 'a', '--apply', 'false'], '--apply takes no value', 'alone'],
    [
      ['search', 'one', '--explain', 'two'],
      'unexpected word "two" after --explain: the words of a query must follow each other',
      '--explain takes no value; or quote the whole query',
    ],
    [
      ['recommend', 'one', '--tag', 'a', 'b'],
      'unexpected word "b" after --tag: the words of a context must follow each other',
      'separate the values of --tag with commas, without spaces; or quote the whole context',
    ],
    [['list', '--help=false'], '--help takes no value', 'write --help alone'],
    // an extra word may be part of the content
    [['put', '--type', 'run', '--content', 'my', 'SECRET'], 'unexpected word', 'takes no words'],
    [['cleanup', '--constructor', 'x'], 'cleanup has no flag "--constructor"', 'memtool cleanup --help'],
    [['purge', '--to-string'], 'purge has no flag "--to-string"', 'memtool purge --help'],
    [['list', '--apply'], 'list has no flag "--apply"', 'memtool list --help'],
    [['cleanup', '--apply=true'], '--apply takes no value', 'alone'],
    [['list', '--limit', 'abc'], '--limit must be a whole number from 1 to 1000, got "abc"', 'memtool list --help'],
    [['list', '--limit='], '--limit must be a whole number from 1 to 1000, got ""', ''],
    [['list', '--limit', '-1'], '--limit must be a whole number from 1 to 1000, got -1', 'memtool list --help'],
    [
      ['list', '--type', 'featur'],
      '--type must be one of project, feature, run, got "featur"',
      'did you mean feature?',
    ],
    [['list', '--type', ''], '--type must be one of', ''],
    [['list', '--type', 'project,run'], 'got "project,run"', 'Only items of this layer'],
    [['list', '--fields', 'id,kay'], '--fields must be among', 'did you mean key?'],
    [['list', '--fields', 'content,snippet,bogus'], 'deleted_at, got "bogus"', 'Print only these fields'],
    [['search', ''], '--query must not be empty', 'memtool search'],
    ...['--source', '--key', '--tag', '--verified-by'].map((flag): [string[], string, string] => [
      ['put', '--id', 'x', flag, ''],
      `${flag} must not be empty`,
      'to empty a field of a stored item, use --clear with task_id, step_id, key, tags, source, verified_by',
    ]),
    [['put', '--id', 'x', '--content', ''], '--content must not be empty', 'The text itself'],
    [['list', '--tag', ''], '--tag must not be empty', 'Only items that have this tag'],
    [['put', '--id', 'x', '--clear', ''], '--clear must be among', 'Empty these fields'],
    [['put', '--id', 'x', '--clear', 'tag'], '--clear must be among', 'did you mean tags?'],
    [['put', '--tags', '[a,b]'], '--tag must be a list of strings, got "[a,b]"', 'commas, or quote a JSON array'],
    [['history', 'x', '--diff', '1'], '--diff needs two values', 'write --diff A B'],
    [['history', 'x', '--diff', '1', '--format', 'json'], '--diff needs two values', 'write --diff A B'],
    [
      ['delete', '--type', 'run', '--key', 'k'],
      'delete has no flag "--type"',
      'the command takes ids; to find them, give the same filters to: memtool list --fields id,type,key',
    ],
    [
      ['history', '--key', 'k'],
      'history has no flag "--key"',
      'the command takes ids; to find them, give the same filters to: memtool list --fields id,type,key',
    ],
    [['cleanup', '--dry-run'], 'cleanup has no flag "--dry-run"', 'nothing is deleted without --apply'],
    [['history', 'x', '--diff', '1', 'b'], '--diff must be two whole numbers', ''],
    [['completion'], '--shell is required', 'for example: '],
    [['completion', 'zhs'], '--shell must be one of bash, zsh, fish, powershell, got "zhs"', 'did you mean zsh?'],
    [['list', '--format', 'txt'], '--format must be one of json, text, got "txt"', 'did you mean text?'],
    [['list', '--json', '--format', 'text'], '--json and --format text cannot be combined', ''],
    [['list', '--db', ''], '--db must not be empty', ''],
    [['list', '--db', 'a', '--db', 'b'], '--db was given more than once', ''],
    [['put', '--type', 'nosuch', '--content', 'SECRETVALUE'], '--type must be one of', ''],
    [['put', '--type', 'run', '--content', 'SECRET\0VALUE'], '--content must not contain a NUL character', ''],
  ])('%j is refused', async (argv, message, hint) => {
    const error = await refusal(argv);
    expect(error).toMatchObject({
      code: 'PARAM_ERROR',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
      retryable: false,
    });
    expect(`${error.message}${error.hint}`).not.toContain('SECRET');
    expect(fast(argv)).toBeUndefined();
  });
});
