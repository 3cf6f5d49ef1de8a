import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const PAGES = [
  ...fs.readdirSync('.').filter((name) => name.endsWith('.md')),
  ...fs.readdirSync('docs').map((name) => `docs/${name}`),
];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): string[] {
  const text = fs.readFileSync(file, 'utf8').replaceAll(/```.*?```/gs, '');
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(PAGES)('the links of %s lead to files and headings that exist', (page) => {
  const text = fs.readFileSync(page, 'utf8').replaceAll(/```.*?```/gs, '');
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? page : path.join(path.dirname(page), file);
    expect([target, fs.existsSync(found)]).toEqual([target, true]);
    if (anchor !== undefined) expect([target, anchorsOf(found).includes(anchor)]).toEqual([target, true]);
  }
});

/** A page that a text mentions, and a heading or word of it: `docs/ranking.md, *The scan*`, `docs/ranking.md, The sets.` */
const MENTION = /(docs\/[\w-]+\.md)(?:, (?:\*([^*]+)\*|([A-Z][a-z]+(?: [a-z]+)*)(?=[,.)])))?/g;

test('the pages that texts and comments mention exist, and have what is mentioned', () => {
  const sources = ['src', 'scripts'].flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
  const mentioned = [...sources, ...PAGES].flatMap((file) => {
    const text = fs.readFileSync(file, 'utf8').replaceAll(/\n *(?:\*|\/\/)? */g, ' ');
    return Array.from(text.matchAll(MENTION), ([mention, page = '', starred, plain]) => {
      const part = starred ?? plain ?? '';
      return { file, mention, isThere: fs.existsSync(page) && fs.readFileSync(page, 'utf8').includes(part), part };
    });
  });
  expect(mentioned.filter(({ part }) => part !== '').length).toBeGreaterThan(5);
  expect(mentioned.filter(({ isThere }) => !isThere)).toEqual([]);
});
