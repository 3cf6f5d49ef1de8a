import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memtool, PROGRAM, runCommand, workspace } from '../helpers/memtool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ULID = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);

/** The complete outcome of a call. */
const whole = ({ code, json, stderr }: Awaited<ReturnType<typeof memtool>>): unknown => ({ code, json, stderr });
const ok = (json: Record<string, unknown>): unknown => ({ code: 0, json: { ok: true, ...json }, stderr: '' });

describe('each command prints one complete JSON object', () => {
  test('from init to purge', async () => {
    using folder = await workspace();
    const db = folder.file('memtool.db');
    expect(whole(await folder.run('init'))).toEqual(
      ok({ db, created: false, schema_version: 1, fts5: true, journal_mode: 'wal' }),
    );

    const put = await folder.run(
      'put',
      '--type',
      'feature',
      '--task-id',
      'login',
      '--key',
      'contract',
      '--content',
      'POST /login 返回 401',
      '--tag',
      'api,zh',
      '--confidence',
      'high',
    );
    expect(whole(put)).toEqual(ok({ action: 'inserted', id: ULID, version: 1, type: 'feature', key: 'contract' }));
    const id = String(put.json['id']);
    const item = {
      id,
      type: 'feature',
      task_id: 'login',
      step_id: null,
      key: 'contract',
      content: 'POST /login 返回 401',
      tags: ['api', 'zh'],
      source: null,
      weight: 1,
      version: 1,
      created_at: TIME,
      updated_at: TIME,
      confidence_level: 'high',
      verified_by: null,
    };
    expect(whole(await folder.run('get', id))).toEqual(ok({ item }));
    expect(whole(await folder.run('list'))).toEqual(ok({ items: [item], total: 1, next_cursor: null }));
    expect(whole(await folder.run('search', '401'))).toEqual(
      ok({
        fts5: true,
        items: [{ ...item, score: expect.any(Number), snippet: 'POST /login 返回 401', chars: 18 }],
        total: 1,
        total_exact: true,
        truncated: false,
      }),
    );
    expect(whole(await folder.run('recommend', '--context', '返回 401'))).toEqual(
      ok({
        items: [
          { ...item, score: expect.any(Number), reasons: ['context_match', 'high_confidence', 'recent'], chars: 18 },
        ],
        candidates: 1,
        truncated: false,
      }),
    );
    expect(whole(await folder.run('put', '--id', id, '--content', 'POST /login 返回 403'))).toEqual(
      ok({ action: 'updated', id, version: 2, type: 'feature', key: 'contract' }),
    );
    const { id: _id, version: _version, ...fields } = item;
    const entry = { changed_at: TIME, ...fields };
    expect(whole(await folder.run('history', id))).toEqual(
      ok({
        id,
        deleted: false,
        versions: [
          { version: 2, change: 'update', ...entry, content: 'POST /login 返回 403' },
          { version: 1, change: 'insert', ...entry },
        ],
      }),
    );
    expect(whole(await folder.run('history', id, '--diff', '1', '2'))).toEqual(
      ok({ id, from: 1, to: 2, changed: {}, diff: expect.stringContaining('-POST /login 返回 401\n') }),
    );
    expect(whole(await folder.run('restore', id, '--version', '1'))).toEqual(
      ok({ action: 'restored', id, version: 3, restored_version: 1, type: 'feature', key: 'contract' }),
    );
    expect(whole(await folder.run('delete', id))).toEqual(ok({ deleted: 1, ids: [id] }));
    expect(whole(await folder.run('restore', id))).toEqual(
      ok({ action: 'restored', id, version: 4, restored_version: 3, type: 'feature', key: 'contract' }),
    );

    const output = folder.file('out.jsonl');
    expect(whole(await folder.run('export', '--output', output))).toEqual(ok({ output, count: 1, filters: {} }));
    expect((await folder.run('export')).stdout).toBe(fs.readFileSync(output, 'utf8'));
    expect(whole(await folder.run('import', '--input', output))).toEqual(
      ok({ inserted: 0, updated: 0, unchanged: 1, skipped: 0, invalid: 0, dry_run: false, errors: [], warnings: [] }),
    );
    expect(whole(await folder.run('cleanup'))).toEqual(
      ok({ applied: false, candidates: [], count: 0, by_type: {}, truncated: false, deleted: 0 }),
    );
    expect(whole(await folder.run('backup', '--output', folder.file('copy.db')))).toEqual(
      ok({ output: folder.file('copy.db'), items: 1, bytes: expect.any(Number) }),
    );
    expect(whole(await folder.run('stats'))).toEqual(
      ok({
        db,
        total: 1,
        by_type: { project: 0, feature: 1, run: 0 },
        by_confidence: { high: 1, medium: 0, low: 0 },
        by_age: { within_1_days: 1, within_7_days: 0, within_30_days: 0, within_180_days: 0, older: 0 },
        history: { versions: 4, deleted_items: 0 },
        size: { database: expect.any(Number), content: 22, index: expect.any(Number) },
        schema_version: 1,
        tokenizer_version: 'jieba-12',
        index: 'ready',
      }),
    );
    expect(whole(await folder.run('doctor'))).toEqual(
      ok({
        checks: [
          'permissions',
          'place',
          'log',
          'dictionary',
          'integrity',
          'schema',
          'index',
          'times',
          'time_forms',
          'contents',
          'tags',
          'versions',
          'weights',
          'logical_keys',
          'history',
          'purge',
        ].map((name) => ({ name, status: 'ok', message: expect.any(String), fix: null })),
      }),
    );
    expect(whole(await folder.run('purge', id))).toEqual(ok({ applied: false, purged: 0, ids: [id] }));
    expect(whole(await folder.run('purge', id, '--apply'))).toEqual(ok({ applied: true, purged: 1, ids: [id] }));
    expect(whole(await folder.run('list'))).toEqual(
      ok({ items: [], total: 0, next_cursor: null, hint: expect.stringContaining('nothing is stored') }),
    );
  });

  test('errors go to stdout as JSON, each with its exit code', async () => {
    using folder = await workspace();
    expect(whole(await folder.run('get', 'nope'))).toEqual({
      code: 3,
      stderr: '',
      json: {
        ok: false,
        error: 'NOT_FOUND',
        message: 'no item with id "nope"',
        hint: `find its id with: memtool search --db ${folder.file('memtool.db')} WORDS, or: memtool list --db ${folder.file('memtool.db')}`,
        retryable: false,
        id: 'nope',
      },
    });
    expect(whole(await folder.run('list', '--limit', '0'))).toEqual({
      code: 2,
      stderr: '',
      json: {
        ok: false,
        error: 'PARAM_ERROR',
        message: '--limit must be a whole number from 1 to 1000, got 0',
        hint: expect.stringContaining('memtool list --help'),
        retryable: false,
        parameter: 'limit',
      },
    });
    const { json } = await folder.run('put', '--type', 'run', '--key', 'k', '--content', 'x');
    expect(whole(await folder.run('put', '--id', String(json['id']), '--content', 'y', '--if-version', '7'))).toEqual({
      code: 6,
      stderr: '',
      json: {
        ok: false,
        error: 'CONFLICT',
        message: '--if-version 7: the stored version is 1',
        hint: expect.any(String),
        retryable: false,
        id: json['id'],
        expected_version: 7,
        current_version: 1,
      },
    });
  });

  test('schema prints the generated file, or one command of it; an unknown command gets a suggestion', async () => {
    const { stdout } = await memtool(['schema']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(fs.readFileSync('memtool.schema.json', 'utf8')));
    expect(JSON.parse((await memtool(['schema', 'get'])).stdout)).toMatchObject({
      input: { type: 'object', additionalProperties: false },
    });
    expect((await memtool(['schema', 'gett'])).json).toMatchObject({ error: 'PARAM_ERROR', hint: 'did you mean get?' });
  });

  test('version and help are plain text, or JSON on request', async () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
    expect((await memtool(['--version'])).stdout).toBe(`${version}\n`);
    expect((await memtool(['--version', '--json'])).json).toEqual({ ok: true, version });
    const help = await memtool(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const name of ['init', 'put', 'search', 'completion']) expect(help.stdout).toContain(`memtool ${name}`);
    const put = (await memtool(['put', '--help'])).stdout;
    expect(put.indexOf("<<'EOF'")).toBeGreaterThan(0);
    expect(put.indexOf("<<'EOF'")).toBeLessThan(put.indexOf('--file trace.txt'));
    expect(put).toContain('Prints: action');
    expect((await memtool(['get', '--help', '--format', 'json'])).json).toEqual({
      ok: true,
      help: expect.stringContaining('memtool get'),
    });
  });

  test.each([
    [['help'], ['--help']],
    [
      ['help', 'put'],
      ['put', '--help'],
    ],
    [
      ['--json', 'help', 'restore'],
      ['restore', '--help', '--json'],
    ],
    [['version'], ['--version']],
    [
      ['version', '--json'],
      ['--version', '--json'],
    ],
    [['-V'], ['--version']],
    [['help', 'version'], ['--help']],
  ])('%j is the same as %j', async (args, usual) => {
    const ran = await memtool(args);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe((await memtool(usual)).stdout);
  });

  test('help and version are words like any other after a command', async () => {
    expect((await memtool(['help', 'nosuch'])).json['message']).toBe('unknown command "nosuch"');
    expect((await memtool(['schema', 'help'])).json['message']).toBe('unknown command "help"');
    expect((await memtool(['restore', 'x', '-V'])).json['message']).toMatch(/^restore has no flag "-V"; see/);
    using folder = await workspace();
    await folder.run('put', '--type', 'run', '--content', '-V', '--key', 'version');
    expect((await folder.run('search', 'version')).json['items']).toMatchObject([{ content: '-V', key: 'version' }]);
  });

  test.each([
    ['search', 'updated_at, confidence_level, verified_by, score, snippet, chars.'],
    ['search', 'At most this many items. 1 to 1000.'],
    ['put', 'Any of: task_id, step_id, key, tags, source, verified_by.'],
    ['put', 'How much the memory counts in rankings. 0 to 10.'],
    ['put', 'CONFLICT. 0 or more.'],
  ])('the help of %s names the values of its flags: %s', async (command, said) => {
    expect((await memtool([command, '--help'])).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  });

  test('help fits into the line, and its examples stay as they are', async () => {
    const usual = (await memtool(['put', '--help'])).stdout;
    const narrow = (await memtool(['put', '--help'], { env: { COLUMNS: '60' } })).stdout;
    const command = `stty cols 60; "${process.execPath}" "${PROGRAM}" put --help`;
    const onTerminal = await runCommand('script', ['-qec', command, '/dev/null']);
    expect(onTerminal.stdout.replaceAll('\r', '')).toBe(narrow);
    const examples = /Examples:\n(.*?)\n\n/s;
    expect(usual).toContain(
      "Examples:\n  # from stdin: the shell does not change the text\n  memtool put --type feature --task-id login --key contract <<'EOF'\n  POST /api",
    );
    expect(examples.exec(narrow)?.[1]).toBe(examples.exec(usual)?.[1]);
    const lines = (text: string): number[] =>
      text
        .replace(examples, '')
        .split('\n')
        .map((line) => line.length);
    expect(Math.max(...lines(usual))).toBe(100);
    expect(Math.max(...lines(narrow))).toBe(60);
    expect((await memtool(['put', '--help'], { env: { COLUMNS: '200' } })).stdout).toBe(usual);
  });

  test.each(['constructor', 'toString', '__proto__'])('schema knows no command %s', async (name) => {
    const { code, json } = await memtool(['schema', name]);
    expect([code, json['error'], json['message']]).toEqual([2, 'PARAM_ERROR', `unknown command "${name}"`]);
  });
});

