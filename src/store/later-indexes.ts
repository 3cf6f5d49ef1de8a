import type { DatabaseSync } from 'node:sqlite';
import { number } from './rows.ts';
import { LATER_INDEXES, MAKE_LATER_INDEXES } from './schema.ts';
import type { Statements } from './statement.ts';

/** Most items with which any write creates the indexes: each item takes about 6 microseconds, during which the write
 * lock is held. With more, other processes, which wait 5 s at most, might fail: doctor --fix creates them then. Range
 * 10,000 to 500,000. */
const MOST_ITEMS = 200_000;

const NAMES = Object.keys(LATER_INDEXES);
const IS_LATER_INDEX = `type = 'index' and name in (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/** Creates the later indexes that are missing, unless that would take long. */
export function makeLaterIndexes(db: DatabaseSync, statements: Statements): void {
  const { there } = statements.read(`select count(*) as there from sqlite_master where ${IS_LATER_INDEX}`).get() ?? {};
  if (there !== NAMES.length && areMadeByWrites(db)) db.exec(MAKE_LATER_INDEXES);
}

/** True when the next write creates what is missing. Judged by the highest rowid, which is at least the number of
 * items. */
export function areMadeByWrites(db: DatabaseSync): boolean {
  return number(db.prepare('select ifnull(max(seq), 0) as last from memory_items').get() ?? {}, 'last') <= MOST_ITEMS;
}

/** True for the name of an index that a database may lack. */
export function isLaterIndex(name: string): boolean {
  return Object.hasOwn(LATER_INDEXES, name);
}
