import { MemtoolError } from '../core/errors.ts';

const FIND_IDS = 'it takes ids; with the same filters, find them with: memtool list --fields id,type,key';

/** What operations that take ids alone say of flags by which others find items. */
export const NO_KEYS = {
  type: FIND_IDS,
  key: FIND_IDS,
  task_id: FIND_IDS,
  step_id: FIND_IDS,
  tag: FIND_IDS,
  tags: FIND_IDS,
};

/** The ids of a call, each once. Throws PARAM_ERROR when there is none. */
export function requireIds(ids: readonly string[] | undefined, usage: string): string[] {
  if (ids === undefined) throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: usage });
  return [...new Set(ids)];
}
