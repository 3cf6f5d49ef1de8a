import { MemtoolError, shellWord } from '../core/errors.ts';

/** Returns a hint for each filter flag; `list` is the command that finds ids by filters. */
function hintsFor(list: string): Readonly<Record<string, string>> {
  const hint = `the command takes ids; to find them, give the same filters to: ${list} --fields id,type,key`;
  return Object.fromEntries(['type', 'key', 'task_id', 'step_id', 'tag', 'tags'].map((name) => [name, hint]));
}

/** Hints for filter flags given to operations that take only ids. */
export const FILTER_FLAG_HINTS = hintsFor('memtool list');

/** The same for operations on deleted items. */
export const DELETED_FLAG_HINTS = hintsFor('memtool list --deleted');

/** Returns the ids of a call without repeats. Throws PARAM_ERROR if there are none. */
export function requireIds(ids: readonly string[] | undefined, usage: string): string[] {
  if (ids === undefined) throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: usage });
  return [...new Set(ids)];
}

/** Returns ids as arguments of a command in a hint. */
export function idArguments(ids: readonly string[]): string {
  const words = ids.map(shellWord).join(' ');
  return ids.some((id) => id.startsWith('-')) ? `-- ${words}` : words;
}
