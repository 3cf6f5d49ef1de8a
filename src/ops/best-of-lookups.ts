import { joinExpressions } from '../search/fts-query.ts';
import { heaviestRows } from '../search/heaviest-rows.ts';
import { inverseDocumentFrequency } from '../search/idf.ts';
import { byRank, relevance } from '../search/rank.ts';
import { hasFilters } from '../store/filters.ts';
import type { Candidate, Scope } from '../store/fts-index.ts';
import type { Context } from './context.ts';

// FTS5 reads the places of every term in a row to rank it, half a microsecond for each row, and a word may be in half of
// the items. Which rows hold a term it tells five times as fast, in their order. So where the terms of a query have many
// rows, those are ranked that hold the most of them, by idf. docs/ranking.md, Candidates.

/** Rows that are ranked by BM25: all, where the terms have no more together. Range 1,000 to 20,000; 2,000 measured as
 * good as 5,000. */
const RANKED_ROWS = 2000;
/** Rows that are ranked of those that hold the most of several terms, if not more are asked for. Range 200 to 2,000; of
 * 200,000 items 500 measured 0.1 below 2,000, and 300 0.3. */
const HEAVIEST_ROWS = 500;
/** Rows that are read of the rarest terms, with repeats, as a share of the items, and at most: a term with which there
 * were more is left out. Ranges 0.05 to 1, and 10,000 to 200,000; a row takes 0.1 microseconds. Measured in
 * docs/ranking.md, Among many items. */
const POSTINGS_SHARE = 0.2;
const MOST_POSTINGS = 40_000;
/** What the weights of a query's terms add up to when they are rounded to integers. Range 1,000 to 60,000. */
const WEIGHT_SUM = 4096;

/** Something that the index is asked for. */
export interface WeighedLookup {
  readonly expression: string;
  /** How many items hold it. */
  readonly frequency: number;
  /** What it counts for in the query, beside its idf. */
  readonly weight: number;
}

interface SelectOptions {
  readonly scope: Scope;
  readonly limit: number;
  readonly enough: number;
}

interface Best {
  readonly candidates: readonly Candidate[];
  /** True where every match was looked at, and none left out. */
  readonly isAll: boolean;
}

/** The best `limit` matches of the rarest lookups, as many of these as have few enough rows together to read all; where
 * they find less than `enough`, also those of the next rarest, and so on. */
export function bestOfLookups(context: Context, lookups: readonly WeighedLookup[], options: SelectOptions): Best {
  const { scope, limit, enough } = options;
  const { count } = context.store.indexStatistics();
  const all = groups(lookups, postingsOf(count));
  const found = new Map<number, Candidate>();
  const add = (matches: readonly Candidate[]): void => {
    for (const match of matches) if (!found.has(match.seq)) found.set(match.seq, match);
  };
  let isAll = true;
  for (const group of all) {
    if (found.size >= enough) {
      isAll = false;
      break;
    }
    const { rows, isCut } = rowsToRank(context, group, options);
    const matches = bestOfExpression(context, expressionOf(group), options, rows);
    if (isCut || matches.length === limit) isAll = false;
    add(matches);
  }
  // filters may leave out all of the rows that were ranked: then nothing must be missed for the sake of speed
  if (!isAll && found.size < enough && hasFilters(scope.filters))
    add(bestOfExpression(context, expressionOf(lookups), options));
  return { candidates: [...found.values()], isAll };
}

/** The best `limit` matches of one expression, of `rows` alone, where these are given; where more are equal than are
 * taken, beginning among the first `enough`, those of them that lead by their prior. */
function bestOfExpression(
  { store, nowMs }: Context,
  expression: string,
  { scope, limit, enough }: SelectOptions,
  rows?: readonly number[],
): readonly Candidate[] {
  const found = store.bestMatches(expression, scope, limit + 1, rows);
  const [last, next] = found.slice(limit - 1);
  if (next === undefined || next.bm25 !== last?.bm25) return found.slice(0, limit);
  const { bm25 } = next;
  const better = found.filter((match) => match.bm25 > bm25);
  // so far behind it does not matter which of them are left out
  if (better.length >= enough) return found.slice(0, limit);
  const equals = store
    .equalMatches(expression, scope, bm25, RANKED_ROWS, rows)
    .map(({ seq, fields }) => ({ ...fields, seq, bm25, score: relevance(1, fields, nowMs).score }))
    .toSorted(byRank);
  return [...better, ...equals.slice(0, limit - better.length)];
}

interface Ranked {
  /** The rows that are ranked by BM25; undefined for all. */
  readonly rows?: readonly number[];
  /** Whether others match. */
  readonly isCut: boolean;
}

/** The rows that are ranked of some lookups. */
function rowsToRank(
  { store }: Context,
  group: readonly WeighedLookup[],
  { scope, limit, enough }: SelectOptions,
): Ranked {
  if (scope.seqs !== undefined || rowsOf(group) <= RANKED_ROWS) return { isCut: false };
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    const rows = store.newestRows(only.expression, RANKED_ROWS);
    return { rows, isCut: rows.length === RANKED_ROWS };
  }
  const { count } = store.indexStatistics();
  const weights = group.map(({ frequency, weight }) => weight * inverseDocumentFrequency(count, frequency));
  const unit = weights.reduce((sum, weight) => sum + weight, 0) / WEIGHT_SUM;
  // a frequency is an estimate: each term may have as many rows as all should have together
  const terms = group.map(({ expression }, at) => ({
    rows: store.newestRows(expression, postingsOf(count)),
    weight: Math.max(1, Math.round((weights[at] ?? 0) / unit)),
  }));
  const most = hasFilters(scope.filters) ? RANKED_ROWS : Math.max(HEAVIEST_ROWS, limit);
  return { rows: heaviestRows(terms, { most, mostEqual: RANKED_ROWS, wanted: enough }), isCut: true };
}

/** How many rows are read in an index of `count` items. */
function postingsOf(count: number): number {
  return Math.max(RANKED_ROWS, Math.min(MOST_POSTINGS, Math.round(POSTINGS_SHARE * count)));
}

/** Lookups, the rarest first, in groups that have at most `most` rows together, or that are one lookup: FTS5 reads all
 * rows of every term of an expression, so that a common term must not stand beside a rare one. */
function groups(lookups: readonly WeighedLookup[], most: number): WeighedLookup[][] {
  const found: WeighedLookup[][] = [];
  for (const lookup of lookups.toSorted((a, b) => a.frequency - b.frequency)) {
    const last = found.at(-1);
    if (last !== undefined && rowsOf(last) + lookup.frequency <= most) last.push(lookup);
    else found.push([lookup]);
  }
  return found;
}

function rowsOf(lookups: readonly WeighedLookup[]): number {
  return lookups.reduce((sum, { frequency }) => sum + frequency, 0);
}

function expressionOf(lookups: readonly WeighedLookup[]): string {
  return joinExpressions(
    lookups.map(({ expression }) => expression),
    'any',
  );
}
