/** Runs the built program as a caller sees it: in whole processes, each compared with a bare Node.js that is started
 * right before it. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { percentile } from '../../src/search/retrieval-metrics.ts';

const DIST = path.join(path.dirname(path.dirname(import.meta.dirname)), 'dist');

/** A copy of the executable, as if installed: the system maps more of a file that was just built into memory than is
 * used. */
function installed(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-bench-'));
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'memtool');
  fs.copyFileSync(path.join(DIST, 'memtool'), file);
  return file;
}

/** The forms in which the program is distributed. */
export const FORMS = {
  executable: [installed()],
  bundle: [process.execPath, path.join(DIST, 'memtool.cjs')],
} as const;
export type Form = keyof typeof FORMS;

/** Runs the program and returns how long it took, in milliseconds. Throws if its exit code is not `exitCode`. */
export function run(form: Form, args: readonly string[], exitCode = 0, input?: string): number {
  const [command, ...before] = FORMS[form];
  return timed(command, [...before, ...args], exitCode, input);
}

function timed(command: string, args: readonly string[], exitCode: number, input?: string): number {
  const startedAt = performance.now();
  const ran = spawnSync(command, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
    ...(input !== undefined && { input }),
  });
  const took = performance.now() - startedAt;
  if (ran.status !== exitCode)
    throw new Error(`${command} ${args.join(' ')}: exit ${ran.status}\n${String(ran.stdout)}`);
  return took;
}

export interface ColdCall {
  readonly name: string;
  readonly args: readonly string[];
  readonly exitCode?: number;
  /** What is piped to stdin. */
  readonly input?: string;
}

export interface ColdResult {
  /** Median of the ratios to a bare Node.js. */
  readonly ratio: number;
  readonly ms: number;
}

/** Times calls in turn, round after round, so that a temporary slowdown of the machine affects all of them alike. */
export function coldCalls(form: Form, calls: readonly ColdCall[], rounds: number): Map<string, ColdResult> {
  const empty = path.join(DIST, 'cache/empty.cjs');
  fs.writeFileSync(empty, '');
  const runs = new Map(calls.map(({ name }) => [name, { ratios: [] as number[], times: [] as number[] }]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, args, exitCode, input } of calls) {
        const bare = timed(process.execPath, [empty], 0);
        const took = run(form, args, exitCode, input);
        runs.get(name)?.ratios.push(took / bare);
        runs.get(name)?.times.push(took);
      }
    }
  } finally {
    fs.rmSync(empty);
  }
  return new Map(
    [...runs].map(([name, { ratios, times }]) => [
      name,
      { ratio: percentile(ratios, 0.5), ms: percentile(times, 0.5) },
    ]),
  );
}

/** Peak memory of one call, in MiB; undefined if the system does not report it. */
export async function peakMemory(form: Form, args: readonly string[]): Promise<number | undefined> {
  const [command, ...before] = FORMS[form];
  const child = spawn(command, [...before, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
  let peak: number | undefined;
  while (child.exitCode === null && child.signalCode === null) {
    peak = highWaterMark(child.pid) ?? peak;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return peak;
}

function highWaterMark(pid: number | undefined): number | undefined {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? undefined : Number(found[1]) / 1024;
  } catch {
    return undefined; // the process has just ended, or this is not Linux
  }
}

export interface Writers {
  readonly putsPerSecond: number;
  readonly p99Ms: number;
}

/** Times `writers` concurrent writers, each putting `puts` memories one after another. Throws if any put fails. */
export async function concurrentPuts(form: Form, db: string, writers: number, puts: number): Promise<Writers> {
  const times: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let at = 0; at < puts; at += 1) {
        const putAt = performance.now();
        await runAsync(form, ['--db', db, 'put', '--type', 'run', '--content', `写入 ${writer} note ${at} 数据库`]);
        times.push(performance.now() - putAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { putsPerSecond: (writers * puts) / seconds, p99Ms: percentile(times, 0.99) };
}

function runAsync(form: Form, args: readonly string[]): Promise<void> {
  const [command, ...before] = FORMS[form];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...before, ...args], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a put ended with ${code}`))));
  });
}
