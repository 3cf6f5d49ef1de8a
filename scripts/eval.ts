/** Measures the search on sets of questions: `npm run eval -- FOLDER…`. Each folder has `corpus.jsonl`, with lines
 * `{"id", "text"}`, and `queries.open.jsonl`, with lines `{"query", "relevant": [ids]}`. Prints one line per set and the
 * mean. docs/ranking.md, The sets, says where those of its tables come from. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = path.join(path.dirname(import.meta.dirname), 'dist/memtool');
/** All items have this time, so that recency plays no part. */
const TIME = '2026-01-01T00:00:00Z';

interface Figures {
  readonly queries: number;
  readonly recall: number;
  readonly ndcg: number;
  readonly latency_ms: { readonly mean: number; readonly p50: number; readonly p99: number };
}

/** Runs memtool and returns its answer. Throws if it fails. */
function memtool(args: readonly string[], input = ''): unknown {
  const ran = spawnSync(PROGRAM, args, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (ran.status !== 0) throw new Error(`memtool ${args.join(' ')}: exit ${ran.status}\n${ran.stdout}${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

function measure(set: string): Figures {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-eval-'));
  try {
    const db = path.join(folder, 'memtool.db');
    const items = fs
      .readFileSync(path.join(set, 'corpus.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { id, text } = JSON.parse(line) as { id: string; text: string };
        const [created_at, updated_at] = [TIME, TIME];
        return JSON.stringify({ id, type: 'feature', key: id, content: text, created_at, updated_at });
      });
    memtool(['init', '--db', db]);
    memtool(['import', '--db', db, '--input', '-'], items.join('\n'));
    return memtool(['eval', '--db', db, '--queries', path.join(set, 'queries.open.jsonl')]) as Figures;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const sets = process.argv.slice(2);
if (sets.length === 0) throw new Error('name the folders of the sets: npm run eval -- FOLDER…');
const percent = (value: number): string => (100 * value).toFixed(2).padStart(6);
const gains: number[] = [];
for (const set of sets) {
  const { queries, ndcg, recall, latency_ms: ms } = measure(set);
  gains.push(ndcg);
  console.log(
    `${path.basename(set).padEnd(16)} ${String(queries).padStart(5)} questions  nDCG@10 ${percent(ndcg)}  ` +
      `recall@10 ${percent(recall)}  mean ${ms.mean.toFixed(1)} ms  p50 ${ms.p50.toFixed(1)}  p99 ${ms.p99.toFixed(1)}`,
  );
}
console.log(`mean nDCG@10 ${percent(gains.reduce((sum, gain) => sum + gain, 0) / gains.length)}`);
