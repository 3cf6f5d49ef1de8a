/** Databases that have flipped bits, are truncated, or have pages overwritten by zeros or other pages: every call ends
 * with an answer and an exit code of the table, none acknowledges a write that did not happen, none changes a file that
 * it refuses, and what can be read is saved. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fail, must, run, type Outcome, type Random } from './program.ts';

const READS: readonly (readonly string[])[] = [
  ['list', '--limit', '1000'],
  ['search', '数据库 pool'],
  ['search', 'pool', '--engine', 'like'],
  ['get', 'c7'],
  ['history', 'c7'],
  ['export', '--output', '-'],
  ['stats'],
  ['recommend', '--context', '数据库'],
  ['doctor'],
];
const EXIT_CODES = new Set([0, 2, 3, 4]);

export interface CorruptionCounts {
  files: number;
  /** Files whose items could all still be exported. */
  whole: number;
  /** Items that export --salvage saved from all files, which had 120 each. */
  saved: number;
  /** Files that doctor --fix repaired. */
  repaired: number;
}

export async function corruption(folder: string, random: Random, files: number): Promise<CorruptionCounts> {
  const sound = path.join(folder, 'sound.db');
  await must(['init'], { db: sound });
  const lines = Array.from({ length: 120 }, (_, at) =>
    JSON.stringify({
      id: `c${at}`,
      type: 'feature',
      key: `k${at}`,
      tags: ['标签'],
      content: `数据库 connection pool ${at} ${'填充 filler '.repeat(at)}`,
    }),
  );
  await must(['import', '--input', '-'], { db: sound, input: lines.join('\n') });
  await must(['put', '--id', 'c7', '--content', 'a second version 数据库'], { db: sound });
  const bytes = fs.readFileSync(sound);
  const counts: CorruptionCounts = { files: 0, whole: 0, saved: 0, repaired: 0 };
  for (; counts.files < files; counts.files += 1) {
    const db = path.join(folder, 'broken.db');
    for (const name of fs.readdirSync(folder)) if (name.startsWith('broken.db')) fs.rmSync(path.join(folder, name));
    fs.writeFileSync(db, broken(bytes, random));
    await abuse(db, counts);
  }
  return counts;
}

/** A damaged copy of a file. */
function broken(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const kind = random.below(5);
  if (kind === 0) return copy.subarray(0, random.below(copy.length)); // truncated
  if (kind === 1) {
    // a page overwritten by zeros or by another page
    const page = 8192;
    const [to, from] = [random.below(copy.length / page) * page, random.below(copy.length / page) * page];
    copy.copy(copy, to, from, from + page);
    if (random.below(2) === 0) copy.fill(0, to, to + page);
    return copy;
  }
  const flips = 1 + random.below(kind === 2 ? 1 : 40);
  for (let at = 0; at < flips; at += 1) {
    const place = random.below(copy.length);
    copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
  }
  return copy;
}

async function abuse(db: string, counts: CorruptionCounts): Promise<void> {
  const before = hashOf(db);
  for (const args of READS) {
    const outcome = await run(args, { db });
    expectAnswer(outcome, args[0] === 'export');
    if (hashOf(db) !== before) fail('a reading call has changed the file', outcome);
    if (args[0] === 'export' && outcome.code === 0 && outcome.stdout.split('\n').length === 121) counts.whole += 1;
  }
  const saved = path.join(path.dirname(db), 'saved.jsonl');
  fs.rmSync(saved, { force: true });
  const salvaged = await run(['export', '--salvage', '--output', saved], { db });
  expectAnswer(salvaged, false);
  if (salvaged.answer?.['output'] !== undefined) {
    const lines = fs.readFileSync(saved, 'utf8').split('\n').slice(0, -1);
    lines.forEach((line) => JSON.parse(line));
    if (lines.length !== salvaged.answer?.['count']) fail('not as many items were saved as was said', salvaged);
    counts.saved += lines.length;
  }
  const put = await run(['put', '--type', 'run', '--content', 'written into a broken file'], { db });
  expectAnswer(put, false);
  if (put.code !== 0 && hashOf(db) !== before) fail('a write that failed has changed the file', put);
  if (put.code === 0) {
    const got = await run(['get', String(put.answer?.['id'])], { db });
    if (got.code !== 0) fail('an acknowledged write cannot be read', got);
  }
  const fixed = await run(['doctor', '--fix'], { db });
  expectAnswer(fixed, false);
  if (fixed.code === 0) counts.repaired += 1;
}

function expectAnswer(outcome: Outcome, isLines: boolean): void {
  if (outcome.code === null || !EXIT_CODES.has(outcome.code)) fail('an exit code outside the table', outcome);
  if (/\n\s+at .*:\d+:\d+/.test(outcome.stdout)) fail('a stack trace on stdout', outcome);
  if (!isLines && outcome.answer === undefined) fail('no answer', outcome);
  if (outcome.stdout.includes('GENERAL_ERROR')) fail('a broken file is no defect of memtool', outcome);
  if (outcome.code !== 0 && !outcome.stdout.includes('"hint":')) fail('an error without a hint', outcome);
}

function hashOf(db: string): string {
  return crypto.createHash('sha256').update(fs.readFileSync(db)).digest('hex');
}
