import fs from 'node:fs';
import path from 'node:path';
import { shellWord } from '../core/errors.ts';
import { hasControlCharacter } from '../core/text.ts';
import type { Client } from './mcp.ts';
import type { ServiceOptions } from './operation.ts';

/** The name of the server in a client: what its tools and resources are prefixed with. */
const SERVER_NAME = 'memtool';

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a person gives a client so that it starts `memtool mcp` with this database. All paths are absolute, since a
 * client starts servers in a folder, and with a PATH, of its own. */
export function clientConfig(client: Client, dbPath: string, options: ServiceOptions): string {
  const db = path.resolve(dbPath);
  const server = serverCommand(db, options);
  const line = [server.command, ...server.args].map(shellWord).join(' ');
  // a comment ends with its line, and a path may hold several
  const init =
    fs.existsSync(db) || options.isInitialising || hasControlCharacter(db)
      ? []
      : ['# The database does not exist yet. Create it with:', `# memtool init --db ${shellWord(db)}`];
  switch (client) {
    case 'claude':
      return [
        ...init,
        '# Claude Code: run this once, in the folder of the project. With --scope user it is there in all projects, with --scope project',
        '# for everyone who works on this one (it then stands in .mcp.json).',
        `claude mcp add --transport stdio ${SERVER_NAME} -- ${line}`,
      ].join('\n');
    case 'codex':
      return [
        ...init,
        '# Codex: this belongs into ~/.codex/config.toml.',
        `[mcp_servers.${SERVER_NAME}]`,
        `command = ${tomlString(server.command)}`,
        `args = [${server.args.map(tomlString).join(', ')}]`,
      ].join('\n');
    case 'json':
      return JSON.stringify({ mcpServers: { [SERVER_NAME]: server } }, null, 2);
  }
}

function serverCommand(db: string, { tools, isInitialising }: ServiceOptions): Command {
  const args = ['mcp', '--db', db, ...(tools === 'default' ? [] : ['--tools', tools])];
  if (isInitialising) args.push('--init');
  // the executable is its own Node.js; the bundle is run by the one that runs it now
  if (process.getBuiltinModule('node:sea').isSea()) return { command: process.execPath, args };
  return { command: process.execPath, args: [fs.realpathSync(process.argv[1] ?? ''), ...args] };
}

/** A basic string of TOML, which knows the escapes of JSON. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
