import { visibleTerms } from '../search/query.ts';
import { matchSpans, type Span } from '../search/snippet.ts';
import type { Context } from './context.ts';
import { queryOf, type SearchRequest } from './search-engine.ts';

/** Returns a function that finds in a text what a search looks for, for front ends that highlight it. */
export function highlighter(
  context: Context,
  request: Pick<SearchRequest, 'query' | 'match' | 'syntax'>,
): (text: string) => Span[] {
  const query = queryOf(context, request);
  const terms = visibleTerms(query);
  return (text) => matchSpans(terms, text, query.variants);
}
