import { defineOperation, Lines, Service, TOOL_SETS } from './operation.ts';

/** The clients for which `--print-config` knows the form; `json` is the one that most of them share. */
const CLIENTS = ['claude', 'codex', 'json'] as const;
export type Client = (typeof CLIENTS)[number];

export const mcp = defineOperation({
  name: 'mcp',
  summary: 'Serve memories to a client of the Model Context Protocol, over stdin and stdout.',
  prints: 'JSON-RPC messages and nothing else, until stdin ends; with --print-config what to give the client.',
  notes: [
    'The client starts it. It ends when stdin ends, and on SIGTERM, SIGHUP and SIGINT. The database is opened for each call and closed after it, so that any number of servers and commands share one file.',
    'docs/mcp.md describes the tools, and how to add the server to a client.',
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
      description: 'Offer the tools that an agent needs, or every operation.',
    },
    init: { kind: 'flag', description: 'Create the database when there is none.' },
    print_config: {
      kind: 'choice',
      choices: CLIENTS,
      description:
        'Print how to add this server, with this database, to Claude Code, Codex or another client; serve nothing.',
    },
  },
  async run({ dbPath }, input) {
    const options = { tools: input.tools, isInitialising: input.init === true };
    if (input.print_config === undefined) return new Service(options);
    const { clientConfig } = await import('./client-config.ts');
    return new Lines([clientConfig(input.print_config, dbPath, options)]);
  },
});
