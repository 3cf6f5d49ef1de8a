import { expect, test } from 'vitest';
import { workspace } from '../helpers/memtool.ts';
import { mcpSession } from '../helpers/mcp.ts';

test.each(['legacy', 'auto'] as const)('notes are resources: the newest, and each by its id (%s)', async (protocol) => {
  using folder = await workspace();
  await folder.pipe('{"id":"a/b c?#%","type":"run","content":"odd id"}\n', 'import', '--input', '-');
  await folder.run('put', '--type', 'project', '--key', 'glossary', '--content', '灰度: staged rollout\n第二行');
  await using session = await mcpSession(folder.file('memtool.db'), { protocol });
  const { client } = session;
  const { resources } = await client.listResources();
  // the titles by which a user chooses are stored text, in quotes
  expect(resources.map(({ title }) => title).toSorted()).toEqual(['"glossary"', '"odd id"', 'Recent notes']);
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'memtool://item/{id}' }]);

  const read = async (uri: string): Promise<string> => {
    const [content] = (await client.readResource({ uri })).contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  const recent = await read('memtool://recent');
  expect(recent).toContain('> 灰度: staged rollout 第二行\n');
  expect(recent).toContain('> odd id\n');
  const odd = resources.find(({ name }) => name === 'a/b c?#%');
  expect(await read(odd?.uri ?? '')).toContain('> odd id\n');
  const item = resources.find(({ title }) => title === '"glossary"');
  expect(await read(item?.uri ?? '')).toMatch(/key glossary .*\n> 灰度: staged rollout\n> 第二行\n<\/stored-notes>$/);
  await expect(read('memtool://item/nosuch')).rejects.toThrow(/nosuch/);
  await expect(read('memtool://item/%FF')).rejects.toThrow(/%FF/);
});

test('a long title is truncated between characters, and ids that no URL can contain are not listed', async () => {
  using folder = await workspace();
  await folder.run('put', '--type', 'run', '--content', `${'a'.repeat(58)}😀 tail`);
  await folder.pipe('{"id":"..","type":"run","content":"step"}\n', 'import', '--input', '-');
  await using session = await mcpSession(folder.file('memtool.db'));
  const { resources } = await session.client.listResources();
  expect(resources.map(({ title }) => title).toSorted()).toEqual([`"${'a'.repeat(58)}😀…"`, 'Recent notes']);
});

test('the newest 20 notes are listed and are in the recent ones', async () => {
  using folder = await workspace();
  const lines = Array.from({ length: 22 }, (_, at) =>
    JSON.stringify({ type: 'run', content: `note ${at}.`, updated_at: new Date(Date.UTC(2026, 0, 1 + at)) }),
  );
  await folder.pipe(lines.join('\n'), 'import', '--input', '-');
  await using session = await mcpSession(folder.file('memtool.db'));
  const newest = Array.from({ length: 20 }, (_, at) => `note ${21 - at}.`);
  const { resources } = await session.client.listResources();
  expect(resources.map(({ title }) => title)).toEqual(['Recent notes', ...newest.map((text) => `"${text}"`)]);
  const { contents } = await session.client.readResource({ uri: 'memtool://recent' });
  expect(JSON.stringify(contents).match(/note \d+\./g)).toEqual(newest);
});

test('resources of a missing database report that it is missing', async () => {
  using folder = await workspace();
  await using session = await mcpSession(folder.file('other.db'));
  expect((await session.client.listResources()).resources.map(({ name }) => name)).toEqual(['recent']);
  await expect(session.client.readResource({ uri: 'memtool://recent' })).rejects.toMatchObject({
    message: expect.stringContaining('other.db'),
    data: { error: 'PARAM_ERROR', hint: expect.stringContaining('memtool init') },
  });
});

test('the prompt names the moments to search and to store, and includes the task', async () => {
  using folder = await workspace();
  await using session = await mcpSession(folder.file('memtool.db'));
  expect((await session.client.listPrompts()).prompts).toMatchObject([
    { name: 'memory', arguments: [{ name: 'task' }] },
  ]);
  const { messages } = await session.client.getPrompt({ name: 'memory', arguments: { task: '修复登录' } });
  const text = JSON.stringify(messages);
  for (const words of ['before you edit a file', 'a failing test was understood', 'states a preference', '修复登录'])
    expect(text).toContain(words);
  expect((await session.client.getPrompt({ name: 'memory' })).messages).toHaveLength(1);
});
