/** Shows the main features on real input: memories in Chinese and English from files, search, recommend, history,
 * export and import. The database is in a temporary folder, or at the path in MEMTOOL_DB. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.dirname(import.meta.dirname);
const PROGRAM = path.join(ROOT, 'dist/memtool.cjs');
const TEXTS = path.join(ROOT, 'test/fixtures/texts');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-demo-'));
const env = { ...process.env, MEMTOOL_DB: process.env['MEMTOOL_DB'] || path.join(folder, 'memtool.db') };

/** Prints and runs one command, and returns its stdout. Throws if it fails. */
function show(title: string, args: readonly string[], input?: string): string {
  const line = args.map((arg) => (/^[\w./=:,@-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ');
  console.log(
    `\n# ${title}\n$ ${input === undefined ? '' : '… | '}memtool ${line.replaceAll(`${ROOT}/`, '').replaceAll(folder, '$TMP')}`,
  );
  const ran = spawnSync(process.execPath, [PROGRAM, ...args], {
    env,
    encoding: 'utf8',
    ...(input === undefined ? { stdio: ['ignore', 'pipe', 'inherit'] } : { input }),
  });
  if (ran.status !== 0) throw new Error(`exit ${ran.status}: ${ran.stdout}`);
  console.log(ran.stdout.trimEnd().replaceAll(folder, '$TMP'));
  return ran.stdout;
}

const text = (file: string): string => path.join(TEXTS, file);

show('one SQLite file, made by init alone', ['init']);
show('a project memory, in Chinese, from a file', [
  'put',
  '--type',
  'project',
  '--key',
  'glossary',
  '--file',
  text('glossary.md'),
  '--tag',
  'zh',
  '--confidence',
  'high',
]);
const contract: { id: string } = JSON.parse(
  show(
    'a feature memory, from stdin',
    ['put', '--type', 'feature', '--task-id', 'login', '--key', 'contract', '--tag', 'api,zh'],
    fs.readFileSync(text('login-contract.md'), 'utf8'),
  ),
);
show('a run memory, in English, from a log', [
  'put',
  '--type',
  'run',
  '--task-id',
  'login',
  '--step-id',
  's1',
  '--key',
  'stacktrace',
  '--file',
  text('stacktrace.txt'),
  '--source',
  'ci log',
]);
show('an agent looks for a Chinese phrase, and pays for few tokens', [
  'search',
  '密码错误 返回什么',
  '--limit',
  '2',
  '--fields',
  'id,key,score,snippet',
]);
show('a person looks for an identifier', ['search', 'getUserById', '--format', 'text']);
show('what helps with the work at hand', [
  'recommend',
  '--context',
  '登录失败 重试 次数 限制',
  '--limit',
  '2',
  '--format',
  'text',
]);
show('the contract changes: the same key is updated, its version grows', [
  'put',
  '--type',
  'feature',
  '--task-id',
  'login',
  '--key',
  'contract',
  '--file',
  text('login-contract-v2.md'),
  '--confidence',
  'high',
]);
show('its history', ['history', contract.id, '--format', 'text']);
show('what changed', ['history', contract.id, '--diff', '1', '2', '--format', 'text']);
show('a delete', ['delete', contract.id]);
show('and its undo', ['restore', contract.id]);
const backup = path.join(folder, 'memories.jsonl');
show('a backup, one item a line', ['export', '--output', backup]);
show('another machine takes it over', ['--db', path.join(folder, 'other.db'), 'init']);
show('whole', ['--db', path.join(folder, 'other.db'), 'import', '--input', backup]);
show('a second time nothing changes', ['--db', path.join(folder, 'other.db'), 'import', '--input', backup]);
show('and all is well', ['doctor', '--format', 'text']);

const where = process.env['MEMTOOL_DB'] ? env.MEMTOOL_DB : 'a temporary folder, gone now (set MEMTOOL_DB to keep it)';
console.log(`\nThe demo is done. Its database: ${where}`);
fs.rmSync(folder, { recursive: true, force: true });
