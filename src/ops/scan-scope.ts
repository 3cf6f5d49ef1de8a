import { joinExpressions, termExpression, type Match } from '../search/fts-query.ts';
import type { Query } from '../search/query.ts';
import type { QueryTerm } from '../search/query-term.ts';
import { shorterStems } from '../search/stem-endings.ts';
import { wordOfStem } from '../search/words.ts';
import type { Context } from './context.ts';
import type { Lookup } from './lookup.ts';

/** Most unknown words of a query whose stems are looked up; if there are more, all texts are scanned. */
const MOST_CHECKED_WORDS = 10;

/** Where to search for items with words of a query that the index does not have: nowhere, anywhere, or among the
 * matches of an expression. */
export type ScanScope = 'nowhere' | 'anywhere' | { readonly within: string };

/** Returns where a scan of the texts could find items that the index misses, for a query of which it has nothing (with
 * `match` all: not every word). `lookups` are the parts of the query that it has.
 *
 * The index has already been searched for Han text at any position, and for words as such and as prefixes. It holds
 * only the stems of words, so what remains are words that begin with a word of the query and have a shorter stem: for
 * runn, items with the stem run may contain running. Without the dictionary, Traditional characters are not recognised,
 * so the result is anywhere. */
export function scanScope(context: Context, query: Query, lookups: readonly Lookup[], match: Match): ScanScope {
  const { terms, wanted } = query;
  const known = new Set(lookups.map(({ term }) => term));
  const unknown = terms.filter(({ term }) => !known.has(term));
  if (context.tokenizer.isProvisional || terms.length === 0 || unknown.length > MOST_CHECKED_WORDS) return 'anywhere';
  const stems = new Map(unknown.map((term) => [term.term, knownStems(context, term)]));
  const isNowhere = (term: string): boolean => stems.get(term)?.length === 0;
  if (match === 'all' && wanted.some((sets) => sets.every((set) => set.some(isNowhere)))) return 'nowhere';
  const within = [...stems.values()].flat().map((stem) => termExpression([stem]));
  return within.length === 0 ? 'nowhere' : { within: joinExpressions(within, 'any') };
}

/** Returns a word for each stem in the index that is shorter than an unknown word and belongs to words beginning with
 * it. */
function knownStems({ store }: Context, { kind, forms: [typed = ''] }: QueryTerm): string[] {
  if (kind !== 'word') return [];
  return [...shorterStems(typed)].map(wordOfStem).filter((word) => store.documentFrequency(termExpression([word])) > 0);
}
