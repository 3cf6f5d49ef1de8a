import { joinExpressions, termExpression, type Match } from '../search/fts-query.ts';
import type { Query, QueryTerm } from '../search/query.ts';
import { shorterStems } from '../search/stem-endings.ts';
import { wordOfStem } from '../search/words.ts';
import type { Context } from './context.ts';
import type { Lookup } from './search-plan.ts';

/** Unknown words of a query for which it is told where they may stand, as beginnings of words. */
const TOLD_WORDS = 10;

/** Where items may be that have words of a query which the index has not: nowhere, anywhere, or within what matches an
 * expression. */
export type Beyond = 'nowhere' | 'anywhere' | { readonly within: string };

/** Where a scan of the texts could find items that the index does not give for a query of which it has nothing (or not
 * all, where all has to be there). `lookups` is what it has.
 *
 * The index was asked for Han text wherever it stands, and for words and what begins with them. It has a word by its
 * stem alone, so that what is left are words that begin like one of the query and have a shorter stem: of runn, items
 * with the stem run may say running. Without the dictionary Traditional characters are not known as such. */
export function beyondIndex(context: Context, query: Query, lookups: readonly Lookup[], match: Match): Beyond {
  const { terms, wanted } = query;
  const known = new Set(lookups.map(({ term }) => term));
  const unknown = terms.filter(({ term }) => !known.has(term));
  if (context.tokenizer.isProvisional || terms.length === 0 || unknown.length > TOLD_WORDS) return 'anywhere';
  const stems = new Map(unknown.map((term) => [term.term, knownStems(context, term)]));
  const isNowhere = (term: string): boolean => stems.get(term)?.length === 0;
  if (match === 'all' && wanted.some((sets) => sets.every((set) => set.some(isNowhere)))) return 'nowhere';
  const within = [...stems.values()].flat().map((stem) => termExpression([stem]));
  return within.length === 0 ? 'nowhere' : { within: joinExpressions(within, 'any') };
}

/** The shorter stems of words that begin like an unknown one which the index has. */
function knownStems({ store }: Context, { kind, forms: [typed = ''] }: QueryTerm): string[] {
  if (kind !== 'word') return [];
  return [...shorterStems(typed)].map(wordOfStem).filter((word) => store.documentFrequency(termExpression([word])) > 0);
}
