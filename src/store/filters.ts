import type { MemoryType } from '../core/memory.ts';

/** Conditions that an item must meet, all of them; an absent one admits everything. Times are in the stored form. */
export interface Filters {
  readonly id?: string | undefined;
  readonly type?: MemoryType | undefined;
  readonly task_id?: string | undefined;
  readonly step_id?: string | undefined;
  readonly key?: string | undefined;
  readonly key_prefix?: string | undefined;
  /** Every one of them must be among the item's tags, exactly. */
  readonly tags?: readonly string[] | undefined;
  /** Bounds of updated_at, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Set to leave out stale items: the instant, in Unix milliseconds, at which their age is taken. */
  readonly freshAtMs?: number | undefined;
}

/** True where a filter may leave something out. */
export function hasFilters(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** True where a filter is given that few items pass as a rule, so that listing them comes first: by an index where there is one (a step without its task, and what a key begins with, have
 * none), and only as far as they are few. */
export function isSelective(filters: Filters): boolean {
  const { id, task_id, step_id, key, key_prefix, tags, since, until } = filters;
  return [id, task_id, step_id, key, key_prefix, tags, since, until].some((value) => value !== undefined);
}

export type SqlParameters = Record<string, string | number | null>;

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
  for (const [name, sql] of Object.entries(EQUALITIES)) {
    const value = filters[name as keyof typeof EQUALITIES];
    if (value === undefined) continue;
    conditions.push(sql);
    parameters[name] = value;
  }
  if (filters.until !== undefined) conditions.push("m.updated_sort <> ''");
  // the index of keys begins with the type
  if (filters.key !== undefined && filters.type === undefined)
    conditions.push("m.type in ('project', 'feature', 'run')");
  if (filters.key_prefix !== undefined) {
    conditions.push('substr(m.key, 1, length(:key_prefix)) = :key_prefix');
    parameters['key_prefix'] = filters.key_prefix;
  }
  (filters.tags ?? []).forEach((tag, at) => {
    // json_each refuses broken JSON, so that is asked first
    conditions.push(
      `case when json_valid(m.tags_json) then exists (select 1 from json_each(m.tags_json) where value = :tag${at}) else 0 end`,
    );
    parameters[`tag${at}`] = tag;
  });
  if (filters.freshAtMs !== undefined) {
    conditions.push('not memory_is_stale(m.type, m.updated_at, :fresh_at_ms)');
    parameters['fresh_at_ms'] = filters.freshAtMs;
  }
  return { sql: conditions.length === 0 ? 'true' : conditions.join(' and '), parameters };
}
