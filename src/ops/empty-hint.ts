import { quote } from '../core/errors.ts';
import { command, flag, sentence, type Text } from '../core/sentence.ts';
import type { Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { deletedHint } from './deleted-hint.ts';
import { nearest } from './suggest.ts';

/** Most distinct values of a column that are compared to find a similar one. */
const COMPARED_VALUES = 1000;

/** Returns a hint for an empty list: that nothing is stored, which filter excludes everything, with the nearest value
 * that exists ("did you mean Auth?"), and whether such an item was deleted. Undefined if items pass the filters, so that
 * something else excludes them. `toInclude` says how stale items are included. */
export function emptyHint(
  store: MemoryStore,
  filters: Filters,
  toInclude: Text = sentence`leave out --exclude-stale`,
): Text | undefined {
  if (!isAny(store, {})) return nothingStored(store, filters);
  const unknown = unknownValueHint(store, filters);
  if (unknown !== undefined) return unknown;
  if (isAny(store, filters)) return undefined;
  return (
    outOfTime(store, filters) ??
    (filters.fresh !== undefined && isAny(store, { ...filters, fresh: undefined })
      ? sentence`everything that the other filters admit is stale; ${toInclude}`
      : sentence`no item passes all of these filters; ${deletedHint(store, filters) ?? 'leave one of them out'}`)
  );
}

/** True if an item passes the filters; reads no more items than a list of one. */
function isAny(store: MemoryStore, filters: Filters): boolean {
  return store.list({ filters, sort: 'updated', nowMs: 0, limit: 1 }).length > 0;
}

function nothingStored(store: MemoryStore, filters: Filters): Text {
  const put = command('put', { type: 'project', key: 'KEY', content: 'TEXT' });
  return sentence`nothing is stored in this database${alsoDeleted(store, filters) ?? sentence`; store something with: ${put}`}`;
}

/** Returns a hint if a filter names a task, step, key, tag or layer that no item has. */
function unknownValueHint(store: MemoryStore, filters: Filters): Text | undefined {
  const { type, key_prefix: prefix } = filters;
  for (const column of ['task_id', 'step_id', 'key'] as const) {
    const value = filters[column];
    if (value === undefined || store.count({ [column]: value }) > 0) continue;
    return unknownValue(store, filters, {
      name: column,
      value,
      known: store.valuesOf(column, COMPARED_VALUES),
    });
  }
  const tag = filters.tags?.find((one) => store.count({ tags: [one] }) === 0);
  if (tag !== undefined)
    return unknownValue(store, filters, { name: 'tag', value: tag, known: store.tagsInUse(COMPARED_VALUES) });
  if (type !== undefined && !isAny(store, { type }))
    return sentence`no ${type} item is stored${alsoDeleted(store, filters) ?? sentence`; see what is stored with: ${command('stats')}`}`;
  return prefix === undefined || store.count({ key_prefix: prefix }) > 0
    ? undefined
    : `no item has a key that starts with ${shown(prefix)} (matched exactly)`;
}

/** Returns a hint if everything was updated before `since`, or after `until`. */
function outOfTime(store: MemoryStore, { since, until }: Filters): string | undefined {
  if (since !== undefined && !isAny(store, { since })) {
    const [newest] = store.list({ filters: {}, sort: 'updated', nowMs: 0, limit: 1 });
    const last = newest?.position.updated;
    return `no item was updated at ${since} or later${last ? `; the last update was at ${last}` : ''}`;
  }
  return until === undefined || isAny(store, { until }) ? undefined : `no item was updated at ${until} or earlier`;
}

function unknownValue(
  store: MemoryStore,
  filters: Filters,
  { name, value, known }: { readonly name: string; readonly value: string; readonly known: readonly string[] },
): Text {
  const near = nearest(value, known);
  const found = near === undefined ? '' : `; did you mean ${shown(near)}?`;
  return sentence`no item has ${flag(name)} ${shown(value)} (matched exactly)${alsoDeleted(store, filters) ?? found}`;
}

/** Returns that an item with these fields was deleted, as the end of a sentence. */
function alsoDeleted(store: MemoryStore, filters: Filters): Text | undefined {
  const deleted = deletedHint(store, filters);
  return deleted && sentence`, but ${deleted}`;
}

/** Returns a value for a sentence: in quotes if it could be taken for a part of it, or for a flag. */
function shown(value: string): string {
  return /^[^\s"-][^\s"]*$/.test(value) ? value : quote(value);
}
