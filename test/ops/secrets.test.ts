import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayHoldSecret } from '../../src/core/secret-hints.ts';
import { findSecrets, ruleNames } from '../../src/ops/secret-finder.ts';
import { errorOf, stdinOf, tempStore, type Output, type TestStore } from '../helpers/store.ts';

const letters = (count: number): string => 'aB3dEfGh1jKlMn0pQrStUvWxYz'.repeat(20).slice(0, count);
const hex = (count: number): string => '0123456789abcdef'.repeat(20).slice(0, count);

/** A part of a secret: keeps the secret from appearing in one piece in this file. */
const part = (text: string): string => text;

/** One made-up secret for each rule, assembled so that no scanner mistakes this file for a leak. */
const SECRETS: Readonly<Record<string, string>> = {
  aws: `AWS_SECRET_ACCESS_KEY="${part('wJalrXUtnFEMI/K7MDENG/')}${part('bPxRfiCYzzzzzzzKEY')}"`,
  privatekey: `-----BEGIN RSA ${part('PRIVATE KEY')}-----\nMII${letters(150)}\n-----END RSA ${part('PRIVATE KEY')}-----`,
  npm: `np${part('m')}_${letters(36)}`,
  basicauth: `https://user:${part('passw0rdxyz')}@example.com/x`,
  slack: `xox${part('b')}-123456789012-1234567890123-${part('abcdefghijklmnopqrstuvwx')}`,
  sendgrid: `SG${part('.')}${letters(22)}.${letters(43)}`,
  shopify: `shp${part('at')}_${hex(32)}`,
  stripe: `sk_${part('live')}_${letters(24)}`,
  github: `gh${part('p')}_${letters(36)}`,
  gitlab: `gl${part('pat')}-${letters(20)}`,
  grafana: `gl${part('sa')}_${letters(32)}_${hex(8)}`,
  openai: `sk-${letters(20)}${part('T3Blbk')}FJ${letters(20)}`,
  anthropic: `sk-${part('ant')}-api03-${letters(93)}AA`,
  groq: `gs${part('k')}_${letters(52)}`,
  huggingface: `h${part('f')}_${part('abcdefghijklmnopqrstuvwxyzABCDEFGH')}`,
  linear: `lin_${part('api')}_${letters(40)}`,
  notion: `nt${part('n')}_12345678901${letters(35)}`,
  'database-connection-string': `mongodb://admin:${part('hunter2pass')}@db.example.com/x`,
  'hashicorp-vault': `hv${part('s')}.${letters(95)}`,
  vercel: `vc${part('p')}_${letters(40)}`,
  databricks: `dap${part('i')}${hex(32)}`,
  docker: `dckr_${part('pat')}_${letters(27)}`,
  figma: `fig${part('d')}_${letters(43)}`,
};
/** Rules for which no secret can be made up without its checksum or a whole file; their prefixes are among the hints
 * too. */
const WITHOUT_EXAMPLE = ['gcp', '1password', 'cloudflare', 'tailscale'];

