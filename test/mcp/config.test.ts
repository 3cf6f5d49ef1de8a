import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { memtool, PROGRAM, runCommand, workspace } from '../helpers/memtool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const EXECUTABLE = path.join(path.dirname(PROGRAM), 'memtool');
const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`;

/** Runs the command of a configuration in the given folder, and returns its first answer. */
async function firstAnswer(command: string, args: readonly string[], cwd: string): Promise<unknown> {
  const { stdout } = await runCommand(command, args, { cwd, input: INITIALIZE, env: { PATH: '' } });
  return JSON.parse(stdout.split('\n')[0] ?? '');
}

const ANSWER = { result: { serverInfo: { name: 'memtool' } } };

describe('--print-config', () => {
  test('json: the form that most clients share, which starts the server', async () => {
    using folder = await workspace();
    using elsewhere = tempFolder();
    const { stdout, code } = await memtool(['mcp', '--print-config', 'json', '--db', 'memtool.db', '--tools', 'all'], {
      cwd: folder.path,
    });
    expect(code).toBe(0);
    const { command, args } = JSON.parse(stdout).mcpServers.memtool;
    expect(args.slice(-4)).toEqual(['--db', fs.realpathSync(folder.file('memtool.db')), '--tools', 'all']);
    expect(await firstAnswer(command, args, elsewhere.path)).toMatchObject(ANSWER);
  });

  test('claude: a shell command', async () => {
    using folder = await workspace();
    const { stdout } = await folder.run('mcp', '--print-config', 'claude');
    // a client that prints its arguments
    const client = folder.file('claude', '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    fs.chmodSync(client, 0o755);
    const ran = await runCommand('sh', ['-c', stdout], { env: { PATH: `${folder.path}:/bin:/usr/bin` } });
    const words = ran.stdout.trimEnd().split('\n');
    expect(words.slice(0, 6)).toEqual(['mcp', 'add', '--transport', 'stdio', 'memtool', '--']);
    const [command = '', ...args] = words.slice(6);
    expect(await firstAnswer(command, args, folder.path)).toMatchObject(ANSWER);
  });

  test('codex: a table for its configuration', async () => {
    using folder = await workspace();
    const { stdout } = await folder.run('mcp', '--print-config', 'codex');
    const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('[mcp_servers.memtool]');
    // the TOML strings and lists printed here are valid JSON too
    const values = Object.fromEntries(lines.slice(1).map((line) => line.split(' = ', 2)));
    const [command, args] = [JSON.parse(values['command']), JSON.parse(values['args'])];
    expect(await firstAnswer(command, args, folder.path)).toMatchObject(ANSWER);
  });

  test('of the executable: starts that executable, in any folder, with an empty PATH', async () => {
    using folder = await workspace();
    const { stdout } = await runCommand(EXECUTABLE, [
      'mcp',
      '--print-config',
      'json',
      '--db',
      folder.file('a b.db'),
      '--init',
    ]);
    const { command, args } = JSON.parse(stdout).mcpServers.memtool;
    expect(command).toBe(fs.realpathSync(EXECUTABLE));
    expect(args).toEqual(['mcp', '--db', folder.file('a b.db'), '--init']);
    expect(await firstAnswer(command, args, folder.path)).toMatchObject(ANSWER);
    expect(fs.existsSync(folder.file('a b.db'))).toBe(true);
  });

  test('of the executable, however it was found', async () => {
    using folder = await workspace();
    fs.symlinkSync(EXECUTABLE, folder.file('memtool'));
    const args = ['mcp', '--print-config', 'json', '--db', folder.file('memtool.db')];
    for (const found of [
      runCommand('memtool', args, { cwd: folder.path, env: { PATH: path.dirname(EXECUTABLE) } }),
      runCommand(folder.file('memtool'), args),
      runCommand('bash', ['-c', `exec -a other ${EXECUTABLE} "$@"`, 'bash', ...args]),
    ]) {
      const { command, args: given } = JSON.parse((await found).stdout).mcpServers.memtool;
      expect(command).toBe(fs.realpathSync(EXECUTABLE));
      expect(given[0]).toBe('mcp');
      expect(await firstAnswer(command, given, folder.path)).toMatchObject(ANSWER);
    }
  });

  test.each(['a b', "it's", '$HOME', '`x`', '反斜杠\\', 'new\nline', 'quo"te', 'esc\u001b', '-x'])(
    'is right for a folder called %j',
    async (name) => {
      using folder = await workspace();
      fs.mkdirSync(folder.file(name));
      const db = path.join(folder.file(name), 'memtool.db');
      const config = async (client: string): Promise<string> =>
        (await memtool(['mcp', '--print-config', client, '--db', db])).stdout;
      const expected = ['mcp', '--db', db];
      expect(JSON.parse(await config('json')).mcpServers.memtool.args.slice(-3)).toEqual(expected);
      const toml = (await config('codex')).split('\n').find((line) => line.startsWith('args = ')) ?? '';
      expect(JSON.parse(toml.slice('args = '.length)).slice(-3)).toEqual(expected);
      const client = folder.file('claude', '#!/bin/sh\nprintf "%s\\0" "$@"\n');
      fs.chmodSync(client, 0o755);
      const ran = await runCommand('sh', ['-c', await config('claude')], {
        env: { PATH: `${folder.path}:/bin:/usr/bin` },
      });
      expect(ran.stdout.split('\0').slice(-4, -1)).toEqual(expected);
    },
  );

  test('says that the database does not exist yet', async () => {
    using folder = await workspace();
    const args = ['mcp', '--print-config', 'codex', '--db', folder.file('other.db')];
    expect((await memtool(args)).stdout).toContain(`# memtool init --db ${folder.file('other.db')}`);
    expect((await folder.run('mcp', '--print-config', 'codex')).stdout).not.toContain('memtool init');
    expect(await memtool(['mcp', '--print-config', 'cursor'])).toMatchObject({ code: 2 });
  });
});
