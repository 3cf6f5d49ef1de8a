import { isMemtoolError, MemtoolError, messageOf } from '../core/errors.ts';
import { AGAIN, command, sentence, shellWord, type Text } from '../core/sentence.ts';
import { REPAIR, restoreBackupHint, SALVAGE, unlockHint } from './check-file.ts';
import { beginningOf, hasHotJournal, hasLog, isSharedMemoryLocked, isThereAndLocked } from './file-access.ts';

/** How long a call waits for another process's lock, in milliseconds. Source: contract, section 2. */
export const BUSY_TIMEOUT_MS = 5000;

/** True for characters that a text has. */
function isText(beginning: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return beginning !== '' && !/[\0-\x08\x0e-\x1f\ufffd]/.test(beginning);
}

/** SQLite's primary result codes with their own remedy. Source: sqlite.org/rescode.html. */
const SqliteCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

/** SQLITE_IOERR_SHMSIZE: the disk has no room for the shared-memory file (-shm). */
const NO_ROOM_TO_SHARE = 4874;

/** SQLITE_IOERR_READ. */
const CANNOT_READ = 266;

/** FTS5's messages for a damaged table of the index, reported under the code of an invalid statement. */
const INDEX_DAMAGE = /^(?:invalid fts5 file format|vtable constructor failed: memory_fts)/;

/** True when the disk is too full even for an ordinary read of a database. */
export function hasNoRoomToShare(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === NO_ROOM_TO_SHARE;
}

/** The error for damage that SQLite has not detected itself, in the form that node:sqlite throws. */
export function damage(message: string): Error {
  return Object.assign(new Error(message), { errcode: SqliteCode.corrupt });
}

/** The error for a database that cannot be written, when that is detected before SQLite is called. */
export function readOnly(): Error {
  return Object.assign(new Error('attempt to write a readonly database'), { errcode: SqliteCode.readOnly });
}

/** The error for a lock that another process holds, where SQLite only returns that. */
export function busy(): Error {
  return Object.assign(new Error('database is locked'), { errcode: SqliteCode.busy });
}

/** True when a column holds a number that node:sqlite cannot return: memtool writes none, so the page is damaged. */
function isImpossibleNumber(error: Error): boolean {
  return (error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE' && error.message.startsWith('Value is too large');
}

/** SQLite's primary result code of an error thrown by node:sqlite; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code = error instanceof Error ? (error as { errcode?: unknown }).errcode : undefined;
  if (code === NO_ROOM_TO_SHARE) return SqliteCode.full;
  if (error instanceof Error && (INDEX_DAMAGE.test(error.message) || isImpossibleNumber(error)))
    return SqliteCode.corrupt;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** The error of a file that SQLite cannot write, in the form of the file system's errors, for files other than the
 * database of the call; any other error unchanged. */
export function asFileError(error: unknown): unknown {
  const code = sqliteCode(error);
  const isWriteError = code === SqliteCode.io && (error as { errcode?: unknown }).errcode !== CANNOT_READ;
  if (code !== SqliteCode.full && !isWriteError) return error;
  return Object.assign(new Error(messageOf(error), { cause: error }), {
    code: code === SqliteCode.full ? 'ENOSPC' : 'EIO',
    syscall: 'write',
  });
}

export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SqliteCode.corrupt || code === SqliteCode.notADatabase;
}

/** True when a statement names an index that does not exist. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('no such index: ');
}

/** True when another process holds a lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SqliteCode.busy;
}

/** True when rows do not meet a condition of their table. */
export function isConstraint(error: unknown): boolean {
  return sqliteCode(error) === SqliteCode.constraint;
}

/** True when the file, or one that SQLite has to create beside it, cannot be written. */
export function cannotBeWritten(error: unknown): boolean {
  return sqliteCode(error) === SqliteCode.readOnly || sqliteCode(error) === SqliteCode.cannotOpen;
}

/** Turns an error of SQLite into a DB_ERROR that says what the caller can do; returns other errors unchanged. */
export function toDbError(error: unknown, dbPath: string): unknown {
  const code = sqliteCode(error);
  if (code === undefined || isMemtoolError(error)) return error;
  const [message, hint] = describe(code, dbPath, messageOf(error));
  return new MemtoolError('DB_ERROR', message, {
    hint,
    retryable: code === SqliteCode.busy || code === SqliteCode.locked,
    context: { db: dbPath },
    cause: error,
  });
}

/** What a caller who follows the hint for a damaged database runs: the check first, then the salvage. */
export type Remedy = 'check' | 'salvage';

