import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { number } from './rows.ts';
import { isSharedMemoryLocked, isThereAndLocked } from './check-file.ts';
import { BUSY_TIMEOUT_MS, hasNoRoomToShare, cannotBeWritten, readOnly, sqliteCode } from './sqlite-errors.ts';

export function userVersion(db: DatabaseSync): number {
  const row = db.prepare('pragma user_version').get();
  return row === undefined ? 0 : number(row, 'user_version');
}

/** Loaded here, not at the top: a command without a database never pays for it. */
function sqlite() {
  return process.getBuiltinModule('node:sqlite');
}

/** A connection that may write. Throws the read-only error of SQLite before that opens a file which this user cannot
 * write: it would leave a -wal and a -shm beside it that nobody can write any more. */
export function connectForWriting(file: string): DatabaseSync {
  if (isThereAndLocked(file) || isSharedMemoryLocked(file)) throw readOnly();
  return connect(file);
}

function connect(file: string, timeout = BUSY_TIMEOUT_MS): DatabaseSync {
  return new (sqlite().DatabaseSync)(file, { timeout, enableForeignKeyConstraints: true });
}

/** How often to look again for what several processes have left to each other. Range 1 to 10: once in hundreds of
 * closes at one moment is a second look needed at all. */
const MOST_LOOKS = 3;

/** Folds in a -wal file that lies beside the file though this process has closed it. SQLite leaves that to the last one
 * to close, and of several that close at one moment each may see the other's lock. Where somebody has the database
 * open, it is theirs: nothing is waited for, and nothing fails. */
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

/** A connection for reading. */
export interface ReadingConnection {
  readonly db: DatabaseSync;
  /** True where the file has changed since it was opened and SQLite, which was told that nobody would, has not kept
   * what was read to one state. */
  readonly hasChanged: () => boolean;
}

/** A connection that writes nothing: `query_only` refuses every change. It is not opened with SQLite's read-only flag
 * where the folder can be written, since such a connection leaves its -wal and -shm files behind, and cannot fold in
 * what a killed writer left in them. A folder that cannot be written, or a disk that is full, has nobody to change the
 * file, so that it may be read as immutable. So is a file that this user cannot write, while nobody has it open: SQLite
 * would leave a -wal and a -shm beside it that its owner cannot write to. */
export function connectForReading(file: string): ReadingConnection {
  if (isThereAndLocked(file) && !fs.existsSync(`${file}-wal`)) return connectUnshared(file);
  const db = connect(file);
  try {
    userVersion(db);
    return { db, hasChanged: () => false };
  } catch (error) {
    db.close();
    const isUnshared = cannotBeWritten(error) || hasNoRoomToShare(error);
    if (!isUnshared || hasLog(file)) throw error;
  }
  return connectUnshared(file);
}

/** Reads a file that nobody is writing to, without anything beside it. */
function connectUnshared(file: string): ReadingConnection {
  const before = stampOf(file);
  const url = process.getBuiltinModule('node:url').pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const db = new (sqlite().DatabaseSync)(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  return { db, hasChanged: () => stampOf(file) !== before };
}

/** What differs once a file has been written to or replaced. */
function stampOf(file: string): string {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Whether there is something in a -wal file that has to be folded in. */
function hasLog(file: string): boolean {
  return (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
