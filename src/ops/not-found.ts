import { idArgument, MemtoolError, quote } from '../core/errors.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** The NOT_FOUND of an id: says so when the item was deleted, and how to bring it back. */
export function notFound(store: MemoryStore, id: string): MemtoolError {
  const wasDeleted = store.lastVersion(id) > 0;
  return new MemtoolError('NOT_FOUND', `no item with id ${quote(id)}${wasDeleted ? ' (it was deleted)' : ''}`, {
    hint: wasDeleted
      ? `bring it back with: memtool restore ${idArgument(id)}`
      : 'find its id with: memtool search WORDS, or: memtool list',
    context: { id },
  });
}
