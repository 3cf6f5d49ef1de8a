/** Measures the built program on generated memories and prints Markdown tables. `npm run bench` uses 1,000 to 1,000,000
 * memories (a quarter to half an hour, 20 GB of disk), `npm run bench -- --quick` up to 10,000 (a minute); `--write`
 * puts the tables into docs/performance.md. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { createContext } from '../../src/ops/context.ts';
import { answer } from '../../src/ops/search-answer.ts';
import { percentile } from '../../src/search/retrieval-metrics.ts';
import { memories } from './memories.ts';
import {
  coldCalls,
  concurrentPuts,
  FORMS,
  peakMemory,
  run,
  type ColdCall,
  type ColdResult,
  type Form,
} from './processes.ts';

const ROOT = path.dirname(path.dirname(import.meta.dirname));
const REPORT = path.join(ROOT, 'docs/performance.md');
const [MARK_BEGIN, MARK_END] = ['<!-- bench -->', '<!-- /bench -->'];
const QUESTIONS = 300;
const WRITERS = 8;

interface Options {
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly isQuick: boolean;
}

/** All measurements of a database of one size. */
interface Measured {
  readonly size: number;
  readonly cold: Record<Form, ReadonlyMap<string, ColdResult>>;
  readonly warm: ReadonlyMap<string, readonly number[]>;
  readonly importRows: number;
  readonly exportRows: number;
  readonly sizeRatio: number;
  readonly putsPerSecond: number;
  readonly putP99Ms: number;
  readonly peakMiB: number | undefined;
}

/** 800 characters of Chinese, different for each seed. */
function chineseText(seed: number): string {
  const sentence = `第${seed}次复盘：数据库迁移之前先冻结写入，再核对索引与缓存的一致性，最后通知值班同学回滚窗口。`;
  return sentence.repeat(Math.ceil(800 / sentence.length)).slice(0, 800);
}

function callsOn(db: string): ColdCall[] {
  const on = (name: string, ...args: string[]): ColdCall => ({ name, args: ['--db', db, ...args] });
  return [
    on('get', 'get', 'm7'),
    on('list --limit 20', 'list', '--limit', '20'),
    on('search en', 'search', 'deadlock rollback migration'),
    on('search zh', 'search', '数据库 索引 迁移'),
    on('recommend', 'recommend', '--context', '数据库迁移 deadlock rollback'),
    on('put zh, 800 characters', 'put', '--type', 'run', '--content', chineseText(db.length)),
    { ...on('mcp: start, search, end', 'mcp'), input: MCP_SESSION },
  ];
}

/** The messages of a client that makes one search: the server starts, answers the handshake and the call, and ends,
 * since no more input follows. */
const MCP_SESSION = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'memory_search', arguments: { query: '数据库 deadlock' } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

const CALLS_WITHOUT_DATABASE: readonly ColdCall[] = [
  { name: 'version', args: ['--version'] },
  { name: 'help', args: ['--help'] },
  { name: 'parameter error', args: ['search', 'x', '--limit', 'many'], exitCode: 2 },
];

async function measure(folder: string, size: number, rounds: number): Promise<Measured> {
  const [db, file] = [path.join(folder, `${size}.db`), path.join(folder, `${size}.jsonl`)];
  const { bytes, contents } = writeMemories(file, size);
  run('executable', ['--db', db, 'init']);
  const importMs = run('executable', ['--db', db, 'import', '--input', file]);
  fs.rmSync(file);
  const sizeRatio = fs.statSync(db).size / bytes;
  const exportMs = run('executable', ['--db', db, 'export', '--output', file]);
  fs.rmSync(file);
  const peakMiB = await peakMemory('executable', ['--db', db, 'search', '数据库 deadlock checkpoint']);
  const warm = warmLatencies(db, contents);
  const cold = {
    executable: coldCalls('executable', callsOn(db), rounds),
    bundle: coldCalls('bundle', callsOn(db), rounds),
  };
  const writers = await concurrentPuts('executable', db, WRITERS, 10);
  fs.rmSync(db);
  return {
    size,
    cold,
    warm,
    importRows: (size / importMs) * 1000,
    exportRows: (size / exportMs) * 1000,
    sizeRatio,
    putsPerSecond: writers.putsPerSecond,
    putP99Ms: writers.p99Ms,
    peakMiB,
  };
}

function writeMemories(file: string, count: number): { bytes: number; contents: string[] } {
  const contents: string[] = [];
  const out = fs.openSync(file, 'w');
  let bytes = 0;
  let lines = '';
  for (const { content, line } of memories(count)) {
    bytes += Buffer.byteLength(content);
    if (contents.length < QUESTIONS) contents.push(content);
    lines += `${line}\n`;
    if (lines.length < 1 << 20) continue;
    fs.writeSync(out, lines);
    lines = '';
  }
  fs.writeSync(out, lines);
  fs.closeSync(out);
  return { bytes, contents };
}

