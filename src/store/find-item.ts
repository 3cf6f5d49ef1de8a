import type { DatabaseSync } from 'node:sqlite';
import { MEMORY_TYPES, type LogicalKey, type Memory } from '../core/memory.ts';
import { whereOf } from './filters.ts';
import type { Scope } from './fts-index.ts';
import { ITEM_COLUMNS, number, text, toMemory } from './rows.ts';
import type { Statements } from './statement.ts';

const COLUMNS = ITEM_COLUMNS.map((column) => `m.${column}`).join(', ');

/** The newest item with a logical key, except the one with the id `except`. An absent part of the key is null, and null
 * equals only null. */
export function findByLogicalKey(statements: Statements, key: LogicalKey, except?: string): Memory | undefined {
  const row = statements
    .read(`
    select ${COLUMNS} from memory_items m indexed by memory_items_type_key
    where m.type = :type and m.key = :key and m.task_id is :task_id and m.step_id is :step_id and m.id is not :except
    order by m.updated_sort desc, m.id limit 1`)
    .get({ type: key.type, key: key.key, task_id: key.task_id, step_id: key.step_id, except: except ?? null });
  return row && toMemory(row);
}

/** Items with the same logical key of which at least one was written after the row `seq`: how many such keys there are,
 * and the first `limit` of them, each as the ids of two items, with … if there are more. */
export function sharedKeys(
  db: DatabaseSync,
  seq: number,
  limit: number,
): { readonly total: number; readonly named: string[] } {
  const rows = db
    .prepare(`
    select min(m.id) || ' / ' || max(m.id) || iif(count(*) > 2, ' / …', '') as ids, count(*) over () as total
    from (select distinct type, key from memory_items where seq > :seq and key is not null) written
      cross join memory_items m indexed by memory_items_type_key on m.type = written.type and m.key = written.key
    group by m.type, m.key, m.task_id, m.step_id having count(*) > 1 and max(m.seq) > :seq
    order by ids limit :limit`)
    .all({ seq, limit });
  return { total: number(rows[0] ?? {}, 'total'), named: rows.map((row) => text(row, 'ids')) };
}

/** The row of the item that was written last, 0 if there is none. */
export function lastRow(db: DatabaseSync): number {
  return number(db.prepare('select max(seq) as seq from memory_items').get() ?? {}, 'seq');
}

/** The rows of the newest `limit` items in a scope whose key is exactly one of `keys`. */
export function itemsWithKeys(
  statements: Statements,
  keys: readonly string[],
  { filters }: Scope,
  limit: number,
): number[] {
  const where = whereOf(filters);
  // cross join: looks up the keys first, however many items pass the filters
  return statements
    .read(`
    select m.seq
    from (select seq from memory_items where type in (${MEMORY_TYPES.map((type) => `'${type}'`).join(', ')})
        and key in (select value from json_each(:keys))) named
      cross join memory_items m on m.seq = named.seq
    where ${where.sql}
    order by m.seq desc limit :limit`)
    .all({ ...where.parameters, keys: JSON.stringify(keys), limit })
    .map((row) => number(row, 'seq'));
}

/** Those of the names that are neither the id nor the key of an item. */
export function unknownNames(statements: Statements, names: readonly string[]): string[] {
  return statements
    .read(`
    select wanted.value from json_each(:names) wanted
    where not exists (select 1 from memory_items m where m.id = wanted.value)
      and not exists (select 1 from memory_items m
        where m.type in (${MEMORY_TYPES.map((type) => `'${type}'`).join(', ')}) and m.key = wanted.value)`)
    .all({ names: JSON.stringify(names) })
    .map((row) => text(row, 'value'));
}

/** The fields that items without a key must share to be the same memory. */
export type SameContent = Pick<Memory, 'type' | 'task_id' | 'step_id' | 'content' | 'tags'>;

/** Most bytes of line breaks by which contents may differ at their end: a text from a pipe ends with one. Range 2 to
 * 16. */
const MOST_LAST_BREAKS = 8;

/** A content without the line breaks at its end. */
function withoutLastBreaks(content: string): string {
  return content.replace(/[\r\n]+$/, '');
}

/** The newest item of this type, task and step with exactly this content, apart from line breaks at its end, and all of
 * the tags. `match` is a MATCH
 * expression that every item with this content matches; without one the contents of all items are compared. */
export function findByContent(
  statements: Statements,
  same: SameContent,
  match: string | undefined,
): Memory | undefined {
  const tags = whereOf({ tags: same.tags });
  const from =
    match === undefined
      ? 'memory_items m'
      : 'memory_fts f cross join memory_items m on m.seq = f.rowid and f.memory_fts match :match';
  const content = withoutLastBreaks(same.content);
  // the size is compared first, since it is known without reading a long content
  const row = statements
    .read(`
    select ${COLUMNS} from ${from}
    where octet_length(m.content) between octet_length(:content) and :most_bytes
      and rtrim(m.content, char(10, 13)) = :content
      and m.type = :type and m.task_id is :task_id and m.step_id is :step_id and ${tags.sql}
    order by m.updated_sort desc, m.id limit 1`)
    .get({
      ...tags.parameters,
      content,
      most_bytes: Math.max(Buffer.byteLength(same.content), Buffer.byteLength(content) + MOST_LAST_BREAKS),
      type: same.type,
      task_id: same.task_id,
      step_id: same.step_id,
      ...(match !== undefined && { match }),
    });
  return row && toMemory(row);
}
