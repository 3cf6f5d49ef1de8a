import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { memtool, PROGRAM, runCommand, shell, workspace, type Ran } from '../helpers/memtool.ts';

describe('stdin', () => {
  test('is stored by put exactly as given', async () => {
    using folder = await workspace();
    const text = 'run `date`; cost is $5!; "quoted" \'single\' \\n back\\slash %s ${HOME} $(id)\r\n\ttab é 中 🟥\n\n';
    const { json } = await folder.pipe(text, 'put', '--type', 'project', '--key', 'k1');
    expect((await folder.run('get', String(json['id']))).json).toMatchObject({ item: { content: text } });
  });

  test.each([['--content -'], ['--file -'], ['']])('is read by put with %j', async (flags) => {
    using folder = await workspace();
    const ran = await shell(
      `printf 'real body\\n' | memtool put --type project --key k1 ${flags} && memtool get --type project --key k1`,
      { cwd: folder.path },
    );
    expect(ran.stdout).toContain('"content":"real body\\n"');
  });

  test.each([
    ['a pipe', "printf 'body' | (sleep 0.2; memtool put --type project --key k1 --content x)"],
    [
      'a pipe beside --file',
      "echo text > f; printf 'body' | (sleep 0.2; memtool put --type project --key k1 --file f)",
    ],
    ['--content and --file', 'echo text > f; memtool put --type project --key k1 --content x --file f </dev/null'],
  ])('is refused if the text is given twice: %s', async (_what, script) => {
    using folder = await workspace();
    const ran = await shell(script, { cwd: folder.path });
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining('more than once') });
    expect((await folder.run('list')).json).toMatchObject({ total: 0 });
  });

  test.each([
    ['short input', "printf 'alpha\\nbeta\\ngamma\\n'"],
    ['input larger than a pipe', 'seq 1 100000'],
    ['input that continues while it is read', '(echo alpha; echo beta; sleep 0.02; echo gamma)'],
    ['endless input', 'yes long-line'],
  ])('shared with a shell loop is refused once, and no partial line is stored: %s', async (_what, lines) => {
    using folder = await workspace();
    const put = 'memtool put --type run --content "$line" | head -c 60';
    const loop = `n=0; while read -r line; do ${put}; n=$((n + 1)); [ $n = 3 ] && break; done; true`;
    const ran = await shell(`${lines} | (${loop})`, { cwd: folder.path });
    expect(ran.stdout).toMatch(/^\{"ok":false,"error":"PARAM_ERROR"/);
    const { items } = (await folder.run('list', '--fields', 'content')).json as { items: { content: string }[] };
    expect(items.filter(({ content }) => !['alpha', 'beta', 'gamma', '1', 'long-line'].includes(content))).toEqual([]);
  });

  test('that replaces the content of an item whose other fields were to change is reported, with the way back', async () => {
    using folder = await workspace();
    const { id } = (await folder.run('put', '--type', 'run', '--key', 'k', '--content', 'what was learned')).json;
    for (const put of [`--id ${String(id)} --tag reviewed`, '--type run --key k --add-tag done']) {
      const ran = await shell(`memtool put ${put}`, { input: 'echo the rest of the script', cwd: folder.path });
      const [warning = ''] = ran.json['warnings'] as string[];
      expect(warning).toContain('replaced by the text on stdin');
      await shell(/memtool restore .*$/.exec(warning)?.[0] ?? '', { cwd: folder.path });
      expect((await folder.run('get', String(id))).json).toMatchObject({ item: { content: 'what was learned' } });
    }
    // the usual forms of an update say nothing
    for (const put of [`memtool put --id ${String(id)}`, 'memtool put --type run --key k --tag other'])
      expect((await shell(`echo new | ${put}`, { cwd: folder.path })).json).toEqual({
        ok: true,
        action: 'updated',
        id,
        version: expect.any(Number),
        type: 'run',
        key: 'k',
      });
  });

  test('from a Node.js parent is detected too', async () => {
    using folder = await workspace();
    // stdin of a child is a socket; the program starts after the text has arrived
    const script = `sleep 0.3; exec "${process.execPath}" "${PROGRAM}" --db "${folder.file('memtool.db')}" put --type run --content x`;
    const ran = await runCommand('sh', ['-c', script], { input: 'body' });
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining('more than once') });
    expect((await folder.run('list')).json).toMatchObject({ total: 0 });
  });

  test('is not read by a command that does not need it, even when it never ends', async () => {
    using folder = await workspace();
    for (const args of [
      'list',
      'search x',
      'get --type project --key nope',
      'put --type project --key k --content v',
      'export',
      '--version',
      '--help',
      'stats',
      'doctor',
      'cleanup',
      'schema',
    ]) {
      const ran = await shell(
        `timeout 5 "${process.execPath}" "${PROGRAM}" ${args} < <(exec sleep 20 2>/dev/null) >/dev/null; echo "$?"`,
        { cwd: folder.path },
      );
      expect([args, ran.stdout.trim()]).toEqual([args, args.startsWith('get') ? '3' : '0']);
    }
  });

  test.each([
    ['an open pipe that sends nothing', '< <(exec sleep 20 2>/dev/null)', 'sent nothing for 3000 ms'],
    ['/dev/null', '</dev/null', 'nothing to write'],
    ['a closed descriptor', '<&-', 'nothing to write'],
    ['an empty file', '<empty', 'nothing to write'],
    ['a folder', '</tmp', 'stdin is a folder'],
    ['UTF-16', '<utf16', 'stdin is UTF-16'],
    ['bytes that are not UTF-8', '<bad', 'stdin is not valid UTF-8 at byte 3'],
    ['NUL', '<nul', 'stdin contains a NUL character'],
  ])('that is %s is a PARAM_ERROR', async (_what, redirection, message) => {
    using folder = await workspace();
    folder.file('empty', '');
    folder.file('utf16', Uint8Array.from([0xff, 0xfe, 0x68, 0]));
    folder.file('bad', Uint8Array.from([0x6f, 0x6b, 0x20, 0xff]));
    folder.file('nul', 'a\0b');
    const ran = await shell(`memtool put --type project --key k ${redirection}; echo "rc=$?" >&2`, {
      cwd: folder.path,
    });
    expect(ran.stderr).toContain('rc=2');
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining(message) });
    expect((await folder.run('list')).json).toMatchObject({ total: 0 });
  });

  test('may hold 16 MiB beside a byte order mark, and no more', async () => {
    using folder = await workspace();
    const most = 'x'.repeat(16 * 1024 * 1024);
    expect((await folder.pipe(`\uFEFF${most}`, 'put', '--type', 'run')).json).toMatchObject({ action: 'inserted' });
    expect((await folder.pipe(`${most}x`, 'put', '--type', 'run')).json).toMatchObject({
      error: 'PARAM_ERROR',
      message: expect.stringContaining('larger than 16 MiB'),
    });
  });

  test('that is empty does not affect an update of other fields', async () => {
    using folder = await workspace();
    const { json } = await folder.run('put', '--type', 'run', '--content', 'kept');
    const ran = await folder.pipe('', 'put', '--id', String(json['id']), '--tag', 'a');
    expect(ran.json).toMatchObject({ action: 'updated', version: 2 });
    expect((await folder.run('get', String(json['id']))).json).toMatchObject({
      item: { content: 'kept', tags: ['a'] },
    });
  });

  test('that is slow is waited for if it is named', async () => {
    using folder = await workspace();
    const ran = await shell('(sleep 4; printf late) | memtool put --type run --key k --content -', {
      cwd: folder.path,
    });
    expect(ran.json).toMatchObject({ action: 'inserted' });
  });

  test('that pauses after its beginning is read to its end', async () => {
    using folder = await workspace();
    await shell('(printf a; sleep 4; printf b) | memtool put --type run --key k', { cwd: folder.path });
    expect((await folder.run('get', '--type', 'run', '--key', 'k')).json).toMatchObject({ item: { content: 'ab' } });
  });

  test('on a terminal is not waited for', async () => {
    using folder = await workspace();
    for (const args of ['put --type run --key k', 'import', 'import --input -', 'put --type run --content -']) {
      const ran = await runCommand(
        'script',
        ['-qec', `timeout 10 "${process.execPath}" "${PROGRAM}" ${args}; echo "rc=$?"`, '/dev/null'],
        { cwd: folder.path, input: '' },
      );
      expect([args, ran.stdout]).toEqual([args, expect.stringContaining('rc=2')]);
      expect(ran.stdout).toContain('PARAM_ERROR');
      if (args.endsWith(' -')) expect(ran.stdout).toContain('stdin is a terminal');
    }
  });

  test('of a batch is answered line by line, as it arrives', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'run', '--content', 'alpha');
    const child = spawn(process.execPath, [PROGRAM, '--db', folder.file('memtool.db'), 'search', '--batch'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = child.stdout[Symbol.asyncIterator]();
    for (const total of [1, 0]) {
      child.stdin.write(`${JSON.stringify({ query: total === 1 ? 'alpha' : 'beta' })}\n`);
      const { value } = await answers.next();
      expect(JSON.parse(String(value))).toMatchObject({ ok: true, total });
    }
    child.stdin.end();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });
});

