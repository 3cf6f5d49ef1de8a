import { analyseQuery, visibleTerms } from '../search/query.ts';
import { matchSpans, type Span } from '../search/snippet.ts';
import type { Context } from './context.ts';

/** Returns a function that finds the spans of a query's terms in a text, for front ends that highlight them. */
export function highlighter({ tokenizer }: Context, query: string): (text: string) => Span[] {
  const analysed = analyseQuery(tokenizer, query);
  const terms = visibleTerms(analysed);
  return (text) => matchSpans(terms, text, analysed.variants);
}