test('the database is --db, else MEMTOOL_DB, else ./memtool.db', async () => {
  using folder = tempFolder();
  const env = { MEMTOOL_DB: folder.file('env.db') };
  expect((await memtool(['init'], { cwd: folder.path, env })).json['db']).toBe(folder.file('env.db'));
  expect((await memtool(['init', '--db', 'flag.db'], { cwd: folder.path, env })).json['db']).toBe(
    folder.file('flag.db'),
  );
  expect((await memtool(['init'], { cwd: folder.path })).json['db']).toBe(folder.file('memtool.db'));
  expect((await memtool(['init'], { cwd: folder.path, env: { MEMTOOL_DB: '' } })).json).toMatchObject({
    db: folder.file('memtool.db'),
    created: false,
  });
});

test('--version is answered only without other flags, since items have versions too', async () => {
  using folder = await workspace();
  for (const args of [
    ['put', '--type', 'run', '--content', 'x', '--version', '3'],
    ['put', '--type', 'run', '--content', 'x', '--version=3'],
    ['get', 'nosuch', '--version', '2'],
    ['history', 'nosuch', '--version'],
    ['--version', 'list', '--limit', '3'],
    ['--version', '--nosuch'],
    ['--version=1'],
  ]) {
    const { code, json } = await folder.run(...args);
    expect([args, code, json['error']]).toEqual([args, 2, 'PARAM_ERROR']);
  }
  expect((await folder.run('put', '--type', 'run', '--content', 'x', '--version', '3')).json['hint']).toContain(
    '--if-version',
  );
  expect((await folder.run('list')).json['total']).toBe(0);
  const { stdout } = await memtool(['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const args of [
    ['--version', 'list'],
    ['list', '--version'],
    ['put', '--version', '--db', 'nosuch.db'],
  ])
    expect((await memtool(args)).stdout).toBe(stdout);
  expect((await memtool(['--version', '--json'])).json).toMatchObject({ ok: true });
});

