import { MEMORY_TYPES, type Memory, type MemoryType } from '../core/memory.ts';
import { command, sentence, type Text } from '../core/sentence.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Warns of another item with the same logical key: both match it. */
export function sameKeyWarnings(store: MemoryStore, { id, type, key, task_id, step_id }: Memory): string[] {
  const other = key === null ? undefined : store.findByLogicalKey({ type, key, task_id, step_id }, id);
  return other === undefined ? [] : [`another item has the same type, key, task and step: ${other.id}`];
}

/** Warns of items with the same key, task and step in other layers: a caller who leaves out the type, or mistakes it,
 * means one of them. */
export function otherLayerWarnings(store: MemoryStore, { type, key, task_id, step_id }: Memory): string[] {
  if (key === null) return [];
  return MEMORY_TYPES.filter((other) => other !== type).flatMap((layer) => {
    const other = store.findByLogicalKey({ type: layer, key, task_id, step_id });
    return other === undefined ? [] : [`an item of type ${layer} has the same key, task and step: ${other.id}`];
  });
}

/** Warns of an item with the same type and key under a task or step, for an item that has neither: a caller who read it
 * by type and key alone expects to update it in the same way. */
export function otherTaskWarnings(store: MemoryStore, { id, type, key, task_id, step_id }: Memory): Text[] {
  if (key === null || task_id !== null || step_id !== null) return [];
  const other = store.newest({ type, key }, 2).find((one) => one.id !== id);
  return other === undefined || (other.task_id === null && other.step_id === null)
    ? []
    : [
        sentence`another item of type ${type} has this key, under a task or step: ${other.id}; to update that one, give its --task-id and --step-id, or --id`,
      ];
}

/** Returns a hint at the items with a type and key, for a caller who expects one but whose task and step none of them
 * has: a new item would stand beside them. */
export function otherTaskHint(
  store: MemoryStore,
  { type, key }: { readonly type?: MemoryType | undefined; readonly key?: string | undefined },
): Text | undefined {
  if (type === undefined || key === undefined || store.count({ type, key }) === 0) return undefined;
  return sentence`items of type ${type} have this key in another task or step: ${command('list', { type, key })}; give the --task-id and --step-id of the one that is meant, or its --id`;
}
