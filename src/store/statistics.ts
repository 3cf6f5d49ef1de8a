import type { DatabaseSync } from 'node:sqlite';
import { number, text } from './rows.ts';

/** Number of items with each value of a column; every known value is included, even with 0. */
export function countsBy(
  db: DatabaseSync,
  column: 'type' | 'confidence_level',
  known: readonly string[],
): Record<string, number> {
  const counts = Object.fromEntries(known.map((value) => [value, 0]));
  for (const row of db
    .prepare(`select ${column} as value, count(*) as count from memory_items group by ${column}`)
    .all()) {
    counts[text(row, 'value')] = number(row, 'count');
  }
  return counts;
}

/** Number of versions kept. */
export function versionCount(db: DatabaseSync): number {
  const row = db.prepare("select count(*) as versions from memory_history where change <> 'delete'").get();
  return row === undefined ? 0 : number(row, 'versions');
}

/** Sizes in bytes: the database with its free pages, the contents as UTF-8, and the pages of the index (null when this
 * SQLite was built without the dbstat table). */
export function databaseSizes(db: DatabaseSync): { database: number; content: number; index: number | null } {
  const bytes = (sql: string): number => number(db.prepare(sql).get() ?? {}, 'bytes');
  const tellsPages = db.prepare("select 1 from pragma_module_list where name = 'dbstat'").get() !== undefined;
  return {
    database: bytes('select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()'),
    content: bytes('select coalesce(sum(octet_length(content)), 0) as bytes from memory_items'),
    index: tellsPages
      ? bytes("select coalesce(sum(pgsize), 0) as bytes from dbstat where name like 'memory\\_fts%' escape '\\'")
      : null,
  };
}