test.each([
  [['--db', '-', 'list'], 'the database is a file'],
  [['put', '--type', 'run', '--content SECRET'], 'put has no flag "--content" with a space in it'],
  [['list', '--fields', 'confidence'], 'did you mean confidence_level?'],
])('%j is refused with %j', async (args, said) => {
  using folder = await workspace();
  const { code, stdout } = await memtool(args, { cwd: folder.path, env: { MEMTOOL_DB: folder.file('memtool.db') } });
  expect([code, stdout.includes('SECRET'), JSON.parse(stdout).error]).toEqual([2, false, 'PARAM_ERROR']);
  const { message, hint } = JSON.parse(stdout);
  expect(`${message} ${hint}`).toContain(said);
});

test('MEMTOOL_SYNC must be full, normal or unset: any other value is refused, not silently weakened', async () => {
  using folder = await workspace();
  const list = (sync: string) => memtool(['list', '--db', folder.file('memtool.db')], { env: { MEMTOOL_SYNC: sync } });
  for (const sync of ['full', 'FULL', 'normal', '']) expect((await list(sync)).json).toMatchObject({ ok: true });
  for (const sync of ['1', 'ful', 'off']) {
    const { code, json } = await list(sync);
    expect([code, json['error']]).toEqual([2, 'PARAM_ERROR']);
    expect(json['message']).toContain(`MEMTOOL_SYNC must be one of normal, full, got "${sync}"`);
  }
});

const OLD_NODE = '/usr/bin/node';
const oldMajor = fs.existsSync(OLD_NODE)
  ? Number((await runCommand(OLD_NODE, ['-p', 'process.versions.node'])).stdout.split('.')[0])
  : 24;
test.skipIf(oldMajor >= 24)('a Node.js that is too old is reported in one JSON error', async () => {
  const ran = await runCommand(OLD_NODE, ['dist/memtool.cjs', 'list']);
  expect([ran.code, ran.stderr]).toEqual([1, '']);
  expect(ran.json).toMatchObject({
    ok: false,
    error: 'GENERAL_ERROR',
    message: expect.stringContaining('Node.js 24 or newer'),
    retryable: false,
  });
});
