import { MemtoolError } from '../core/errors.ts';
import { both, command } from '../core/sentence.ts';
import { FIELD_PARAMS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { characterCount } from '../core/text.ts';
import type { Query } from '../search/query.ts';
import { relevance } from '../search/rank.ts';
import { matchedTerms } from '../search/matched-terms.ts';
import { snippet, type Marks } from '../search/snippet.ts';
import { SORTS } from '../store/sort-values.ts';
import type { Context } from './context.ts';
import { explainItem, type Explanation } from './explain-item.ts';
import type { Result } from './operation.ts';
import { ContentBudget, COUNT_AS_OLDEST, unknownAges, withFields } from './present.ts';
import { searchHint } from './search-hints.ts';
import { runSearch, type Hit, type SearchOutcome, type SearchRequest } from './search-engine.ts';
import { fieldsParam, FILTER_PARAMS, filtersOf, MAX_CHARS_PARAM, MAX_LIMIT, STALE_ITEMS } from './shared-params.ts';

/** Longest mark around a match, in characters. */
const MAX_MARK_CHARS = 32;
/** Longest query, in characters: it may be a log excerpt or a stack trace. */
const MAX_QUERY_CHARS = 100_000;

export const SEARCH_PARAMS = {
  query: {
    kind: 'text',
    maxChars: MAX_QUERY_CHARS,
    positional: true,
    joinWords: true,
    description: 'What to search for: any text in any language; several words form one query.',
  },
  ...FILTER_PARAMS,
  sort_by: {
    kind: 'choice',
    choices: ['relevance', ...SORTS],
    default: 'relevance',
    description: 'Order of the matches.',
  },
  exclude_stale: { kind: 'flag', description: `Leave out ${STALE_ITEMS}.` },
  limit: { kind: 'int', min: 1, max: MAX_LIMIT, default: 20, description: 'At most this many items.' },
  match: {
    kind: 'choice',
    choices: ['any', 'all'],
    default: 'any',
    description:
      'any: items with any word of the query, a synonym or a translation of it; all: only items with every word.',
  },
  syntax: {
    kind: 'choice',
    choices: ['plain', 'fts'],
    default: 'plain',
    description: 'plain: the query is text; fts: it is in the FTS5 language (AND OR NOT, "phrases", key:…, prefix*).',
  },
  engine: {
    kind: 'choice',
    choices: ['auto', 'fts', 'like'],
    default: 'auto',
    description:
      'auto: the index where it can answer, else a scan of the texts; fts: only the index; like: only a scan.',
  },
  explain: {
    kind: 'flag',
    description:
      'Add to each item how its score was computed; lexical_parts and matched only when the index answers and the order is relevance.',
  },
  explain_id: { ...FIELD_PARAMS.id, description: 'Explain why this item is or is not among the results.' },
  fields: fieldsParam('score', 'snippet', 'chars'),
  mark_open: {
    kind: 'text',
    maxChars: MAX_MARK_CHARS,
    description: 'What to put before each match in a snippet, such as **.',
  },
  mark_close: { kind: 'text', maxChars: MAX_MARK_CHARS, description: 'What to put after each match.' },
  max_chars: MAX_CHARS_PARAM,
  batch: {
    kind: 'flag',
    description:
      'Answer several queries: JSON lines on stdin ({"query":…,"limit":…} or a string), one JSON answer per line.',
  },
} as const;
export type SearchInput = InputOf<typeof SEARCH_PARAMS>;

/** Number of hits examined for each one shown, and at least, since copies of one memory share a place. Ranges 1 to 5,
 * and 20 to 100: as many as are scored in any case. */
const HITS_PER_PLACE = 3;
const LEAST_HITS = 60;

/** Answers one query from one state of the database. Throws PARAM_ERROR without a query. */
export function answer(context: Context, input: SearchInput): Result {
  const { query } = input;
  if (query === undefined) {
    throw new MemtoolError('PARAM_ERROR', 'a query is required', {
      hint: command('search', '"what to search for"'),
    });
  }
  const { limit, match, syntax, engine } = input;
  const filters = filtersOf(input, context.nowMs);
  const request: SearchRequest = { query, filters, sort: input.sort_by, limit, match, syntax, engine };
  return context.store.snapshot(() => {
    const { outcome, places, copies } = findPlaces(context, request);
    const budget = ContentBudget.for(input);
    const items = places
      .filter(({ memory, duplicates }) => budget.admits(memory, duplicates))
      .map((place) => present(place, outcome, input, context.nowMs));
    const found = places.map(({ memory }) => memory);
    const hint = both(budget.hint(), searchHint(context, request, outcome, found));
    const warning =
      outcome.warning ??
      (context.tokenizer.isProvisional ? 'DICTIONARY_MISSING' : undefined) ??
      (outcome.query.isCut ? 'QUERY_CUT' : undefined);
    return {
      fts5: outcome.fts5,
      ...(warning !== undefined && { warning }),
      ...unknownAges(found, COUNT_AS_OLDEST),
      items,
      total: outcome.total,
      total_exact: outcome.isTotalExact,
      truncated: outcome.total > items.length + copies,
      ...(input.max_chars !== undefined && { omitted_ids: budget.omittedIds }),
      ...(input.explain_id !== undefined && { explain_id: explained(context, request, input.explain_id, places) }),
      ...(hint !== undefined && { hint }),
    };
  });
}

/** Returns where an item is among the results, or why it is not there. */
function explained(context: Context, request: SearchRequest, id: string, places: readonly Place[]): Explanation {
  return explainItem(context, request, id, (limit) => {
    const all = limit === request.limit ? places : findPlaces(context, { ...request, limit }).places;
    return all.map(({ memory, duplicates }) => [memory.id, ...duplicates]);
  });
}

interface Found {
  readonly outcome: SearchOutcome;
  readonly places: Place[];
  /** Number of hits that share a place with a better one. */
  readonly copies: number;
}

/** Returns the first `limit` places of a search, which is repeated with more hits if copies take up too many. */
function findPlaces(context: Context, request: SearchRequest): Found {
  for (let hits = Math.max(LEAST_HITS, request.limit * HITS_PER_PLACE); ; hits *= HITS_PER_PLACE) {
    const outcome = runSearch(context, { ...request, limit: Math.min(MAX_LIMIT, hits) });
    const { places, copies } = collapse(context, outcome.hits, request.limit);
    if (places.length === request.limit || outcome.hits.length < hits || hits >= MAX_LIMIT)
      return { outcome, places, copies };
  }
}

interface Place {
  readonly hit: Hit;
  readonly memory: Memory;
  readonly duplicates: string[];
}

/** Groups hits into the first `limit` places: copies of one memory (the same type, key and content) share the place of
 * the best. Behind the last place only the hits that may be copies are read. */
function collapse({ store }: Context, hits: readonly Hit[], limit: number): { places: Place[]; copies: number } {
  const places = new Map<string, Place>();
  let copies = 0;
  let read = 0;
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const ids = [...byId.keys()];
  const add = (memory: Memory): void => {
    const what = `${JSON.stringify([memory.type, memory.key])}${memory.content}`;
    const hit = byId.get(memory.id);
    const first = places.get(what);
    if (first !== undefined) {
      first.duplicates.push(memory.id);
      copies += 1;
    } else if (hit !== undefined && places.size < limit) {
      places.set(what, { hit, memory, duplicates: [] });
    }
  };
  for (const memory of store.each(ids)) {
    add(memory);
    read += 1;
    if (places.size === limit) break;
  }
  const shown = new Set(Array.from(places.values(), ({ hit }) => hit.outline));
  const alike = ids.slice(read).filter((id) => shown.has(byId.get(id)?.outline ?? ''));
  if (alike.length > 0) for (const memory of store.each(alike)) add(memory);
  return { places: [...places.values()], copies };
}

function present(place: Place, outcome: SearchOutcome, input: SearchInput, nowMs: number): Record<string, unknown> {
  const { hit, memory, duplicates } = place;
  const { terms, weights, query } = outcome;
  const item = { ...memory, score: hit.score };
  const computed = {
    snippet: () => snippet(terms, memory.content, { marks: marksOf(input), weights, variants: query.variants }),
    chars: () => characterCount(memory.content),
  };
  return {
    ...withFields(item, input.fields, computed, ['snippet', 'chars']),
    ...(duplicates.length > 0 && { duplicates }),
    ...(input.explain && { explain: explanation(place, query, input, nowMs) }),
  };
}

/** Returns the marks of a snippet; undefined if the caller gives none. */
function marksOf({ mark_open: open, mark_close: close }: SearchInput): Marks | undefined {
  return open === undefined && close === undefined ? undefined : { open: open ?? '', close: close ?? '' };
}

/** Returns every part of a score: lexical · prior = score, and the lexical parts add up to lexical. */
function explanation(
  { hit, memory }: Place,
  query: Query,
  { sort_by }: SearchInput,
  nowMs: number,
): Record<string, unknown> {
  const { parts, lexical } = hit;
  if (lexical === undefined) {
    const { confidence, recency, mixed, weight } = relevance(0, memory, nowMs);
    return { sort_by, ...(parts ?? { mixed, confidence, recency, weight }) };
  }
  const { score: _sum, ...lexicalParts } = lexical;
  const texts = {
    key: memory.key ?? '',
    tags: memory.tags.join(' '),
    source: memory.source ?? '',
    content: memory.content,
  };
  return { sort_by, ...parts, lexical_parts: lexicalParts, matched: matchedTerms(query, texts) };
}
