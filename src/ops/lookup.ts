import type { QueryTerm } from '../search/query-term.ts';
import type { Context } from './context.ts';

/** One lookup in the index and its result. */
export interface Lookup {
  readonly term: string;
  readonly expression: string;
  /** Number of items that contain it. */
  readonly frequency: number;
}

/** A term of a query, and its lookup. */
export interface Asked {
  readonly term: QueryTerm;
  readonly lookup: Lookup;
}

/** Looks one expression up in the index. */
export function lookUp({ store }: Context, term: string, expression: string): Lookup {
  return { term, expression, frequency: store.documentFrequency(expression) };
}
