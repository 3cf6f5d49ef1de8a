import { MEMORY_TYPES, type MemoryType } from '../core/memory.ts';
import { caseOf, IS_STORED_TIME } from './sort-values.ts';

/** Which items are not stale at an instant. */
interface Freshness {
  /** In Unix milliseconds. */
  readonly atMs: number;
  /** For each layer, the newest time (in the stored form) at which an item is stale at that instant. */
  readonly staleUntil: Readonly<Record<MemoryType, string>>;
}

/** Conditions, all of which an item must meet; an absent one admits every item. Times are in the stored form. */
export interface Filters {
  readonly id?: string | undefined;
  readonly type?: MemoryType | undefined;
  readonly task_id?: string | undefined;
  readonly step_id?: string | undefined;
  readonly key?: string | undefined;
  readonly key_prefix?: string | undefined;
  /** The item must have every one of these tags, exactly. */
  readonly tags?: readonly string[] | undefined;
  /** Inclusive bounds of updated_at. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Set to leave out stale items. */
  readonly fresh?: Freshness | undefined;
}

/** True when any filter is set. */
export function hasFilters(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** True when a filter is set that few items usually pass, so that these are listed first: by an index if there is one
 * (there is none for a step without its task, or for a key prefix), and only if they are few. */
export function isSelective(filters: Filters): boolean {
  const { id, task_id, step_id, key, key_prefix, tags, since, until } = filters;
  return [id, task_id, step_id, key, key_prefix, tags, since, until].some((value) => value !== undefined);
}

export type SqlParameters = Record<string, string | number | bigint | null>;

export interface Where {
  /** Conditions over memory_items aliased `m`, joined by `and`; "true" when there is none. */
  readonly sql: string;
  readonly parameters: SqlParameters;
}

// Written out per filter, so that an index can serve each; only constant text is ever joined, values are bound.
const EQUALITIES = {
  id: 'm.id = :id',
  type: 'm.type = :type',
  task_id: 'm.task_id = :task_id',
  step_id: 'm.step_id = :step_id',
  key: 'm.key = :key',
  since: 'm.updated_sort >= :since',
  until: 'm.updated_sort <= :until',
} as const;

/** The `where` clause of a set of filters. */
export function whereOf(filters: Filters): Where {
  const conditions: string[] = [];
  const parameters: SqlParameters = {};
  const isByTask = filters.task_id !== undefined && filters.key === undefined;
  for (const [name, sql] of Object.entries(EQUALITIES)) {
    const value = filters[name as keyof typeof EQUALITIES];
    if (value === undefined) continue;
    // SQLite assumes that a type is as selective as a task, but one type has a third of all items: the + keeps SQLite
    // from searching by type first
    conditions.push(name === 'type' && isByTask ? `+${sql}` : sql);
    parameters[name] = value;
  }
  if (filters.until !== undefined) conditions.push("m.updated_sort <> ''");
  // the index of keys starts with the type
  if (filters.key !== undefined && filters.type === undefined)
    conditions.push("m.type in ('project', 'feature', 'run')");
  if (filters.key_prefix !== undefined) {
    conditions.push('substr(m.key, 1, length(:key_prefix)) = :key_prefix');
    parameters['key_prefix'] = filters.key_prefix;
  }
  (filters.tags ?? []).forEach((tag, at) => {
    // The tag is searched for as text first, since most items have other tags; JSON with escapes may spell it
    // differently. json_each fails on broken JSON, so json_valid is checked first.
    conditions.push(
      `(instr(m.tags_json, :tag${at}_json) > 0 or instr(m.tags_json, '\\') > 0) and case when json_valid(m.tags_json) then exists (select 1 from json_each(m.tags_json) where value = :tag${at}) else 0 end`,
    );
    parameters[`tag${at}`] = tag;
    parameters[`tag${at}_json`] = JSON.stringify(tag);
  });
  if (filters.fresh !== undefined) {
    const until = caseOf('m.type', Object.fromEntries(MEMORY_TYPES.map((type) => [type, `:stale_${type}`])));
    conditions.push(
      `not case when ${IS_STORED_TIME} then m.updated_sort <= ${until} else memory_is_stale(m.type, m.updated_at, :fresh_at_ms) end`,
    );
    for (const type of MEMORY_TYPES) parameters[`stale_${type}`] = filters.fresh.staleUntil[type];
    parameters['fresh_at_ms'] = filters.fresh.atMs;
  }
  return { sql: conditions.length === 0 ? 'true' : conditions.join(' and '), parameters };
}