describe('secrets', () => {
  test('have rules that this test knows: a new one needs its prefix among the hints', () => {
    expect(ruleNames().toSorted()).toEqual([...Object.keys(SECRETS), ...WITHOUT_EXAMPLE].toSorted());
  });
  test.each(Object.entries(SECRETS))('of %s are found, and the hints do not miss them', async (rule, secret) => {
    for (const text of [secret, `数据库 ${secret} 之后`, `token=${secret}\n`, `密码是${secret}`, `é${secret}`]) {
      expect((await findSecrets(text)).map((found) => found.rule)).toContain(rule);
      expect(mayHoldSecret(text)).toBe(true);
    }
  });
  test.each([
    `postgres://admin:密码${part('abc123')}@db.example.com/x`,
    `连接串postgres://root:口令${part('xyz789')}@db.example.com/数据x 之后`,
  ])('in mixed Chinese and ASCII are found verbatim: %s', async (text) => {
    const secrets = await findSecrets(text);
    expect(secrets.length).toBeGreaterThan(0);
    for (const { value } of secrets) expect(text).toContain(value);
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: text, redact: true });
    const { item } = await store.run('get', { id: [id] });
    expect(item.content).toContain('[REDACTED:');
    expect(item.content).not.toMatch(/abc123|xyz789/);
  });
  test('are not found in ordinary texts', async () => {
    const seeds = path.join(import.meta.dirname, '../fixtures/texts');
    for (const name of fs.readdirSync(seeds)) {
      expect(await findSecrets(fs.readFileSync(path.join(seeds, name), 'utf8'))).toEqual([]);
    }
  });
  test('are never missed by the hints if the rules find one', async () => {
    const piece = fc.constantFrom(...Object.values(SECRETS), ' ', '数据', 'x', '"', '\n', '=', 'http://');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const text = pieces.join('');
        if ((await findSecrets(text)).length > 0) expect(mayHoldSecret(text)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

const [TOKEN, KEY] = [SECRETS['github'] ?? '', SECRETS['aws'] ?? ''];
/** A secret that is shorter than its replacement. */
const SHORT = `mysql://ab:${part('hunter2')}@h1`;
const OTHER_TOKEN = TOKEN.replace('aB3d', 'zZ9y');
const warning = (what: string) => expect.stringContaining(what);

describe('put', () => {
  test('warns by field and rule, never with the value, and stores what was given', async () => {
    using store = await tempStore();
    const told = await store.run('put', { type: 'run', content: `使用 ${TOKEN}`, tag: ['a', TOKEN], source: 'plain' });
    expect(told.warnings).toEqual([warning('in content (rule github)'), warning('in tags (rule github)')]);
    expect(JSON.stringify(told)).not.toContain(TOKEN);
    expect((await store.run('get', { id: [told.id] })).item.content).toBe(`使用 ${TOKEN}`);
    expect(await store.run('put', { type: 'run', content: 'no secret' })).not.toHaveProperty('warnings');
  });
  test('--redact stores the rule in place of the secret, in every field, and nothing of the secret anywhere in the file', async () => {
    using store = await tempStore();
    const content = `${KEY} then ${TOKEN} and ${TOKEN}; secretlint-disable`;
    const { id, warnings } = await store.run('put', { type: 'run', key: TOKEN, content, redact: true });
    expect(warnings).toEqual([
      warning('in content (rule aws) was replaced'),
      warning('in content (rule github) was replaced'),
      warning('in key (rule github) was replaced'),
    ]);
    const { item } = await store.run('get', { id: [id] });
    expect(item.content).toBe(
      'AWS_SECRET_ACCESS_KEY="[REDACTED:aws]" then [REDACTED:github] and [REDACTED:github]; secretlint-disable',
    );
    expect(item.key).toBe('[REDACTED:github]');
    expect(fs.readFileSync(store.path).includes(TOKEN.slice(4))).toBe(false);
  });
  test.each([
    ['content', 'content', '[REDACTED:github]'],
    ['key', 'key', '[REDACTED:github]'],
    ['task_id', 'task_id', '[REDACTED:github]'],
    ['step_id', 'step_id', '[REDACTED:github]'],
    ['source', 'source', '[REDACTED:github]'],
    ['verified_by', 'verified_by', '[REDACTED:github]'],
    ['tag', 'tags', ['[REDACTED:github]']],
  ])('a secret in %s alone is found, replaced and refused', async (name, field, replaced) => {
    using store = await tempStore();
    const given = { type: 'run', content: 'x', [name]: name === 'tag' ? [TOKEN] : TOKEN };
    expect(await errorOf(store.run('put', { ...given, secrets: 'refuse' }))).toMatchObject({
      code: 'PARAM_ERROR',
      context: { field },
    });
    const { id, warnings } = await store.run('put', { ...given, redact: true });
    expect(warnings).toEqual([warning(`in ${field} (rule github) was replaced`)]);
    expect((await store.run('get', { id: [id] })).item[field]).toEqual(replaced);
    expect(fs.readFileSync(store.path).includes(TOKEN.slice(4))).toBe(false);
  });
  test('--redact replaces secrets in a content of any length, and leaves no part of one that begins with another', async () => {
    using store = await tempStore();
    const longer = `${SHORT}.internal.example`;
    const content = `${'long '.repeat(200)}${SHORT} and ${longer}`;
    const { id } = await store.run('put', { type: 'run', content, redact: true });
    const stored = (await store.run('get', { id: [id] })).item.content;
    expect(stored).toMatch(/^(long ){200}\[REDACTED:[a-z-]+\] and \[REDACTED:[a-z-]+\]/);
    expect(stored).not.toContain('internal.example');
  });
  test('--redact keeps one of the tags that become equal', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x', tag: [TOKEN, 'a', OTHER_TOKEN], redact: true });
    expect((await store.run('get', { id: [id] })).item.tags).toEqual(['[REDACTED:github]', 'a']);
  });
  test('a tag that is added is searched too', async () => {
    using store = await tempStore();
    const { id } = await store.run('put', { type: 'run', content: 'x', tag: ['a'] });
    const told = await store.run('put', { id, add_tag: [TOKEN, OTHER_TOKEN], redact: true });
    expect(told.warnings).toEqual([expect.stringContaining('in tags (rule github, 2 times)')]);
    expect((await store.run('get', { id: [id] })).item.tags).toEqual(['a', '[REDACTED:github]']);
    expect(await errorOf(store.run('put', { id, add_tag: [TOKEN], secrets: 'refuse' }))).toMatchObject({
      code: 'PARAM_ERROR',
    });
  });

  test('--secrets refuse changes nothing', async () => {
    using store = await tempStore();
    const error = await errorOf(store.run('put', { type: 'run', content: `x ${TOKEN}`, secrets: 'refuse' }));
    expect(error).toMatchObject({ code: 'PARAM_ERROR', hint: expect.stringContaining('--redact') });
    expect(`${error.message} ${JSON.stringify(error.context)}`).not.toContain(TOKEN);
    expect((await store.run('list')).total).toBe(0);
    expect(await store.run('put', { type: 'run', content: TOKEN, secrets: 'refuse', redact: true })).toMatchObject({
      action: 'inserted',
    });
  });
});

test('import and export warn, redact and refuse alike, versions included', async () => {
  using store = await tempStore();
  const lines = ['a', 'b'].map((id) => JSON.stringify({ id, type: 'run', content: `${id} ${TOKEN}` }));
  const stdin = () => ({ stdin: stdinOf(lines.join('\n')) });
  expect(await errorOf(store.run('import', { input: '-', secrets: 'refuse' }, stdin()))).toMatchObject({
    code: 'PARAM_ERROR',
    message: expect.stringContaining('rule github'),
  });
  expect(await store.run('import', { input: '-' }, stdin())).toMatchObject({
    inserted: 2,
    warnings: [warning('content of line 1, line 2 (rule github, 2 times) was left')],
  });
  await store.run('put', { id: 'a', content: 'clean now' });
  const output = path.join(store.folder, 'out.jsonl');
  expect(await store.run('export', { output, history: true })).toMatchObject({
    count: 2,
    warnings: [warning('content of a, b (rule github, 3 times)')],
  });
  expect(fs.readFileSync(output, 'utf8')).toContain(TOKEN);
  expect(await errorOf(store.run('export', { output, secrets: 'refuse' }))).toMatchObject({ code: 'PARAM_ERROR' });
  expect(fs.readFileSync(output, 'utf8')).toContain(TOKEN);
  await store.run('export', { output, history: true, redact: true });
  expect(fs.readFileSync(output, 'utf8')).not.toContain(TOKEN);
  expect(fs.readFileSync(output, 'utf8').match(/\[REDACTED:github\]/g)).toHaveLength(3);
  using other = await tempStore();
  const redacted = { stdin: stdinOf(lines.join('\n')) };
  expect(await other.run('import', { input: '-', redact: true }, redacted)).toMatchObject({
    warnings: [warning('(rule github, 2 times) was replaced')],
  });
  expect((await other.run('get', { id: ['b'] })).item.content).toBe('b [REDACTED:github]');
  expect(fs.readFileSync(other.path).includes(TOKEN.slice(4))).toBe(false);
});

test('an export to stdout redacts and refuses too, versions included; else it writes what is stored', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', content: `first ${TOKEN}` });
  await store.run('put', { id, content: 'clean now' });
  await store.run('put', { type: 'run', content: `second ${TOKEN}` });
  const texts = async (input: Record<string, unknown>): Promise<string[]> => {
    const { lines } = await store.run('export', { output: '-', history: true, ...input });
    return lines
      .map((line: string) => JSON.parse(line))
      .flatMap((item: Output) => [item.content, ...item.history.map((entry: Output) => entry.content)])
      .toSorted();
  };
  expect(await texts({})).toEqual(['clean now', 'clean now', `first ${TOKEN}`, `second ${TOKEN}`, `second ${TOKEN}`]);
  for (const secrets of ['warn', 'refuse']) {
    expect(await texts({ redact: true, secrets })).toEqual([
      'clean now',
      'clean now',
      'first [REDACTED:github]',
      'second [REDACTED:github]',
      'second [REDACTED:github]',
    ]);
  }
  const error = await errorOf(texts({ secrets: 'refuse' }));
  expect(error).toMatchObject({ code: 'PARAM_ERROR', message: expect.stringContaining('rule github') });
  expect(`${error.message} ${JSON.stringify(error.context)}`).not.toContain(TOKEN);
});

test('an import finds, redacts and refuses the secrets of earlier versions too', async () => {
  using store = await tempStore();
  const { id } = await store.run('put', { type: 'run', key: 'k', content: `first ${TOKEN}`, tag: [TOKEN] });
  await store.run('put', { id, content: 'clean now', tag: ['clean'] });
  const { lines } = await store.run('export', { history: true });
  const into = async (other: TestStore, input: Record<string, unknown>): Promise<Output> =>
    other.run('import', { input: '-', ...input }, { stdin: stdinOf(lines.join('\n')) });
  const found = ['content of line 1 (rule github)', 'tags of line 1 (rule github)'];
  using plain = await tempStore();
  expect((await into(plain, {})).warnings).toEqual(found.map((what) => warning(`${what} was left`)));
  expect((await plain.run('history', { id })).versions).toMatchObject([
    { content: 'clean now', tags: ['clean'] },
    { content: `first ${TOKEN}`, tags: [TOKEN] },
  ]);
  using other = await tempStore();
  expect(await errorOf(into(other, { secrets: 'refuse' }))).toMatchObject({ code: 'PARAM_ERROR' });
  expect((await other.run('list')).total).toBe(0);
  expect((await into(other, { redact: true })).warnings).toEqual(found.map((what) => warning(`${what} was replaced`)));
  expect((await other.run('history', { id })).versions).toMatchObject([
    { content: 'clean now', tags: ['clean'] },
    { content: 'first [REDACTED:github]', tags: ['[REDACTED:github]'] },
  ]);
  expect(fs.readFileSync(other.path).includes(TOKEN.slice(4))).toBe(false);
});

test('the first of many lines with secrets are named', async () => {
  using store = await tempStore();
  const lines = Array.from({ length: 8 }, (_, at) => ({ type: 'run', content: at === 1 ? 'clean' : `${at} ${TOKEN}` }));
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(await store.run('import', { input: '-' }, { stdin: stdinOf(input) })).toMatchObject({
    warnings: [warning('content of line 1, line 3, line 4, line 5, line 6 and 2 others (rule github, 7 times)')],
  });
});

test('keys that become the same once their secrets are replaced do not merge two items', async () => {
  using store = await tempStore();
  for (const [key, content] of [
    [TOKEN, 'first'],
    [`${TOKEN.slice(0, -1)}z`, 'second'],
  ])
    expect(await store.run('put', { type: 'run', key, content, redact: true })).toMatchObject({ action: 'inserted' });
  const { items } = await store.run('list');
  expect(items.map((item: { key: string; content: string }) => [item.key, item.content]).toSorted()).toEqual([
    ['[REDACTED:github]', 'first'],
    ['[REDACTED:github]', 'second'],
  ]);
});

test('a redacted key names its item where a version is given', async () => {
  using store = await tempStore();
  const put = (input: Record<string, unknown>): Promise<Output> =>
    store.run('put', { type: 'run', key: TOKEN, redact: true, ...input });
  const { id } = await put({ content: 'first', if_version: 0 });
  expect(await put({ content: 'second', if_version: 1 })).toMatchObject({ action: 'updated', id, version: 2 });
  for (const if_version of [0, 1, 3])
    expect(await errorOf(put({ content: 'third', if_version }))).toMatchObject({
      code: 'CONFLICT',
      context: { id, expected_version: if_version, current_version: 2 },
    });
  expect((await store.run('list')).items).toMatchObject([{ id, key: '[REDACTED:github]', content: 'second' }]);
});

test('a name that is too long once its secret is replaced is refused', async () => {
  using store = await tempStore();
  const key = `${'k'.repeat(512 - SHORT.length - 1)} ${SHORT}`;
  expect(await errorOf(store.run('put', { type: 'run', key, content: 'x', redact: true }))).toMatchObject({
    code: 'PARAM_ERROR',
    message: 'key is longer than 512 characters once its secret is replaced',
  });
  expect((await store.run('list')).total).toBe(0);
  const placeholder = '[REDACTED:database-connection-string]';
  const fits = `${'k'.repeat(512 - placeholder.length - 1)} ${SHORT}`;
  expect(await store.run('put', { type: 'run', key: fits, content: 'x', redact: true })).toMatchObject({
    key: `${'k'.repeat(512 - placeholder.length - 1)} ${placeholder}`,
  });
});

test('lines that are identified only by a key are not merged by replacing it', async () => {
  using store = await tempStore();
  const lines = [TOKEN, OTHER_TOKEN].map((key) => JSON.stringify({ type: 'run', key, content: 'x' }));
  const stdin = () => ({ stdin: stdinOf(lines.join('\n')) });
  const error = await errorOf(store.run('import', { input: '-', redact: true }, stdin()));
  expect(error).toMatchObject({ code: 'PARAM_ERROR', message: expect.stringContaining('cannot be replaced') });
  expect(`${error.message} ${JSON.stringify(error.context)}`).not.toContain(TOKEN);
  expect((await store.run('list')).total).toBe(0);
  const named = lines.map((line, at) => JSON.stringify({ id: `i${at}`, ...JSON.parse(line) }));
  expect(await store.run('import', { input: '-', redact: true }, { stdin: stdinOf(named.join('\n')) })).toMatchObject({
    inserted: 2,
  });
});
