import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { number } from './rows.ts';
import { hasHotJournal, hasLog, isSharedMemoryLocked, isThereAndLocked } from './file-access.ts';
import { BUSY_TIMEOUT_MS, cannotBeWritten, hasNoRoomToShare, readOnly, sqliteCode } from './sqlite-errors.ts';

export function userVersion(db: DatabaseSync): number {
  const row = db.prepare('pragma user_version').get();
  return row === undefined ? 0 : number(row, 'user_version');
}

/** Loaded on demand, so that a command without a database never pays for it. */
function sqlite() {
  return process.getBuiltinModule('node:sqlite');
}

/** A connection that may write. Throws SQLite's read-only error before SQLite opens a file that this user cannot write:
 * it would leave a -wal and a -shm file beside it that its owner cannot write. */
export function connectForWriting(file: string): DatabaseSync {
  if (isThereAndLocked(file) || isSharedMemoryLocked(file)) throw readOnly();
  return connect(file);
}

function connect(file: string, timeout = BUSY_TIMEOUT_MS): DatabaseSync {
  return new (sqlite().DatabaseSync)(file, { timeout, enableForeignKeyConstraints: true });
}

/** A database of its own, in a file that SQLite removes with the connection, or in memory while it is small. */
export function connectTemporary(): DatabaseSync {
  const db = new (sqlite().DatabaseSync)('');
  db.exec('pragma journal_mode = off; pragma synchronous = off'); // nothing is rolled back
  return db;
}

/** Most attempts to checkpoint a -wal file that several closing processes left to each other. Range 1 to 10: a second
 * attempt is needed once in hundreds of simultaneous closes. */
const MOST_LOOKS = 3;

/** Checkpoints a -wal file that is still there after this process has closed the database. SQLite leaves that to the
 * last process to close, and when several close at once, each may see another's lock. If another process has the
 * database open, the file is left to it: this function neither waits nor fails. */
export function foldInLeftLog(file: string): void {
  for (let look = 0; look < MOST_LOOKS && fs.existsSync(`${file}-wal`); look += 1) {
    if (!fs.existsSync(file) || isThereAndLocked(file) || isSharedMemoryLocked(file)) return;
    try {
      const db = connect(file, 0);
      try {
        userVersion(db);
      } finally {
        db.close();
      }
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      return;
    }
  }
}

export interface ReadingConnection {
  readonly db: DatabaseSync;
  /** True if the file was opened as immutable and has changed since: what was read may mix several states. */
  readonly hasChanged: () => boolean;
}

/** A connection for reading, on which `openStore` sets `query_only`. It is not opened with SQLite's read-only flag if
 * the folder can be written, since such a connection leaves its -wal and -shm files behind, and cannot checkpoint what
 * a killed writer left in them. In a folder that cannot be written, or on a full disk, nobody can change the file, so
 * it is read as immutable. So is a file that this user cannot write, while nobody has it open: SQLite would leave a
 * -wal and a -shm file beside it that its owner cannot write. */
export function connectForReading(file: string): ReadingConnection {
  if (isThereAndLocked(file) && !fs.existsSync(`${file}-wal`) && !hasHotJournal(file)) return connectUnshared(file);
  const db = connect(file);
  try {
    userVersion(db);
    return { db, hasChanged: () => false };
  } catch (error) {
    db.close();
    const isUnshared = cannotBeWritten(error) || hasNoRoomToShare(error);
    if (!isUnshared || hasLog(file) || hasHotJournal(file)) throw error;
  }
  return connectUnshared(file);
}

/** Opens a file that nobody is writing to as immutable, without any file beside it. */
function connectUnshared(file: string): ReadingConnection {
  const before = stampOf(file);
  const url = process.getBuiltinModule('node:url').pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const db = new (sqlite().DatabaseSync)(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return { db, hasChanged: () => stampOf(file) !== before };
}

/** Inode, size and modification time: they differ once a file has been written to or replaced. */
function stampOf(file: string): string {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}
