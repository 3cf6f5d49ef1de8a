import { PassThrough } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { MAX_CONTENT_BYTES } from '../core/memory.ts';
import { asMemtoolError } from '../ops/envelope.ts';
import { init } from '../ops/init.ts';
import { invoke } from '../ops/invoke.ts';
import { createServer, Turns, type ServerOptions } from './server.ts';

/** Largest message of a client, in bytes: the largest content, every byte of it as an escape of JSON (\u0001), and room for the rest. */
const MAX_MESSAGE_BYTES = 6 * MAX_CONTENT_BYTES + 1024 * 1024;

const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Makes the database where there is none. Where that fails, the calls of the client say so. */
export async function prepareDatabase(dbPath: string): Promise<void> {
  try {
    (await invoke(init, {}, { dbPath }))[Symbol.dispose]();
  } catch (error) {
    process.stderr.write(`memtool mcp: ${asMemtoolError(error).message}\n`);
  }
}

/** Serves MCP on stdin and stdout, which carries nothing else, until stdin ends, nobody reads stdout any more, or a signal says so. What was asked before stdin ended is
 * still answered. Problems of the connection are told on stderr. */
export async function serve(options: ServerOptions): Promise<void> {
  const turns = new Turns();
  const input = new PassThrough();
  process.stdin.on('data', (chunk: Buffer) => input.write(chunk));
  process.stdin.on('error', () => input.end());
  process.stdin.on('end', () => {
    void turns.idle().then(() => input.end());
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const transport = new ClosingTransport(input, resolve);
  const handle = serveStdio(() => createServer(options, turns), {
    transport,
    onerror: (error) => process.stderr.write(`memtool mcp: ${error.message}\n`),
  });
  const end = (): void => void handle.close();
  for (const signal of ENDING_SIGNALS) process.once(signal, end);
  await closed;
}

/** The SDK's transport over stdio, which says when it has been closed. */
class ClosingTransport extends StdioServerTransport {
  readonly #onClosed: () => void;

  constructor(input: PassThrough, onClosed: () => void) {
    super(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
    this.#onClosed = onClosed;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#onClosed();
  }
}
