import { flagName } from '../core/params.ts';
import type { Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { nearest } from './suggest.ts';

/** How many different values of a column are looked through for a near one. */
const COMPARED_VALUES = 1000;

/** Why a list came out empty, where a filter names a task, step or key that no item has: "no item has --task-id auth; did you mean Auth?" */
export function emptyHint(store: MemoryStore, filters: Filters): string | undefined {
  for (const column of ['task_id', 'step_id', 'key'] as const) {
    const value = filters[column];
    if (value === undefined || store.count({ [column]: value }) > 0) continue;
    const near = nearest(value, store.valuesOf(column, COMPARED_VALUES));
    return `no item has --${flagName(column)} ${value} (matched exactly)${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
  return undefined;
}
