import type { Memory } from '../core/memory.ts';
import { whereOf, type Filters, type SqlParameters } from './filters.ts';
import { FIELD_COLUMNS, number, text, toMemory } from './rows.ts';
import type { Statements } from './statement.ts';

/** Which deleted items to list. `since` and `until` of the filters are bounds of the deletion. */
export interface DeletedQuery {
  readonly filters: Omit<Filters, 'id' | 'fresh'>;
  readonly limit: number;
  /** Continues after this item. */
  readonly after?: { readonly deleted_at: string; readonly id: string } | undefined;
  /** Looks only at this many deletions, the most recent ones. */
  readonly among?: number;
}

/** A deleted item of a list, by the row that holds its fields: whole items are read one by one. */
export interface DeletedItem {
  readonly seq: number;
  readonly id: string;
  readonly deleted_at: string;
}

/** In SQL, true for the row `d` of a deletion if it is the last one of an item that is not stored. A version never
 * decreases, so that the index of an item's versions finds a later deletion. */
export const IS_DELETED = `
not exists (select 1 from memory_items i where i.id = d.item_id)
and not exists (
  select 1 from memory_history n
  where n.item_id = d.item_id and (n.version, n.seq) > (d.version, d.seq) and n.change = 'delete')`;

/** The row with the fields of the deleted version, aliased as `whereOf` expects. */
const WITH_FIELDS = `
cross join memory_history m on m.seq = (
  select max(o.seq) from memory_history o
  where o.item_id = d.item_id and o.version = d.version and o.type is not null)`;

const NEWEST = 'order by d.changed_at desc, d.item_id';

function conditionsOf({ filters, after }: DeletedQuery): { readonly sql: string; readonly parameters: SqlParameters } {
  const { since, until, ...ofFields } = filters;
  const where = whereOf(ofFields);
  const parameters: SqlParameters = { ...where.parameters };
  const conditions = [IS_DELETED, where.sql];
  if (since !== undefined) {
    conditions.push('d.changed_at >= :since');
    parameters['since'] = since;
  }
  if (until !== undefined) {
    conditions.push('d.changed_at <= :until');
    parameters['until'] = until;
  }
  if (after !== undefined) {
    conditions.push('d.changed_at <= :after_time and (d.changed_at < :after_time or d.item_id > :after_id)');
    Object.assign(parameters, { after_time: after.deleted_at, after_id: after.id });
  }
  return { sql: conditions.join(' and '), parameters };
}

/** The deletions to look at, aliased `d`. */
function deletionsOf({ among }: DeletedQuery): string {
  const rows = "memory_history d where d.change = 'delete'";
  return among === undefined
    ? `(select d.seq, d.item_id, d.version, d.changed_at from ${rows}) d`
    : `(select d.seq, d.item_id, d.version, d.changed_at from ${rows} ${NEWEST} limit :among) d`;
}

/** Deleted items that pass the filters, the most recently deleted first, then by id. */
export function deletedItems(statements: Statements, query: DeletedQuery): DeletedItem[] {
  const { sql, parameters } = conditionsOf(query);
  return statements
    .read(`
      select m.seq, d.item_id as id, d.changed_at as deleted_at
      from ${deletionsOf(query)} ${WITH_FIELDS}
      where ${sql} ${NEWEST} limit :limit`)
    .all({ ...parameters, limit: query.limit, among: query.among ?? null })
    .map((row) => ({ seq: number(row, 'seq'), id: text(row, 'id'), deleted_at: text(row, 'deleted_at') }));
}

/** Number of deleted items that pass the filters. */
export function countDeleted(statements: Statements, filters: DeletedQuery['filters']): number {
  const query: DeletedQuery = { filters, limit: 0 };
  const { sql, parameters } = conditionsOf(query);
  const { since: _since, until: _until, ...ofFields } = filters;
  // the fields need not be read if no filter is about them
  const isByFields = Object.values(ofFields).some((value) => value !== undefined);
  const row = statements
    .read(`select count(*) as total from ${deletionsOf(query)} ${isByFields ? WITH_FIELDS : ''} where ${sql}`)
    .get(parameters);
  return row === undefined ? 0 : number(row, 'total');
}

/** The item as it was in the version whose fields a row of the history holds. */
export function versionInRow(statements: Statements, seq: number): Memory | undefined {
  const row = statements
    .read(`select item_id as id, version, ${FIELD_COLUMNS.join(', ')} from memory_history where seq = :seq`)
    .get({ seq });
  return row && toMemory(row);
}
