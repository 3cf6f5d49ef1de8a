import { formatTimestamp } from '../core/time.ts';
import { command } from '../core/sentence.ts';
import { FILTER_FLAG_HINTS, requireIds } from './ids.ts';
import { notFound } from './not-found.ts';
import { defineOperation } from './operation.ts';
import { warningsOf } from './present.ts';
import { IDS_PARAM } from './shared-params.ts';

export const remove = defineOperation({
  name: 'delete',
  summary: 'Delete memories by id; restore brings them back.',
  prints: 'deleted (how many), ids.',
  notes: ['All or nothing: if one id is unknown, nothing is deleted. Deleted items stay in the history until purged.'],
  examples: [
    {
      command: 'memtool delete 01J9XB2V6QK7Z4T8M3N5P0R1SC',
      note: 'undo with: memtool restore 01J9XB2V6QK7Z4T8M3N5P0R1SC',
    },
  ],
  isDestructive: true,
  isIdempotent: true,
  access: 'write',
  instead: FILTER_FLAG_HINTS,
  params: { id: { ...IDS_PARAM, description: 'Id of an item to delete; several may be given.' } },
  run({ store, nowMs }, input) {
    const ids = requireIds(input.id, command('delete', ['ID']));
    store.write(() => {
      for (const id of ids) {
        if (!store.remove(id, formatTimestamp(nowMs))) throw notFound(store, id);
      }
    });
    return { deleted: ids.length, ids, ...warningsOf(store) };
  },
});
