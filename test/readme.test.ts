import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shell } from './helpers/memtool.ts';
import { tempFolder } from './helpers/temp-folder.ts';
import { OPERATIONS } from '../src/ops/registry.ts';

const ULID = /\b[0-9A-HJKMNP-TV-Z]{26}\b/g;

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The `$ command` lines of the console blocks, with the output printed below them. */
function examplesOf(file: string): Example[] {
  const blocks = [...fs.readFileSync(file, 'utf8').matchAll(/```console\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((text) => {
      const heredoc = /^[^\n]*<<'EOF'\n.*?\nEOF\n/s.exec(text)?.[0] ?? text.slice(0, text.indexOf('\n') + 1);
      return { command: heredoc.trimEnd(), output: text.slice(heredoc.length) };
    });
}

describe('the examples', () => {
  test.each([
    ['README.md', 10],
    ['README.zh-CN.md', 10],
  ])('of %s print what the page says', async (file, least) => {
    using folder = tempFolder();
    const examples = examplesOf(file);
    expect(examples.length).toBeGreaterThan(least);
    let lastId = '';
    for (const { command, output } of examples) {
      const ran = await shell(`${command.replaceAll(ULID, lastId)}${command.includes('EOF') ? '\n' : ' </dev/null'}`, {
        cwd: folder.path,
      });
      lastId = ran.stdout.match(ULID)?.[0] ?? lastId;
      const plain = (text: string): string =>
        text
          .replaceAll(ULID, 'ID')
          .replaceAll(`${fs.realpathSync(folder.path)}/`, '/path/')
          .replaceAll(/  \d[\d.e-]*$/gm, '  SCORE');
      expect(`$ ${command}\n${plain(ran.stdout)}`).toBe(`$ ${command}\n${plain(output)}`);
    }
  });
});

test('both pages have the same examples', () => {
  expect(examplesOf('README.zh-CN.md')).toEqual(examplesOf('README.md'));
});

/** The sections of a page: how many blocks (paragraphs, lists, tables, code) each has, and where its links lead. */
function sectionsOf(file: string) {
  const text = fs.readFileSync(file, 'utf8').replaceAll(/```.*?```/gs, 'code');
  return text.split(/^#+ .*$/m).map((section) => ({
    blocks: section.split(/\n\n+/).filter((block) => block.trim() !== '').length,
    links: Array.from(section.matchAll(/\]\((.*?)\)/g), ([, target = '']) => target.replace(/^README.*/, 'README')),
  }));
}

test('both pages have the same sections, with as many blocks and the same links', () => {
  expect(sectionsOf('README.zh-CN.md')).toEqual(sectionsOf('README.md'));
});

test.each(['README.md', 'README.zh-CN.md'])('%s names the two commands, and every command once', (file) => {
  const text = fs.readFileSync(file, 'utf8');
  expect(text).toContain('npm ci && npm run demo');
  expect(text).toContain('npm ci && npm test');
  const rows = text.split('\n').filter((line) => /^\| `[a-z]+`/.test(line));
  const named = rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([a-z]+)`/g), ([, name]) => name),
  );
  expect(named.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
});
