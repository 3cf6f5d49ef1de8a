import { hasFilters, isSelective, whereOf, type Filters, type SqlParameters } from './filters.ts';
import { BY_TIME, sourceOfEvery, TABLE, updatedSort, type Source } from './item-source.ts';
import { number, text, toRankFields } from './rows.ts';
import { sortValue, sortValuesOf, type Scoring, type Sort } from './sort-values.ts';
import type { Statements } from './statement.ts';

/** Where a page ended: the sort value, updated_sort and id of its last item. */
export interface Position {
  readonly value: number;
  readonly updated: string;
  readonly id: string;
}

export interface ListQuery {
  readonly filters: Filters;
  readonly sort: Sort;
  readonly nowMs: number;
  readonly limit: number;
  readonly after?: Position | undefined;
  /** Only items that match this MATCH expression are listed. */
  readonly match?: string | undefined;
  /** The row ids of the items that pass the filters, if known (`scopeOf`). */
  readonly seqs?: readonly number[] | undefined;
}

/** An item of a list, by its rowid: whole items are read one by one, so that a list never holds all contents. */
export interface ListedItem {
  readonly seq: number;
  readonly position: Position;
  /** The result of `sortValue`: SQLite's value, by which the item was sorted, may differ in the last digit. */
  readonly score: number;
}

/** The source of a list; its parameters are `match` and `seqs`. */
function sourceOf(statements: Statements, { sort, filters, match, seqs }: ListQuery): Source {
  if (match === undefined && seqs !== undefined)
    return { from: 'json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value', condition: 'true' };
  // sorted by update time, SQLite reads no more items than it returns
  if (match === undefined) return sort === 'updated' ? TABLE : sourceOfEvery(statements, filters);
  const every = sort === 'updated' && !hasFilters(filters) ? BY_TIME : sourceOfEvery(statements, filters);
  if (every === TABLE || isSelective(filters) || !isBroad(statements, match))
    return { from: 'memory_items m join memory_fts on memory_fts.rowid = m.seq', condition: 'memory_fts match :match' };
  const isMatch = 'm.seq in (select rowid from memory_fts where memory_fts match :match)';
  return { from: every.from, condition: `${every.condition} and ${isMatch}` };
}

/** Share of the items from which on their matches are looked up while reading an index in order, instead of reading each
 * match's row. Range 0.01 to 0.2: a row of the table takes as long as 25 entries of an index. */
const BROAD_SHARE = 0.04;

/** True if an expression matches so many items that reading an index of all of them is faster. */
function isBroad(statements: Statements, match: string): boolean {
  const { items } = statements.read('select ifnull(max(seq), 0) as items from memory_items').get() ?? {};
  const most = 1 + Math.floor(BROAD_SHARE * Number(items));
  const row = statements
    .read('select count(*) as found from (select 1 from memory_fts where memory_fts match :match limit :most)')
    .get({ match, most });
  return Number(row?.['found']) === most;
}

/** Items that pass the filters, in sort order. Requires the functions of `defineFunctions`. */
export function listItems(statements: Statements, scoring: Scoring, query: ListQuery): ListedItem[] {
  const where = whereOf(query.filters);
  const value = query.sort === 'updated' ? '0' : sortValuesOf(scoring)[query.sort];
  const parameters: SqlParameters = { ...where.parameters, now_ms: query.nowMs, limit: query.limit };
  let after = 'true';
  if (query.after !== undefined) {
    Object.assign(parameters, {
      after_value: query.after.value,
      after_updated: query.after.updated,
      after_id: query.after.id,
    });
    after = `${value} <= :after_value and (${value} < :after_value
        or (m.updated_sort <= :after_updated and (m.updated_sort < :after_updated or m.id > :after_id)))`;
  }
  if (query.sort === 'updated' && query.after !== undefined) {
    after = 'm.updated_sort <= :after_updated and (m.updated_sort < :after_updated or m.id > :after_id)';
  }
  const order = query.sort === 'updated' ? '' : 'sort_value desc, ';
  const { from, condition } = sourceOf(statements, query);
  if (query.match !== undefined) parameters['match'] = query.match;
  if (query.seqs !== undefined) parameters['seqs'] = JSON.stringify(query.seqs);
  const rows = statements
    .read(`
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight, m.updated_sort, ${value} as sort_value
      from ${from}
      where ${condition} and ${where.sql} and ${after}
      order by ${order}${updatedSort(query.filters)} desc, m.id
      limit :limit`)
    .all(parameters);
  const scoreOf = sortValue(scoring, query.sort, query.nowMs);
  return rows.map((row) => ({
    seq: number(row, 'seq'),
    position: { value: number(row, 'sort_value'), updated: text(row, 'updated_sort'), id: text(row, 'id') },
    score: scoreOf(toRankFields(row)),
  }));
}
