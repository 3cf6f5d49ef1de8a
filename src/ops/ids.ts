import { MemtoolError } from '../core/errors.ts';

const FIND_IDS = 'the command takes ids; to find them, give the same filters to: memtool list --fields id,type,key';

/** Hints for filter flags given to operations that take only ids. */
export const FILTER_FLAG_HINTS = {
  type: FIND_IDS,
  key: FIND_IDS,
  task_id: FIND_IDS,
  step_id: FIND_IDS,
  tag: FIND_IDS,
  tags: FIND_IDS,
};

/** Returns the ids of a call without repeats. Throws PARAM_ERROR if there are none. */
export function requireIds(ids: readonly string[] | undefined, usage: string): string[] {
  if (ids === undefined) throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: usage });
  return [...new Set(ids)];
}
