import type { Context } from './context.ts';
import { MAX_LIMIT } from './shared-params.ts';
import { runSearch, type SearchRequest } from './search-engine.ts';

export interface Explanation {
  readonly id: string;
  /** - not_stored: no such item; - filtered: a filter leaves it out; - not_matched: it has none of the words (or not all of them);
   * - ranked: it matches, at `rank` (null: below the first 1,000). */
  readonly status: 'not_stored' | 'filtered' | 'not_matched' | 'ranked';
  readonly filters: readonly string[];
  readonly rank: number | null;
}

/** Why an item is where it is, or is not, among the results of a search. */
export function explainAbsence(context: Context, request: SearchRequest, id: string): Explanation {
  const { store } = context;
  if (store.count({ id }) === 0) return { id, status: 'not_stored', filters: [], rank: null };
  const failing = Object.entries(request.filters)
    .filter(([name, value]) => value !== undefined && store.count({ id, [name]: value }) === 0)
    .map(([name]) => name);
  if (failing.length > 0) return { id, status: 'filtered', filters: failing, rank: null };
  const { total } = runSearch(context, { ...request, filters: { ...request.filters, id }, limit: 1 });
  if (total === 0) return { id, status: 'not_matched', filters: [], rank: null };
  for (const limit of [request.limit, MAX_LIMIT]) {
    const at = runSearch(context, { ...request, limit }).hits.findIndex((hit) => hit.id === id);
    if (at >= 0) return { id, status: 'ranked', filters: [], rank: at + 1 };
  }
  return { id, status: 'ranked', filters: [], rank: null };
}
