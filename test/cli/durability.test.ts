import { expect, test } from 'vitest';
import { PROGRAM, runCommand, workspace } from '../helpers/memtool.ts';

/** Reports every flush and rename of a file on stderr: killing the process does not reveal a missing flush, only a
 * power cut would. */
const OBSERVER = `
const fs = require('node:fs');
const { openSync, fsyncSync, renameSync } = fs;
const files = new Map();
fs.openSync = (file, ...rest) => {
  const fd = openSync(file, ...rest);
  files.set(fd, String(file));
  return fd;
};
fs.fsyncSync = (fd) => {
  fs.writeSync(2, 'flush ' + files.get(fd) + '\\n');
  fsyncSync(fd);
};
fs.renameSync = (from, to) => {
  fs.writeSync(2, 'rename ' + from + '\\n');
  renameSync(from, to);
};`;

test.each([
  ['export', 'out.jsonl'],
  ['backup', 'copy.db'],
])('%s flushes the new file before it is renamed, and the folder after', async (command, name) => {
  using folder = await workspace();
  const observer = folder.file('observer.cjs', OBSERVER);
  const output = folder.file(name);
  const args = ['--require', observer, PROGRAM, '--db', folder.file('memtool.db'), command, '--output', output];
  const { code, stderr } = await runCommand(process.execPath, args);
  expect(code).toBe(0);
  const done = stderr.trimEnd().split('\n');
  const renamed = /^rename (.*)$/.exec(done[1] ?? '')?.[1];
  expect(renamed).toContain(folder.path);
  expect(renamed).not.toBe(output);
  expect(done).toEqual([`flush ${renamed}`, `rename ${renamed}`, `flush ${folder.path}`]);
});

/** Reports on stderr the `synchronous` level that is set on a connection. */
const SYNC_OBSERVER = `
const { DatabaseSync } = require('node:sqlite');
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  exec.call(this, sql);
  if (!/synchronous/.test(sql)) return;
  require('node:fs').writeSync(2, 'synchronous ' + this.prepare('pragma synchronous').get().synchronous + '\\n');
};`;

test.each([
  ['full', 2],
  ['Full', 2],
  ['normal', 1],
  ['', 1],
])('MEMTOOL_SYNC=%s makes SQLite write with synchronous %i', async (sync, expected) => {
  using folder = await workspace();
  const observer = folder.file('observer.cjs', SYNC_OBSERVER);
  const put = ['put', '--type', 'run', '--content', 'x'];
  const { code, stderr } = await runCommand(
    process.execPath,
    ['--require', observer, PROGRAM, '--db', folder.file('memtool.db'), ...put],
    { env: { MEMTOOL_SYNC: sync } },
  );
  expect([code, stderr]).toEqual([0, `synchronous ${expected}\n`]);
});
