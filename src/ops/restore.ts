import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import type { Memory } from '../core/memory.ts';
import { formatTimestamp, readableTime } from '../core/time.ts';
import type { IndexedText } from '../store/fts-index.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { sameKeyWarnings } from './same-key.ts';
import { versionOf } from './history.ts';
import { notFound } from './not-found.ts';
import { DELETED_FLAG_HINTS, requireIds } from './ids.ts';
import { defineOperation } from './operation.ts';
import { warningsOf } from './present.ts';
import { IDS_PARAM } from './shared-params.ts';

export const restore = defineOperation({
  name: 'restore',
  summary: 'Bring back deleted memories, or an older version of one.',
  prints:
    'action (restored), id, version (the new one), restored_version, type, key; warnings if there are any. With several ids instead: restored (how many), items (in the order of the ids, each with id, version, restored_version, type, key).',
  notes: [
    'A restore is a write: it makes a new version with the old fields, and can itself be undone. created_at is kept.',
    'Several ids are restored all or none: if one is unknown or not deleted, nothing is.',
  ],
  examples: [
    {
      command: 'memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC',
      note: 'a deleted item; find it with: memtool list --deleted',
    },
    { command: 'memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC 01J9XB3W', note: 'several deleted items' },
    { command: 'memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC --version 2', note: 'an older version' },
  ],
  access: 'write',
  instead: DELETED_FLAG_HINTS,
  params: {
    id: { ...IDS_PARAM, description: 'The id of an item; several deleted ones may be given.' },
    version: {
      kind: 'int',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'The version to bring back; defaults to the last one of a deleted item.',
    },
  },
  run({ store, nowMs }, input) {
    const ids = requireIds(input.id, command('restore', ['ID']));
    if (ids.length > 1 && input.version !== undefined)
      throw new MemtoolError('PARAM_ERROR', sentence`--version cannot be combined with several ids`, {
        hint: command('restore', { version: input.version }, ids.slice(0, 1)),
      });
    // before the lock is taken
    const prepared = ids.map((id) => prepare(store, find(store, id, input.version)));
    const updatedAt = formatTimestamp(nowMs);
    const restored = store.write(() =>
      ids.map((id, at) => bringBack(store, find(store, id, input.version), updatedAt, prepared[at])),
    );
    const items = restored.map(({ memory, restoredVersion }) => ({
      id: memory.id,
      version: memory.version,
      restored_version: restoredVersion,
      type: memory.type,
      key: memory.key,
    }));
    const warnings = warningsOf(
      store,
      restored.flatMap(({ memory }) => sameKeyWarnings(store, memory)),
    );
    const [only] = items;
    return only !== undefined && items.length === 1
      ? { action: 'restored', ...only, ...warnings }
      : { restored: items.length, items, ...warnings };
  },
});

/** The terms of an old version, and the texts from which they were made. */
interface Prepared {
  readonly texts: string;
  readonly indexed: IndexedText;
}

function textsOf({ content, key, source, tags }: Memory): string {
  return JSON.stringify([content, key, source, tags]);
}

function prepare(store: MemoryStore, old: Memory): Prepared {
  return { texts: textsOf(old), indexed: store.tokenize(old) };
}

/** Writes an old version of an item as a new one, inside the caller's transaction. `prepared` is used unless another
 * process has changed the texts meanwhile. */
function bringBack(store: MemoryStore, old: Memory, updated_at: string, prepared: Prepared | undefined) {
  const { id } = old;
  const created_at = readableTime(old.created_at, updated_at);
  const memory: Memory = { ...old, version: store.lastVersion(id) + 1, created_at, updated_at };
  const indexed = prepared?.texts === textsOf(old) ? prepared.indexed : store.tokenize(old);
  const version = { memory, change: 'restore', changedAt: updated_at, indexed } as const;
  if (store.get(id) === undefined) store.insert(version);
  else store.replace(version);
  return { memory, restoredVersion: old.version };
}

/** Returns the version to restore. It is looked up on its own, since a history may be as large as the file and would be
 * read under the lock. */
function find(store: MemoryStore, id: string, version: number | undefined): Memory {
  const current = store.get(id);
  if (version === undefined && current !== undefined) {
    throw new MemtoolError('PARAM_ERROR', `item ${id} is not deleted: name the version to bring back`, {
      hint: sentence`${command('restore', { version: 'N' }, [id])}; list its versions with: ${command('history', [id])}`,
      context: { id },
    });
  }
  const old = version !== undefined && current?.version === version ? current : store.earlierVersion(id, version);
  if (old !== undefined) return old;
  const entries = store.history(id);
  if (entries.length === 0 || version === undefined) throw notFound(store, id);
  return versionOf(id, entries, version);
}
