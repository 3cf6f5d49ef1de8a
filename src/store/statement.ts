import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares a statement that changes rows. `run` then counts in BigInt: FTS5 gives rows of its own tables ids beyond 2^53, SQLite remembers the
 * last one as the last inserted rowid, and node:sqlite would refuse to report it as a number, whatever the statement itself did. */
export function prepareWrite(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}
