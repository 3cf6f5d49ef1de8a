import { defineOperation, Lines, Service, TOOL_SETS } from './operation.ts';

/** The clients that `--print-config` supports; `json` is the form that most of them share. */
const CLIENTS = ['claude', 'codex', 'json'] as const;
export type Client = (typeof CLIENTS)[number];

export const mcp = defineOperation({
  name: 'mcp',
  summary: 'Serve memories to a Model Context Protocol (MCP) client over stdin and stdout.',
  prints: 'only JSON-RPC messages, until stdin ends; with --print-config, the configuration for the client.',
  notes: [
    'The client starts the server. It stops when stdin ends, or on SIGTERM, SIGHUP or SIGINT. The database is opened for each call and closed after it, so that any number of servers and commands can share one file.',
    'docs/mcp.md describes the tools and how to add the server to a client.',
  ],
  examples: [
    { command: 'memtool mcp --print-config claude', note: 'the command that adds it to Claude Code' },
    { command: 'memtool mcp --db ~/memories.db --print-config codex >> ~/.codex/config.toml', note: 'Codex' },
  ],
  access: 'none',
  params: {
    tools: {
      kind: 'choice',
      choices: TOOL_SETS,
      default: 'default',
      description: 'default: the tools that an agent needs; all: every operation.',
    },
    init: { kind: 'flag', description: 'Create the database if it does not exist.' },
    print_config: {
      kind: 'choice',
      choices: CLIENTS,
      description:
        'Print how to add this server, with this database, to Claude Code, Codex or another client, and exit.',
    },
  },
  async run({ dbPath }, input) {
    const options = { tools: input.tools, isInitialising: input.init === true };
    if (input.print_config === undefined) return new Service(options);
    const { clientConfig } = await import('./client-config.ts');
    return new Lines([clientConfig(input.print_config, dbPath, options)]);
  },
});
