import { beforeAll, describe, expect, test } from 'vitest';
import { flagName } from '../../src/core/flag-name.ts';
import { OPERATIONS } from '../../src/ops/registry.ts';
import { memtool, runCommand } from '../helpers/memtool.ts';

test.each(['bash', 'zsh', 'fish', 'powershell'])('completion %s names every command and flag', async (name) => {
  const { stdout, code } = await memtool(['completion', name]);
  expect(code).toBe(0);
  const words = OPERATIONS.flatMap(({ name: command, params }) => [command, ...Object.keys(params).map(flagName)]);
  for (const word of [...words, 'mixed', 'overwrite']) expect(stdout).toContain(word);
  if (name === 'bash') expect((await runCommand('bash', ['-n'], { input: stdout })).stderr).toBe('');
});

describe('bash completes', () => {
  let script = '';
  beforeAll(async () => {
    script = (await memtool(['completion', 'bash'])).stdout;
  });
  /** The replies to a tab after the last of the words, as bash divides them. */
  async function complete(...words: string[]): Promise<string> {
    const line = ['memtool', ...words].map((word) => `'${word}'`).join(' ');
    const run = `COMP_WORDS=(${line}) COMP_CWORD=${words.length}; _memtool; echo "\${COMPREPLY[*]}"`;
    const { stdout, stderr } = await runCommand('bash', ['-c', `${script}\n${run}`]);
    expect(stderr).toBe('');
    return stdout.trim();
  }

  test.each([
    ['se', 'search'],
    ['he', 'help'],
    ['version', 'version'],
    ['help sea', 'search'],
    ['help search --exc', '--exclude-stale'],
    ['--db x help rec', 'recommend'],
    ['put --key help --cle', '--clear'],
    ['list --exc', '--exclude-stale'],
    ['list --sort-by mi', 'mixed'],
    ['list --sort-by rel', ''],
    ['search --sort-by rel', 'relevance'],
    ['put --confidence-level ', 'high medium low'],
    ['list --fields ke', 'key'],
    ['list --fields id,ke', 'id,key'],
    ['put --clear tags,so', 'tags,source'],
    ['--format ', 'json text'],
    ['schema pu', 'put purge'],
    ['completion z', 'zsh'],
    ['export --output package-l', 'package-lock.json'],
    ['eval --queries package-l', 'package-lock.json'],
    ['eval --save package-l', 'package-lock.json'],
    ['import --input package-l', 'package-lock.json'],
    ['put --file package-l', 'package-lock.json'],
    ['--db package-l', 'package-lock.json'],
  ])('%j with %j', async (line, replies) => {
    expect(await complete(...line.split(' '))).toBe(replies);
  });

  test('values after an equals sign, at which bash divides words, unless it is told not to', async () => {
    expect(await complete('list', '--type', '=', 'fe')).toBe('feature');
    expect(await complete('list', '--type=fe')).toBe('--type=feature');
    expect(await complete('list', '--type', '=')).toBe('project feature run');
    expect(await complete('list', '--fields', '=', 'id,ke')).toBe('id,key');
    expect(await complete('--db', '=', 'package-l')).toBe('package-lock.json');
    expect(await complete('list', '--type', '=', 'run', '--sort-by', 'mi')).toBe('mixed');
  });

  test.each([
    'put --content ',
    'put --content --',
    'put --key --ty',
    'list --limit ',
    'list --since ',
    'history x --diff ',
    'history x --diff 1 ',
    'restore x --version ',
    'list --tags ',
    'list -- ',
    'list -- --ty',
  ])('nothing in %j, where any text may follow', async (line) => {
    expect(await complete(...line.split(' '))).toBe('');
  });

  test('the flags of the command, wherever it is and whatever the values are called', async () => {
    expect(await complete('--db', 'list', 'put', '--cle')).toBe('--clear');
    expect(await complete('--db', '=', 'list', 'put', '--cle')).toBe('--clear');
    expect(await complete('put', '--key', 'list', '--cle')).toBe('--clear');
    expect(await complete('list', '--since', '2026-01-01T00', ':', '00', '--exc')).toBe('--exclude-stale');
    expect(await complete('history', 'x', '--diff', '1', '2', '--fie')).toBe('--fields');
    expect(await complete('restore', 'x', '--ver')).toBe('--version');
    expect(await complete('--version', 'lis')).toBe('list');
  });
});
