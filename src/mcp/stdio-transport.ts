import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { decodeUtf8, withoutBom } from '../core/text.ts';
import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

const NEWLINE = 0x0a;

/** How long answers may take to be flushed when the connection closes, in milliseconds. Range 0 to 5,000: clients kill
 * a server a few seconds after asking it to end. */
const FLUSH_MS = 1000;

export interface StdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Largest message, in bytes; a larger one is refused, and the connection continues. */
  readonly maxBytes: number;
  /** Waits until every request has been answered. */
  readonly idle: () => Promise<void>;
  /** What is wrong with the parameters of a request, if the SDK would not say it well; undefined for any other. */
  readonly problemWith: (method: string, params: unknown) => string | undefined;
}

/** JSON-RPC over stdin and stdout, one message per line. The SDK's own transport is not used, since its time grows with
 * the square of a message's size, it ends the connection on a message that is too large, does not answer one that it
 * cannot parse, and drops requests that arrive right before stdin ends. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: StdioOptions;
  readonly #closed = Promise.withResolvers<void>();
  #chunks: Buffer[] = [];
  #size = 0;
  #isStart = true;
  #isClosing = false;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** Resolves when the connection is closed and what was sent is flushed, at most `FLUSH_MS` later. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async start(): Promise<void> {
    const { stdin, stdout } = this.#options;
    stdout.setMaxListeners(0); // one for each answer in flight
    stdout.on('error', () => void this.close()); // nobody reads any more
    stdin.on('data', this.#read);
    stdin.on('error', this.#end);
    stdin.on('end', this.#end);
  }

  readonly #read = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#takeLine();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  };

  /** Keeps a part of a line; of a line that is too long, only the size. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#options.maxBytes) this.#chunks = [];
    else this.#chunks.push(part);
  }

  #takeLine(): void {
    const [bytes, size] = [Buffer.concat(this.#chunks), this.#size];
    this.#chunks = [];
    this.#size = 0;
    if (size > this.#options.maxBytes) {
      this.#refuse(
        null,
        ProtocolErrorCode.InvalidRequest,
        `a message may have at most ${this.#options.maxBytes} bytes, but this one has ${size}`,
      );
      return;
    }
    let line: string;
    try {
      line = decodeUtf8(bytes, 'the message');
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'a message must be valid UTF-8');
      return;
    }
    // some clients begin with a byte order mark
    const text = this.#isStart ? withoutBom(line) : line;
    this.#isStart = false;
    if (text.trim() !== '') this.#takeMessage(text);
  }

  #takeMessage(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'a message must be one line of JSON');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const problem = 'a message must be a JSON-RPC 2.0 request, notification or response';
      // an answer is never answered: a client that refuses ours in the same way would answer that again, without end
      if (isAnswer(value)) this.onerror?.(new Error(problem));
      else this.#refuse(idOf(value), ProtocolErrorCode.InvalidRequest, problem);
      return;
    }
    const problem = 'method' in message ? this.#options.problemWith(message.method, message.params) : undefined;
    if (problem === undefined || !('id' in message)) this.onmessage?.(message);
    else this.#answerError(idOf(message), ProtocolErrorCode.InvalidParams, problem);
  }

  /** Answers an invalid message as JSON-RPC requires. */
  #refuse(id: string | number | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    this.#answerError(id, code, message);
  }

  #answerError(id: string | number | null, code: number, message: string): void {
    // the SDK's type of an answer lacks the null id, which JSON-RPC uses if the id of a request cannot be read
    void this.send({ jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage).catch(() => {});
  }

  /** stdin has ended: pending requests are still answered, however slowly the answers are read. */
  readonly #end = (): void => {
    this.#takeLine();
    void this.#options
      .idle()
      .then(() => this.#flushed())
      .then(() => this.close());
  };

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosing) return Promise.reject(new Error('the connection is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#options.stdout.write(`${JSON.stringify(withInvalidParams(message))}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
    return promise;
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const { stdin } = this.#options;
    stdin.off('data', this.#read);
    stdin.off('end', this.#end);
    stdin.pause();
    this.onclose?.();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FLUSH_MS);
    await Promise.race([this.#flushed(), late]);
    clearTimeout(timer);
    this.#closed.resolve();
  }

  /** Waits until the system has accepted what was sent, or cannot. */
  #flushed(): Promise<void> {
    const { stdout } = this.#options;
    if (stdout.destroyed || stdout.writableLength === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    stdout.write('', () => resolve());
    stdout.once('close', () => resolve());
    return promise;
  }
}

const Issues = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1);

/** An answer of the SDK, which reports parameters that its schemas refuse as an internal error with the issues of zod as
 * JSON, as the error for invalid parameters in one line; any other message unchanged. */
function withInvalidParams(message: JSONRPCMessage): JSONRPCMessage {
  const internal: number = ProtocolErrorCode.InternalError;
  if (!('error' in message) || message.error.code !== internal) return message;
  const issues = Issues.safeParse(jsonOf(message.error.message));
  if (!issues.success) return message;
  const told = issues.data.map(({ path, message: problem }) => `${path.join('.')}: ${problem}`).join('; ');
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: told } };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for what is meant as an answer, even if it is not a valid one. */
function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value);
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
