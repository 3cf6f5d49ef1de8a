import type { Filters } from '../store/filters.ts';
import type { Context } from './context.ts';
import { runSearch, type SearchRequest } from './search-engine.ts';

/** How far down an item's rank is looked for. */
const RANKED_MATCHES = 10_000;

export interface Explanation {
  readonly id: string;
  /** - not_stored: no such item; - filtered: a filter leaves it out; - not_matched: it has none of the words (or not all of them);
   * - ranked: it matches, at `rank` (null: below the first 10,000). */
  readonly status: 'not_stored' | 'filtered' | 'not_matched' | 'ranked';
  readonly filters: readonly string[];
  readonly rank: number | null;
}

/** Why an item is where it is, or is not, among the results of a search. */
export function explainAbsence(context: Context, request: SearchRequest, id: string): Explanation {
  const { store } = context;
  if (store.get(id) === undefined) return { id, status: 'not_stored', filters: [], rank: null };
  const passes = (filters: Filters): boolean => store.passes(id, filters);
  const failing = Object.entries(request.filters)
    .filter(([name, value]) => value !== undefined && !passes({ [name]: value }))
    .map(([name]) => name);
  if (failing.length > 0) return { id, status: 'filtered', filters: failing, rank: null };
  const { hits, total } = runSearch(context, { ...request, limit: RANKED_MATCHES });
  const at = hits.findIndex(({ memory }) => memory.id === id);
  if (at < 0 && hits.length === total) return { id, status: 'not_matched', filters: [], rank: null };
  return { id, status: 'ranked', filters: [], rank: at < 0 ? null : at + 1 };
}
