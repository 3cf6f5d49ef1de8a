import { shellWord } from '../core/errors.ts';
import { flagName } from '../core/params.ts';
import type { Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { nearest } from './suggest.ts';

/** How many different values of a column are looked through for a near one. */
const COMPARED_VALUES = 1000;

/** Why a list came out empty, where a filter names a task, step, key or tag that no item has: "no item has --task-id
 * auth; did you mean Auth?" */
export function emptyHint(store: MemoryStore, filters: Filters): string | undefined {
  for (const column of ['task_id', 'step_id', 'key'] as const) {
    const value = filters[column];
    if (value === undefined || store.count({ [column]: value }) > 0) continue;
    return unknownValue(flagName(column), value, store.valuesOf(column, COMPARED_VALUES));
  }
  const tag = filters.tags?.find((one) => store.count({ tags: [one] }) === 0);
  return tag === undefined ? undefined : unknownValue('tag', tag, store.tagsInUse(COMPARED_VALUES));
}

/** Where a search that found nothing names a task or a step, of which the texts need not say the name. */
export function taskHint(store: MemoryStore, name: string): string | undefined {
  // a step is looked for through all of an index (0.04 ms for 1,000 items): not for a question of several words
  const columns = /\s/.test(name) ? (['task_id'] as const) : (['task_id', 'step_id'] as const);
  const column = columns.find((one) => store.count({ [one]: name }) > 0);
  return column === undefined
    ? undefined
    : `no item says this, but some are of that ${column.slice(0, 4)}: memtool list --${flagName(column)} ${shellWord(name)}`;
}

function unknownValue(flag: string, value: string, known: readonly string[]): string {
  const near = nearest(value, known);
  return `no item has --${flag} ${value} (matched exactly)${near === undefined ? '' : `; did you mean ${near}?`}`;
}
