import fs from 'node:fs';
import { expect, test } from 'vitest';

test('every test that docs/field-cases.md names exists', () => {
  const rows = fs
    .readFileSync('docs/field-cases.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| B\d+ /.test(line));
  expect(rows.length).toBeGreaterThan(90);
  for (const row of rows) {
    const [, file, name] = /\| (test\/\S+): (.*) \|$/.exec(row) ?? [];
    const text = file === undefined ? row : fs.readFileSync(file, 'utf8');
    expect([row, text.includes(name ?? row)]).toEqual([row, true]);
  }
});
