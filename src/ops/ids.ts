import { MemtoolError } from '../core/errors.ts';
import { command, sentence, type Text } from '../core/sentence.ts';

/** Returns a hint for each filter flag; `list` is the command that finds ids by filters. */
function hintsFor(list: Text): Readonly<Record<string, Text>> {
  const hint = sentence`the command takes ids; to find them, give the same filters to: ${list}`;
  return Object.fromEntries(['type', 'key', 'task_id', 'step_id', 'tag', 'tags'].map((name) => [name, hint]));
}

/** What a caller needs to see of an item to choose it. */
const FOUND = { fields: ['id', 'type', 'key'] };

/** Hints for filter flags given to operations that take only ids. */
export const FILTER_FLAG_HINTS = hintsFor(command('list', FOUND));

/** The same for operations on deleted items. */
export const DELETED_FLAG_HINTS = hintsFor(command('list', { deleted: true }, FOUND));

/** Returns the ids of a call without repeats. Throws PARAM_ERROR if there are none. */
export function requireIds(ids: readonly string[] | undefined, usage: Text): string[] {
  if (ids === undefined) throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: usage });
  return [...new Set(ids)];
}
