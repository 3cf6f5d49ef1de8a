import { MEMORY_TYPES } from '../core/memory.ts';
import { isSelective, whereOf, type Filters } from './filters.ts';
import { number } from './rows.ts';
import type { Statements } from './statement.ts';

/** The `from` clause from which items are read, and the condition that SQLite requires to read from there. */
export interface Source {
  readonly from: string;
  readonly condition: string;
}

export const TABLE: Source = { from: 'memory_items m', condition: 'true' };
// the index starts with the type
const BY_LAYER: Source = {
  from: 'memory_items m indexed by memory_items_layer',
  condition: `m.type in (${MEMORY_TYPES.map((type) => `'${type}'`).join(', ')})`,
};
const BY_TAGS: Source = { from: 'memory_items m indexed by memory_items_tags', condition: "m.tags_json <> '[]'" };
export const BY_TIME: Source = { from: 'memory_items m indexed by memory_items_updated', condition: 'true' };

/** The source for reading every item that may pass the filters: an index that holds all columns needed, if there is
 * one. In the table the contents are between the rows, so that reading all of it takes ten times as long. */
export function sourceOfEvery(statements: Statements, filters: Filters): Source {
  if (!isSelective(filters)) return hasIndex(statements, 'memory_items_layer') ? BY_LAYER : TABLE;
  return isByTags(filters) && hasIndex(statements, 'memory_items_tags') ? BY_TAGS : TABLE;
}

/** Items that pass the filters are listed before anything else is queried if there are at most this many. Range 500 to
 * 10,000. */
const FEW_ROWS = 2000;

/** The row ids of the items that pass selective filters (`isSelective`); undefined when there are more than `FEW_ROWS`.
 * `tagMatch` is a MATCH expression that every item with the tags matches, if there is one. */
export function rowsOf(statements: Statements, filters: Filters, tagMatch: string | undefined): number[] | undefined {
  const where = whereOf(filters);
  const { from, condition } =
    tagMatch === undefined
      ? sourceOfFew(statements, filters)
      : {
          from: 'memory_fts cross join memory_items m on m.seq = memory_fts.rowid',
          condition: 'memory_fts match :tag_match',
        };
  const found = statements
    .read(`select m.seq from ${from} where ${condition} and ${where.sql} limit ${FEW_ROWS + 1}`)
    .all({ ...where.parameters, ...(tagMatch !== undefined && { tag_match: tagMatch }) });
  return found.length > FEW_ROWS ? undefined : found.map((row) => number(row, 'seq'));
}

function sourceOfFew(statements: Statements, filters: Filters): Source {
  if (isByTags(filters) && hasIndex(statements, 'memory_items_tags')) return BY_TAGS;
  const isByTime = filters.since !== undefined || filters.until !== undefined;
  return isByTime && !isByEquality(filters) ? BY_TIME : TABLE;
}

/** True when the tags are the most selective filter. */
function isByTags(filters: Filters): boolean {
  return filters.tags !== undefined && filters.tags.length > 0 && !isByEquality(filters);
}

/** `updated_sort` for an `order by`: if an equality filter leaves few items, the + keeps SQLite from walking through
 * all items by the index of times instead. */
export function updatedSort(filters: Filters): string {
  return isByEquality(filters) ? '+m.updated_sort' : 'm.updated_sort';
}

/** True when a filter is set by id, task or key: one value of these leaves few items. */
function isByEquality({ id, task_id, key }: Filters): boolean {
  return [id, task_id, key].some((name) => name !== undefined);
}

/** True when an index of the schema exists: a database of an earlier memtool gets it with its next write. */
function hasIndex(statements: Statements, name: string): boolean {
  const found = statements.read("select 1 from sqlite_master where type = 'index' and name = :name").get({ name });
  return found !== undefined;
}
