import path from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, runCommand, workspace, type Ran } from '../helpers/memtool.ts';

const INSPECTOR = path.join(
  path.dirname(path.dirname(import.meta.dirname)),
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** Makes one request to the server through the command-line mode of the MCP Inspector. */
function inspect(folder: { readonly path: string }, ...args: string[]): Promise<Ran> {
  const server = [process.execPath, PROGRAM, 'mcp', '--db', path.join(folder.path, 'memtool.db')];
  return runCommand(process.execPath, [INSPECTOR, '--cli', ...args, '--', ...server], {
    cwd: folder.path,
    env: { HOME: folder.path },
  });
}

test('the MCP Inspector lists the tools, finds nothing wrong with their schemas, and calls them', async () => {
  using folder = await workspace();
  const list = await inspect(folder, '--method', 'tools/list', '--strict');
  expect([list.code, list.stderr]).toEqual([0, '']);
  expect(JSON.parse(list.stdout).tools).toHaveLength(7);

  const stored = await inspect(
    folder,
    '--method',
    'tools/call',
    '--tool-name',
    'memory_store',
    '--tool-arg',
    'text=部署前先跑迁移',
    'category=decision',
  );
  expect(JSON.parse(stored.stdout)).toMatchObject({ structuredContent: { action: 'stored' } });
  const found = await inspect(
    folder,
    '--method',
    'tools/call',
    '--tool-name',
    'memory_search',
    '--tool-arg',
    'query=迁移',
    'limit=3',
  );
  expect(JSON.parse(found.stdout)).toMatchObject({ structuredContent: { results: [{ tags: ['decision'] }] } });
  const refused = await inspect(
    folder,
    '--method',
    'tools/call',
    '--tool-name',
    'memory_search',
    '--tool-arg',
    'query=x',
    'limit=99',
  );
  expect(JSON.parse(refused.stdout)).toMatchObject({ isError: true });
});

test('the MCP Inspector reads resources and prompts', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'project', '--key', 'glossary', '--content', '灰度: staged rollout');
  const { stdout } = await inspect(folder, '--method', 'resources/read', '--uri', 'memtool://recent');
  expect(JSON.parse(stdout).contents[0].text).toContain('> 灰度: staged rollout');
  const prompts = await inspect(folder, '--method', 'prompts/list');
  expect(JSON.parse(prompts.stdout)).toMatchObject({ prompts: [{ name: 'memory' }] });
});
