import { MemtoolError } from '../core/errors.ts';
import type { Memory } from '../core/memory.ts';
import type { HistoryEntry } from '../store/history.ts';
import { notFound } from './not-found.ts';
import { defineOperation } from './operation.ts';
import { ID_PARAM } from './shared-params.ts';

export const history = defineOperation({
  name: 'history',
  summary: 'Show every version of a memory, or the difference between two.',
  prints:
    'id, deleted, versions (newest first: version, changed_at, change, then the fields of that version). With --diff: id, from, to, changed (fields other than content), diff (unified, of the content).',
  examples: [
    { command: 'memtool history 01J9XB2V6QK7Z4T8M3N5P0R1SC', note: 'all versions' },
    { command: 'memtool history 01J9XB2V6QK7Z4T8M3N5P0R1SC --diff 1 2', note: 'what changed' },
  ],
  access: 'read',
  params: {
    id: { ...ID_PARAM, description: 'The id of the item; it may be deleted.' },
    diff: {
      kind: 'int-pair',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Two versions to compare: old, then new.',
    },
  },
  async run({ store }, input) {
    if (input.id === undefined)
      throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: 'memtool history ID' });
    const entries = store.history(input.id);
    if (entries.length === 0) throw notFound(store, input.id);
    if (input.diff !== undefined) return compare(input.id, entries, input.diff);
    return { id: input.id, deleted: entries[0]?.change === 'delete', versions: entries.map(present) };
  },
});

/** An entry as it is printed and exported. */
export function present(entry: HistoryEntry): Record<string, unknown> {
  const { id: _id, version: _version, ...fields } = entry.memory;
  return { version: entry.version, changed_at: entry.changed_at, change: entry.change, ...fields };
}

async function compare(id: string, entries: readonly HistoryEntry[], [from, to]: readonly [number, number]) {
  const { contentDiff } = await import('./content-diff.ts');
  const [before, after] = [versionOf(id, entries, from), versionOf(id, entries, to)];
  return {
    id,
    from,
    to,
    changed: changedFields(before, after),
    diff: contentDiff({ from, to, before: before.content, after: after.content }),
  };
}

/** The item as it was in a version. Throws NOT_FOUND that lists the versions there are. */
export function versionOf(id: string, entries: readonly HistoryEntry[], version: number): Memory {
  const found = entries.find((entry) => entry.version === version);
  if (found !== undefined) return found.memory;
  const versions = [...new Set(entries.map((entry) => entry.version))];
  throw new MemtoolError('NOT_FOUND', `item ${id} has no version ${version}`, {
    hint: `it has ${versions.slice(0, 20).join(', ')}${versions.length > 20 ? ' …' : ''}`,
    context: { id, version },
  });
}

const COMPARED_FIELDS = [
  'type',
  'task_id',
  'step_id',
  'key',
  'tags',
  'source',
  'weight',
  'confidence_level',
  'verified_by',
] as const;

function changedFields(before: Memory, after: Memory): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    COMPARED_FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).map((field) => [
      field,
      { from: before[field], to: after[field] },
    ]),
  );
}
