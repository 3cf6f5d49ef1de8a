import { command, sentence, type Sentence } from '../core/sentence.ts';
import type { Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Most deletions among which a hint looks for an item, the most recent ones; each takes about 6 microseconds. Range 100
 * to 10,000. */
const MOST_DELETIONS = 1000;

type FieldFilters = Pick<Filters, 'type' | 'task_id' | 'step_id' | 'key' | 'key_prefix' | 'tags'>;

/** Returns how to bring back the recently deleted items that pass the filters by their fields, as the rest of a
 * sentence; undefined if there are none. To be called only when nothing stored was found. */
export function deletedHint(
  store: MemoryStore,
  { type, task_id, step_id, key, key_prefix, tags }: FieldFilters,
): Sentence | undefined {
  const filters = { type, task_id, step_id, key, key_prefix, tags };
  const [first, second] = store.deleted({ filters, limit: 2, among: MOST_DELETIONS });
  if (first === undefined) return undefined;
  if (second === undefined)
    return sentence`one was deleted at ${first.deleted_at}; bring it back with: ${command('restore', [first.id])}`;
  const list = command('list', { deleted: true, type, task_id, step_id, key, tag: tags });
  return sentence`several were deleted; list them with: ${list}`;
}
