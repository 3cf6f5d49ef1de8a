import { MemtoolError, quote } from '../core/errors.ts';
import { command, sentence, type Sentence, type Text } from '../core/sentence.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Returns the NOT_FOUND error for an id. Its hint says how to restore a deleted item, or that the id is the key of
 * one. */
export function notFound(store: MemoryStore, id: string): MemtoolError {
  const wasDeleted = store.lastVersion(id) > 0;
  return new MemtoolError('NOT_FOUND', `no item with id ${quote(id)}${wasDeleted ? ' (it was deleted)' : ''}`, {
    hint: wasDeleted
      ? deletedHint(store, id)
      : (keyHint(store, id) ?? sentence`find its id with: ${command('search', ['WORDS'])}, or: ${command('list')}`),
    context: { id },
  });
}

/** The history has no text of an item whose only version another program has removed. */
function deletedHint(store: MemoryStore, id: string): Text {
  return store.earlierVersion(id) === undefined
    ? 'another program removed it from the database, which has no copy of it: look for it in a backup or an export'
    : sentence`bring it back with: ${command('restore', [id])}`;
}

function keyHint(store: MemoryStore, key: string): Sentence | undefined {
  const [item, second] = store.newest({ key }, 2);
  if (second !== undefined) {
    const list = command('list', { key, fields: ['id', 'type', 'task_id', 'step_id'] });
    return sentence`this is the key of several items; list them with: ${list}`;
  }
  return item && sentence`this is the key of an item; read it with: ${command('get', { type: item.type, key })}`;
}
