import { expect, test } from 'vitest';
import { withDatabase } from '../../src/ops/database-in-hints.ts';

test.each([
  ['memtool list', 'memtool list --db x.db'],
  ['see: memtool list; or: memtool search WORDS', 'see: memtool list --db x.db; or: memtool search --db x.db WORDS'],
  ['git diff | memtool recommend --context -', 'git diff | memtool recommend --db x.db --context -'],
  ['see: memtool put --help', 'see: memtool put --help'],
  ['see: memtool list --db other.db', 'see: memtool list --db other.db'],
  ['one: memtool list --db other.db; or: memtool list', 'one: memtool list --db other.db; or: memtool list --db x.db'],
  ['did you mean memtool list?', 'did you mean memtool list?'],
  // stored names
  ["list: memtool list --task-id 'a --db b'", "list: memtool list --db x.db --task-id 'a --db b'"],
  ["list: memtool list --task-id 'fix: memtool list'", "list: memtool list --db x.db --task-id 'fix: memtool list'"],
  ["list: memtool list --task-id 'a; b --db c'", "list: memtool list --db x.db --task-id 'a; b --db c'"],
  ['no item has "fix: memtool list"', 'no item has "fix: memtool list"'],
  ['no item has "say \\": memtool list"', 'no item has "say \\": memtool list"'],
  ["don't worry: memtool list; isn't it", "don't worry: memtool list --db x.db; isn't it"],
])('the commands of %j get the database, and nothing else does', (text, expected) => {
  expect(withDatabase(text, 'x.db')).toBe(expected);
});
