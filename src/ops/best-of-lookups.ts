import { expressionOf } from '../search/fts-query.ts';
import { heaviestRows } from '../search/heaviest-rows.ts';
import { inverseDocumentFrequency } from '../search/idf.ts';
import { byRank, relevance } from '../search/rank.ts';
import { hasFilters } from '../store/filters.ts';
import type { Candidate, Scope } from '../store/fts-index.ts';
import type { Context } from './context.ts';

// To rank a row, FTS5 reads the positions of every term in it. This takes half a microsecond per row, and a word may be
// in half of the items. Listing the rows that hold a term, in row order, is five times as fast. So if the terms of a
// query have many rows, only the rows that hold the most of them, by idf, are ranked. See docs/ranking.md, Candidates.

/** Most rows that are ranked by BM25; if the terms of a group have no more in total, all are. Range 1,000 to 20,000;
 * 2,000 measured as good as 5,000. */
const RANKED_ROWS = 2000;
/** Rows that are ranked for several terms, chosen by the weight of the terms they hold; more if the limit is higher or
 * if there are filters. Range 200 to 2,000; among 200,000 items, 500 measured 0.1 below 2,000, and 300 0.3 below. */
const HEAVIEST_ROWS = 500;
/** Most rows that are read for the rarest terms, counting repeats: a share of the items, and an absolute bound. A term
 * that would exceed it goes to the next group. Ranges 0.05 to 1, and 10,000 to 200,000; a row takes 0.1 microseconds.
 * Measured in docs/ranking-experiments.md, Among many items. */
const POSTINGS_SHARE = 0.2;
const MOST_POSTINGS = 40_000;
/** Sum to which the weights of a group's terms are scaled before they are rounded to integers. Range 1,000 to
 * 60,000. */
const WEIGHT_SUM = 4096;

/** A lookup in the index, with its weight in the query. */
export interface WeightedLookup {
  readonly expression: string;
  /** Number of items that hold it. */
  readonly frequency: number;
  /** Its weight in the query, apart from its idf. */
  readonly weight: number;
}

interface SelectOptions {
  readonly scope: Scope;
  readonly limit: number;
  readonly enough: number;
}

interface Best {
  readonly candidates: readonly Candidate[];
  /** True if every match was considered and none was left out. */
  readonly isAll: boolean;
  /** Number of matches, if all were ranked. */
  readonly total: number | undefined;
}

/** Returns the best `limit` matches of the rarest lookups, as many of these as have few enough rows in total to read
 * them all. If they find fewer than `enough`, the best `limit` of the next rarest are added, and so on. */
export function bestOfLookups(context: Context, lookups: readonly WeightedLookup[], options: SelectOptions): Best {
  const { scope, limit, enough } = options;
  const { count } = context.store.indexStatistics();
  const all = groups(lookups, postingsOf(count));
  const found = new Map<number, Candidate>();
  const add = (matches: readonly Candidate[]): void => {
    for (const match of matches) if (!found.has(match.seq)) found.set(match.seq, match);
  };
  let isAll = true;
  let total: number | undefined;
  for (const group of all) {
    if (found.size >= enough) {
      isAll = false;
      break;
    }
    const { rows, isCut } = rowsToRank(context, group, options);
    const { matches, ranked } = bestOfExpression(context, expressionOf(group, 'any'), options, rows);
    if (isCut || matches.length === limit) isAll = false;
    if (!isCut && all.length === 1) total = ranked;
    add(matches);
  }
  // the filters may exclude most or all of the ranked rows: then rank every match, however slow
  if (!isAll && found.size < enough && hasFilters(scope.filters))
    add(bestOfExpression(context, expressionOf(lookups, 'any'), options).matches);
  return { candidates: [...found.values()], isAll, total };
}

interface Ranked {
  readonly matches: readonly Candidate[];
  /** Number of matches from which these were chosen. */
  readonly ranked: number;
}

/** Returns the best `limit` matches of an expression, only among `rows` if these are given. If more matches than fit
 * have the BM25 of the last one, and fewer than `enough` are better, those of them with the highest prior are taken. */
function bestOfExpression(
  { store, nowMs }: Context,
  expression: string,
  { scope, limit, enough }: SelectOptions,
  rows?: readonly number[],
): Ranked {
  const { candidates: found, total: ranked } = store.bestMatches(expression, scope, limit + 1, rows);
  const [last, next] = found.slice(limit - 1);
  if (next === undefined || next.bm25 !== last?.bm25) return { matches: found.slice(0, limit), ranked };
  const { bm25 } = next;
  const better = found.filter((match) => match.bm25 > bm25);
  // this far down it does not matter which of the equal ones are left out
  if (better.length >= enough) return { matches: found.slice(0, limit), ranked };
  const equals = store
    .equalMatches(expression, scope, bm25, RANKED_ROWS, rows)
    .map(({ seq, fields }) => ({ ...fields, seq, bm25, score: relevance(1, fields, nowMs).score }))
    .toSorted(byRank);
  return { matches: [...better, ...equals.slice(0, limit - better.length)], ranked };
}

interface RowsToRank {
  /** The rows to rank by BM25; undefined for all. */
  readonly rows?: readonly number[];
  /** True if other rows may match. */
  readonly isCut: boolean;
}

/** Selects the rows to rank for a group of lookups. */
function rowsToRank(
  { store }: Context,
  group: readonly WeightedLookup[],
  { scope, limit, enough }: SelectOptions,
): RowsToRank {
  if (scope.seqs !== undefined || totalFrequency(group) <= RANKED_ROWS) return { isCut: false };
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    const rows = store.newestRows(only.expression, RANKED_ROWS);
    return { rows, isCut: rows.length === RANKED_ROWS };
  }
  const { count } = store.indexStatistics();
  const weights = group.map(({ frequency, weight }) => weight * inverseDocumentFrequency(count, frequency));
  const unit = weights.reduce((sum, weight) => sum + weight, 0) / WEIGHT_SUM;
  // frequencies are estimates, so each term may have as many rows as the whole group should have
  const terms = group.map(({ expression }, at) => ({
    rows: store.rowsOrNewest(expression, postingsOf(count)),
    weight: Math.max(1, Math.round((weights[at] ?? 0) / unit)),
  }));
  const most = hasFilters(scope.filters) ? RANKED_ROWS : Math.max(HEAVIEST_ROWS, limit);
  return { rows: heaviestRows(terms, { most, mostEqual: RANKED_ROWS, wanted: enough }), isCut: true };
}

/** Returns how many rows to read at most in an index of `count` items. */
function postingsOf(count: number): number {
  return Math.max(RANKED_ROWS, Math.min(MOST_POSTINGS, Math.round(POSTINGS_SHARE * count)));
}

/** Splits lookups, the rarest first, into groups that each have at most `most` rows in total or consist of one lookup.
 * FTS5 reads all rows of every term of an expression, so a common term must not share a group with a rare one. */
function groups(lookups: readonly WeightedLookup[], most: number): WeightedLookup[][] {
  const found: WeightedLookup[][] = [];
  for (const lookup of lookups.toSorted((a, b) => a.frequency - b.frequency)) {
    const last = found.at(-1);
    if (last !== undefined && totalFrequency(last) + lookup.frequency <= most) last.push(lookup);
    else found.push([lookup]);
  }
  return found;
}

function totalFrequency(lookups: readonly WeightedLookup[]): number {
  return lookups.reduce((sum, { frequency }) => sum + frequency, 0);
}
