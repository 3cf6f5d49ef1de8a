import fs from 'node:fs';
import { fileProblem, MemtoolError, systemCode } from '../core/errors.ts';
import { pause } from '../core/pause.ts';
import { OversizedStdin, SilentStdin, type Stdin, type StdinOptions } from '../ops/context.ts';

const STDIN = 0;
const NULL_DEVICE = '/dev/null';
/** How long an open stdin may stay silent before a call that did not name it gives up, in milliseconds. */
const FIRST_BYTE_TIMEOUT_MS = 3000;
const READ_BYTES = 1 << 16;
/** Silence after which a pipe counts as empty, and how long an endless pipe is drained, in milliseconds. */
const DRAIN_SILENCE_MS = 50;
const LONGEST_DRAIN_MS = 1000;

type Kind = 'closed' | 'terminal' | 'folder' | 'file' | 'device' | 'pipe' | 'socket';

/** The process's stdin. Nothing is opened or read until a function is called. */
export const processStdin: Stdin = {
  async readAll(options) {
    const kind = stdinKind();
    if (kind === 'closed' || (kind === 'terminal' && !options.isExplicit)) return undefined;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of processStdin.chunks(options)) {
      size += chunk.length;
      if (size > options.maxBytes) throw new OversizedStdin(options.maxBytes);
      pieces.push(chunk);
    }
    return size === 0 ? undefined : Buffer.concat(pieces);
  },

  isGiven() {
    const kind = stdinKind();
    return kind === 'pipe' || kind === 'socket' || kind === 'file';
  },

  async takeDataNow() {
    const kind = stdinKind();
    if (kind === 'pipe') return drainPipe();
    return kind === 'socket' && socketHasData();
  },

  chunks(options) {
    const kind = stdinKind();
    if (kind === 'terminal')
      throw new MemtoolError('PARAM_ERROR', 'stdin is a terminal, not a pipe or a file', {
        hint: 'pipe the input, or name a file',
      });
    if (kind === 'folder') throw new MemtoolError('PARAM_ERROR', 'stdin is a folder', { hint: 'use a file: < FILE' });
    if (kind === 'closed') return readable([]);
    return readable(kind === 'file' || kind === 'device' ? blockingChunks() : streamChunks(options));
  },
};

/** Loads node:tty here, not at the top, since it pulls in all of node:net and node:stream. */
export function isTerminal(fd: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(fd);
}

function stdinKind(): Kind {
  let stat: fs.Stats;
  try {
    stat = fs.fstatSync(STDIN);
  } catch (error) {
    if (systemCode(error) === 'EBADF') return 'closed';
    throw error;
  }
  if (stat.isDirectory()) return 'folder';
  if (stat.isFile()) return 'file';
  if (stat.isFIFO()) return 'pipe';
  if (stat.isSocket()) return 'socket';
  if (isNullDevice(stat)) return 'device';
  return isTerminal(STDIN) ? 'terminal' : 'device';
}

/** True for /dev/null, which most callers without input pass: checked without node:tty, which takes milliseconds to
 * load. */
function isNullDevice(stat: fs.Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === fs.statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev;
}

/** Yields the chunks of stdin. Throws PARAM_ERROR if they cannot be read. */
async function* readable(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new MemtoolError('PARAM_ERROR', `stdin ${fileProblem(error)}`, {
      hint: 'pipe the input, or name a file',
      cause: error,
    });
  }
}

function* blockingChunks(): Generator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  for (let bytes = fs.readSync(STDIN, buffer); bytes > 0; bytes = fs.readSync(STDIN, buffer)) {
    yield Uint8Array.from(buffer.subarray(0, bytes));
  }
}

/** Reads a pipe or socket as it fills. Throws SilentStdin if the first byte does not arrive in time, unless stdin was
 * named. */
async function* streamChunks(options: StdinOptions): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  if (!options.isExplicit) {
    const { ifSilent } = options;
    timer = setTimeout(() => {
      process.stdin.destroy(new SilentStdin(FIRST_BYTE_TIMEOUT_MS, ifSilent));
    }, FIRST_BYTE_TIMEOUT_MS);
  }
  try {
    for await (const chunk of process.stdin) {
      clearTimeout(timer);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Returns true if a pipe has data, without waiting for the first byte. It uses a separate descriptor, so that the
 * caller's stays unchanged. The check consumes a byte, so the rest of the available data is consumed too: otherwise a
 * loop that reads the same pipe (`while read`) would continue with damaged lines. Returns false where a pipe cannot be
 * reopened. */
function drainPipe(): boolean {
  let fd: number;
  try {
    fd = fs.openSync('/proc/self/fd/0', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
  try {
    if ((readNow(fd, 1) ?? 0) === 0) return false;
    const until = performance.now() + LONGEST_DRAIN_MS;
    while (performance.now() < until) {
      const bytes = readNow(fd, READ_BYTES) ?? (pause(DRAIN_SILENCE_MS), readNow(fd, READ_BYTES));
      if (bytes === undefined || bytes === 0) break;
    }
    return true;
  } finally {
    fs.closeSync(fd);
  }
}

/** Reads at most `most` bytes and returns their number; 0 at the end, undefined if none are available yet. */
function readNow(fd: number, most: number): number | undefined {
  try {
    return fs.readSync(fd, new Uint8Array(most));
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Returns true if a socket (what Node.js gives a child process as stdin) has data, without waiting: two turns of the
 * event loop are enough to read what is available. */
async function socketHasData(): Promise<boolean> {
  let found = false;
  const onData = (): void => {
    found = true;
  };
  process.stdin.once('data', onData);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  process.stdin.off('data', onData);
  process.stdin.pause();
  process.stdin.unref?.();
  return found;
}
