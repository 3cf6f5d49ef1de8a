import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in one IMMEDIATE transaction: the write lock is taken first, so that what is read inside cannot change
 * before it is written. Any error rolls everything back and is rethrown; with `end` = `rollback` everything is rolled
 * back in any case. `work` must be synchronous. */
export function transaction<T>(
  db: DatabaseSync,
  work: () => T extends Promise<unknown> ? never : T,
  end: 'commit' | 'rollback' = 'commit',
): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec(end);
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
