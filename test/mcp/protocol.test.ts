import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memtool, shell, workspace, type Workspace } from '../helpers/memtool.ts';
import { HANDSHAKE, mcpSession, rawServer, toolCall, type RawServer } from '../helpers/mcp.ts';

function expectOnlyJsonRpc(server: RawServer): void {
  for (const line of server.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}

async function listed(folder: Workspace): Promise<number> {
  return (await folder.run('list', '--limit', '1')).json['total'] as number;
}

/** True while a process exists. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the connection', () => {
  test.each([
    ['invalid JSON', 'hello'],
    ['half of a message', '{"jsonrpc":"2.0","id":5,"method":"tools/l'],
    ['JSON that is not JSON-RPC', '{"id":5,"method":"tools/list"}'],
    ['a list', '[]'],
    ['an empty line', ''],
    ['a number', '7'],
    ['null', 'null'],
    ['an unknown answer', '{"jsonrpc":"2.0","id":99,"result":{}}'],
    ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['characters beyond ASCII', Buffer.from([0xff, 0xfe, 0x80]).toString('latin1')],
  ])('survives %s', async (_name, line) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send(line, toolCall(1, 'memory_store', { text: 'kept' }));
    expect(await server.answer(1)).toMatchObject({ result: { structuredContent: { action: 'stored' } } });
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
    expectOnlyJsonRpc(server);
  });

  test.each([
    ['invalid JSON', 'hello', null, -32700],
    ['half of a message', '{"jsonrpc":"2.0","id":5,"method":"tools/l', null, -32700],
    ['JSON that is not JSON-RPC', '{"id":5,"method":"tools/list"}', 5, -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":5,"method":"ping"}]', null, -32600],
    ['null', 'null', null, -32600],
    ['a byte order mark that is not at the start', '\uFEFF{"jsonrpc":"2.0","id":5,"method":"ping"}', null, -32700],
    ['a message that is too long', 'x'.repeat(110_000_000), null, -32600],
  ])('answers %s as JSON-RPC requires, and continues', async (_name, line, id, code) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    await server.answer('init');
    server.send(line, toolCall(1, 'memory_list'));
    await server.answer(1);
    expect(server.lines().map((answer): unknown => JSON.parse(answer))).toContainEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) },
    });
    expect(server.stderr()).toMatch(/^memtool mcp: a message /);
  });

  test('answers bytes that are not UTF-8 with an error, and stores nothing', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    await server.answer('init');
    const call = Buffer.from(`${JSON.stringify(toolCall(1, 'memory_store', { text: 'caf?' }))}\n`);
    call[call.indexOf('?')] = 0xe9;
    server.child.stdin.write(call);
    server.send(toolCall(2, 'memory_list'));
    await server.answer(2);
    expect(server.lines().map((answer): unknown => JSON.parse(answer))).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32700, message: expect.stringContaining('UTF-8') },
    });
    expect(await listed(folder)).toBe(0);
  });

  test.each([
    ['a refusal of a message that had no id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'],
    ['a result without an id', '{"jsonrpc":"2.0","result":{}}'],
    ['an error that is none', '{"jsonrpc":"2.0","id":1,"error":"x"}'],
  ])('does not answer an answer: %s', async (_name, line) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    await server.answer('init');
    server.send(line, { jsonrpc: '2.0', id: 'after', method: 'ping' });
    await server.answer('after');
    expect(server.lines()).toHaveLength(2);
    expect(server.stderr()).toMatch(/^memtool mcp: a message /);
  });

  test.each([
    ['an unknown method', { method: 'tools/nosuch' }, -32601],
    ['an unknown tool', { method: 'tools/call', params: { name: 'nosuch' } }, -32602],
    ['an array as arguments', { method: 'tools/call', params: { name: 'memory_list', arguments: [1] } }, -32602],
    ['no tool', { method: 'tools/call', params: {} }, -32602],
    ['an unknown prompt', { method: 'prompts/get', params: { name: 'nosuch' } }, -32602],
    ['a prompt without parameters', { method: 'prompts/get' }, -32602],
    [
      'an argument of the wrong kind',
      { method: 'prompts/get', params: { name: 'memory', arguments: { task: 3 } } },
      -32602,
    ],
    ['a resource without a URI', { method: 'resources/read', params: {} }, -32602],
    ['a cursor of the wrong kind', { method: 'tools/list', params: { cursor: 3 } }, -32602],
  ])('answers %s with a protocol error', async (_name, request, code) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send({ jsonrpc: '2.0', id: 1, ...request });
    expect(await server.answer(1)).toMatchObject({ error: { code } });
  });

  test('names the wrong parameter in one line', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: {} });
    expect((await server.answer(1)).error?.message).toMatch(/^params\.uri: Invalid input/);
  });

  test('says how a tool of the full set is offered', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send(toolCall(1, 'memory_restore'));
    expect((await server.answer(1)).error?.message).toBe(
      'this server does not offer memory_restore; one that is started with `memtool mcp --tools all` does',
    );
  });

  test('goes on for a client that does not read stderr', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    await server.answer('init');
    server.child.stderr.destroy();
    for (let id = 1; id <= 5; id += 1) {
      server.send('not json', toolCall(id, 'memory_store', { text: `kept ${id}` }));
      expect(await server.answer(id)).toMatchObject({ result: { structuredContent: { action: 'stored' } } });
    }
  });

  test.each([
    ['memory_serch', 'did you mean memory_search?'],
    ['memory_put', 'did you mean memory_store?'],
    ['delete', 'did you mean memory_forget?'],
    [
      'constructor',
      `there are memory_search, memory_get, memory_store, memory_list, memory_recommend, memory_forget, memory_history`,
    ],
  ])('names the tools to a client that calls %s', async (name, told) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send(toolCall(1, name));
    expect(await server.answer(1)).toMatchObject({
      error: { code: -32602, message: `no tool is called "${name}"; ${told}` },
    });
  });

  test('answers no notification, even if it names an unknown tool', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    const { id: _id, ...notification } = { id: 0, ...toolCall(1, 'nosuch') };
    server.send(notification, { jsonrpc: '2.0', id: 'after', method: 'ping' });
    await server.answer('after');
    expect(server.lines()).toHaveLength(2);
  });

  test('takes a message of exactly the largest size', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    const most = (6 * 16 + 1) * 1024 * 1024;
    server.send('{"jsonrpc":"2.0","id":1,"method":"ping"}'.padEnd(most));
    expect(await server.answer(1)).toMatchObject({ result: {} });
    server.send('{"jsonrpc":"2.0","id":2,"method":"ping"}'.padEnd(most + 1), toolCall(3, 'memory_list'));
    await server.answer(3);
    expect(server.stderr()).toMatch(/may have at most 101711872 bytes, but this one has 101711873\n$/);
  });

  test('takes a byte order mark at its start, and announces no notifications', async () => {
    using folder = await workspace();
    const [hello] = HANDSHAKE;
    const { stdout, stderr } = await memtool(['mcp', '--db', folder.file('memtool.db')], {
      input: `\uFEFF${JSON.stringify(hello)}\n`,
    });
    const fixed = { listChanged: false };
    expect(JSON.parse(stdout)).toMatchObject({
      result: { capabilities: { tools: fixed, resources: fixed, prompts: fixed } },
    });
    expect(stderr).toBe('');
  });

  test('answers every request that arrived before stdin ended, in order, and leaves a complete file', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    const calls = Array.from({ length: 40 }, (_, at) => toolCall(at, 'memory_store', { text: `note ${at}` }));
    server.send(...calls, toolCall('last', 'memory_list', { limit: 1 }));
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
    expectOnlyJsonRpc(server);
    const answers = server.lines().map((line): { id: unknown; result: unknown } => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual(['init', ...calls.map((_, at) => at), 'last']);
    expect(answers.at(-1)?.result).toMatchObject({ structuredContent: { total: 40 } });
    expect(server.stderr()).toBe('');
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });

  test('answers a slow reader in full, after stdin has ended', async () => {
    using folder = await workspace();
    const text = '长'.repeat(300_000);
    await folder.pipe(text, 'put', '--type', 'project', '--key', 'long', '--file', '-');
    const calls = [
      ...HANDSHAKE,
      toolCall(1, 'memory_get', { type: 'project', key: 'long', max_chars: 400_000 }),
      ...Array.from({ length: 300 }, (_, at) => toolCall(at + 2, 'memory_store', { text: `note ${at}` })),
    ];
    const file = folder.file(
      'calls.jsonl',
      calls
        .map((call) => `${JSON.stringify(call)}\n`)
        .join('')
        .trimEnd(),
    );
    // real shell pipes, and a reader that starts only after all requests have been sent
    const ran = await shell(`memtool mcp --db memtool.db < ${file} | (sleep 2; cat)`, { cwd: folder.path });
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line): { id: unknown; result: { structuredContent: { items?: { content: string }[] } } } =>
        JSON.parse(line),
      );
    expect(answers.map(({ id }) => id)).toEqual(['init', ...Array.from({ length: 301 }, (_, at) => at + 1)]);
    expect(answers[1]?.result.structuredContent.items?.[0]?.content === text).toBe(true);
    expect(ran.stderr).toBe('');
  });

  test('waits for a reader that starts long after the last answer', async () => {
    using folder = await workspace();
    const text = 'x'.repeat(300_000); // more than a pipe holds
    await folder.pipe(text, 'put', '--type', 'project', '--key', 'long');
    const calls = [...HANDSHAKE, toolCall(1, 'memory_get', { type: 'project', key: 'long', max_chars: 400_000 })];
    const file = folder.file('calls.jsonl', calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
    const ran = await shell(`memtool mcp --db memtool.db < ${file} | (sleep 4; cat)`, { cwd: folder.path });
    const [, answer = ''] = ran.stdout.trimEnd().split('\n');
    expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { structuredContent: { items: [{ content: text }] } } });
  });

  test('accepts the largest content, and it is returned byte for byte', async () => {
    using folder = await workspace();
    await using session = await mcpSession(folder.file('memtool.db'));
    // 15 MiB, every character of which takes six in JSON
    const text = '\u0001'.repeat(15 * 1024 * 1024);
    const { data } = await session.call('memory_store', { text });
    const read = await session.call('memory_get', { id: data.id });
    expect(read.data).toMatchObject({ items: [], omitted_ids: [data.id] });
    const { item } = (await folder.run('get', data.id)).json as { item: { content: string } };
    expect(item.content === text).toBe(true);
    // as far as the client's own limit of a message allows, a tool returns it too
    const long = await session.call('memory_store', { text: 'x'.repeat(1_000_000) });
    const whole = await session.call('memory_get', { id: long.data.id, max_chars: 1_000_000 });
    expect(whole.data.items[0].content).toHaveLength(1_000_000);
  });

  describe('while another process holds the lock', () => {
    const MOST_MS = 2000;

    test('answers what needs no lock, can cancel a waiting call, and runs the others', async () => {
      using folder = await workspace();
      const db = folder.file('memtool.db');
      using server = rawServer(db);
      await server.answer('init');
      using other = new DatabaseSync(db);
      other.exec('begin immediate');
      const waiting = server.answer('waiting');
      server.send(toolCall('waiting', 'memory_store', { text: 'waited' }));
      await setTimeout(300);
      const since = performance.now();
      server.send(toolCall('cancelled', 'memory_store', { text: 'cancelled' }), {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 'cancelled' },
      });
      const asked = [server.answer('ping'), server.answer('tools')];
      server.send(
        { jsonrpc: '2.0', id: 'ping', method: 'ping' },
        { jsonrpc: '2.0', id: 'tools', method: 'tools/list' },
      );
      await Promise.all(asked);
      expect(performance.now() - since).toBeLessThan(MOST_MS);
      other.exec('rollback');
      expect(await waiting).toMatchObject({ result: { structuredContent: { action: 'stored' } } });
      server.child.stdin.end();
      expect(await server.ended).toBe(0);
      expect(await listed(folder)).toBe(1);
    });

    test('gives up a call that is cancelled while it waits, and ends at once on a signal', async () => {
      using folder = await workspace();
      const db = folder.file('memtool.db');
      using server = rawServer(db);
      await server.answer('init');
      using other = new DatabaseSync(db);
      other.exec('begin immediate');
      server.send(toolCall('given up', 'memory_store', { text: 'given up' }));
      await setTimeout(300);
      const since = performance.now();
      const read = server.answer('read');
      server.send(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'given up' } },
        toolCall('read', 'memory_list'),
      );
      await read;
      expect(performance.now() - since).toBeLessThan(MOST_MS);
      server.send(toolCall('at the end', 'memory_store', { text: 'at the end' }));
      await setTimeout(300);
      server.child.kill('SIGTERM');
      expect(await server.ended).toBe(0);
      expect(performance.now() - since).toBeLessThan(2 * MOST_MS);
      other.exec('rollback');
      expect(await listed(folder)).toBe(0);
    });

    test('a repair that waits makes one copy', async () => {
      using folder = await workspace();
      const db = folder.file('memtool.db');
      await folder.run('put', '--type', 'run', '--content', 'x');
      await using session = await mcpSession(db, { args: ['--tools', 'all'] });
      using other = new DatabaseSync(db);
      other.exec("update meta set value = 'other'; begin immediate");
      const repaired = session.call('memory_doctor', { fix: true });
      await setTimeout(1500);
      expect(fs.readdirSync(folder.path).filter((name) => name.includes('before-fix'))).toEqual([]);
      other.exec('rollback');
      expect((await repaired).data).toMatchObject({ backup: `${db}.before-fix` });
      expect(fs.readdirSync(folder.path).filter((name) => name.includes('before-fix'))).toEqual([
        'memtool.db.before-fix',
      ]);
    });

    test('a purge waits for a reader of the old state as on the command line', async () => {
      using folder = await workspace();
      const db = folder.file('memtool.db');
      const { id } = (await folder.run('put', '--type', 'run', '--content', 'secret')).json;
      await using session = await mcpSession(db, { args: ['--tools', 'all'] });
      using reader = new DatabaseSync(db);
      reader.exec('begin');
      reader.prepare('select count(*) from memory_items').get();
      const purged = session.call('memory_purge', { id: [id], apply: true });
      await setTimeout(1000);
      reader.exec('commit');
      expect((await purged).data).toMatchObject({ purged: 1 });
    });

    test('a call fails after 5 seconds as on the command line, and can be repeated', async () => {
      using folder = await workspace();
      const db = folder.file('memtool.db');
      await using session = await mcpSession(db);
      using other = new DatabaseSync(db);
      other.exec('begin immediate');
      const since = performance.now();
      const refused = await session.call('memory_store', { text: 'x' });
      expect(performance.now() - since).toBeGreaterThan(4900);
      const { json } = await folder.run('put', '--type', 'project', '--content', 'x');
      expect(refused).toMatchObject({ isError: true, data: json });
      expect(json).toMatchObject({ error: 'DB_ERROR', retryable: true });
      other.exec('rollback');
      expect(await session.call('memory_store', { text: 'x' })).toMatchObject({ data: { action: 'stored' } });
    });
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('ends on %s', async (signal) => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send(toolCall(1, 'memory_store', { text: 'kept' }));
    await server.answer(1);
    server.child.kill(signal);
    expect(await server.ended).toBe(0);
    expect(await listed(folder)).toBe(1);
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });

  test('ends at once if there is no input', async () => {
    using folder = await workspace();
    expect(await memtool(['mcp', '--db', folder.file('memtool.db')], { input: '' })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('a client that disappears in the middle of its calls leaves no process and no partial write', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    server.send(toolCall('first', 'memory_store', { text: 'first' }));
    await server.answer('first');
    server.send(...Array.from({ length: 200 }, (_, at) => toolCall(at, 'memory_store', { text: `note ${at}` })));
    server.child.stdin.destroy();
    server.child.stdout.destroy();
    server.child.stderr.destroy();
    for (let waited = 0; isRunning(server.pid) && waited < 10_000; waited += 50) await setTimeout(50);
    expect(isRunning(server.pid)).toBe(false);
    expect((await folder.run('doctor')).json).toMatchObject({ ok: true });
    expect(await listed(folder)).toBeGreaterThanOrEqual(1);
    expect(fs.readdirSync(folder.path)).toEqual(['memtool.db']);
  });

  test('a call that is cancelled before its turn does nothing', async () => {
    using folder = await workspace();
    using server = rawServer(folder.file('memtool.db'));
    const cancel = (requestId: number): object => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
    server.send(
      toolCall(1, 'memory_store', { text: 'one' }),
      toolCall(2, 'memory_store', { text: 'two' }),
      toolCall(3, 'memory_store', { text: 'three' }),
      cancel(2),
      cancel(77),
    );
    await server.answer(3);
    server.child.stdin.end();
    await server.ended;
    expect(server.lines().map((line): unknown => JSON.parse(line).id)).toEqual(['init', 1, 3]);
    const { items } = (await folder.run('list', '--fields', 'content')).json as { items: { content: string }[] };
    expect(items.map(({ content }) => content).toSorted()).toEqual(['one', 'three']);
  });
});

test('two clients and a command line write at once, and nothing is lost', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  await using first = await mcpSession(db);
  await using second = await mcpSession(db, { protocol: 'auto' });
  const count = 30;
  const shared = { type: 'feature', key: 'shared', task_id: 't' };
  const work = [first, second].map(async (session, who) => {
    for (let at = 0; at < count; at += 1) {
      expect((await session.call('memory_store', { text: `client ${who} note ${at}` })).data.action).toBe('stored');
      await session.call('memory_store', { text: `client ${who} version ${at}`, ...shared });
      await session.call('memory_search', { query: 'note' });
    }
  });
  const commands = async (): Promise<void> => {
    for (let at = 0; at < 10; at += 1) {
      const { code } = await folder.run(
        'put',
        '--type',
        'feature',
        '--key',
        'shared',
        '--task-id',
        't',
        '--content',
        `command ${at}`,
      );
      expect(code).toBe(0);
    }
  };
  await Promise.all([...work, commands()]);
  // both see everything immediately
  for (const session of [first, second]) {
    expect((await session.call('memory_list', { limit: 1 })).data.total).toBe(2 * count + 1);
    const { data } = await session.call('memory_get', shared);
    expect(data.items[0].version).toBe(2 * count + 10);
  }
  expect((await folder.run('doctor')).json).toMatchObject({ ok: true });
});

test('the same text from two clients at once is stored once', async () => {
  using folder = await workspace();
  const db = folder.file('memtool.db');
  await using first = await mcpSession(db);
  await using second = await mcpSession(db);
  for (let at = 0; at < 20; at += 1) {
    const text = `第 ${at} 条：同一件事`;
    const answers = await Promise.all([first, second].map((session) => session.call('memory_store', { text })));
    expect(answers.map(({ data }) => data.action).toSorted()).toEqual(['duplicate', 'stored']);
  }
  expect(await listed(folder)).toBe(20);
});

test('memory and open files stay flat over 10,000 calls', async () => {
  using folder = await workspace();
  // with a small heap V8 collects garbage constantly, so that the memory in use is what is retained
  using server = rawServer(folder.file('memtool.db'), { node: ['--max-old-space-size=32', '--max-semi-space-size=1'] });
  const residentKib = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]);
  const openFiles = (): number => fs.readdirSync(`/proc/${server.pid}/fd`).length;
  const calls = [
    toolCall(0, 'memory_store', { text: '数据库 index note', key: 'k' }),
    toolCall(0, 'memory_search', { query: '数据库 index' }),
    toolCall(0, 'memory_get', { type: 'project', key: 'k' }),
    toolCall(0, 'memory_list', { limit: 5 }),
    toolCall(0, 'memory_search', { query: '' }),
  ];
  let asked = 0;
  /** Makes calls, and returns the least memory in use meanwhile, in KiB: anything above it comes and goes with garbage
   * collection. */
  const ask = async (count: number): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < count; at += 1) {
      asked += 1;
      server.send({ ...calls[asked % calls.length], id: asked });
      if (asked % 100 !== 0) continue;
      await server.answer(asked);
      least = Math.min(least, residentKib());
    }
    return least;
  };
  await ask(6000); // until the heap, of which V8 gives nothing back, has reached its limit
  const before = await ask(1000);
  const filesBefore = openFiles();
  await ask(2000);
  // less than 2 KiB for each of 3,000 calls
  expect((await ask(1000)) - before).toBeLessThan(6 * 1024);
  // a call in progress has its database open
  expect(openFiles() - filesBefore).toBeLessThan(10);
}, 180_000);
