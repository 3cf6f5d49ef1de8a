import { describe, expect, test } from 'vitest';
import { command, either, flag, joined, sentence, shellText, type Text } from '../../src/core/sentence.ts';

const DB = '/data/my notes.db';
const TO_DB = "--db '/data/my notes.db'";

describe('a sentence on a command line', () => {
  test.each<[text: Text, plain: string, withDatabase: string]>([
    [command('list'), 'memtool list', `memtool list ${TO_DB}`],
    [
      sentence`see: ${command('list')}; or: ${command('search', ['WORDS'])}`,
      'see: memtool list; or: memtool search WORDS',
      `see: memtool list ${TO_DB}; or: memtool search ${TO_DB} WORDS`,
    ],
    [
      command('get', ['01J9'], { max_chars: 5 }),
      'memtool get 01J9 --max-chars 5',
      `memtool get ${TO_DB} 01J9 --max-chars 5`,
    ],
    // after -- nothing is a flag
    [
      command('get', ['-x', 'y'], { max_chars: 5 }),
      'memtool get --max-chars 5 -- -x y',
      `memtool get ${TO_DB} --max-chars 5 -- -x y`,
    ],
    [
      command('restore', { version: 2 }, ['-x']),
      'memtool restore --version 2 -- -x',
      `memtool restore ${TO_DB} --version 2 -- -x`,
    ],
    [
      command('list', { deleted: true, type: undefined, tag: ['a b', 'c'] }),
      "memtool list --deleted --tag 'a b,c'",
      `memtool list ${TO_DB} --deleted --tag 'a b,c'`,
    ],
    [command('put', { id: 'ID', tag: '…' }), 'memtool put --id ID --tag …', `memtool put ${TO_DB} --id ID --tag …`],
    // a command for a named database keeps it
    [command('init', { db: 'x y.db' }), "memtool init --db 'x y.db'", "memtool init --db 'x y.db'"],
    [
      sentence`git diff | ${command('recommend', { context: '-' })}`,
      'git diff | memtool recommend --context -',
      `git diff | memtool recommend ${TO_DB} --context -`,
    ],
    [command('put', "… <<'EOF'"), "memtool put … <<'EOF'", `memtool put ${TO_DB} … <<'EOF'`],
    // stored names, whatever they look like
    [
      command('list', { task_id: "it's: memtool list; a --db b" }),
      "memtool list --task-id 'it'\\''s: memtool list; a --db b'",
      `memtool list ${TO_DB} --task-id 'it'\\''s: memtool list; a --db b'`,
    ],
    [sentence`no item has ${'fix: memtool list'}`, 'no item has fix: memtool list', 'no item has fix: memtool list'],
    ['fix: memtool list', 'fix: memtool list', 'fix: memtool list'],
    [sentence`try ${flag('if_version')} ${3}`, 'try --if-version 3', 'try --if-version 3'],
    [sentence`give ${either('--file', 'text')}`, 'give --file', 'give --file'],
    [joined(['a', sentence`b ${command('stats')}`], '; '), 'a; b memtool stats', `a; b memtool stats ${TO_DB}`],
  ])('%#: %j', (text, plain, withDatabase) => {
    expect(shellText(text)).toBe(plain);
    expect(shellText(text, DB)).toBe(withDatabase);
  });
});
