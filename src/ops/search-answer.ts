import { MemtoolError } from '../core/errors.ts';
import { FIELD_PARAMS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { snippet } from '../search/snippet.ts';
import { SORTS } from '../store/memory-reader.ts';
import type { Context } from './context.ts';
import { emptyHint } from './empty-hint.ts';
import { explainAbsence } from './explain-absence.ts';
import type { Result } from './operation.ts';
import { ContentBudget, withFields } from './present.ts';
import { runSearch, type Hit, type SearchRequest } from './search-engine.ts';
import { fieldsParam, FILTER_PARAMS, filtersOf, MAX_CHARS_PARAM, MAX_LIMIT } from './shared-params.ts';

/** Longest query, in characters: a log excerpt or a stack trace may be one. */
const MAX_QUERY_CHARS = 100_000;

export const SEARCH_PARAMS = {
  query: {
    kind: 'text',
    maxChars: MAX_QUERY_CHARS,
    positional: true,
    joinWords: true,
    description: 'What to look for: any text in any language; several words are one query.',
  },
  ...FILTER_PARAMS,
  sort_by: {
    kind: 'choice',
    choices: ['relevance', ...SORTS],
    default: 'relevance',
    description: 'Order of the matches.',
  },
  exclude_stale: { kind: 'flag', description: 'Leave out items whose decay is 0.2 or less.' },
  limit: { kind: 'int', min: 1, max: MAX_LIMIT, default: 20, description: 'At most this many items.' },
  match: {
    kind: 'choice',
    choices: ['any', 'all'],
    default: 'any',
    description: 'Find items with any word of the query, or only those with all.',
  },
  syntax: {
    kind: 'choice',
    choices: ['plain', 'fts'],
    default: 'plain',
    description: 'Read the query as text, or in the FTS5 language (AND OR NOT, "phrases", key:…, prefix*).',
  },
  engine: {
    kind: 'choice',
    choices: ['auto', 'fts', 'like'],
    default: 'auto',
    description: 'The index, a scan for substrings, or the index where it can answer.',
  },
  explain: { kind: 'flag', description: 'Add to each item how its score came about.' },
  explain_id: { ...FIELD_PARAMS.id, description: 'Say why this item is or is not among the results.' },
  fields: fieldsParam('score', 'snippet'),
  max_chars: MAX_CHARS_PARAM,
  batch: {
    kind: 'flag',
    description:
      'Answer one query after another: JSON lines on stdin ({"query":…,"limit":…} or a string), one JSON answer a line.',
  },
} as const;
export type SearchInput = InputOf<typeof SEARCH_PARAMS>;

/** The answer to one query, all of one state of the database. */
export function answer(context: Context, input: SearchInput): Result {
  const { query } = input;
  if (query === undefined) {
    throw new MemtoolError('PARAM_ERROR', 'a query is required', { hint: 'memtool search "what to look for"' });
  }
  const { limit, match, syntax, engine } = input;
  const filters = filtersOf(input, context.nowMs);
  const request: SearchRequest = { query, filters, sort: input.sort_by, limit, match, syntax, engine };
  return context.store.snapshot(() => {
    const outcome = runSearch(context, request);
    const budget = new ContentBudget(input.max_chars);
    const items = outcome.hits.flatMap((hit) => {
      const memory = context.store.get(hit.id);
      return memory === undefined || !budget.admits(memory) ? [] : [present(memory, hit, outcome.terms, input)];
    });
    const hint = outcome.total === 0 ? nothingFound(context, request) : undefined;
    return {
      fts5: outcome.fts5,
      ...(outcome.warning !== undefined && { warning: outcome.warning }),
      items,
      total: outcome.total,
      total_exact: true,
      truncated: outcome.total > items.length,
      ...(input.max_chars !== undefined && { omitted_ids: budget.omittedIds }),
      ...(input.explain_id !== undefined && { explain_id: explainAbsence(context, request, input.explain_id) }),
      ...(hint !== undefined && { hint }),
    };
  });
}

function present(memory: Memory, hit: Hit, terms: readonly string[], input: SearchInput): Record<string, unknown> {
  const item = {
    ...memory,
    score: hit.score,
    snippet: snippet(terms, memory.content),
    ...(input.explain && { explain: { sort_by: input.sort_by, ...hit.parts } }),
  };
  return withFields(item, input.fields, ['explain']);
}

function nothingFound(context: Context, request: SearchRequest): string {
  const byFilter = emptyHint(context.store, request.filters);
  if (byFilter !== undefined) return byFilter;
  if (context.tokenizer.terms(request.query).length === 0) {
    return 'the query has no word or number in it, and no item holds it as it is; to see everything use: memtool list';
  }
  if (request.match === 'all') return 'no item has all the words; try --match any';
  return Object.values(request.filters).some((value) => value !== undefined)
    ? 'nothing matches within these filters; try without them'
    : 'no item has any of these words; see what there is with: memtool list';
}
