import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import {
  ftsPrefixes,
  ftsSyntaxError,
  ftsWords,
  prefixExpression,
  segmentFtsQuery,
  termExpression,
  type Match,
} from '../search/fts-query.ts';
import { inverseDocumentFrequency } from '../search/idf.ts';
import { operatorsOf } from '../search/phrases.ts';
import { analyseQuery, visibleTerms, type Query } from '../search/query.ts';
import { byRank, relevance, type RelevanceParts } from '../search/rank.ts';
import { expansionName, type LexicalScore } from '../search/score.ts';
import { hasFilters, type Filters } from '../store/filters.ts';
import type { Scope } from '../store/fts-index.ts';
import { COUNTED_ROWS } from '../store/fts-statistics.ts';
import type { Sort } from '../store/sort-values.ts';
import { isCorruption, sqliteCode } from '../store/sqlite-errors.ts';
import type { Context } from './context.ts';
import { findCandidates, scopeOf } from './search-candidates.ts';
import { lookUp } from './lookup.ts';
import { planLookups, type IndexPlan } from './search-plan.ts';
import { scanScope, type ScanScope } from './scan-scope.ts';
import { scan } from './search-scan.ts';

type Engine = 'auto' | 'fts' | 'like';
type SearchSort = 'relevance' | Sort;

export interface SearchRequest {
  readonly query: string;
  readonly filters: Filters;
  readonly sort: SearchSort;
  readonly limit: number;
  readonly match: Match;
  readonly syntax: 'plain' | 'fts';
  readonly engine: Engine;
}

/** An item that was found; its content is read only when it is shown. */
export interface Hit {
  readonly id: string;
  /** What its copies have in common with it (`outlineOf`). */
  readonly outline: string;
  /** The value sorted by; null if that is the update time. */
  readonly score: number | null;
  /** How the score was computed; present only when sorted by relevance. */
  readonly parts?: RelevanceParts;
  /** How the lexical part was computed; present only when sorted by relevance and not scanned. */
  readonly lexical?: LexicalScore;
}

export interface SearchOutcome {
  readonly hits: readonly Hit[];
  /** Number of matching items; if counting stopped early, the number counted. */
  readonly total: number;
  readonly isTotalExact: boolean;
  /** The query that was run, near words included. */
  readonly query: Query;
  /** Terms that were searched for, used for snippets and highlights. */
  readonly terms: readonly string[];
  /** The idf of each of them, by normal form; absent if the index found nothing or the texts were scanned. */
  readonly weights?: ReadonlyMap<string, number>;
  /** True if the full-text index answered. */
  readonly fts5: boolean;
  /** Set when the index should have answered but could not. */
  readonly warning?: 'FTS_UNAVAILABLE';
}

/** SQLite's code for an error in the statement itself: here, in the MATCH expression. */
const SQLITE_ERROR = 1;

/** Parses the query of a search. Nothing stands in for its words if the caller demands all of them, or says how they
 * are combined. */
export function queryOf(
  { tokenizer }: Pick<Context, 'tokenizer'>,
  { query, match, syntax }: Pick<SearchRequest, 'query' | 'match' | 'syntax'>,
): Query {
  if (syntax === 'fts') return withPrefixes(analyseQuery(tokenizer, ftsWords(query), false), query);
  return analyseQuery(tokenizer, query, match === 'any');
}

/** Finds the items that match a query, best first. Text without a searchable word (`@`, `---`) is searched for
 * verbatim. */
export function runSearch(context: Context, request: SearchRequest): SearchOutcome {
  const query = queryOf(context, request);
  if (request.syntax === 'fts') {
    if (request.match === 'all')
      throw new MemtoolError('PARAM_ERROR', sentence`--match all has no effect on --syntax fts`, {
        hint: sentence`leave out --match: words side by side must all match, and OR joins alternatives`,
      });
    if (request.engine === 'like') {
      throw new MemtoolError('PARAM_ERROR', sentence`--syntax fts needs the index, but --engine like does not use it`, {
        hint: 'leave one of them out',
      });
    }
    return searchIndex(context, request, query);
  }
  const hasTerms = query.terms.length > 0 || query.spans.length > 0;
  if (request.engine === 'fts' && !hasTerms)
    return { hits: [], total: 0, isTotalExact: true, query, terms: [], fts5: true };
  if (request.engine === 'like' || !hasTerms) return scan(context, request, query);
  return searchIndex(context, request, query);
}

function searchIndex(context: Context, request: SearchRequest, query: Query): SearchOutcome {
  const isDemanded = request.engine === 'fts' || request.syntax === 'fts';
  const state = context.store.indexState();
  // text indexed without the dictionary has other words, and its Traditional characters unchanged
  const isForeign =
    query.hasHan && !isDemanded && context.tokenizer.hasDictionary && context.store.isIndexProvisional();
  if (state !== 'ready' || isForeign) {
    if (isDemanded) throw ftsUnavailable(state);
    return { ...scan(context, request, query), warning: 'FTS_UNAVAILABLE' };
  }
  try {
    return askIndex(context, request, query);
  } catch (error) {
    if (request.syntax === 'fts' && sqliteCode(error) === SQLITE_ERROR && error instanceof Error)
      throw ftsSyntaxError(request.query, error, (part) => complaint(context, part));
    if (!isCorruption(error)) throw error;
    if (isDemanded) throw ftsUnavailable('damaged');
    return { ...scan(context, request, query), warning: 'FTS_UNAVAILABLE' };
  }
}

/** Returns FTS5's message about a query in its language as it was written, before its words are segmented; undefined if
 * FTS5 accepts it. */
function complaint({ store }: Context, query: string): string | undefined {
  try {
    store.documentFrequency(query);
    return undefined;
  } catch (error) {
    if (sqliteCode(error) === SQLITE_ERROR && error instanceof Error) return error.message;
    throw error;
  }
}

