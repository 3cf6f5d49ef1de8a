import fs from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generate.ts';

test.each(Object.entries(generatedFiles()))('%s is fresh', (file, content) => {
  expect(fs.readFileSync(file, 'utf8')).toBe(content);
});

test('docs/commands.md describes every field of a memory, with its default and limits', () => {
  const page = fs.readFileSync('docs/commands.md', 'utf8');
  const table = page.slice(page.indexOf('\n| field |'), page.indexOf('\nIt is identified'));
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \| (.+) \|$/gm)];
  expect(rows.map(([, name, type, start, limits]) => [name, type, start, limits])).toEqual([
    ['id', 'string', 'a new ULID', 'up to 128 characters'],
    ['type', '`project`, `feature`, `run`', 'required', ''],
    ['task_id', 'string or null', '`null`', 'up to 512 characters'],
    ['step_id', 'string or null', '`null`', 'up to 512 characters'],
    ['key', 'string or null', '`null`', 'up to 512 characters'],
    ['content', 'string', 'required', 'up to 16 MiB of UTF-8'],
    ['tags', 'array of strings', '`[]`', 'up to 100, of up to 512 characters each'],
    ['source', 'string or null', '`null`', 'up to 512 characters'],
    ['weight', 'number', '`1`', '0 to 10'],
    ['version', 'integer', '1', '1 or more'],
    ['created_at', 'string', 'now', ''],
    ['updated_at', 'string', 'now', ''],
    ['confidence_level', '`high`, `medium`, `low`', '`medium`', ''],
    ['verified_by', 'string or null', '`null`', 'up to 512 characters'],
  ]);
});
