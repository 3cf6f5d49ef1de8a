import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { PROGRAM } from './memtool.ts';

export interface McpOptions {
  /** Further arguments of `memtool mcp`. */
  readonly args?: readonly string[];
  /** The protocol that the client speaks: the handshake of 2025, or the one that server and client negotiate. */
  readonly protocol?: 'legacy' | 'auto';
}

export interface McpSession extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  readonly stderr: () => string;
  /** Calls a tool and returns the data of the result, or the error envelope of a failed call. */
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
}

interface Answer {
  readonly isError: boolean;
  // the shape differs by tool, and each test says what it expects
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly text: string;
}

/** A client of the SDK, connected to the built program, which it has started on a database. */
export async function mcpSession(db: string, { args = [], protocol = 'legacy' }: McpOptions = {}): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--db', db, ...args],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: protocol } });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const text = textOf(result.content);
      const isError = result.isError === true;
      return { isError, text, data: isError ? JSON.parse(text) : result.structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function textOf(content: unknown): string {
  return (content as { type: string; text: string }[]).map(({ text }) => text).join('\n');
}

export interface RawServer extends Disposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  send(...messages: (object | string)[]): void;
  /** Resolves with the answer to a request when it arrives. */
  answer(id: number | string): Promise<{ result?: unknown; error?: { code: number; message: string } }>;
  /** All lines printed on stdout so far. */
  readonly lines: () => string[];
  readonly stderr: () => string;
  /** Resolves with the exit code, or the signal, when the server has exited. */
  readonly ended: Promise<number | string | null>;
}

/** The first messages of a client. */
export const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 'init',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** The built program as a server that takes messages line by line; already initialised. */
export function rawServer(db: string, { node = [] }: { readonly node?: readonly string[] } = {}): RawServer {
  const child = spawn(process.execPath, [...node, PROGRAM, 'mcp', '--db', db]);
  let [stdout, stderr] = ['', ''];
  const waiting = new Map<unknown, (message: never) => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const from = stdout.lastIndexOf('\n') + 1;
    stdout += chunk;
    for (const line of stdout.slice(from, stdout.lastIndexOf('\n') + 1).split('\n')) {
      if (line === '') continue;
      const message: { id?: unknown } = JSON.parse(line);
      waiting.get(message.id)?.(message as never);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => {}); // the server may exit first
  const { promise: ended, resolve } = Promise.withResolvers<number | string | null>();
  child.on('close', (code, signal) => resolve(code ?? signal));
  const send = (...messages: (object | string)[]): void => {
    const lines = messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message)));
    child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  };
  send(...HANDSHAKE);
  return {
    child,
    pid: child.pid ?? 0,
    send,
    answer: (id) => new Promise((found) => waiting.set(id, found)),
    lines: () => stdout.split('\n').filter((line) => line !== ''),
    stderr: () => stderr,
    ended,
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

export function toolCall(id: number | string, name: string, args: object = {}): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}
