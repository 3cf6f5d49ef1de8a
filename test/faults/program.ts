/** Runs the built program for the fault tests, to its end or until it is killed. */
import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.dirname(path.dirname(import.meta.dirname));
const PROGRAM = path.join(ROOT, 'dist/memtool');

/** Time after which a call is considered to hang, in milliseconds: many times the longest wait for a lock. */
const ENDLESS_MS = 120_000;

export interface Outcome {
  readonly args: readonly string[];
  /** null when the program was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The answer, if it was printed completely; a program that is killed afterwards has still acknowledged its work. */
  readonly answer: Readonly<Record<string, unknown>> | undefined;
}

export interface RunOptions {
  readonly db?: string;
  readonly cwd?: string;
  readonly input?: string | Uint8Array | undefined;
  /** Milliseconds after which SIGKILL is sent. */
  readonly killAfterMs?: number | undefined;
}

export function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const all = options.db === undefined ? args : ['--db', options.db, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, all, {
      cwd: options.cwd,
      env: { PATH: '', HOME: '', TZ: 'UTC' },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin?.on('error', () => {}); // the program may exit before it has read everything
    child.stdin?.end(options.input);
    const timer =
      options.killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), options.killAfterMs);
    const overdue = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`a call did not end within ${ENDLESS_MS} ms: memtool ${all.join(' ').slice(0, 300)}`));
    }, ENDLESS_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      clearTimeout(overdue);
      const stdout = Buffer.concat(out).toString('utf8');
      resolve({ args, code, stdout, stderr: Buffer.concat(err).toString('utf8'), answer: answerOf(stdout) });
    });
  });
}

function answerOf(stdout: string): Outcome['answer'] {
  if (!stdout.endsWith('}\n')) return undefined;
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}

/** Runs a call that must succeed. */
export async function must(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const outcome = await run(args, options);
  if (outcome.code !== 0 || outcome.answer === undefined) fail('a call failed', outcome);
  return outcome.answer;
}

/** Throws for something that must never happen. */
export function fail(what: string, outcome?: Outcome): never {
  const told =
    outcome &&
    `\n  memtool ${outcome.args.join(' ').slice(0, 300)}\n  exit ${outcome.code}: ${outcome.stdout.slice(0, 500)}${outcome.stderr.slice(0, 500)}`;
  throw new Error(`${what}${told ?? ''}`);
}

/** A small deterministic random number generator, so that a run can be repeated by its seed. Source: mulberry32. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }
}