/** The error of a damaged database for a caller who has already followed its hint, with the next one; returns other
 * errors unchanged. */
export function afterRemedy(error: unknown, dbPath: string, tried: Remedy): unknown {
  if (!isMemtoolError(error) || sqliteCode(error.cause) !== SqliteCode.corrupt) return error;
  const hint =
    tried === 'check'
      ? sentence`save what can be read with: ${SALVAGE}; or ${restoreBackupHint(dbPath)}`
      : sentence`memtool cannot read any more of it: ${restoreBackupHint(dbPath)}; or recover what is left with sqlite3 3.43 or newer: sqlite3 ${shellWord(dbPath)} .recover > recovered.sql`;
  return new MemtoolError(error.code, error.message, { hint, context: error.context, cause: error.cause });
}

/** The error for a file that was opened as immutable and changed while it was read. */
export function changedWhileRead(dbPath: string): MemtoolError {
  return new MemtoolError('DB_ERROR', `the database was changed while it was being read: ${dbPath}`, {
    hint: AGAIN,
    retryable: true,
    context: { db: dbPath },
  });
}

/** What to do about a file that is no database. Only one that may have been one is to be replaced by a backup: a text,
 * such as an export, is probably named by mistake. */
function otherFileHint(dbPath: string): Text {
  const beginning = beginningOf(dbPath);
  const lines = command('import', { db: 'memtool.db', input: dbPath });
  if (/^\s*\{"/.test(beginning))
    return sentence`memtool has not changed it; check --db; to import lines of JSON into a database: ${lines}`;
  if (isText(beginning)) return 'memtool has not changed it; it is a text: check --db and MEMTOOL_DB';
  return sentence`memtool has not changed it; check --db; if it was a memtool database, ${restoreBackupHint(dbPath)}`;
}

/** How to read a database whose last state is not in its file alone; undefined if it is. */
function unfinishedHint(dbPath: string): string | undefined {
  const where = 'only be read where the file and its folder are writable: run memtool once as their owner';
  const remedy = `${where}, or copy both files into a folder that is`;
  if (hasLog(dbPath)) return `${dbPath}-wal holds writes that can ${remedy}`;
  if (hasHotJournal(dbPath))
    return `another program was killed during a write, which ${dbPath}-journal undoes; the database can ${remedy}`;
  return undefined;
}

/** SQLite's message for a file of another program with our schema version, or one of ours that lacks a table. */
const OUR_TABLE_IS_MISSING = /^no such table: (?:memory_items|memory_history|meta)$/;

function describe(code: number, dbPath: string, sqliteMessage: string): [message: string, hint: Text] {
  switch (code) {
    case SqliteCode.busy:
    case SqliteCode.locked:
      return [
        `database is locked by another process (waited ${BUSY_TIMEOUT_MS} ms): ${dbPath}`,
        'another process is writing; retry after 1 to 2 seconds, at most three times',
      ];
    case SqliteCode.readOnly:
      return [
        `database is read-only: ${dbPath}`,
        isSharedMemoryLocked(dbPath) && !isThereAndLocked(dbPath)
          ? unlockHint(dbPath)
          : (unfinishedHint(dbPath) ?? 'make the file and its folder writable, or use another --db'),
      ];
    case SqliteCode.full:
      return [`disk is full; nothing was changed: ${dbPath}`, sentence`free some space and ${AGAIN}`];
    case SqliteCode.notADatabase:
      return [`file is not a database: ${dbPath}`, otherFileHint(dbPath)];
    case SqliteCode.corrupt:
      return [
        `database is damaged: ${dbPath}`,
        sentence`this call has not written to it; see whether it can be repaired with: ${command('doctor')}; save what can be read with: ${SALVAGE}; or ${restoreBackupHint(dbPath)}`,
      ];
    case SqliteCode.cannotOpen:
      return [
        `cannot open the database: ${dbPath}`,
        unfinishedHint(dbPath) ??
          'check the permissions of the file and its folder; if they are not writable, memories can only be read',
      ];
    case SqliteCode.io:
      return [
        `disk error: ${sqliteMessage}: ${dbPath}`,
        sentence`check the disk and its free space, then run: ${command('doctor')}`,
      ];
    default:
      if (OUR_TABLE_IS_MISSING.test(sqliteMessage))
        return [
          `not a memtool database, or one of its tables is missing (${sqliteMessage}): ${dbPath}`,
          sentence`choose another file with --db; if memory_items is there, missing tables are recreated by: ${REPAIR}`,
        ];
      return [`${sqliteMessage}: ${dbPath}`, sentence`run: ${command('doctor')}`];
  }
}