/** Durations of searches in one process, in milliseconds, by kind of query. */
function warmLatencies(db: string, contents: readonly string[]): Map<string, number[]> {
  using context = createContext({ dbPath: db, access: 'read', operations: [] });
  context.store.expectManyReads();
  const ask = (query: string): number => {
    const startedAt = performance.now();
    answer(context, { query, sort_by: 'relevance', limit: 10, match: 'any', syntax: 'plain', engine: 'auto' });
    return performance.now() - startedAt;
  };
  const questions = contents.map((content, at) => content.slice(40 + (at % 200), 90 + (at % 200)));
  const words = contents.map((_, at) => contents[at % contents.length]?.match(/\p{Script=Han}{4}/u)?.[0] ?? '数据库');
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['natural questions of 50 characters', questions],
    ['four Chinese characters', words],
    ['a rare word', contents.map(() => 'quokka')],
    ['a word of half of the memories', contents.map(() => 'checkpoint')],
    ['such a word and a rare one', contents.map(() => 'checkpoint quokka')],
  ];
  for (const question of questions.slice(0, 50)) ask(question);
  return new Map(kinds.map(([kind, queries]) => [kind, queries.map(ask)]));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell(found: ColdResult | undefined): string {
  return found === undefined ? '' : `${found.ratio.toFixed(2)} (${found.ms.toFixed(0)} ms)`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function report(
  all: readonly Measured[],
  plain: Record<Form, ReadonlyMap<string, ColdResult>>,
  sizes: string[][],
): string {
  const heads = all.map(({ size }) => size.toLocaleString('en'));
  const cold = (form: Form): string =>
    table(
      ['call', ...heads],
      callsOn('').map(({ name }) => [name, ...all.map((measured) => cell(measured.cold[form].get(name)))]),
    );
  const kinds = [...(all[0]?.warm.keys() ?? [])];
  const warm = table(
    ['query', ...heads],
    kinds.map((kind) => [
      kind,
      ...all.map(({ warm: times }) => {
        const found = times.get(kind) ?? [];
        return `${percentile(found, 0.5).toFixed(1)} / ${percentile(found, 0.99).toFixed(1)}`;
      }),
    ]),
  );
  const rest = table(
    ['what', ...heads],
    [
      ['import with indexing, rows/s', ...all.map(({ importRows }) => importRows.toFixed(0))],
      ['export, rows/s', ...all.map(({ exportRows }) => exportRows.toFixed(0))],
      ['database file / UTF-8 bytes of content', ...all.map(({ sizeRatio }) => sizeRatio.toFixed(2))],
      [
        `${WRITERS} processes at once, puts/s (p99 ms)`,
        ...all.map((m) => `${m.putsPerSecond.toFixed(0)} (${m.putP99Ms.toFixed(0)})`),
      ],
      ['peak memory of a search, MiB', ...all.map(({ peakMiB }) => peakMiB?.toFixed(0) ?? 'not known')],
    ],
  );
  const without = table(
    ['call', 'executable', 'bundle'],
    CALLS_WITHOUT_DATABASE.map(({ name }) => [name, cell(plain.executable.get(name)), cell(plain.bundle.get(name))]),
  );
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release()}, Node.js ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
  return [
    `Machine: ${machine}.`,
    '### Cold calls of the executable, ratio to bare Node.js',
    cold('executable'),
    '### Cold calls of the bundle, run by Node.js',
    cold('bundle'),
    '### Calls without a database',
    without,
    '### Warm searches in one process, p50 / p99 in ms',
    warm,
    '### Throughput and size',
    rest,
    ...(sizes.length === 0 ? [] : [table(['file', 'size'], sizes)]),
  ].join('\n\n');
}

/** Size of the executable, plain and compressed. */
function executableSizes(): string[][] {
  const bytes = fs.readFileSync(FORMS.executable[0]);
  const packed = zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 19 } });
  return [
    ['executable', megabytes(bytes.length)],
    ['packed (zstd -19)', megabytes(packed.length)],
  ];
}

async function main({ sizes, rounds, isQuick }: Options): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-bench-'));
  try {
    const plain = {
      executable: coldCalls('executable', CALLS_WITHOUT_DATABASE, rounds),
      bundle: coldCalls('bundle', CALLS_WITHOUT_DATABASE, rounds),
    };
    const all: Measured[] = [];
    for (const size of sizes) all.push(await measure(folder, size, rounds));
    const text = report(all, plain, isQuick ? [] : executableSizes());
    console.log(text);
    if (process.argv.includes('--write')) write(text);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function write(text: string): void {
  const [before = '', rest = ''] = fs.readFileSync(REPORT, 'utf8').split(MARK_BEGIN);
  const after = rest.split(MARK_END)[1] ?? '';
  fs.writeFileSync(REPORT, `${before}${MARK_BEGIN}\n\n${text}\n\n${MARK_END}${after}`);
}

const isQuick = process.argv.includes('--quick');
await main({ sizes: isQuick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000], rounds: isQuick ? 9 : 15, isQuick });
