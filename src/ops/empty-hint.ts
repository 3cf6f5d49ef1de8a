import { shellWord } from '../core/errors.ts';
import { flagName } from '../core/params.ts';
import type { Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { nearest } from './suggest.ts';

/** Most distinct values of a column that are compared to find a similar one. */
const COMPARED_VALUES = 1000;

/** Returns a hint for an empty list if a filter names a task, step, key or tag that is in no item, with the nearest
 * value that exists ("did you mean Auth?"); otherwise undefined. */
export function emptyHint(store: MemoryStore, filters: Filters): string | undefined {
  for (const column of ['task_id', 'step_id', 'key'] as const) {
    const value = filters[column];
    if (value === undefined || store.count({ [column]: value }) > 0) continue;
    return unknownValue(flagName(column), value, store.valuesOf(column, COMPARED_VALUES));
  }
  const tag = filters.tags?.find((one) => store.count({ tags: [one] }) === 0);
  return tag === undefined ? undefined : unknownValue('tag', tag, store.tagsInUse(COMPARED_VALUES));
}

/** Returns a hint for a search that found nothing if its text is the name of a task or step, which the contents need
 * not mention; otherwise undefined. */
export function taskHint(store: MemoryStore, name: string): string | undefined {
  // looking up a step reads a whole index (0.04 ms for 1,000 items), so it is skipped for a question of several words
  const columns = /\s/.test(name) ? (['task_id'] as const) : (['task_id', 'step_id'] as const);
  const column = columns.find((one) => store.count({ [one]: name }) > 0);
  return column === undefined
    ? undefined
    : `no item contains this text, but some belong to the ${column.slice(0, 4)} of that name: memtool list --${flagName(column)} ${shellWord(name)}`;
}

function unknownValue(flag: string, value: string, known: readonly string[]): string {
  const near = nearest(value, known);
  return `no item has --${flag} ${value} (matched exactly)${near === undefined ? '' : `; did you mean ${near}?`}`;
}
