import type { Memory } from '../core/memory.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Warns of another item with the same logical key: both match it. */
export function sameKeyWarnings(store: MemoryStore, { id, type, key, task_id, step_id }: Memory): string[] {
  const other = key === null ? undefined : store.findByLogicalKey({ type, key, task_id, step_id }, id);
  return other === undefined ? [] : [`another item has the same type, key, task and step: ${other.id}`];
}
