import fs from 'node:fs';
import { fileProblem, isMemtoolError, MemtoolError, systemCode } from '../core/errors.ts';
import { AGAIN, command, sentence } from '../core/sentence.ts';
import { number, text } from './rows.ts';
import { connectForReading } from './connect.ts';
import { SALVAGE } from './check-file.ts';
import { COMPANIONS, createPrivate, hasLog, PRIVATE_MODE } from './file-access.ts';
import type { OpenFile } from './open-file.ts';
import { asFileError, changedWhileRead, isCorruption } from './sqlite-errors.ts';

/** The number of items in a copy, and its size. */
export interface Copy {
  readonly items: number;
  readonly bytes: number;
}

/** Writes the last committed state of a database into an empty file, through a separate connection. Throws an error of
 * the file system when that file cannot be written; SQLite's other errors are thrown unchanged. */
export function vacuumInto(file: string, target: string): void {
  const { db, hasChanged } = connectForReading(file);
  try {
    writing(target, () => db.prepare('vacuum into ?').run(target));
    if (hasChanged()) throw changedWhileRead(file);
  } finally {
    db.close();
  }
}

/** Runs the work that writes a copy. When it fails, removes what SQLite left beside the copy, and throws an error of
 * writing as one of the file system, since it is not about the database that is copied. */
function writing<T>(target: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    for (const suffix of COMPANIONS) fs.rmSync(`${target}${suffix}`, { force: true });
    throw asFileError(error);
  }
}

/** Creates an empty file beside a database, mode 0600, under an unused name, and returns its path. Throws DB_ERROR when
 * that fails. */
export function fileBeside(file: string, suffix: string): string {
  for (let n = 1; ; n += 1) {
    const target = `${file}.${suffix}${n === 1 ? '' : `-${n}`}`;
    try {
      createPrivate(target, 'wx');
      return target;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw cannotCopy(file, error);
    }
  }
}

/** Writes a consistent copy of the last committed state of a database, without free pages, into `target`, an empty
 * file; others may keep writing meanwhile. Then checks the copy (SQLite's integrity check, which includes the FTS5
 * index) and flushes it to disk. Throws DB_ERROR when the copy is not sound, and errors as `vacuumInto` does. */
export function copyDatabase(file: string, target: string): Copy {
  vacuumInto(file, target);
  return writing(target, () => completeCopy(file, target));
}

/** Checks a copy, puts it in WAL mode, and flushes it to disk. */
function completeCopy(file: string, target: string): Copy {
  const copy = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(target);
  try {
    const problem = text(copy.prepare('pragma integrity_check(1)').get() ?? {}, 'integrity_check');
    if (problem !== 'ok') throw unsound(file, problem);
    // the copy is not in WAL mode, in which readers and a writer do not block each other
    copy.exec('pragma journal_mode = wal');
    const items = number(copy.prepare('select count(*) as items from memory_items').get() ?? {}, 'items');
    copy.close();
    flush(target);
    return { items, bytes: fs.statSync(target).size };
  } finally {
    if (copy.isOpen) copy.close();
  }
}

/** Copies a database beside itself before a repair, mode 0600, under an unused name: a checked copy if possible, else
 * byte for byte with its -wal file. Call it while the write lock is held. Returns the path. */
export function copyBeforeFix(open: OpenFile): string {
  const { path: file } = open;
  const target = fileBeside(file, 'before-fix');
  try {
    copyDatabase(file, target);
    return target;
  } catch (error) {
    fs.truncateSync(target);
    if (!isCorruption(error) && !isMemtoolError(error)) {
      fs.rmSync(target, { force: true });
      throw systemCode(error) === undefined ? error : cannotCopy(file, error);
    }
  }
  try {
    copyBytes(open, target);
    return target;
  } catch (error) {
    removeCopy(target);
    throw systemCode(error) === undefined ? error : cannotCopy(file, error);
  }
}

/** Removes a copy that `copyBeforeFix` has made. */
export function removeCopy(copy: string): void {
  for (const suffix of ['', '-wal']) fs.rmSync(`${copy}${suffix}`, { force: true });
}

/** The DB_ERROR for a copy that could not be written beside the database. */
export function cannotCopy(file: string, error: unknown): MemtoolError {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '');
  const what = isFull ? 'disk is full' : `the database could not be copied: the copy ${fileProblem(error)}`;
  return new MemtoolError('DB_ERROR', `${what}; nothing was changed: ${file}`, {
    hint: sentence`${isFull ? 'free some space' : 'make sure that a file can be created'} in the folder of the database, and ${AGAIN}`,
    context: { db: file },
    cause: error,
  });
}

function copyBytes(open: OpenFile, target: string): void {
  open.copyTo(target);
  if (!hasLog(open.path)) return;
  fs.copyFileSync(`${open.path}-wal`, `${target}-wal`);
  fs.chmodSync(`${target}-wal`, PRIVATE_MODE);
  flush(`${target}-wal`);
}

function flush(file: string): void {
  const fd = fs.openSync(file, 'r+');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function unsound(file: string, problem: string): MemtoolError {
  return new MemtoolError('DB_ERROR', `the copy is damaged and was discarded: ${problem}`, {
    hint: sentence`see what is wrong with: ${command('doctor')}; save what can be read with: ${SALVAGE}`,
    context: { db: file },
  });
}
