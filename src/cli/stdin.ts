import fs from 'node:fs';
import { MemtoolError } from '../core/errors.ts';
import { OversizedStdin, SilentStdin, type Stdin, type StdinOptions } from '../ops/context.ts';

const STDIN = 0;
const NULL_DEVICE = '/dev/null';
/** How long an open stdin may send nothing before a call that did not ask for it by name gives up, in milliseconds. */
const FIRST_BYTE_TIMEOUT_MS = 3000;
const READ_BYTES = 1 << 16;
/** How long nothing has to come for a pipe to be taken as empty, and how long one that never ends is read, in
 * milliseconds. */
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
    if (kind === 'closed') return asAsync([]);
    return kind === 'file' || kind === 'device' ? asAsync(blockingChunks()) : streamChunks(options);
  },
};

/** Loaded here, not at the top: node:tty brings all of node:net and node:stream. */
export function isTerminal(fd: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(fd);
}

function stdinKind(): Kind {
  let stat: fs.Stats;
  try {
    stat = fs.fstatSync(STDIN);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBADF') return 'closed';
    throw error;
  }
  if (stat.isDirectory()) return 'folder';
  if (stat.isFile()) return 'file';
  if (stat.isFIFO()) return 'pipe';
  if (stat.isSocket()) return 'socket';
  if (isNullDevice(stat)) return 'device';
  return isTerminal(STDIN) ? 'terminal' : 'device';
}

/** What most callers without input give: told without node:tty, which takes milliseconds to load. */
function isNullDevice(stat: fs.Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === fs.statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev;
}

async function* asAsync(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function* blockingChunks(): Generator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  for (let bytes = fs.readSync(STDIN, buffer); bytes > 0; bytes = fs.readSync(STDIN, buffer)) {
    yield Uint8Array.from(buffer.subarray(0, bytes));
  }
}

/** Reads a pipe or socket as it fills; gives up when the first byte does not come in time. */
async function* streamChunks(options: StdinOptions): AsyncGenerator<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  if (!options.isExplicit) {
    timer = setTimeout(() => {
      process.stdin.destroy(new SilentStdin(FIRST_BYTE_TIMEOUT_MS));
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

/** Looks into a pipe without waiting: through a descriptor of its own, so that the caller's stays as it is. A look
 * takes a byte, so that what is there is then taken whole: a loop that reads the same pipe (`while read`) would go on
 * with damaged lines. Where pipes cannot be opened again, nothing is seen. */
function drainPipe(): boolean {
  let fd: number;
  try {
    fd = fs.openSync('/proc/self/fd/0', fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
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

/** Number of bytes read, at most `most`; 0 at the end, undefined where none are there yet. */
function readNow(fd: number, most: number): number | undefined {
  try {
    return fs.readSync(fd, new Uint8Array(most));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Looks into a socket (what Node.js gives a child as stdin) without waiting: one turn of the event loop reads what is
 * there. */
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
