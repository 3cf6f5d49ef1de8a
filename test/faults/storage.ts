/** Disks that fill up, log files that are empty or damaged, input of absurd size. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fail, must, run, type Outcome } from './program.ts';
import { isSameState, readState, type State } from './state.ts';

const DISK_BYTES = 4 * 1024 * 1024;

export interface StorageCounts {
  /** "yes", or why a disk could not be filled here. */
  fullDisk: string;
  strayLogs: number;
  hugeInputs: number;
}

export async function storage(folder: string, isLong: boolean): Promise<StorageCounts> {
  const fullDisk = await withSmallDisk(path.join(folder, 'disk'), fillDisk);
  const strayLogs = await logsOfOthers(path.join(folder, 'logs'));
  const hugeInputs = await hugeInput(path.join(folder, 'huge'), isLong ? 100 : 20);
  return { fullDisk, strayLogs, hugeInputs };
}

/** Mounts a small file system in memory for the duration of a test, if that is allowed. Returns "yes", or the reason
 * why it is not. */
async function withSmallDisk(mount: string, test: (folder: string) => Promise<void>): Promise<string> {
  fs.mkdirSync(mount);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', mount], { encoding: 'utf8' });
  if (mounted.status !== 0) return `no: ${(mounted.stderr ?? 'no mount').trim().split('\n')[0] ?? ''}`;
  try {
    await test(mount);
  } finally {
    spawnSync('umount', [mount]);
  }
  return 'yes';
}

/** On a full disk, a write reports it and changes nothing, existing files stay intact, and reading still works; once
 * there is space again, so does writing. */
async function fillDisk(folder: string): Promise<void> {
  const db = path.join(folder, 'full.db');
  const [output, backup] = [path.join(folder, 'out.jsonl'), path.join(folder, 'copy.db')];
  const filler = path.join(folder, 'filler');
  await must(['init'], { db });
  const lines = Array.from({ length: 200 }, (_, at) =>
    JSON.stringify({ id: `i${at}`, type: 'run', content: `满盘 full disk ${at}` }),
  );
  await must(['import', '--input', '-'], { db, input: lines.join('\n') });
  await must(['export', '--output', output], { db });
  const state = (): State => {
    const copy = `${folder}-copy.db`; // plain SQLite could not read it on the full disk itself
    fs.copyFileSync(db, copy);
    return readState(copy);
  };
  const [before, exported] = [state(), fs.readFileSync(output, 'utf8')];
  fill(filler);
  const long = Array.from({ length: 300 }, (_, at) =>
    JSON.stringify({ type: 'run', content: `${at} ${'文字 text '.repeat(500)}` }),
  );
  const writes: readonly (readonly [readonly string[], string?])[] = [
    [['put', '--type', 'run', '--content', '-'], 'x'.repeat(1_000_000)],
    [['import', '--input', '-'], long.join('\n')],
    [['export', '--output', output]],
    [['backup', '--output', backup]],
  ];
  for (const [args, input] of writes) {
    const outcome = await run(args, { db, ...(input !== undefined && { input }) });
    if (outcome.code !== 4 || outcome.answer?.['error'] !== 'DB_ERROR') fail('a full disk was not told', outcome);
    if (!/full/.test(String(outcome.answer['message']))) fail('the message does not name the full disk', outcome);
    if (args[0] === 'backup' && !String(outcome.answer['message']).includes(`"${backup}"`))
      fail('the message does not name the output', outcome);
    if (!isSameState(state(), before)) fail('a write to a full disk has changed something', outcome);
  }
  if (fs.readFileSync(output, 'utf8') !== exported) fail('an export to a full disk has changed the old file');
  const left = fs.readdirSync(folder).filter((name) => name.includes('.tmp') || name.startsWith('copy.db'));
  if (left.length > 0) fail(`a full disk has left ${left.join(', ')}`);
  await must(['search', '满盘'], { db });
  fs.rmSync(filler);
  await must(['put', '--type', 'run', '--content', 'room again'], { db });
  if (readState(db).items.size !== before.items.size + 1) fail('with room again a put is not there');
}

function fill(file: string): void {
  const fd = fs.openSync(file, 'w');
  try {
    for (let size = 1 << 16; size >= 512;) {
      try {
        fs.writeSync(fd, Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** A -wal file that is empty, truncated, damaged or made of noise: the database is read as of its last checkpoint, and
 * is sound. (SQLite mistakes a complete log of another database for this one's, as docs/reliability.md says.) */
async function logsOfOthers(folder: string): Promise<number> {
  fs.mkdirSync(folder);
  const db = path.join(folder, 'a.db');
  await must(['init'], { db });
  await must(['put', '--type', 'project', '--key', 'first', '--content', 'kept'], { db });
  const bytes = fs.readFileSync(db);
  const log = logOf(db);
  const damaged = Buffer.from(log);
  damaged[20] = (damaged[20] ?? 0) ^ 1; // the salt against which its pages are checked
  const logs = [Buffer.alloc(0), log.subarray(0, 4000), damaged, Buffer.alloc(50_000, 0xa5), Buffer.alloc(32)];
  for (const stray of logs) {
    fs.writeFileSync(db, bytes);
    fs.writeFileSync(`${db}-wal`, stray);
    const got: Outcome = await run(['get', '--type', 'project', '--key', 'first'], { db });
    if ((got.answer?.['item'] as { content?: string } | undefined)?.content !== 'kept')
      fail('a stray -wal hides a memory', got);
    await must(['put', '--type', 'run', '--content', 'goes on'], { db });
    readState(db);
    for (const suffix of ['-wal', '-shm']) fs.rmSync(`${db}${suffix}`, { force: true });
  }
  return logs.length;
}

/** The -wal file of an open connection, not yet checkpointed. */
function logOf(file: string): Buffer {
  const copy = `${file}.copy`;
  fs.copyFileSync(file, copy);
  const db = new DatabaseSync(copy);
  db.exec("update memory_items set content = 'of a lost log'");
  const bytes = fs.readFileSync(`${copy}-wal`);
  db.close();
  return bytes;
}

/** Lines and texts that are too large to be stored, and JSON that is nested too deeply: refused, and nothing is
 * changed. */
async function hugeInput(folder: string, megabytes: number): Promise<number> {
  fs.mkdirSync(folder);
  const db = path.join(folder, 'huge.db');
  await must(['init'], { db });
  await must(['put', '--type', 'run', '--content', 'here before'], { db });
  const before = readState(db);
  const size = megabytes * 1024 * 1024;
  const inputs: readonly (readonly [string, readonly string[], string])[] = [
    ['a huge line', ['import', '--input', '-'], JSON.stringify({ type: 'run', content: 'x'.repeat(size) })],
    ['a huge line that is no JSON', ['import', '--input', '-'], 'y'.repeat(size)],
    ['deep nesting', ['import', '--input', '-'], `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'deep nesting in a field',
      ['import', '--input', '-'],
      `{"type":"run","content":"x","tags":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ],
    ['a huge content', ['put', '--type', 'run'], 'z'.repeat(size)],
    ['bytes that are no text', ['put', '--type', 'run'], '\u0000\u0001'],
  ];
  for (const [what, args, input] of inputs) {
    const outcome = await run(args, { db, input });
    if (outcome.code !== 2 || outcome.answer?.['error'] !== 'PARAM_ERROR') fail(`${what} was not refused`, outcome);
    if (!isSameState(readState(db), before)) fail(`${what} has changed the database`, outcome);
  }
  return inputs.length;
}