describe('stdout', () => {
  test('is complete however slow its reader is', async () => {
    using folder = await workspace();
    const text = 'a'.repeat(3_000_000);
    await folder.pipe(text, 'put', '--type', 'project', '--key', 'big');
    const ran = await shell(
      'memtool get --type project --key big | (sleep 1; wc -c); memtool export | (sleep 1; wc -c)',
      { cwd: folder.path },
    );
    const [get, exported] = ran.stdout.trim().split('\n').map(Number);
    expect(get).toBeGreaterThan(3_000_000);
    expect(exported).toBeGreaterThan(3_000_000);
    expect((await folder.run('get', '--type', 'project', '--key', 'big')).json).toMatchObject({
      item: { content: text },
    });
  });

  test('is complete in a pipe that does not block', async () => {
    using folder = await workspace();
    const text = Array.from({ length: 200_000 }, (_, at) => at).join(' ');
    await folder.pipe(text, 'put', '--type', 'project', '--key', 'big');
    // whoever shares a pipe may have set it so, as Node.js does until it exits in an orderly way
    const setter = `new (require('net').Socket)({ fd: 1, readable: false, writable: true }); process.kill(process.pid, 'SIGKILL')`;
    const ran = await shell(
      `("${process.execPath}" -e "${setter}"; memtool get --type project --key big) | (sleep 1; cat)`,
      { cwd: folder.path },
    );
    expect(ran.json).toMatchObject({ item: { content: text } });
  });

  test('of an error is complete too', async () => {
    using folder = await workspace();
    folder.file('b.jsonl', `{bad json line ${'x'.repeat(60)}\n`.repeat(4000));
    const ran = await shell('memtool import --input b.jsonl | (sleep 0.5; cat); echo "rc=${PIPESTATUS[0]}" >&2', {
      cwd: folder.path,
    });
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', invalid: 4000 });
    expect(ran.stderr).toContain('rc=2');
  });

  test('that is closed early is not an error, and ends the work', async () => {
    using folder = await workspace();
    await folder.pipe(
      Array.from({ length: 3000 }, (_, at) =>
        JSON.stringify({ type: 'run', key: `k${at}`, content: 'x'.repeat(500) }),
      ).join('\n'),
      'import',
    );
    const ran = await shell(
      'memtool export | head -1 | wc -l; echo "${PIPESTATUS[0]}"; memtool list --limit 1000 | head -c 10 | wc -c; echo "${PIPESTATUS[0]}"',
      { cwd: folder.path },
    );
    expect(ran.stdout.trim().split('\n')).toEqual(['1', '0', '10', '0']);
    expect(ran.stderr).toBe('');
    const endless = await shell(
      `yes '{"query":"x"}' | timeout 20 "${process.execPath}" "${PROGRAM}" search --batch | head -1 | wc -l; echo "\${PIPESTATUS[1]}"`,
      { cwd: folder.path },
    );
    expect(endless.stdout).toBe('1\n0\n');
  });

  test('and stderr may be closed', async () => {
    using folder = await workspace();
    const ran = await shell(
      'memtool list >&-; echo "$?"; memtool get nope 2>&- >/dev/null; echo "$?"; memtool get nope --format text 2>&-; echo "$?"',
      { cwd: folder.path },
    );
    expect(ran.stdout.trim().split('\n')).toEqual(['0', '3', '3']);
  });

  test('contains no raw control character, and stderr is empty', async () => {
    using folder = await workspace();
    await folder.pipe('safe\u001b[2K\u001b]0;pwned\u0007 \u202Etxt.exe', 'put', '--type', 'project', '--key', 'k1');
    const list = await folder.run('list');
    expect(list.stderr).toBe('');
    // oxlint-disable-next-line no-control-regex
    expect(list.stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
    // JSON itself allows these
    const signs = '\u007F\u0085\u009B2J\u009D0;t\u061C\u200E\u200F\u2028\u2029\u202A\u202E\u2066\u2069 登录\u200D🔥';
    await folder.pipe(signs, 'put', '--type', 'run', '--key', 'signs');
    const exported = folder.file('x.jsonl');
    await folder.run('export', '--output', exported);
    for (const stdout of [
      (await folder.run('get', '--type', 'run', '--key', 'signs')).stdout,
      (await folder.run('search', '登录')).stdout,
      (await folder.run('export')).stdout,
      (await folder.run('put', '--type', 'run', '--key', `a${signs}`, '--content', 'x')).stdout,
      fs.readFileSync(exported, 'utf8'),
    ]) {
      expect(stdout).not.toMatch(/[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/);
      expect(stdout).toContain('\\u009b2J');
    }
    expect((await folder.run('get', '--type', 'run', '--key', 'signs')).json).toMatchObject({
      item: { content: signs },
    });
    const text = await folder.run('get', '--type', 'project', '--key', 'k1', '--format', 'text');
    expect(text.stdout).toContain('safe<U+001B>[2K<U+001B>]0;pwned<U+0007> <U+202E>txt.exe');
    // also in hints, which quote stored text
    await folder.run('put', '--type', 'run', '--task-id', 'release\u202E-one', '--content', 'x');
    const hinted = await folder.run('list', '--task-id', 'release-one', '--format', 'text');
    expect(hinted.stdout).toContain('did you mean release<U+202E>-one?');
  });

  test('truncates text only between characters', async () => {
    using folder = await workspace();
    const lines = Array.from({ length: 260 }, (_, at) =>
      JSON.stringify({ type: 'project', key: `t${at}`, content: `${'x'.repeat(60 + at)}${'🔥'.repeat(60)} needle` }),
    );
    await folder.pipe(lines.join('\n'), 'import');
    const { items } = (await folder.run('search', 'needle', '--limit', '300')).json as { items: { snippet: string }[] };
    expect(items).toHaveLength(260);
    for (const { snippet } of items) expect(snippet.isWellFormed() && !snippet.includes('\uFFFD')).toBe(true);
  });
});

test('errors name the field and the line, and never show content', async () => {
  using folder = await workspace();
  const runs = [
    await folder.run('put', '--type', 'nosuch', '--key', 'k', '--content', 'SECRETVALUE'),
    await folder.pipe('{"key":"k","content":"SECRETVALUE"', 'import'),
    await folder.pipe('SECRETVALUE', 'put', '--key', 'k'),
    await folder.pipe('SECRETVALUE\0', 'put', '--type', 'run'),
  ];
  for (const { code, stdout } of runs) {
    expect(code).toBe(2);
    expect(stdout).not.toContain('SECRETVALUE');
  }
});

test('a program without its dictionary works, says so, and leaves an index that the next write repairs', async () => {
  using folder = await workspace();
  fs.cpSync('dist', folder.file('dist'), {
    recursive: true,
    filter: (file) => !/jieba\.bin$|dist\/memtool$/.test(file),
  });
  const crippled = (...args: string[]) =>
    runCommand(process.execPath, [folder.file('dist/memtool.cjs'), '--db', folder.file('memtool.db'), ...args]);
  const whole = (...args: string[]) => folder.run(...args);
  const idsOf = ({ json }: Ran): unknown[] => (json['items'] as { id: string }[]).map(({ id }) => id);
  const doctor = async (): Promise<unknown> => (await whole('doctor')).json['checks'];

  await whole('put', '--type', 'run', '--key', 'known', '--content', '数据库索引在迁移之后变慢');
  expect((await crippled('put', '--type', 'run', '--content', 'English')).json).not.toHaveProperty('warnings');
  const stored = await crippled('put', '--type', 'run', '--key', 'new', '--content', '鱼香肉丝的做法，服务器连接池');
  expect(stored.json).toMatchObject({ ok: true, warnings: [expect.stringContaining('dictionary is missing')] });
  const [knownId, newId] = [(await whole('get', '--type', 'run', '--key', 'known')).json['item'], stored.json].map(
    (item) => (item as { id: string }).id,
  );
  // both programs find what either has stored: whole words, parts of them, single characters
  for (const run of [crippled, whole]) {
    for (const query of ['数据库索引', '迁移', '库', '为什么变慢'])
      expect(idsOf(await run('search', query))).toEqual([knownId]);
    for (const query of ['鱼香肉丝', '连接池', '鱼', '服务器怎么做'])
      expect(idsOf(await run('search', query))).toEqual([newId]);
  }
  // without the dictionary, Traditional characters are not recognised as such: they are found as written
  await whole('put', '--type', 'run', '--key', 'whole', '--content', '網卡與憑證');
  expect((await crippled('search', '網卡')).json['items']).toMatchObject([{ key: 'whole' }]);
  await crippled('put', '--type', 'run', '--key', 'crippled', '--content', '憑證過期');
  const both = (await whole('search', '憑證')).json;
  expect(both).toMatchObject({ warning: 'FTS_UNAVAILABLE' });
  expect((both['items'] as { key: string }[]).map(({ key }) => key).toSorted()).toEqual(['crippled', 'whole']);
  // nor are the tags that were indexed without it compared by their words
  await crippled('put', '--type', 'run', '--key', 'tagged', '--content', 'slow indexes', '--tag', '資料庫');
  expect((await whole('search', 'indexes', '--tag', '資料庫')).json['items']).toMatchObject([{ key: 'tagged' }]);
  expect((await crippled('search', '索引')).json).toMatchObject({ fts5: true, warning: 'DICTIONARY_MISSING' });
  expect((await crippled('search', 'English')).json).not.toHaveProperty('warning');
  expect((await crippled('recommend', '--context', '连接池')).json).toMatchObject({ warning: 'DICTIONARY_MISSING' });
  expect((await crippled('doctor')).json).toMatchObject({
    checks: expect.arrayContaining([expect.objectContaining({ name: 'dictionary', status: 'warning' })]),
  });
  const index = (status: string) => expect.arrayContaining([expect.objectContaining({ name: 'index', status })]);
  expect(await doctor()).toEqual(index('warning'));
  await whole('put', '--type', 'run', '--content', 'the write that repairs');
  expect(await doctor()).toEqual(index('ok'));
  expect(idsOf(await whole('search', '鱼香肉丝'))).toEqual([newId]);
});

describe('an import', () => {
  test('without --input is refused if nothing is piped, and accepts an empty pipe', async () => {
    using folder = await workspace();
    expect((await shell('memtool import </dev/null', { cwd: folder.path })).json).toMatchObject({
      error: 'PARAM_ERROR',
      hint: expect.stringContaining('--input FILE'),
    });
    expect((await shell('printf "" | memtool import', { cwd: folder.path })).json).toMatchObject({ inserted: 0 });
    folder.file('lines.jsonl', '{"type":"run","content":"x"}\n');
    expect((await shell('memtool import < lines.jsonl', { cwd: folder.path })).json).toMatchObject({ inserted: 1 });
  });
});

describe('the environment', () => {
  test('an export does not overwrite a database', async () => {
    using folder = await workspace();
    const other = folder.file('other.db');
    await memtool(['--db', other, 'init']);
    const before = fs.readFileSync(other);
    expect((await folder.run('export', '--output', other)).json).toMatchObject({
      error: 'PARAM_ERROR',
      message: expect.stringContaining('is a database'),
    });
    expect(fs.readFileSync(other).equals(before)).toBe(true);
  });

  test('a <private> that is not closed, and so hides the rest of the text, is reported', async () => {
    using folder = await workspace();
    const put = await folder.run('put', '--type', 'run', '--content', 'the <private> tag hides. IMPORTANT');
    expect(put.json).toMatchObject({ ok: true, warnings: [expect.stringContaining('not closed')] });
  });

  test('null in a line of a batch counts as absent', async () => {
    using folder = await workspace();
    for (const content of ['alpha 1', 'alpha 2', 'alpha 3'])
      await folder.run('put', '--type', 'run', '--content', content);
    const ran = await folder.pipe('{"query":"alpha","limit":null}\n', 'search', '--batch', '--limit', '2');
    expect((ran.json['items'] as unknown[]).length).toBe(2);
  });

  test('hints in the lines of a batch name the database that the command line names', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'feature', '--task-id', 'INV-231', '--content', 'alpha');
    const ran = await folder.pipe('"nothing"\n"INV-231"\n{}\n', 'search', '--batch');
    const db = folder.file('memtool.db');
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { ok: true, hint: `no item contains any of these words; see what is stored with: memtool list --db ${db}` },
      { ok: true, hint: expect.stringContaining(`memtool list --db ${db} --task-id INV-231`) },
      { ok: false, line: 3, hint: `memtool search --db ${db} "what to search for"` },
    ]);
  });

  test('an endless device is refused as content', async () => {
    using folder = await workspace();
    const ran = await folder.run('put', '--type', 'run', '--file', '/dev/zero');
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining('larger than 16 MiB') });
  });

  test('a file of another program with the same schema number is reported as not a memtool database', async () => {
    using folder = await workspace();
    const db = folder.file('foreign.db');
    const foreign = new DatabaseSync(db);
    foreign.exec('create table t (a); pragma user_version = 1');
    foreign.close();
    for (const command of ['list', 'doctor', 'search x', 'put --type run --content x'])
      expect((await memtool(['--db', db, ...command.split(' ')])).json).toMatchObject({
        error: 'DB_ERROR',
        message: expect.stringContaining('not a memtool database'),
        hint: expect.stringContaining('--db'),
      });
  });

  test('a stdin that stays open and silent does not hold up an update of other fields', async () => {
    using folder = await workspace();
    const { json } = await folder.run('put', '--type', 'run', '--content', 'kept');
    const ran = await shell(`memtool put --id ${String(json['id'])} --weight 2 < <(exec sleep 20 2>/dev/null)`, {
      cwd: folder.path,
    });
    expect(ran.json).toMatchObject({
      action: 'updated',
      warnings: [expect.stringContaining('the content was not changed')],
    });
    expect((await folder.run('get', String(json['id']))).json).toMatchObject({ item: { content: 'kept', weight: 2 } });
  });

  test('an import waits for a slow sender only if stdin is named, as its hint says', async () => {
    using folder = await workspace();
    const sender = `(sleep 4; echo '{"id":"a","type":"run","content":"x"}') 2>/dev/null`;
    const refused = await shell(`${sender} | memtool import`, { cwd: folder.path });
    expect(refused.json).toMatchObject({
      error: 'PARAM_ERROR',
      message: 'stdin is open but sent nothing for 3000 ms',
      hint: 'wait for a slow sender with: memtool import --input -; or name a file: memtool import --input FILE',
    });
    expect((await folder.run('list')).json).toMatchObject({ total: 0 });
    const waited = await shell(`${sender} | memtool import --input -`, { cwd: folder.path });
    expect(waited.json).toMatchObject({ inserted: 1 });
  });

  test('a path in MEMTOOL_DB that is not UTF-8 is refused: two paths must not become the same one', async () => {
    using folder = await workspace();
    const ran = await shell("MEMTOOL_DB=$(printf 'x\\377.db') memtool init; ls", { cwd: folder.path });
    expect(ran.stdout).toContain('"error":"PARAM_ERROR","message":"MEMTOOL_DB is not valid UTF-8');
    expect(ran.stdout).not.toContain('\uFFFD');
    // unless the line names the database
    const named = await shell("MEMTOOL_DB=$(printf 'x\\377.db') memtool --db memtool.db list", { cwd: folder.path });
    expect(named.json).toMatchObject({ ok: true });
  });

  test('in a folder whose path is not UTF-8, relative paths are refused: they would lead to another folder', async () => {
    using folder = await workspace();
    const outside = folder.file('memtool.db');
    folder.file('q.jsonl', '{"query":"x","relevant":["k"]}\n');
    const calls = [
      'memtool init',
      'MEMTOOL_DB=x.db memtool init',
      'memtool --db sub/x.db init',
      'memtool mcp --init',
      'memtool mcp --print-config json',
      `memtool --db '${outside}' export --output out.jsonl`,
      `memtool --db '${outside}' export --salvage --output out.jsonl`,
      `memtool --db '${outside}' backup --output copy.db`,
      `memtool --db '${outside}' eval --queries ../q.jsonl --save s.jsonl`,
      // the home folder
      'HOME="$PWD" memtool init --db=~/x.db',
      `HOME="$PWD" memtool --db '${outside}' export --output=~/out.jsonl`,
    ];
    // also where the name that Node.js makes of it exists
    for (const start of ['', `mkdir '../\uFFFD\uFFFD\uFFFD\uFFFD'; `]) {
      const ran = await shell(
        `here=$(printf '\\271\\244\\263\\314'); mkdir -p "$here"; cd "$here"; ${start}${calls.join('; ')}`,
        {
          cwd: folder.path,
        },
      );
      const lines = ran.stdout.trim().split('\n');
      expect(lines).toHaveLength(calls.length);
      for (const line of lines)
        expect(JSON.parse(line)).toMatchObject({
          error: 'PARAM_ERROR',
          message: expect.stringMatching(/^(?:the path of the working directory|HOME) is not valid UTF-8 at byte \d+$/),
          hint: 'give an absolute path, or change to a folder whose path is valid UTF-8',
        });
    }
    expect((await shell(`find . -mindepth 1 | wc -l`, { cwd: folder.path })).stdout.trim()).toBe('4');
    const others = await shell(
      `cd "$(printf '\\271\\244\\263\\314')"; export MEMTOOL_DB='${outside}'
      printf 'from a file' > note; memtool put --type run --key k --file note && memtool export --output '${folder.file('out.jsonl')}' &&
      HOME="$PWD" memtool put --type run --content '~/note'`,
      { cwd: folder.path },
    );
    expect(
      others.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ ok: true }, { count: 1 }, { ok: true }]);
    // a folder whose name does contain U+FFFD
    const real = await shell('cd \uFFFD\uFFFD\uFFFD\uFFFD; HOME="$PWD" memtool init --db=~/y.db && memtool init', {
      cwd: folder.path,
    });
    expect(real.code).toBe(0);
    expect(fs.readdirSync(folder.file('\uFFFD\uFFFD\uFFFD\uFFFD'))).toEqual(['memtool.db', 'y.db']);
  });

  test('a path that ends in a slash names a folder: no file of that name is made', async () => {
    using folder = await workspace();
    fs.mkdirSync(folder.file('there'));
    folder.file('q.jsonl', '{"query":"x","relevant":["k"]}\n');
    for (const name of ['new/', 'new/.', 'new/below/..', './new//', 'there/', 'memtool.db/'])
      for (const line of [
        ['init', '--db', name],
        ['mcp', '--init', '--db', name],
        ['mcp', '--print-config', 'json', '--db', name],
        ['export', '--output', name],
        ['export', '--salvage', '--output', name],
        ['backup', '--overwrite', '--output', name],
        ['eval', '--queries', 'q.jsonl', '--save', name],
      ]) {
        const { code, json } = await memtool(line, { cwd: folder.path });
        expect([line, code, json]).toMatchObject([
          line,
          2,
          {
            error: 'PARAM_ERROR',
            message: `the path ${JSON.stringify(name)} names a folder`,
            hint: 'name a file in it',
          },
        ]);
      }
    expect(fs.readdirSync(folder.path, { recursive: true }).toSorted()).toEqual(['memtool.db', 'q.jsonl', 'there']);
  });

  test('a link to a path that is not UTF-8 is refused: what it leads to cannot be named', async () => {
    using folder = await workspace();
    const ran = await shell(
      `there=$(printf '\\271\\244\\263\\314'); mkdir "$there"; cp memtool.db "$there"
      ln -s "$there/memtool.db" x.db; ln -s "$there/out" out; mkdir '\uFFFD\uFFFD\uFFFD\uFFFD'
      memtool list --db x.db; memtool export --output out; memtool backup --output out; ls '\uFFFD\uFFFD\uFFFD\uFFFD'`,
      { cwd: folder.path },
    );
    const lines = ran.stdout.trim().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        error: 'PARAM_ERROR',
        message: expect.stringMatching(/^the target of the link \S+\/(?:x\.db|out) is not valid UTF-8 at byte \d+$/),
      });
  });

  test.runIf(fs.existsSync('/proc/self/mem'))('a file that opens but cannot be read is named', async () => {
    using folder = await workspace();
    for (const [line, name] of [
      ['import --input /proc/self/mem', 'file "/proc/self/mem"'],
      ['eval --queries /proc/self/mem', 'file "/proc/self/mem"'],
      ['put --type run --file /proc/self/mem', 'file "/proc/self/mem"'],
      ['import --input - </proc/self/mem', 'stdin'],
      ['put --type run </proc/self/mem', 'stdin'],
      ['search --batch </proc/self/mem', 'stdin'],
    ] as const) {
      const { code, json } = await shell(`memtool ${line}`, { cwd: folder.path });
      expect([code, json]).toMatchObject([
        2,
        { error: 'PARAM_ERROR', message: `${name} cannot be used: EIO: i/o error, read`, hint: expect.any(String) },
      ]);
    }
  });

  test('a database must be a regular file: a pipe or a device is refused at once', async () => {
    using folder = await workspace();
    const ran = await shell(
      'mkfifo pipe; memtool --db pipe init; memtool --db pipe list; memtool --db /dev/null list',
      {
        cwd: folder.path,
      },
    );
    for (const line of ran.stdout.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({
        error: 'PARAM_ERROR',
        message: expect.stringContaining('not a regular file'),
      });
  });

  test('a deleted working directory is not reported as a defect of memtool', async () => {
    using folder = await workspace();
    const ran = await shell('mkdir gone; cd gone; rmdir ../gone; memtool list; echo $?', { cwd: folder.path });
    expect(ran.stdout).toMatch(/"error":"PARAM_ERROR".*folder in which memtool was started is gone.*\n2\n$/s);
    // a command that needs no database needs no working directory
    const without = await shell('mkdir gone; cd gone; rmdir ../gone; memtool schema get; echo $?', {
      cwd: folder.path,
    });
    expect(without.stdout).toMatch(/^\{"summary".*\n0\n$/s);
  });

  test('the exit code is that of the error even if nothing can be printed', async () => {
    using folder = await workspace();
    const ran = await shell(
      'memtool get x --format text 2>/dev/full; echo $?; memtool get x >/dev/full 2>/dev/full; echo $?',
      { cwd: folder.path },
    );
    expect(ran.stdout).toBe('3\n3\n');
  });

  test('an argument that is not UTF-8 is refused, not changed', async () => {
    using folder = await workspace();
    const ran = await shell(`memtool put --type run --content "$(printf 'ab\\xffcd')"`, { cwd: folder.path });
    expect(ran.json).toMatchObject({ error: 'PARAM_ERROR', message: expect.stringContaining('not valid UTF-8') });
    expect((await folder.run('put', '--type', 'run', '--content', 'a real \uFFFD')).json).toMatchObject({ ok: true });
  });

  test('a full device is reported in one line on stderr', async () => {
    using folder = await workspace();
    const ran = await shell('memtool list >/dev/full; echo "$?"', { cwd: folder.path });
    expect(ran.stdout).toBe('4\n');
    expect(ran.stderr).toMatch(/^error: cannot write the output: ENOSPC[^\n]*\n$/);
    // a caller must not do the work again
    const put = await shell('memtool put --type run --content stored </dev/null >/dev/full; echo "$?"', {
      cwd: folder.path,
    });
    expect([put.stdout, put.stderr]).toEqual([
      '4\n',
      expect.stringMatching(/^error: put has succeeded, but its answer is lost: cannot write the output: ENOSPC/),
    ]);
    expect((await folder.run('list')).json).toMatchObject({ total: 1 });
    // by what the call does, not by its name: a repair writes, a dry run does not
    for (const [call, message] of [
      ['doctor --fix', /^error: doctor has succeeded/],
      ['cleanup', /^error: cannot write the output/],
    ] as const)
      expect((await shell(`memtool ${call} >/dev/full`, { cwd: folder.path })).stderr).toMatch(message);
    // the exit code of the first error
    const failed = await shell('memtool get nosuch >/dev/full; echo "$?"', { cwd: folder.path });
    expect([failed.stdout, failed.stderr.split('\n').length]).toEqual(['3\n', 2]);
  });

  test('the commands in hints work verbatim: with the database of the call, and quoted', async () => {
    using folder = await workspace();
    for (const id of ['-dash', "it's $(x)", 'plain']) {
      await folder.pipe(JSON.stringify({ id, type: 'run', content: 'x' }), 'import');
      await folder.run('delete', '--', id);
      const { json } = await folder.run('get', '--', id);
      const command = /memtool restore .*/.exec(String(json['hint']))?.[0] ?? '';
      expect((await shell(command, { cwd: '/' })).json).toMatchObject({ action: 'restored', id });
    }
  });

  test('an empty --db is not repeated in hints', async () => {
    expect((await memtool(['--db', '', 'history', '--key', 'k'])).json).toMatchObject({
      hint: expect.stringMatching(/: memtool list --fields id,type,key$/),
    });
  });

  test('stored names are unchanged in hints, even if they look like commands', async () => {
    using folder = await workspace();
    const key = 'memtool init now';
    await folder.run('put', '--type', 'run', '--key', key, '--content', 'x');
    expect((await folder.run('get', key)).json['hint']).toContain(`--key '${key}'`);
    const task = 'fix memtool search bug';
    expect((await folder.run('list', '--task-id', task)).json['hint']).toContain(task);
  });

  test.runIf(fs.existsSync('/dev/shm'))('/dev/shm is a folder like any other', async () => {
    using folder = await workspace();
    await folder.run('put', '--type', 'run', '--content', 'x');
    const shared = fs.mkdtempSync('/dev/shm/memtool-');
    try {
      const [other, file] = [`${shared}/other.db`, `${shared}/lines.jsonl`];
      await memtool(['--db', other, 'init']);
      expect((await folder.run('export', '--output', other)).json).toMatchObject({
        error: 'PARAM_ERROR',
        message: expect.stringContaining('is a database'),
      });
      expect((await folder.run('export', '--output', file)).json).toMatchObject({ ok: true, count: 1 });
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect((await folder.run('backup', '--output', `${shared}/copy.db`)).json).toMatchObject({ ok: true });
    } finally {
      fs.rmSync(shared, { recursive: true });
    }
  });

  test.runIf(fs.existsSync('/proc/self/fd')).each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])(
    '%s is stdin wherever a file is read, whether a pipe or a socket',
    async (name) => {
      using folder = await workspace();
      const line = '{"id":"a","type":"run","key":"k","content":"piped"}';
      expect((await folder.pipe(line, 'import', '--input', name)).json).toMatchObject({ inserted: 1 });
      expect((await folder.pipe('from a socket', 'put', '--id', 'a', '--file', name)).json).toMatchObject({ ok: true });
      const ran = await shell(`printf 'from a pipe' | memtool put --id a --file ${name} && memtool get a`, {
        cwd: folder.path,
      });
      expect(ran.stdout).toContain('"content":"from a pipe"');
      const bad = await folder.pipe('no JSON', 'eval', '--queries', name);
      expect(bad.json).toMatchObject({ message: 'line 1 of stdin: not valid JSON' });
    },
  );

  test('/dev/stdin and /dev/stdout are stdin and stdout', async () => {
    using folder = await workspace();
    const ran = await shell(
      "printf 'body' | memtool put --type run --key k --file /dev/stdin && memtool export --output /dev/stdout | head -1",
      { cwd: folder.path },
    );
    expect(ran.stdout).toContain('"content":"body"');
  });
});

test.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1'])(
  'an export to %s is one to stdout: only lines',
  async (output) => {
    using folder = await workspace();
    for (const key of ['a', 'b']) await folder.run('put', '--type', 'project', '--key', key, '--content', key);
    const plain = (await shell('memtool export', { cwd: folder.path })).stdout;
    expect((await shell(`memtool export --output ${output}`, { cwd: folder.path })).stdout).toBe(plain);
    await shell(`memtool export --output ${output} > saved.jsonl`, { cwd: folder.path });
    expect(fs.readFileSync(folder.file('saved.jsonl'), 'utf8')).toBe(plain);
  },
);

test('help shows a flag of one letter as it is written', async () => {
  const { stdout } = await memtool(['help', 'eval']);
  expect(stdout).toMatch(/^ +--k +\S/m);
  expect(stdout).not.toMatch(/^ +-k /m);
});
