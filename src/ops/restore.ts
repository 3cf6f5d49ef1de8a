import { idArgument, MemtoolError } from '../core/errors.ts';
import type { Memory } from '../core/memory.ts';
import { formatTimestamp, readableTime } from '../core/time.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { sameKeyWarnings } from './same-key.ts';
import { versionOf } from './history.ts';
import { notFound } from './not-found.ts';
import { FILTER_FLAG_HINTS } from './ids.ts';
import { defineOperation } from './operation.ts';
import { warningsOf } from './present.ts';
import { ID_PARAM } from './shared-params.ts';

export const restore = defineOperation({
  name: 'restore',
  summary: 'Bring back a deleted memory, or an older version of one.',
  prints: 'action (restored), id, version (the new one), restored_version, type, key; warnings if there are any.',
  notes: [
    'A restore is a write: it makes a new version with the old fields, and can itself be undone. created_at is kept.',
  ],
  examples: [
    { command: 'memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC', note: 'a deleted item' },
    { command: 'memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC --version 2', note: 'an older version' },
  ],
  access: 'write',
  instead: FILTER_FLAG_HINTS,
  params: {
    id: { ...ID_PARAM, description: 'The id of the item.' },
    version: {
      kind: 'int',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'The version to bring back; defaults to the last one of a deleted item.',
    },
  },
  run({ store, nowMs }, input) {
    const { id } = input;
    if (id === undefined)
      throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: 'memtool restore ID [--version N]' });
    const wanted = find(store, id, input.version);
    store.tokenize(wanted); // before the lock is taken
    const restored = store.write(() => {
      const old = find(store, id, input.version);
      const updated_at = formatTimestamp(nowMs);
      const created_at = readableTime(old.created_at, updated_at);
      const memory: Memory = { ...old, id, version: store.lastVersion(id) + 1, created_at, updated_at };
      if (store.get(id) === undefined) store.insert(memory, 'restore', memory.updated_at);
      else store.replace(memory, 'restore', memory.updated_at);
      return { memory, restoredVersion: old.version };
    });
    return {
      action: 'restored',
      id,
      version: restored.memory.version,
      restored_version: restored.restoredVersion,
      type: restored.memory.type,
      key: restored.memory.key,
      ...warningsOf(store, sameKeyWarnings(store, restored.memory)),
    };
  },
});

/** Returns the version to restore. It is looked up on its own, since a history may be as large as the file and would be
 * read under the lock. */
function find(store: MemoryStore, id: string, version: number | undefined): Memory {
  const current = store.get(id);
  if (version === undefined && current !== undefined) {
    throw new MemtoolError('PARAM_ERROR', `item ${id} is not deleted: name the version to bring back`, {
      hint: `memtool restore --version N ${idArgument(id)}; list its versions with: memtool history ${idArgument(id)}`,
      context: { id },
    });
  }
  const old = version !== undefined && current?.version === version ? current : store.earlierVersion(id, version);
  if (old !== undefined) return old;
  const entries = store.history(id);
  if (entries.length === 0 || version === undefined) throw notFound(store, id);
  return versionOf(id, entries, version);
}
