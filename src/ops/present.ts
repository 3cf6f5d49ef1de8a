import type { Memory } from '../core/memory.ts';
import { characterCount } from '../core/text.ts';

/** An item as a result list prints it: the item's fields, then what the list adds. */
export type Presented = Memory & Readonly<Record<string, unknown>>;

/** Keeps only the fields that were asked for; all of them when none were. `always` stay in any case. */
export function withFields(
  item: Presented,
  fields: readonly string[] | undefined,
  always: readonly string[] = [],
): Record<string, unknown> {
  if (fields === undefined) return { ...item };
  return Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name) || always.includes(name)));
}

export interface Fitted<T> {
  readonly items: readonly T[];
  readonly omittedIds: readonly string[];
}

/** Keeps the items whose contents fit into `maxChars` characters in all, in their order; one that does not fit is left out whole. */
export function fitContents<T extends Memory>(items: readonly T[], maxChars: number | undefined): Fitted<T> {
  if (maxChars === undefined) return { items, omittedIds: [] };
  let left = maxChars;
  const kept: T[] = [];
  const omittedIds: string[] = [];
  for (const item of items) {
    const size = characterCount(item.content);
    if (size > left) {
      omittedIds.push(item.id);
      continue;
    }
    left -= size;
    kept.push(item);
  }
  return { items: kept, omittedIds };
}
