import type { DatabaseSync } from 'node:sqlite';
import { pause } from '../core/pause.ts';
import type { OpenFile } from './open-file.ts';
import { number } from './rows.ts';
import { BUSY_TIMEOUT_MS, busy, isBusy } from './sqlite-errors.ts';

/** A connection, and the file that it was opened on. */
export interface OpenDatabase {
  readonly db: DatabaseSync;
  readonly file: OpenFile;
}

/** Runs `work` in one IMMEDIATE transaction: the write lock is taken first, so that what is read inside cannot change
 * before it is written. Any error rolls everything back and is rethrown; with `end` = `rollback` everything is rolled
 * back in any case. `work` must be synchronous. Throws DB_ERROR if another file has taken the place of this one, before
 * anything is written, or after the commit if it happened during that. */
export function transaction<T>(
  { db, file }: OpenDatabase,
  work: () => T extends Promise<unknown> ? never : T,
  end: 'commit' | 'rollback' = 'commit',
): T {
  db.exec('begin immediate');
  let result: T;
  try {
    file.refuseReplaced();
    result = work();
    file.refuseReplaced();
    db.exec(end);
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
  if (end === 'commit') file.refuseReplaced('what was written went into the old file');
  return result;
}

/** Pause between two attempts of `whileBusy`, in milliseconds. */
const PAUSE_MS = 5;

/** Runs work that SQLite may report as busy, again and again for up to `BUSY_TIMEOUT_MS`: for what SQLite does not wait
 * for itself, or what has to be checked before each attempt. */
export function whileBusy<T>(work: () => T): T {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      pause(PAUSE_MS);
    }
  }
}

/** Runs work with a connection that waits for no lock. */
export function withoutWaiting<T>(db: DatabaseSync, work: () => T): T {
  const timeout = number(db.prepare('pragma busy_timeout').get() ?? {}, 'timeout');
  db.exec('pragma busy_timeout = 0');
  try {
    return work();
  } finally {
    db.exec(`pragma busy_timeout = ${timeout}`);
  }
}

/** Moves the whole log into the file, and empties it, as soon as nobody reads an older state. Throws SQLite's error for
 * a locked database when that takes too long. */
export function emptyLog({ db, file }: OpenDatabase): void {
  withoutWaiting(db, () =>
    whileBusy(() => {
      file.refuseReplaced('its log was not emptied');
      if (number(db.prepare('pragma wal_checkpoint(truncate)').get() ?? {}, 'busy') !== 0) throw busy();
    }),
  );
}

/** Rewrites the file without its free pages. This is no part of a transaction, and SQLite waits for a lock before it:
 * so the waiting is done here, where it is checked before each attempt that the file has not been replaced. */
export function vacuum({ db, file }: OpenDatabase): void {
  withoutWaiting(db, () =>
    whileBusy(() => {
      file.refuseReplaced('it was not rewritten');
      db.exec('vacuum');
    }),
  );
  file.refuseReplaced('what was written went into the old file');
}
