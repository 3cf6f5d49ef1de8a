import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { memtool } from '../helpers/memtool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

test('a leading ~ is the home folder in every path, also where a shell does not expand it', async () => {
  using home = tempFolder();
  using elsewhere = tempFolder();
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { code, json } = await memtool(args, { cwd: elsewhere.path, env: { HOME: home.path, ...env } });
    return { code, ...json };
  };
  const db = path.join(home.path, 'memories/x.db');
  const MEMTOOL_DB = '~/memories/x.db';
  expect(await run([`--db=${MEMTOOL_DB}`, 'init'])).toMatchObject({ code: 0, db, created: true });
  home.file('note.txt', 'from a file');
  expect(await run(['put', '--type', 'run', '--key', 'k', '--file=~/note.txt'], { MEMTOOL_DB })).toMatchObject({
    code: 0,
  });
  for (const [command, file] of [
    ['export', 'out.jsonl'],
    ['backup', 'copy.db'],
  ] as const)
    expect(await run([command, `--output=~/${file}`], { MEMTOOL_DB })).toMatchObject({ output: home.file(file) });
  expect(await run(['import', '--input=~/out.jsonl'], { MEMTOOL_DB })).toMatchObject({ unchanged: 1 });
  home.file('q.jsonl', '{"query":"file","relevant":["k"]}\n');
  const questions = ['eval', '--queries=~/q.jsonl'];
  expect(await run([...questions, '--save=~/figures.jsonl'], { MEMTOOL_DB })).toMatchObject({ recall: 1 });
  expect(await run([...questions, '--compare=~/figures.jsonl'], { MEMTOOL_DB })).toMatchObject({
    compared: { queries: 1 },
  });
  // a command in a hint works as it is
  expect(await run(['list', '--db', '~/memories/x.db', '--key', 'none'])).toMatchObject({ total: 0 });
  expect(await run(['list', '--db=~/none.db'])).toMatchObject({
    code: 2,
    message: `no database at ${home.file('none.db')}`,
  });
  expect(await run(['list', '--db=~'])).toMatchObject({
    code: 2,
    message: `the database path is a folder: ${home.path}`,
  });
  // names that only begin so are names, and so is ./~
  expect(await run(['init', '--db=~x.db'])).toMatchObject({ db: elsewhere.file('~x.db') });
  expect(await run(['init', '--db=./~/x.db'])).toMatchObject({ db: elsewhere.file('~/x.db') });
  expect(fs.readdirSync(home.path).toSorted()).toEqual([
    'copy.db',
    'figures.jsonl',
    'memories',
    'note.txt',
    'out.jsonl',
    'q.jsonl',
  ]);
  expect(
    (await memtool(['mcp', '--db=~/x.db', '--print-config', 'json'], { env: { HOME: home.path } })).stdout,
  ).toContain(home.file('x.db'));
  await memtool(['mcp', '--init', '--db=~/served.db'], { cwd: elsewhere.path, env: { HOME: home.path } });
  expect(fs.existsSync(home.file('served.db'))).toBe(true);
});
