/** Measures the built program on generated memories: import, size, warm queries in one process, cold calls against bare Node.js.
 * `npm run bench` takes 100,000 memories, `npm run bench -- --quick` 10,000. Prints a Markdown table. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createContext } from '../src/ops/context.ts';
import { answer } from '../src/ops/search-answer.ts';
import { percentile } from '../src/search/quality.ts';

const ROOT = path.dirname(import.meta.dirname);
const PROGRAM = path.join(ROOT, 'dist/memtool.cjs');
const DICTIONARY = path.join(ROOT, 'node_modules/nodejieba/submodules/cppjieba/dict/jieba.dict.utf8');
const SEED = 20260101;
const QUESTIONS = 300;
const COLD_RUNS = 15;

const ENGLISH =
  'the a of to and in is for on that with as by this from at it are be or an not we can if when request response server client token cache index query table row column user login session password error timeout retry queue worker thread lock deadlock commit rollback migration schema release deploy canary traffic latency throughput memory leak heap stack trace exception handler route controller service repository interface module package build test coverage lint format config environment variable secret key rotation certificate proxy gateway balancer replica primary failover backup restore snapshot cluster node pod container image registry pipeline job step artifact branch merge rebase conflict review comment issue ticket sprint estimate design decision rationale alternative constraint invariant boundary contract rule scenario risk note glossary'.split(
    ' ',
  );

/** A small deterministic generator: the same memories on every machine. Source: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The most frequent Chinese words, commonest first. */
function chineseWords(): string[] {
  const entries = fs
    .readFileSync(DICTIONARY, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const ranked = entries
    .filter(([word = '']) => word.length > 0 && word.length < 5)
    .toSorted(([, a], [, b]) => Number(b) - Number(a));
  return ranked.slice(0, 30_000).map(([word = '']) => word);
}

/** Picks words as texts have them: the commoner the more often (Zipf). */
function picker(words: readonly string[], random: () => number): () => string {
  return () => words[Math.min(words.length - 1, Math.floor(words.length ** random() - 1))] ?? '';
}

function* memories(count: number): Generator<{ content: string; line: string }> {
  const random = randomNumbers(SEED);
  const [english, chinese] = [picker(ENGLISH, random), picker(chineseWords(), random)];
  for (let at = 0; at < count; at += 1) {
    const length = 300 + random() * 1200;
    let content = `## ${english()} ${chinese()}${chinese()}\n\n`;
    while (content.length < length) {
      content +=
        random() < 0.5
          ? `${Array.from({ length: 8 }, english).join(' ')}. `
          : `${Array.from({ length: 7 }, chinese).join('')}，get${english()}ById_${at % 97}。\n`;
    }
    const updated = new Date(Date.UTC(2026, 0, 1) - random() * 4e10).toISOString();
    const type = ['project', 'feature', 'run'][at % 3];
    yield {
      content,
      line: JSON.stringify({
        id: `m${at}`,
        type,
        task_id: `t${at % 500}`,
        key: `k${at}`,
        content,
        created_at: updated,
        updated_at: updated,
      }),
    };
  }
}

function run(args: readonly string[]): number {
  const startedAt = performance.now();
  const ran = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 30 });
  if (ran.status !== 0) throw new Error(String(ran.stdout));
  return performance.now() - startedAt;
}

/** Median of the ratios of a call to bare Node.js, each pair run one after the other. */
function coldRatio(args: readonly string[]): string {
  const ratios = Array.from({ length: COLD_RUNS }, () => {
    const bare = run(['-e', '0']);
    return run([PROGRAM, ...args]) / bare;
  });
  return percentile(ratios, 0.5).toFixed(2);
}

function main(count: number): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-bench-'));
  const [db, file] = [path.join(folder, 'bench.db'), path.join(folder, 'bench.jsonl')];
  try {
    let bytes = 0;
    const out = fs.openSync(file, 'w');
    const contents: string[] = [];
    for (const { content, line } of memories(count)) {
      bytes += Buffer.byteLength(content);
      if (contents.length < QUESTIONS) contents.push(content);
      fs.writeSync(out, `${line}\n`);
    }
    fs.closeSync(out);
    run([PROGRAM, '--db', db, 'init']);
    const importMs = run([PROGRAM, '--db', db, 'import', '--input', file]);
    const latencies = warmLatencies(db, contents);
    const rows = [
      ['memories', String(count)],
      ['text, MB', (bytes / 1e6).toFixed(0)],
      ['import, rows a second', ((count / importMs) * 1000).toFixed(0)],
      ['database / text', (fs.statSync(db).size / bytes).toFixed(2)],
      ['warm question, p50 ms', percentile(latencies, 0.5).toFixed(1)],
      ['warm question, p99 ms', percentile(latencies, 0.99).toFixed(1)],
      ['cold get / bare node', coldRatio(['--db', db, 'get', 'm7'])],
      ['cold list / bare node', coldRatio(['--db', db, 'list', '--limit', '20'])],
      ['cold search en / bare node', coldRatio(['--db', db, 'search', 'deadlock rollback migration'])],
      ['cold search zh / bare node', coldRatio(['--db', db, 'search', '数据库 索引 迁移'])],
    ];
    console.log(
      ['| what | measured |', '| --- | --- |', ...rows.map(([what, measured]) => `| ${what} | ${measured} |`)].join(
        '\n',
      ),
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of questions made of neighbouring words of some memories, in one process. */
function warmLatencies(db: string, contents: readonly string[]): number[] {
  using context = createContext({ dbPath: db, access: 'read', operations: [] });
  const ask = (query: string): void => {
    answer(context, { query, sort_by: 'relevance', limit: 10, match: 'any', syntax: 'plain', engine: 'auto' });
  };
  const questions = contents.map((content, at) => content.slice(40 + (at % 200), 90 + (at % 200)));
  for (const question of questions.slice(0, 30)) ask(question);
  return questions.map((question) => {
    const startedAt = performance.now();
    ask(question);
    return performance.now() - startedAt;
  });
}

main(process.argv.includes('--quick') ? 10_000 : 100_000);
