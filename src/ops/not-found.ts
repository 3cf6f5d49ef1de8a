import { idArgument, MemtoolError, quote, shellWord } from '../core/errors.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Returns the NOT_FOUND error for an id. Its hint says how to restore a deleted item, or that the id is the key of
 * one. */
export function notFound(store: MemoryStore, id: string): MemtoolError {
  const wasDeleted = store.lastVersion(id) > 0;
  return new MemtoolError('NOT_FOUND', `no item with id ${quote(id)}${wasDeleted ? ' (it was deleted)' : ''}`, {
    hint: wasDeleted
      ? `bring it back with: memtool restore ${idArgument(id)}`
      : (keyHint(store, id) ?? 'find its id with: memtool search WORDS, or: memtool list'),
    context: { id },
  });
}

function keyHint(store: MemoryStore, key: string): string | undefined {
  const [newest, second] = store.list({ filters: { key }, sort: 'updated', nowMs: 0, limit: 2 });
  if (second !== undefined)
    return `this is the key of several items; list them with: memtool list --key ${shellWord(key)} --fields id,type,task_id,step_id`;
  const item = newest && store.bySeq(newest.seq);
  return item && `this is the key of an item; read it with: memtool get --type ${item.type} --key ${shellWord(key)}`;
}