function ftsUnavailable(state: string): MemtoolError {
  return new MemtoolError('FTS_UNAVAILABLE', `full-text search was requested, but the index is ${state}`, {
    hint:
      state === 'unavailable'
        ? sentence`leave out --engine fts and --syntax fts`
        : sentence`rebuild it with: ${command('doctor', { fix: true })}, or leave out --engine fts and --syntax fts`,
  });
}

function askIndex(context: Context, request: SearchRequest, query: Query): SearchOutcome {
  const plan =
    request.syntax === 'fts'
      ? planOfExpression(context, request.query, query)
      : planLookups(context, query, request.match);
  const terms = visibleTerms(plan.query);
  if (plan.expression === undefined) {
    const scanned = request.engine === 'fts' ? 'nowhere' : scopeOfScan(context, request, query, plan);
    const signs = operatorsOf(query.text).join(' ');
    // of `why ===` no item has a word, but some may have the operator
    if (scanned === 'nowhere' && signs !== '' && request.engine === 'auto' && request.match === 'any')
      return { ...runSearch(context, { ...request, query: signs }), fts5: true };
    if (scanned === 'nowhere') return { hits: [], total: 0, isTotalExact: true, query, terms, fts5: true };
    return { ...scan(context, request, query, scanned === 'anywhere' ? undefined : scanned.within), fts5: true };
  }
  const scope = scopeOf(context, request.filters);
  const found: Found =
    request.sort === 'relevance'
      ? byRelevance(context, request, plan, scope)
      : { hits: bySort(context, request, request.sort, plan.expression), total: undefined };
  // nothing is left to count if all matches were ranked
  const total = Math.min(
    COUNTED_ROWS,
    found.total ?? countMatches(context, request, { ...plan, expression: plan.expression }, scope),
  );
  return {
    hits: found.hits,
    total,
    isTotalExact: total < COUNTED_ROWS,
    query: plan.query,
    terms,
    weights: weightsOf(context, plan),
    fts5: true,
  };
}

/** Returns where texts may contain what the index lacks: anywhere, if the index is out of step with them. */
function scopeOfScan(context: Context, { match }: SearchRequest, query: Query, { lookups }: IndexPlan): ScanScope {
  return context.store.isIndexInStep() ? scanScope(context, query, lookups, match) : 'anywhere';
}

/** Returns the weight of each term in a snippet: what stands in for a word counts like that word. */
function weightsOf({ store }: Context, { query, lookups }: IndexPlan): Map<string, number> {
  const { count } = store.indexStatistics();
  const weights = new Map(lookups.map(({ term, frequency }) => [term, inverseDocumentFrequency(count, frequency)]));
  for (const { of, words } of query.expansions)
    for (const { term } of words) weights.set(term, weights.get(expansionName(of)) ?? 1);
  return weights;
}

/** Returns the plan for a query in the FTS5 language, whose words are looked up only for their frequencies. */
function planOfExpression(context: Context, written: string, query: Query): IndexPlan {
  const lookups = query.terms.map(({ term, forms, isPrefix }) =>
    lookUp(context, term, isPrefix ? prefixExpression(forms[0] ?? term) : termExpression(forms)),
  );
  return {
    query,
    expression: segmentFtsQuery(context.tokenizer, written),
    lookups: lookups.filter(({ frequency }) => frequency > 0),
    phraseMatch: undefined,
  };
}

/** Marks the prefixes in a query in the FTS5 language, which are scored by the words that begin with them. */
function withPrefixes(query: Query, text: string): Query {
  const prefixes = ftsPrefixes(text);
  if (prefixes.size === 0) return query;
  const terms = query.terms.map((term) => ({ ...term, isPrefix: term.forms.some((form) => prefixes.has(form)) }));
  return { ...query, terms };
}

/** Returns the number of matches, counted up to `COUNTED_ROWS`; nothing is counted if a single term is known to have
 * that many. */
function countMatches(
  { store }: Context,
  { match, syntax, filters }: SearchRequest,
  { expression, lookups }: { readonly expression: string; readonly lookups: IndexPlan['lookups'] },
  scope: Scope,
): number {
  const isAnyEnough = syntax === 'plain' && match === 'any' && !hasFilters(filters);
  const isKnown = isAnyEnough && lookups.some(({ frequency }) => frequency >= COUNTED_ROWS);
  return isKnown ? COUNTED_ROWS : store.countMatches(expression, scope, COUNTED_ROWS);
}

interface Found {
  readonly hits: readonly Hit[];
  /** Number of matching items, if known. */
  readonly total: number | undefined;
}

function byRelevance(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Found {
  const { scored, total } = findCandidates(context, request, plan, scope);
  const ranked = scored.map(({ item, outline, lexical }) => {
    const relevant = relevance(lexical.score, item, context.nowMs);
    return { id: item.id, outline, updated_at: item.updated_at, score: relevant.score, relevant, lexical };
  });
  const best = ranked.toSorted(byRank).slice(0, request.limit);
  return {
    hits: best.map(({ id, outline, relevant: { score, ...parts }, lexical }) => ({
      id,
      outline,
      score,
      parts,
      lexical,
    })),
    total,
  };
}

function bySort(context: Context, request: SearchRequest, sort: Sort, expression: string): Hit[] {
  const { filters, limit } = request;
  const listed = context.store.list({ filters, sort, nowMs: context.nowMs, limit, match: expression });
  const outlines = context.store.outlines(listed.map(({ seq }) => seq));
  return listed.map(({ position, score }, at) => ({
    id: position.id,
    outline: outlines[at] ?? '',
    score: sort === 'updated' ? null : score,
  }));
}
