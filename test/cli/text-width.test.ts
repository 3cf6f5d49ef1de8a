import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { table } from '../../src/cli/text/layout.ts';
import { text, textIn, textOnTerminal, workspace, type Workspace } from '../helpers/memtool.ts';

describe('the width of a line', () => {
  test('no column is truncated because of wide characters in the one before', async () => {
    using folder = await workspace();
    const task = '登录任务编号一二三四五六七八九十';
    await folder.run('put', '--type', 'feature', '--task-id', task, '--key', '中文键名', '--content', '登录接口');
    const { stdout } = await textIn(100, folder, 'recommend', '登录接口');
    expect(stdout.split('\n')[1]).toMatch(/ 登录任务编号\S*…  +medium .* \d\.\d{3}$/);
  });

  const LONG = {
    id: '01M8JJ4E3Y37YDTR67V8V58A2M',
    type: 'run',
    task_id: '登录任务编号一二三四五六七八九十',
    key: 'reproduction',
    content: `灰度发布 ${'先放百分之五的流量'.repeat(30)}`,
    updated_at: '2020-01-01T00:00:00Z',
  };
  async function withLong(): Promise<Workspace> {
    const folder = await workspace();
    await folder.pipe(JSON.stringify(LONG), 'import');
    return folder;
  }

  test.each([70, 99])('in lines of %d columns a list shows each content under its row', async (columns) => {
    using folder = await withLong();
    for (const { stdout } of [await textIn(columns, folder, 'list'), await textOnTerminal(columns, folder, 'list')]) {
      const lines = stripVTControlCharacters(stdout).replaceAll('\r', '').trimEnd().split('\n');
      const [head, row, content] = lines;
      expect(head).toMatch(/ UPDATED$/);
      expect(head).not.toContain('CONFIDENCE');
      expect(row).toMatch(/^01M8JJ4E3Y37YDTR67V8V58A2M {2}run {3}repro.*\d+y ago$/);
      expect(content).toMatch(/^ {4}灰度发布 先放.*…$/);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
  });

  test.each([30, 60])('in lines of %d columns each field has its own line, and none is lost', async (columns) => {
    using folder = await withLong();
    const fields = [
      'ID          01M8JJ4E3Y37YDTR67V8V58A2M',
      'TYPE        run',
      'KEY         reproduction',
      'TASK/STEP   登录任务编号一二三四五六七八九十',
      'CONFIDENCE  medium',
      expect.stringMatching(/^UPDATED {5}\d+y ago$/),
    ];
    const listed = (await textIn(columns, folder, 'list')).stdout.split('\n');
    expect(listed.slice(0, 6)).toEqual(fields);
    expect(listed[6]).toMatch(/^ {4}灰度发布.*…$/);
    expect(stringWidth(listed[6] ?? '')).toBeLessThanOrEqual(columns);
    const { stdout } = await textOnTerminal(columns, folder, 'search', '灰度');
    const onTerminal = stripVTControlCharacters(stdout).split('\r\n');
    expect(onTerminal.slice(0, 7)).toEqual([...fields, expect.stringMatching(/^SCORE {7}\d\.\d+$/)]);
  });

  test('items whose fields have their own lines are set apart', async () => {
    using folder = await withLong();
    await folder.pipe(JSON.stringify({ ...LONG, id: 'second', content: 'x' }), 'import');
    const { stdout } = await textIn(40, folder, 'list');
    expect(stdout).toMatch(/^ID {10}\S+\n(?:.+\n){6}\nID {10}\S+\n(?:.+\n){6}2 of 2\n$/);
  });

  test('where stdout is no terminal only the beginning of a content is cut', async () => {
    using folder = await workspace();
    const id = 'x'.repeat(128);
    const key = 'k'.repeat(300);
    const item = { id, type: 'run', key, task_id: 't'.repeat(200), content: 'needle 内容 '.repeat(200) };
    await folder.pipe(JSON.stringify(item), 'import');
    for (const command of [['list'], ['search', 'needle'], ['recommend', 'needle'], ['history', id]]) {
      const { stdout } = await text(folder, ...command);
      expect(stdout).toContain(key);
      if (command[0] !== 'history') expect(stdout).toContain(` ${item.task_id} `);
      if (command[0] !== 'history') expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
      expect(stdout).toMatch(/needle 内容 needle 内容.*…$/m);
      expect(stdout).not.toContain(item.content.trim());
    }
    const { stdout } = await text(folder, 'list', '--fields', 'id,content,key');
    expect(stdout).toMatch(/^x{128} {2}k{300} {2}needle.{100,150}…$/m);
    expect((await text(folder, 'get', id)).stdout).toContain(item.content.trim());
  });

  test.each([1, 9, 19])('a line of %d columns is laid out as one of 20', async (columns) => {
    using folder = await workspace();
    await folder.pipe(JSON.stringify({ ...LONG, content: 'abcdefghi '.repeat(30) }), 'import');
    const { stdout } = await textIn(columns, folder, 'list');
    expect(stdout.split('\n')[6]).toBe('    abcdefghi abcde…');
    expect(stdout).toBe((await textIn(20, folder, 'list')).stdout);
  });

  test.each([40, 100, 130])('an id is whole in lines of %d columns', async (columns) => {
    using folder = await workspace();
    const id = 'x'.repeat(128);
    await folder.pipe(JSON.stringify({ id, type: 'run', content: 'needle' }), 'import');
    for (const command of [['list'], ['search', 'needle'], ['recommend', 'needle'], ['list', '--fields', 'id,key']])
      expect((await textIn(columns, folder, ...command)).stdout).toMatch(new RegExp(`\\b${id}$|^${id}\\b`, 'm'));
  });

  test.each(['0', '-5', 'wide', '', '1e2'])('COLUMNS=%s is no width', async (columns) => {
    using folder = await withLong();
    expect((await textIn(columns, folder, 'list')).stdout).toBe((await text(folder, 'list')).stdout);
  });

  test('a long key does not push out other columns', async () => {
    using folder = await workspace();
    const item = { id: 'ccc', type: 'run', key: 'k'.repeat(512), content: 'long words '.repeat(30) };
    await folder.pipe(JSON.stringify(item), 'import');
    const { stdout } = await textIn(100, folder, 'list');
    for (const line of stdout.trimEnd().split('\n').slice(0, -1)) expect(line.length).toBeLessThanOrEqual(100);
    expect(stdout).toMatch(/^ID .*KEY .*TASK\/STEP .*CONFIDENCE .*UPDATED .*CONTENT/);
    expect(stdout).toMatch(/ccc  run .*k…  -  .*medium .*long words/);
  });
});

test.each([30, 50, 80])('doctor cuts no message in lines of %d columns', async (columns) => {
  using folder = await workspace();
  const { checks } = (await folder.run('doctor')).json as { checks: { name: string; message: string }[] };
  const { stdout } = await textIn(columns, folder, 'doctor');
  const together = stdout.replaceAll(/\s/g, '');
  for (const { name, message } of checks) expect(together).toMatch(`${name}ok${message}`.replaceAll(/\s/g, ''));
  for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
});

test('a table may have as many rows as an item has versions', () => {
  const rows = Array.from({ length: 200_000 }, (_, at) => [String(at), 'update']);
  expect(table(['VERSION', 'CHANGE'], rows).split('\n')).toHaveLength(rows.length + 1);
});
