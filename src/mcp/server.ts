import { setImmediate } from 'node:timers/promises';
import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { isMemtoolError } from '../core/errors.ts';
import { errorEnvelope } from '../ops/envelope.ts';
import type { ToolSet } from '../ops/operation.ts';
import { VERSION } from '../core/version.ts';
import { callTool, type Database } from './call-tool.ts';
import { errorForClient, type Speaker } from './hints.ts';
import { INSTRUCTIONS, memoryPrompt } from './guide.ts';
import { listedNotes, recentNotes, wholeNote } from './resources.ts';
import type { JsonSchema } from './tool.ts';
import { annotationsOf, descriptionOf, inputJson, outputJson, toolsOf } from './tools.ts';

export interface ServerOptions extends Database {
  readonly tools: ToolSet;
}

/** No list changes while a server runs, so no client need wait for a notification. */
const FIXED = { listChanged: false } as const;

/** Runs pieces of work one after another, each in its own turn of the event loop, so that messages that arrive
 * meanwhile (such as a cancellation) are handled in between. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(async () => {
      await setImmediate();
      signal.throwIfAborted(); // a call cancelled before its turn does nothing
      return work();
    });
    this.#last = mine.catch(() => {});
    return mine;
  }

  /** Waits until every request has been answered. */
  async idle(): Promise<void> {
    let seen: unknown;
    while (seen !== this.#last) {
      seen = this.#last;
      await this.#last;
      await setImmediate(); // lets answers be written and received calls be queued
    }
  }
}

/** A Model Context Protocol server for the operations: their tools, notes as resources, and the prompt that teaches how
 * to use them. */
export function createServer({ tools, ...database }: ServerOptions, turns: Turns): McpServer {
  const server = new McpServer(
    { name: 'memtool', title: 'memtool: memory for coding agents', version: VERSION },
    { instructions: INSTRUCTIONS, capabilities: { tools: FIXED, resources: FIXED, prompts: FIXED } },
  );
  const offered = toolsOf(tools);
  for (const tool of offered) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: descriptionOf(tool, offered),
        inputSchema: described(() => inputJson(tool)),
        outputSchema: described(() => outputJson(tool)),
        annotations: annotationsOf(tool),
      },
      (args, { mcpReq: { signal } }) => turns.run(signal, () => callTool(tool, args, { ...database, offered, signal })),
    );
  }
  addResources(server, { tool: undefined, offered, dbPath: database.dbPath }, turns);
  server.registerPrompt(
    'memory',
    {
      title: 'Use memtool as memory',
      description:
        'When to search and when to store: before editing a file, after a failing test was understood, when the user states a preference.',
      argsSchema: z.object({ task: z.string().optional().describe('What this session is about.') }),
    },
    ({ task }) => ({ messages: [{ role: 'user', content: { type: 'text', text: memoryPrompt(task) } }] }),
  );
  return server;
}

/** A schema that only describes: arguments are validated by the operation, whose errors name the remedy. */
function described(json: () => JsonSchema) {
  let known: JsonSchema | undefined;
  const once = () => (known ??= json());
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'memtool',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: once, output: once },
    },
  };
}

function addResources(server: McpServer, speaker: Speaker, turns: Turns): void {
  const { dbPath } = speaker;
  const read = (uri: URL, signal: AbortSignal, note: () => Promise<string>) =>
    turns.run(signal, async () => {
      try {
        return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: await note() }] };
      } catch (error) {
        throw toProtocolError(error, uri, speaker);
      }
    });
  server.registerResource(
    'recent',
    'memtool://recent',
    { title: 'Recent notes', description: 'The newest notes, shortened.', mimeType: 'text/plain' },
    (uri, { mcpReq }) => read(uri, mcpReq.signal, () => recentNotes(dbPath)),
  );
  server.registerResource(
    'item',
    new ResourceTemplate('memtool://item/{id}', {
      list: ({ mcpReq }) =>
        turns.run(mcpReq.signal, async () => ({
          resources: (await listedNotes(dbPath)).map(({ id, title }) => ({ uri: itemUri(id), name: id, title })),
        })),
    }),
    { title: 'Note', description: 'One whole note.', mimeType: 'text/plain' },
    (uri, { id }, { mcpReq }) =>
      read(uri, mcpReq.signal, async () => wholeNote(dbPath, decodeURIComponent(String(id)))),
  );
}

/** Converts an error in reading a resource to a protocol error, which is the only place for its hint. */
function toProtocolError(error: unknown, uri: URL, speaker: Speaker): unknown {
  if (error instanceof URIError) return new ResourceNotFoundError(uri.href);
  if (!isMemtoolError(error)) return error;
  if (error.code === 'NOT_FOUND') return new ResourceNotFoundError(uri.href);
  const told = errorForClient(error, speaker);
  return new ProtocolError(ProtocolErrorCode.InternalError, told.message, errorEnvelope(told));
}

function itemUri(id: string): string {
  return `memtool://item/${encodeURIComponent(id)}`;
}
