import type { DatabaseSync } from 'node:sqlite';
import { number } from './rows.ts';
import { LATER_INDEXES, MAKE_LATER_INDEXES } from './schema.ts';
import type { Statements } from './statement.ts';

/** Most items with which any write creates the indexes: each item takes about 6 microseconds, during which the write
 * lock is held. With more, other processes, which wait 5 s at most, might fail: doctor --fix creates them then. Range
 * 10,000 to 500,000. */
const MOST_ITEMS = 200_000;
/** The same for the rows of the history, which take about 1 microsecond each, more if they are read from the disk. */
const MOST_VERSIONS = 1_000_000;

const NAMES = Object.keys(LATER_INDEXES);
const IS_LATER_INDEX = `type = 'index' and name in (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/** Creates the later indexes that are missing, unless that would take long. */
export function makeLaterIndexes(db: DatabaseSync, statements: Statements): void {
  const { there } = statements.read(`select count(*) as there from sqlite_master where ${IS_LATER_INDEX}`).get() ?? {};
  if (there !== NAMES.length && areMadeByWrites(db)) db.exec(MAKE_LATER_INDEXES);
}

/** True when the next write creates what is missing. Judged by the highest rowids, which are at least the numbers of
 * rows. */
export function areMadeByWrites(db: DatabaseSync): boolean {
  const row = db
    .prepare(`
      select ifnull((select max(seq) from memory_items), 0) as items,
        ifnull((select max(seq) from memory_history), 0) as versions`)
    .get();
  return number(row ?? {}, 'items') <= MOST_ITEMS && number(row ?? {}, 'versions') <= MOST_VERSIONS;
}

/** True for the name of an index that a database may lack. */
export function isLaterIndex(name: string): boolean {
  return Object.hasOwn(LATER_INDEXES, name);
}
