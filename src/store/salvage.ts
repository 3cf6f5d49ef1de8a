import type { DatabaseSync } from 'node:sqlite';
import type { Memory } from '../core/memory.ts';
import { hasFilters, type Filters } from './filters.ts';
import type { MemoryReader } from './memory-reader.ts';
import { number, text } from './rows.ts';
import { isCorruption, isMissingIndex } from './sqlite-errors.ts';

/** Ways to read the rows of a damaged table: by two indexes, and along the table from both ends, since each may stop at
 * a different damaged page. */
const WAYS = [
  'select id, seq from memory_items order by id',
  'select id, seq from memory_items indexed by memory_items_updated order by updated_sort desc, id',
  'select id, seq from memory_items not indexed order by seq',
  'select id, seq from memory_items not indexed order by seq desc',
] as const;

/** What a salvage tells of the items that it cannot yield. */
export interface SalvageReport {
  /** Called for each item that exists but cannot be read. */
  readonly onUnreadable: () => void;
  /** Called if no way to list the items reaches its end, so that there may be others. */
  readonly onIncomplete: () => void;
}

/** Yields the items that pass the filters and can be read although the database is damaged, sorted by id. */
export function* salvage(store: MemoryReader, filters: Filters, report: SalvageReport): Generator<Memory> {
  const { items, isComplete } = visibleItems(store.db);
  if (!isComplete) report.onIncomplete();
  for (const { id, seq } of items) {
    const memory = tolerating(() => store.bySeq(seq));
    if (memory?.id !== id) report.onUnreadable();
    else if (!hasFilters(filters) || tolerating(() => store.count({ ...filters, id })) !== 0) yield memory;
  }
}

interface VisibleItems {
  readonly items: readonly { readonly id: string; readonly seq: number }[];
  /** True if they were listed to the end in some way. */
  readonly isComplete: boolean;
}

/** Ids and row ids of all items that can be found in a damaged database, sorted by id. */
function visibleItems(db: DatabaseSync): VisibleItems {
  const found = new Map<number, string>();
  let isComplete = false;
  for (const sql of WAYS) {
    tolerating(() => {
      for (const row of db.prepare(sql).iterate()) found.set(number(row, 'seq'), text(row, 'id'));
      isComplete = true;
    });
  }
  // as SQLite orders texts, by their UTF-8 bytes
  const items = [...found]
    .map(([seq, id]) => ({ id, seq, bytes: Buffer.from(id) }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
  return { items, isComplete };
}

/** The result of a read; undefined when it runs into a damaged page or a missing index. */
export function tolerating<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCorruption(error) || isMissingIndex(error)) return undefined;
    throw error;
  }
}
