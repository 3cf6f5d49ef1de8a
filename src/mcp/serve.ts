import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { MAX_CONTENT_BYTES } from '../core/memory.ts';
import { asMemtoolError } from '../ops/envelope.ts';
import { init } from '../ops/init.ts';
import { invoke } from '../ops/invoke.ts';
import { createServer, Turns, type ServerOptions } from './server.ts';
import type { Database } from './call-tool.ts';
import { StdioTransport } from './stdio-transport.ts';
import { toolsOf, unknownTool } from './tools.ts';

/** Largest message of a client, in bytes: the largest content with every byte escaped in JSON (\u0001), plus room for
 * the rest. */
const MAX_MESSAGE_BYTES = 6 * MAX_CONTENT_BYTES + 1024 * 1024;

const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Creates the database if it does not exist. A failure is reported on stderr, and by the client's calls. */
export async function prepareDatabase(database: Database): Promise<void> {
  try {
    (await invoke(init, {}, database))[Symbol.dispose]();
  } catch (error) {
    process.stderr.write(`memtool mcp: ${asMemtoolError(error).message}\n`);
  }
}

/** Serves MCP on stdin and stdout, which carries nothing else, until stdin ends, nobody reads stdout any more, or a
 * signal arrives. Requests that arrive before stdin ends are still answered. Connection problems are reported on
 * stderr. */
export async function serve(options: ServerOptions): Promise<void> {
  // a client that does not read stderr loses the reports, not the server
  process.stderr.on('error', () => {});
  const turns = new Turns();
  const transport = new StdioTransport({
    stdin: process.stdin,
    stdout: process.stdout,
    maxBytes: MAX_MESSAGE_BYTES,
    idle: () => turns.idle(),
    problemWith: (method, params) =>
      method === 'tools/call' ? unknownTool(params, toolsOf(options.tools)) : undefined,
  });
  const handle = serveStdio(() => createServer(options, turns), {
    transport,
    onerror: (error) => process.stderr.write(`memtool mcp: ${error.message}\n`),
  });
  for (const signal of ENDING_SIGNALS) process.once(signal, () => void handle.close());
  await transport.closed;
}
