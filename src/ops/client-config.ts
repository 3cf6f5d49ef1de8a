import fs from 'node:fs';
import { absolutePath } from '../core/paths.ts';
import { shellWord } from '../core/sentence.ts';
import { hasControlCharacter } from '../core/text.ts';
import type { Client } from './mcp.ts';
import type { ServiceOptions } from './operation.ts';

/** The server's name in a client, which is the prefix of its tools and resources. */
const SERVER_NAME = 'memtool';

interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns the command or configuration with which a client starts `memtool mcp` on this database. All paths are
 * absolute, since a client starts servers in its own folder and with its own PATH. */
export function clientConfig(client: Client, dbPath: string, options: ServiceOptions): string {
  const db = absolutePath(dbPath);
  const server = serverCommand(db, options);
  const line = [server.command, ...server.args].map(shellWord).join(' ');
  // a comment ends at a line break, and a path may contain one
  const init =
    fs.existsSync(db) || options.isInitialising || hasControlCharacter(db)
      ? []
      : ['# The database does not exist yet. Create it with:', `# memtool init --db ${shellWord(db)}`];
  switch (client) {
    case 'claude':
      return [
        ...init,
        '# Claude Code: run this once, in the folder of the project. With --scope user it is available in all projects,',
        '# with --scope project to everyone who works on this one (it is then written to .mcp.json).',
        `claude mcp add --transport stdio ${SERVER_NAME} -- ${line}`,
      ].join('\n');
    case 'codex':
      return [
        ...init,
        '# Codex: add this to ~/.codex/config.toml.',
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
  // the executable contains Node.js; the bundle is run by the Node.js that is running it now
  if (process.getBuiltinModule('node:sea').isSea()) return { command: process.execPath, args };
  return { command: process.execPath, args: [fs.realpathSync(process.argv[1] ?? ''), ...args] };
}

/** Returns a TOML basic string; TOML accepts the escapes of JSON. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
