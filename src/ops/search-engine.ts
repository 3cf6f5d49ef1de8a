import { MemtoolError } from '../core/errors.ts';
import type { Memory } from '../core/memory.ts';
import { ftsSyntaxError, matchExpression, queryTerms, segmentFtsQuery, type Match } from '../search/fts-query.ts';
import { byRank, relevance, type RelevanceParts } from '../search/rank.ts';
import { fold } from '../search/tokenizer.ts';
import type { Filters } from '../store/filters.ts';
import type { Sort } from '../store/memory-reader.ts';
import { isCorruption, sqliteCode } from '../store/sqlite-errors.ts';
import type { Context } from './context.ts';

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
  /** The value ordered by; null where that is the time of the update. */
  readonly score: number | null;
  /** How the score came about; absent where the order is not by relevance. */
  readonly parts?: RelevanceParts;
}

export interface SearchOutcome {
  readonly hits: readonly Hit[];
  readonly total: number;
  /** Terms that were looked for, for snippets and highlights. */
  readonly terms: readonly string[];
  /** Whether the full-text index answered. */
  readonly fts5: boolean;
  /** Set where the index should have answered and could not. */
  readonly warning?: 'FTS_UNAVAILABLE';
}

/** How many of the best matches by BM25 the prior may reorder; the largest limit, so that a limit only cuts the list and never changes it. */
export const RANKED_MATCHES = 1000;
/** Weight of a term found in the key by the substring engine, where one found elsewhere counts 1. Range 1 to 10. */
const LIKE_KEY_WEIGHT = 3;
/** SQLite's code for an error in the statement itself: here, in the MATCH expression. */
const SQLITE_ERROR = 1;

/** Finds the items that match a query, best first, all in one state of the database. Text without any searchable word (`@`, `---`) is looked
 * for as it is. */
export function runSearch(context: Context, request: SearchRequest): SearchOutcome {
  const terms = queryTerms(context.tokenizer, request.query);
  if (request.syntax === 'fts') {
    if (request.engine === 'like') {
      throw new MemtoolError('PARAM_ERROR', '--syntax fts needs the index, and --engine like does without it', {
        hint: 'leave one of them out',
      });
    }
    return searchIndex(context, request, segmentFtsQuery(context.tokenizer, request.query), terms);
  }
  if (terms.length === 0 && request.engine === 'fts') return { hits: [], total: 0, terms, fts5: true };
  if (request.engine === 'like' || terms.length === 0) return scan(context, request, terms);
  return searchIndex(context, request, matchExpression(terms, request.match), terms);
}

function searchIndex(
  context: Context,
  request: SearchRequest,
  expression: string,
  terms: readonly string[],
): SearchOutcome {
  const isDemanded = request.engine === 'fts' || request.syntax === 'fts';
  const state = context.store.indexState();
  if (state !== 'ready') {
    if (isDemanded) throw ftsUnavailable(state);
    return { ...scan(context, request, terms), warning: 'FTS_UNAVAILABLE' };
  }
  try {
    const total = context.store.countMatches(expression, request.filters);
    const hits =
      request.sort === 'relevance'
        ? byRelevance(context, request, expression)
        : bySort(context, request, request.sort, expression);
    return { hits, total, terms, fts5: true };
  } catch (error) {
    if (request.syntax === 'fts' && sqliteCode(error) === SQLITE_ERROR && error instanceof Error)
      throw ftsSyntaxError(request.query, error);
    if (!isCorruption(error)) throw error;
    if (isDemanded) throw ftsUnavailable('damaged');
    return { ...scan(context, request, terms), warning: 'FTS_UNAVAILABLE' };
  }
}

function ftsUnavailable(state: string): MemtoolError {
  return new MemtoolError('FTS_UNAVAILABLE', `full-text search was demanded, and the index is ${state}`, {
    hint:
      state === 'unavailable'
        ? 'leave out --engine fts'
        : 'make it anew with: memtool doctor --fix, or leave out --engine fts',
  });
}

function byRelevance(context: Context, request: SearchRequest, expression: string): Hit[] {
  const candidates = context.store.bestMatches(expression, request.filters, RANKED_MATCHES);
  const ranked = candidates.map(({ bm25, ...item }) => {
    const { score, ...parts } = relevance(bm25, item, context.nowMs);
    return { id: item.id, updated_at: item.updated_at, score, parts };
  });
  return ranked
    .toSorted(byRank)
    .slice(0, request.limit)
    .map(({ id, score, parts }) => ({ id, score, parts }));
}

function bySort(context: Context, request: SearchRequest, sort: Sort, expression: string): Hit[] {
  const { filters, limit } = request;
  const listed = context.store.list({ filters, sort, nowMs: context.nowMs, limit, match: expression });
  return listed.map(({ position }) => ({ id: position.id, score: sort === 'updated' ? null : position.value }));
}

/** Looks for the terms in every item's folded text: what runs where the index cannot. */
function scan(context: Context, request: SearchRequest, terms: readonly string[]): SearchOutcome {
  const words = terms.length > 0 ? terms : rawWords(request.query);
  const needles = terms.length > 0 ? terms.map(toPattern) : words.map((word) => new RegExp(RegExp.escape(word), 'v'));
  const order = request.sort === 'relevance' ? undefined : context.store.sortValue(request.sort, context.nowMs);
  const found: { id: string; updated_at: string; score: number; parts: RelevanceParts }[] = [];
  for (const memory of needles.length === 0 ? [] : context.store.iterate(request.filters, 'newest')) {
    const lexical = scanScore(memory, needles, request.match);
    if (lexical === 0) continue;
    const { score, ...parts } = relevance(lexical, memory, context.nowMs);
    found.push({ id: memory.id, updated_at: memory.updated_at, score: order?.(memory) ?? score, parts });
  }
  const best = found.toSorted(byRank).slice(0, request.limit);
  const hits = best.map(({ id, score, parts }): Hit => {
    if (request.sort === 'relevance') return { id, score, parts };
    return { id, score: request.sort === 'updated' ? null : score };
  });
  return { hits, total: found.length, terms: words, fts5: false };
}

function rawWords(query: string): string[] {
  return fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Letters and digits of scripts that write words apart: inside such a word a term does not begin. */
const WORD = '[[\\p{L}\\p{N}]--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]]';
/** From this length on a word may go on behind the term (run, running); shorter ones and numbers must end with it. Range 2 to 5. */
const OPEN_ENDED_FROM = 3;

/** A term as a pattern: anywhere in scripts without spaces, else at the beginning of a word. */
function toPattern(term: string): RegExp {
  const escaped = RegExp.escape(term);
  if (!new RegExp(`^${WORD}+$`, 'v').test(term)) return new RegExp(escaped, 'v');
  const mayGoOn = term.length >= OPEN_ENDED_FROM && !/^\d+$/.test(term);
  return new RegExp(`(?<!${WORD})${escaped}${mayGoOn ? '' : `(?!${WORD})`}`, 'v');
}

/** Number of needles in the item, those in its key counted more; 0 unless any (or all) are there. */
function scanScore(memory: Memory, needles: readonly RegExp[], match: Match): number {
  const key = fold(memory.key ?? '');
  const rest = fold([...memory.tags, memory.source ?? '', memory.content].join('\n'));
  let score = 0;
  for (const needle of needles) {
    const value = needle.test(key) ? LIKE_KEY_WEIGHT : Number(needle.test(rest));
    if (value === 0 && match === 'all') return 0;
    score += value;
  }
  return score;
}
