/** Builds the code caches of the chunks in one folder, into another or the same: runs common calls in this process and
 * keeps what V8 compiled for them. It is a separate process, since a cache contains everything that its process has
 * run. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { chunkLoader } from '../src/launch/chunks.ts';
import { codeCacheName, filesIn } from '../src/launch/program-files.ts';

/** Memories among which the calls find more than they examine: more than a search scores, most with different texts,
 * some with the same. */
const MEMORIES = Array.from({ length: 400 }, (_, at) => [
  'put',
  '--new',
  '--type',
  ['run', 'feature', 'project'][at % 3] ?? '',
  '--key',
  `step ${at % 390}`,
  '--tag',
  at % 2 === 0 ? 'db' : '部署',
  '--source',
  'log',
  '--content',
  at % 2 === 0
    ? `Step ${at % 390}: the pool timed out after ${at} ms, the migration rolled back (deadlock in getUserById_${at}).`
    : `第 ${at} 步：数据库索引与连接池的配置由 deploy 脚本完成，超时 ${at} ms。`,
]);

/** Typical calls of agents and people; the functions that they run are in the caches. */
const CALLS = [
  ['init'],
  ...MEMORIES,
  [
    'put',
    '--type',
    'project',
    '--key',
    'glossary',
    '--tag',
    'db',
    '--content',
    '# 数据库索引\n\n连接池 getUserById 由 deploy 脚本配置。C++',
  ],
  ['put', '--type', 'run', '--key', 'note', '--content', 'The migration rolled back after a deadlock.'],
  ['put', '--type', 'run', '--key', 'note', '--content', 'The migration rolled back after a deadlock in the pool.'],
  ['get', '--type', 'run', '--key', 'note'],
  ['list', '--limit', '20'],
  ['search', '数据库 索引'],
  ['search', 'deadlock of the migration'],
  ['search', 'migraton', '--fields', 'id,key,snippet'],
  ['search', 'deadlock rollback pool'],
  ['search', 'why does getUserById time out after the deadlock?'],
  ['search', '连接池 超时 怎么配置'],
  ['search', 'nothing like it'],
  ['recommend', '--context', '数据库 deadlock'],
  ['history', 'nosuch'],
  ['list', '--format', 'text'],
  ['search', 'deadlock', '--format', 'text'],
  ['search', '--help'],
  ['search', '--limitt', '5'],
  ['--version'],
];

type Run = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number | undefined>;

const [folder = '', output = ''] = process.argv.slice(2);
const { load, scripts } = chunkLoader(filesIn(folder), createRequire(import.meta.url));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-build-'));
try {
  const env = { MEMTOOL_DB: path.join(scratch, 'memtool.db') };
  // as src/main.ts does
  const runs: readonly Run[] = [
    (load('reading') as { run: Run }).run,
    (load('searching') as { run: Run }).run,
    (load('writing') as { run: Run }).run,
    (load('cli') as { runCli: Run }).runCli,
  ];
  for (const call of CALLS) for (const run of runs) if ((await run(call, env)) !== undefined) break;
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith('.cjs') && file !== 'memtool.cjs'))
    load(path.basename(name, '.cjs'));
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
for (const [name, script] of scripts) {
  const file = path.join(output, codeCacheName(name));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, script.createCachedData());
}
