import { MemtoolError } from '../core/errors.ts';

/** The ids of a call, each once. Throws PARAM_ERROR when there is none. */
export function requireIds(ids: readonly string[] | undefined, usage: string): string[] {
  if (ids === undefined) throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: usage });
  return [...new Set(ids)];
}
