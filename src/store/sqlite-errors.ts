import { MemtoolError, isMemtoolError, shellWord } from '../core/errors.ts';
import { isSharedMemoryLocked, unlockHint } from './check-file.ts';

/** How long a call waits for another process's lock, in milliseconds. Source: contract, section 2. */
export const BUSY_TIMEOUT_MS = 5000;

/** SQLite's primary result codes that have a remedy of their own. Source: sqlite.org/rescode.html. */
const SqliteCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** The extended code of a disk that has no room for the memory that processes share (the -shm file):
 * SQLITE_IOERR_SHMSIZE. */
const NO_ROOM_TO_SHARE = 4874;

/** How FTS5 says that a table of its own is damaged, under the code of a mistake in the statement. */
const INDEX_DAMAGE = /^(?:invalid fts5 file format|vtable constructor failed: memory_fts)/;

/** True when the disk is too full even to read a database in the ordinary way. */
export function hasNoRoomToShare(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === NO_ROOM_TO_SHARE;
}

/** The error of damage that SQLite has not seen itself: as node:sqlite would throw it. */
export function damage(message: string): Error {
  return Object.assign(new Error(message), { errcode: SqliteCode.corrupt });
}

/** The error of a database that cannot be written, where that is seen before SQLite is asked. */
export function readOnly(): Error {
  return Object.assign(new Error('attempt to write a readonly database'), { errcode: SqliteCode.readOnly });
}

/** True where a column holds a number beyond those that memtool writes: node:sqlite cannot give it, and only a damaged
 * page has it. */
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

export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SqliteCode.corrupt || code === SqliteCode.notADatabase;
}

/** True when a statement names an index that is not there. */
export function isMissingIndex(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('no such index: ');
}

/** True when another process holds a lock. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === SqliteCode.busy;
}

/** True where the file, or one that SQLite has to make beside it, cannot be written. */
export function cannotBeWritten(error: unknown): boolean {
  return sqliteCode(error) === SqliteCode.readOnly || sqliteCode(error) === SqliteCode.cannotOpen;
}

/** Turns an error of SQLite into the DB_ERROR that says what a caller can do; other errors come back as they are. */
export function toDbError(error: unknown, dbPath: string): unknown {
  const code = sqliteCode(error);
  if (code === undefined || isMemtoolError(error)) return error;
  const [message, hint] = describe(code, dbPath, error instanceof Error ? error.message : String(error));
  return new MemtoolError('DB_ERROR', message, {
    hint,
    retryable: code === SqliteCode.busy || code === SqliteCode.locked,
    context: { db: dbPath },
    cause: error,
  });
}

/** The error of a damaged database for one who has done what its hint says: anything else comes back as it is. */
export function withoutRemedy(error: unknown, dbPath: string): unknown {
  if (!isMemtoolError(error) || sqliteCode(error.cause) !== SqliteCode.corrupt) return error;
  const hint = `memtool can read no more of it: restore a backup, or save what there is with: sqlite3 ${shellWord(dbPath)} .recover`;
  return new MemtoolError(error.code, error.message, { hint, context: error.context, cause: error.cause });
}

/** The error of a read that was told nobody would change the file, where somebody did. */
export function changedWhileRead(dbPath: string): MemtoolError {
  return new MemtoolError('DB_ERROR', `the database was changed while it was read: ${dbPath}`, {
    hint: 'run the command again',
    retryable: true,
    context: { db: dbPath },
  });
}

/** A file of another program that has the number of our schema. */
const OUR_TABLE_IS_MISSING = /^no such table: (?:memory_items|memory_history|meta)$/;

function describe(code: number, dbPath: string, sqliteMessage: string): [message: string, hint: string] {
  switch (code) {
    case SqliteCode.busy:
    case SqliteCode.locked:
      return [
        `database is locked by another process (waited ${BUSY_TIMEOUT_MS} ms): ${dbPath}`,
        'another process is writing; retry after 1 to 2 seconds, three times at most',
      ];
    case SqliteCode.readOnly:
      return [
        `database is read-only: ${dbPath}`,
        isSharedMemoryLocked(dbPath)
          ? unlockHint(dbPath)
          : 'make the file and its folder writable, or use another --db',
      ];
    case SqliteCode.full:
      return [`disk is full; nothing was changed: ${dbPath}`, 'free some space and run the command again'];
    case SqliteCode.notADatabase:
      return [`file is not a database: ${dbPath}`, 'memtool has not changed it; check --db, or restore a backup'];
    case SqliteCode.corrupt:
      return [
        `database is damaged: ${dbPath}`,
        'memtool has not changed it; see whether it can be mended with: memtool doctor; save what can be read with: memtool export --salvage --output memories.jsonl; or restore a backup',
      ];
    case SqliteCode.cannotOpen:
      return [
        `cannot open the database: ${dbPath}`,
        'check the permissions of the file and of its folder; where these cannot be written, memories can be read alone',
      ];
    case SqliteCode.io:
      return [`disk error: ${sqliteMessage}: ${dbPath}`, 'check the disk and its free space, then run: memtool doctor'];
    default:
      if (OUR_TABLE_IS_MISSING.test(sqliteMessage))
        return [
          `not a memtool database, or one of its tables is missing (${sqliteMessage}): ${dbPath}`,
          'choose another file with --db; tables that are missing beside the items are made anew with: memtool doctor --fix',
        ];
      return [`${sqliteMessage}: ${dbPath}`, 'run: memtool doctor'];
  }
}
