import { MemtoolError } from '../core/errors.ts';
import { both, command, sentence } from '../core/sentence.ts';
import { FIELD_PARAMS, MAX_CONTENT_BYTES, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { characterCount, decodeUtf8, withoutBom } from '../core/text.ts';
import { termExpression } from '../search/fts-query.ts';
import { MAX_QUERY_TERMS } from '../search/query.ts';
import { byRank, type Ranked } from '../search/rank.ts';
import { jaccard, mostOverlap, recommendation, type Recommendation } from '../search/recommend.ts';
import { snippet } from '../search/snippet.ts';
import { NO_VARIANTS } from '../search/variants.ts';
import { isIndexReadable } from '../store/fts-index.ts';
import type { Filters } from '../store/filters.ts';
import type { RankFields } from '../store/rows.ts';
import type { Context, Stdin } from './context.ts';
import { emptyHint } from './empty-hint.ts';
import { lookUp } from './lookup.ts';
import { defineOperation } from './operation.ts';
import { ContentBudget, withFields } from './present.ts';
import { bestOfLookups } from './best-of-lookups.ts';
import { scopeOf } from './search-candidates.ts';
import { fieldsParam, FILTER_PARAMS, filtersOf, MAX_CHARS_PARAM, MAX_LIMIT, STALE_ITEMS } from './shared-params.ts';

/** Number of newest items that are candidates without a context. Source: contract, section 5. */
const NEWEST_WITHOUT_CONTEXT = 1000;
/** Number of newest items that are candidates besides those that share a term with the context. Source: contract,
 * section 5. */
const NEWEST_WITH_CONTEXT = 200;
/** Most candidates taken from the index, best by BM25 first. Range 100 to 1,000; comparing the terms of one with the
 * context's takes 20 to 100 microseconds. */
const MATCHING_CANDIDATES = 300;
/** Number of characters of a text whose terms are compared: bounds the work for contents of megabytes, as in a search.
 * Range 10,000 to 1,000,000. */
const COMPARED_CHARS = 100_000;

const PARAMS = {
  context: {
    kind: 'text',
    maxChars: MAX_CONTENT_BYTES,
    positional: true,
    joinWords: true,
    description: 'What the work at hand is about; - reads stdin.',
  },
  task_id: FILTER_PARAMS.task_id,
  tag: FILTER_PARAMS.tag,
  key_prefix: { ...FIELD_PARAMS.key, description: 'Only items whose key starts with this text.' },
  type: FILTER_PARAMS.type,
  limit: { kind: 'int', min: 1, max: MAX_LIMIT, default: 10, description: 'At most this many items.' },
  include_stale: { kind: 'flag', description: `Include ${STALE_ITEMS}.` },
  fields: fieldsParam('score', 'reasons', 'snippet', 'chars'),
  max_chars: MAX_CHARS_PARAM,
} as const;
type Input = InputOf<typeof PARAMS>;

export const recommend = defineOperation({
  name: 'recommend',
  summary: 'Suggest memories for the work at hand, by context, confidence, age and weight.',
  prints:
    'warning (when the index could not be used or the Chinese dictionary is missing), items (each with score, reasons and chars), candidates (how many were compared), truncated; omitted_ids with --max-chars; hint when nothing was found, or nothing related to the context.',
  notes: [
    'score = (0.5 · word overlap with the context + 0.3 · confidence + 0.2 · recency) · weight. Reasons: context_match, high_confidence, recent, high_weight.',
    'The overlap is the number of shared words over that of all words of both: a long memory or a short context shares little, and confidence and recency decide. To find what is about something, use search.',
  ],
  examples: [
    { command: 'memtool recommend --context "登录接口 返回 401" --type feature --limit 5', note: 'for a task' },
    { command: 'git diff | memtool recommend --context - --task-id login', note: 'for a change' },
  ],
  access: 'read',
  params: PARAMS,
  async run(context, input) {
    // without a stdin, - is ordinary text
    const isPiped = input.context === '-' && context.stdin !== undefined;
    const text = isPiped ? await contextFromStdin(context.stdin) : input.context;
    const isFresh = input.include_stale !== true;
    const filters: Filters = {
      ...filtersOf({ ...input, exclude_stale: isFresh }, context.nowMs),
      key_prefix: input.key_prefix,
    };
    const wanted = new Set(text === undefined ? [] : context.tokenizer.terms(text));
    // computed once, and only when snippets are shown: a context may be long
    const isShown = input.fields?.includes('snippet') === true;
    const variants = isShown ? context.tokenizer.variants(text ?? '') : NO_VARIANTS;
    const terms = [...wanted];
    const show = (memory: Memory): string => snippet(terms, memory.content, { variants });
    return context.store.snapshot(() => answer(context, input, { filters, wanted, show }));
  },
});

interface Asked {
  readonly filters: Filters;
  /** The terms of the context. */
  readonly wanted: ReadonlySet<string>;
  /** Returns the snippet of an item that contains most of these terms. */
  readonly show: (memory: Memory) => string;
}

function answer(context: Context, input: Input, { filters, wanted, show }: Asked) {
  const { store } = context;
  const found = findCandidates(context, filters, wanted);
  const { isIndexUsable } = found;
  const candidates = bounded(context, found, wanted);
  const budget = ContentBudget.for(input);
  const items = bestOf(context, candidates, { wanted, limit: input.limit, isIndexUsable }).flatMap(
    ({ seq, score, reasons }) => {
      const memory = store.bySeq(seq);
      return memory === undefined || !budget.admits(memory)
        ? []
        : [presented(memory, { score, reasons }, show, input.fields)];
    },
  );
  const isUnrelated = wanted.size > 0 && isIndexUsable && found.seqs.length === 0;
  const hint =
    candidates.length === 0
      ? emptyHint(store, filters, sentence`add --include-stale`)
      : both(budget.hint(), isUnrelated ? NOTHING_RELATED : undefined);
  const warning = isIndexUsable
    ? context.tokenizer.isProvisional
      ? 'DICTIONARY_MISSING'
      : undefined
    : 'FTS_UNAVAILABLE';
  return {
    ...(warning !== undefined && { warning }),
    items,
    candidates: candidates.length,
    truncated: candidates.length > items.length,
    ...(input.max_chars !== undefined && { omitted_ids: budget.omittedIds }),
    ...(hint !== undefined && { hint }),
  };
}

const NOTHING_RELATED = sentence`none of these shares a word with the context: they are the most reliable, newest and weightiest ones; to search, use: ${command('search', ['WORDS'])}`;

interface Candidate {
  readonly seq: number;
  readonly fields: RankFields;
  /** True when it is known to share no term with the context. */
  readonly isStranger: boolean;
  /** Upper bound of its score. */
  readonly bound: number;
}

/** Returns the candidates with upper bounds of their scores. The texts of strangers are not read. */
function bounded(
  { store, nowMs }: Context,
  { seqs, strangers, isIndexUsable }: Candidates,
  wanted: ReadonlySet<string>,
): Candidate[] {
  const boundOf = (fields: RankFields, overlap: number): number => recommendation(fields, overlap, nowMs).score;
  const compared = Array.from(store.indexedItems(seqs, COMPARED_CHARS), ({ seq, fields, text, isTokenized }) => {
    // terms of another tokenizer give no bound
    const overlap = isTokenized && !isIndexUsable ? 1 : mostOverlap(wanted, text, isTokenized);
    return { seq, fields, isStranger: false, bound: boundOf(fields, overlap) };
  });
  const others = Array.from(store.indexedItems(strangers, 0), ({ seq, fields }) => {
    return { seq, fields, isStranger: true, bound: boundOf(fields, 0) };
  });
  return [...compared, ...others];
}

/** Returns the best `limit` candidates, sorted. The terms of a text are compared only if its bound allows it among
 * these; the bound excludes most texts. */
function bestOf(
  context: Context,
  candidates: readonly Candidate[],
  { wanted, limit, isIndexUsable }: { wanted: ReadonlySet<string>; limit: number; isIndexUsable: boolean },
) {
  const ranked: (Ranked & Recommendation & { readonly seq: number })[] = [];
  for (const { seq, fields, isStranger, bound } of candidates.toSorted((a, b) => b.bound - a.bound)) {
    const last = ranked[limit - 1];
    if (last !== undefined && bound < last.score) break;
    const overlap = isStranger ? 0 : jaccard(wanted, contentTerms(context, seq, isIndexUsable));
    const item = { seq, ...fields, ...recommendation(fields, overlap, context.nowMs) };
    const place = ranked.findIndex((other) => byRank(item, other) < 0);
    ranked.splice(place < 0 ? ranked.length : place, 0, item);
  }
  return ranked.slice(0, limit);
}

function presented(
  memory: Memory,
  ranked: { readonly score: number; readonly reasons: readonly string[] },
  show: Asked['show'],
  fields: Input['fields'],
): Record<string, unknown> {
  const computed = { chars: () => characterCount(memory.content), snippet: () => show(memory) };
  // the whole content is printed by default: a snippet is added only on request
  return withFields({ ...memory, ...ranked }, fields, computed, ['chars']);
}

interface Candidates {
  /** Rows of items that may share a term with the context. */
  readonly seqs: readonly number[];
  /** Rows of items that are known to share none. */
  readonly strangers: readonly number[];
  readonly isIndexUsable: boolean;
}

/** Finds the items that pass the filters and share a term with the context, and the newest ones, each once; only the
 * newest if the index cannot answer. */
function findCandidates(context: Context, filters: Filters, wanted: ReadonlySet<string>): Candidates {
  const { store, nowMs } = context;
  const newest = (limit: number): number[] =>
    store.list({ filters, sort: 'updated', nowMs, limit }).map(({ seq }) => seq);
  const isIndexUsable = store.indexState() === 'ready' && isIndexReadable(store.db);
  if (wanted.size === 0) return { seqs: [], strangers: newest(NEWEST_WITHOUT_CONTEXT), isIndexUsable };
  if (!isIndexUsable) return { seqs: newest(NEWEST_WITHOUT_CONTEXT), strangers: [], isIndexUsable };
  const lookups = [...wanted].slice(0, MAX_QUERY_TERMS).map((term) => lookUp(context, term, termExpression([term])));
  const { candidates } = bestOfLookups(
    context,
    lookups.filter(({ frequency }) => frequency > 0).map((lookup) => ({ ...lookup, weight: 1 })),
    { scope: scopeOf(context, filters), limit: MATCHING_CANDIDATES, enough: MATCHING_CANDIDATES },
  );
  const matching = candidates.slice(0, MATCHING_CANDIDATES).map(({ seq }) => seq);
  const found = new Set(matching);
  const others = newest(NEWEST_WITH_CONTEXT).filter((seq) => !found.has(seq));
  const isAllFound = wanted.size <= MAX_QUERY_TERMS && matching.length < MATCHING_CANDIDATES;
  return isAllFound
    ? { seqs: matching, strangers: others, isIndexUsable }
    : { seqs: [...matching, ...others], strangers: [], isIndexUsable };
}

/** Returns the terms of an item's content: from the index if they are stored there, otherwise tokenized again. */
function contentTerms({ store, tokenizer }: Context, seq: number, isIndexUsable: boolean): Set<string> {
  const [item] = store.indexedItems([seq], COMPARED_CHARS);
  if (item === undefined) return new Set();
  if (item.isTokenized && isIndexUsable) return new Set(item.text.split(' '));
  const content = item.isTokenized ? (store.bySeq(seq)?.content ?? '').slice(0, COMPARED_CHARS) : item.text;
  return new Set(tokenizer.terms(content));
}

async function contextFromStdin(stdin: Stdin): Promise<string> {
  const bytes = await stdin.readAll({ maxBytes: MAX_CONTENT_BYTES, isExplicit: true });
  if (bytes === undefined)
    throw new MemtoolError('PARAM_ERROR', '--context - reads stdin, but nothing is piped to it', {
      hint: sentence`git diff | ${command('recommend', { context: '-' })}`,
    });
  return withoutBom(decodeUtf8(bytes, 'stdin'));
}
