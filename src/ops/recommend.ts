import { MemtoolError } from '../core/errors.ts';
import { FIELD_PARAMS, MAX_CONTENT_BYTES, type Memory } from '../core/memory.ts';
import { decodeUtf8, withoutBom } from '../core/text.ts';
import { matchExpression, MAX_QUERY_TERMS } from '../search/fts-query.ts';
import { byRank } from '../search/rank.ts';
import { jaccard, recommendation } from '../search/recommend.ts';
import type { Filters } from '../store/filters.ts';
import type { Context } from './context.ts';
import { emptyHint } from './empty-hint.ts';
import { defineOperation } from './operation.ts';
import { fitContents, withFields } from './present.ts';
import { FIELDS_PARAM, FILTER_PARAMS, filtersOf, MAX_CHARS_PARAM, MAX_LIMIT } from './shared-params.ts';

/** Newest items that are candidates without a context. Source: contract, section 5. */
const NEWEST_WITHOUT_CONTEXT = 1000;
/** Newest items that are candidates beside those that share a term with the context. Source: contract, section 5. */
const NEWEST_WITH_CONTEXT = 200;
/** Candidates taken from the index, best by BM25 first. Range 100 to 10,000. */
const MATCHING_CANDIDATES = 1000;

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
  key_prefix: { ...FIELD_PARAMS.key, description: 'Only items whose key begins like this.' },
  type: FILTER_PARAMS.type,
  limit: { kind: 'int', min: 1, max: MAX_LIMIT, default: 10, description: 'At most this many items.' },
  include_stale: { kind: 'flag', description: 'Do not leave out items whose decay is 0.2 or less.' },
  fields: FIELDS_PARAM,
  max_chars: MAX_CHARS_PARAM,
} as const;

export const recommend = defineOperation({
  name: 'recommend',
  summary: 'Suggest memories for the work at hand: by context, confidence, age and weight.',
  prints:
    'items (each with score and reasons), candidates (how many were compared), truncated; omitted_ids with --max-chars.',
  notes: [
    'score = (0.5 · word overlap with the context + 0.3 · confidence + 0.2 · recency) · weight. Reasons: context_match, high_confidence, recent, high_weight.',
  ],
  examples: [
    { command: 'memtool recommend --context "登录接口 返回 401" --type feature --limit 5', note: 'for a task' },
    { command: 'git diff | memtool recommend --context - --task-id login', note: 'for a change' },
  ],
  access: 'read',
  params: PARAMS,
  async run(context, input) {
    const text = input.context === '-' ? await contextFromStdin(context) : input.context;
    const filters: Filters = {
      ...filtersOf({ ...input, exclude_stale: input.include_stale !== true }, context.nowMs),
      key_prefix: input.key_prefix,
    };
    const wanted = new Set(text === undefined ? [] : context.tokenizer.terms(text));
    const candidates = findCandidates(context, filters, wanted);
    const ranked = candidates
      .map((memory) => {
        const overlap = wanted.size === 0 ? 0 : jaccard(wanted, new Set(context.tokenizer.terms(memory.content)));
        return { ...memory, ...recommendation(memory, overlap, context.nowMs) };
      })
      .toSorted(byRank);
    const fitted = fitContents(ranked.slice(0, input.limit), input.max_chars);
    const hint = ranked.length === 0 ? emptyHint(context.store, filters) : undefined;
    return {
      items: fitted.items.map(({ score, reasons, ...memory }) =>
        withFields({ ...memory, score, reasons }, input.fields),
      ),
      candidates: candidates.length,
      truncated: candidates.length > fitted.items.length,
      ...(input.max_chars !== undefined && { omitted_ids: fitted.omittedIds }),
      ...(hint !== undefined && { hint }),
    };
  },
});

/** What passes the filters and shares a term with the context, and the newest items; each once. */
function findCandidates(context: Context, filters: Filters, wanted: ReadonlySet<string>): Memory[] {
  const { store, nowMs } = context;
  const newest = (limit: number): Memory[] =>
    store.list({ filters, sort: 'updated', nowMs, limit }).map(({ memory }) => memory);
  if (wanted.size === 0) return newest(NEWEST_WITHOUT_CONTEXT);
  if (store.indexState() !== 'ready') return newest(NEWEST_WITHOUT_CONTEXT);
  const expression = matchExpression([...wanted].slice(0, MAX_QUERY_TERMS), 'any');
  const matching = store
    .bestMatches(expression, filters, MATCHING_CANDIDATES)
    .flatMap(({ seq }) => store.bySeq(seq) ?? []);
  const all = [...matching, ...newest(NEWEST_WITH_CONTEXT)];
  return [...new Map(all.map((memory) => [memory.id, memory])).values()];
}

async function contextFromStdin({ stdin }: Context): Promise<string> {
  const bytes = await stdin?.readAll({ maxBytes: MAX_CONTENT_BYTES, isExplicit: true });
  if (bytes === undefined)
    throw new MemtoolError('PARAM_ERROR', '--context - reads stdin, and nothing is piped to it', {
      hint: 'git diff | memtool recommend --context -',
    });
  return withoutBom(decodeUtf8(bytes, 'stdin'));
}
