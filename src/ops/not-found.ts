import { idArgument, MemtoolError, quote, shellWord } from '../core/errors.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** The NOT_FOUND of an id: says so when the item was deleted, and how to bring it back, or when it is a key. */
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
  const [newest] = store.list({ filters: { key }, sort: 'updated', nowMs: 0, limit: 1 });
  const item = newest && store.bySeq(newest.seq);
  return item && `it is the key of an item; read that with: memtool get --type ${item.type} --key ${shellWord(key)}`;
}
