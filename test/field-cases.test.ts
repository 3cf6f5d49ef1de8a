import fs from 'node:fs';
import { expect, test } from 'vitest';

/** Cases without a test: a long text can still rank before a short exact note (a known limit in docs/ranking.md). */
const WITHOUT_TEST = ['B055'];

interface Case {
  readonly row: string;
  readonly file: string;
  readonly title: string;
  /** What a test that runs for many values has in its table for this case. */
  readonly value: string | undefined;
}

const CASES = fs
  .readFileSync('docs/field-cases.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| B\d+ /.test(line) && !WITHOUT_TEST.some((id) => line.startsWith(`| ${id} `)))
  .map((row): Case => {
    const [, file = '', title = '', value] = /\| (test\/\S+): (.*?)(?:, with `([^`]+)`)? \|$/.exec(row) ?? [];
    return { row, file, title, value };
  });

/** A title with placeholders (`%j is read as %j`) names hundreds of tests: only with a value does it name one. */
const PLACEHOLDER = /%[sdifjo]|\$\w/;

/** The offset of a test in its file, by its whole title, or of a fault test by its comment; -1 if there is none. */
function placeOf(title: string, source: string, file: string): number {
  if (title === '') return -1;
  if (file.startsWith('test/faults/')) return source.indexOf(title);
  return Math.max(...["'", '"', '`'].map((quote) => source.indexOf(`${quote}${title}${quote}`)));
}

test('every case of docs/field-cases.md names a test that exists', () => {
  expect(CASES.length).toBeGreaterThan(90);
  for (const { row, file, title, value } of CASES) {
    const source = file === '' ? '' : fs.readFileSync(file, 'utf8');
    const at = placeOf(title, source, file);
    expect([row, at >= 0]).toEqual([row, true]);
    expect([row, value !== undefined]).toEqual([row, PLACEHOLDER.test(title)]);
    if (value === undefined) continue;
    const table = source.slice(source.lastIndexOf('.each(', at), at);
    expect([row, table.includes(value)]).toEqual([row, true]);
  }
});
