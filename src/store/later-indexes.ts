import type { DatabaseSync } from 'node:sqlite';
import { number } from './rows.ts';
import { LATER_INDEXES, MAKE_LATER_INDEXES } from './schema.ts';
import type { Statements } from './statement.ts';

/** Items up to which any write makes the indexes: each takes about 6 microseconds, for which the write lock is held.
 * Beyond that the others, who wait for 5 s at most, might fail: doctor --fix makes them. Range 10,000 to 500,000. */
const MOST_ITEMS = 200_000;

const NAMES = Object.keys(LATER_INDEXES);
const IS_LATER_INDEX = `type = 'index' and name in (${NAMES.map((name) => `'${name}'`).join(', ')})`;

/** Makes those of the later indexes that are missing, unless that would take long. */
export function makeLaterIndexes(db: DatabaseSync, statements: Statements): void {
  const { there } = statements.read(`select count(*) as there from sqlite_master where ${IS_LATER_INDEX}`).get() ?? {};
  if (there !== NAMES.length && areMadeByWrites(db)) db.exec(MAKE_LATER_INDEXES);
}

/** True where the next write makes what is missing. Told by the highest rowid, which is no less than there are
 * items. */
export function areMadeByWrites(db: DatabaseSync): boolean {
  return number(db.prepare('select ifnull(max(seq), 0) as last from memory_items').get() ?? {}, 'last') <= MOST_ITEMS;
}

/** True of the name of an index that a database may lack. */
export function isLaterIndex(name: string): boolean {
  return Object.hasOwn(LATER_INDEXES, name);
}
