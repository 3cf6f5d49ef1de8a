import type { Context } from './context.ts';
import { runSearch, type SearchRequest } from './search-engine.ts';
import { MAX_LIMIT } from './shared-params.ts';

export interface Explanation {
  readonly id: string;
  /** - not_stored: there is no such item;
   * - filtered: a filter excludes it;
   * - not_matched: it has none of the words (with `match` all: not all of them);
   * - ranked: it matches and is at `rank`, which it shares with its copies (null: below the first 1,000, or so low that
   *   it was not scored). */
  readonly status: 'not_stored' | 'filtered' | 'not_matched' | 'ranked';
  readonly filters: readonly string[];
  readonly rank: number | null;
}

/** Parameter names of the filters that have another name in the code. */
const FILTER_NAMES: Readonly<Record<string, string>> = { tags: 'tag', fresh: 'exclude_stale' };

/** Explains why an item is at its rank, or not among the results of a search. `placesFor` returns, for a limit, the ids
 * in each place of the results. */
export function explainItem(
  context: Context,
  request: SearchRequest,
  id: string,
  placesFor: (limit: number) => readonly (readonly string[])[],
): Explanation {
  const { store } = context;
  if (store.count({ id }) === 0) return { id, status: 'not_stored', filters: [], rank: null };
  const failing = Object.entries(request.filters)
    .filter(([name, value]) => value !== undefined && store.count({ id, [name]: value }) === 0)
    .map(([name]) => FILTER_NAMES[name] ?? name);
  if (failing.length > 0) return { id, status: 'filtered', filters: failing, rank: null };
  const { total } = runSearch(context, { ...request, filters: { ...request.filters, id }, limit: 1 });
  if (total === 0) return { id, status: 'not_matched', filters: [], rank: null };
  for (const limit of [request.limit, MAX_LIMIT]) {
    const at = placesFor(limit).findIndex((ids) => ids.includes(id));
    // a larger limit scores more items: one that enters the first `request.limit` places only then was not scored here
    if (at >= 0 && (limit === request.limit || at >= request.limit))
      return { id, status: 'ranked', filters: [], rank: at + 1 };
  }
  return { id, status: 'ranked', filters: [], rank: null };
}
