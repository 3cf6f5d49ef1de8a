/** Compares a line of an import with the stored item. */
import type { Memory } from '../core/memory.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { PartialMemory } from './import-line.ts';

/** Fields whose text is indexed. */
const INDEXED = ['key', 'tags', 'source', 'content'] as const;

/** True if a line has all indexed fields, so that its terms do not depend on the stored item. */
export function isWhole(item: PartialMemory): boolean {
  return INDEXED.every((field) => item[field] !== undefined);
}

export function findStored(store: MemoryStore, item: PartialMemory): Memory | undefined {
  if (item.id !== undefined) return store.get(item.id);
  if (item.type === undefined || typeof item.key !== 'string') return undefined;
  return store.findByLogicalKey({
    type: item.type,
    key: item.key,
    task_id: item.task_id ?? null,
    step_id: item.step_id ?? null,
  });
}

export function isSame(stored: Memory, item: PartialMemory): boolean {
  return Object.entries(item).every(
    ([field, value]) => JSON.stringify(stored[field as keyof Memory]) === JSON.stringify(value),
  );
}

/** True for a line with another content. */
export function isOtherText(stored: Memory, { content }: PartialMemory): boolean {
  return content !== undefined && content !== stored.content;
}

/** Whether a line is newer than the stored item, by version, then by updated_at; undefined if neither tells. */
export function isNewer(item: PartialMemory, stored: Memory): boolean | undefined {
  if (item.version !== undefined && item.version !== stored.version) return item.version > stored.version;
  if (item.updated_at === undefined || item.updated_at === stored.updated_at) return undefined;
  return item.updated_at > stored.updated_at;
}
