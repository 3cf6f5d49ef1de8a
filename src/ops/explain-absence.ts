import type { Context } from './context.ts';
import { runSearch, type SearchRequest } from './search-engine.ts';
import { MAX_LIMIT } from './shared-params.ts';

export interface Explanation {
  readonly id: string;
  /** - not_stored: no such item; - filtered: a filter leaves it out; - not_matched: it has none of the words (or not
   *   all of them);
   * - ranked: it matches, at `rank`, with its copies in one place (null: below the first 1,000, or so far behind that
   *   it was not scored). */
  readonly status: 'not_stored' | 'filtered' | 'not_matched' | 'ranked';
  readonly filters: readonly string[];
  readonly rank: number | null;
}

/** What filters are called where they are given, where it is not what they are called here. */
const FILTER_NAMES: Readonly<Record<string, string>> = { tags: 'tag', fresh: 'exclude_stale' };

/** Why an item is where it is, or is not, among the results of a search. `placesFor` gives the ids in each place of the
 * results for a limit. */
export function explainAbsence(
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
    // a larger limit scores more: what would stand among the results only there was not scored here
    if (at >= 0 && (limit === request.limit || at >= request.limit))
      return { id, status: 'ranked', filters: [], rank: at + 1 };
  }
  return { id, status: 'ranked', filters: [], rank: null };
}
