import { MemtoolError, quote } from '../core/errors.ts';
import { isSameFile } from '../core/paths.ts';
import { command, sentence, type Text } from '../core/sentence.ts';
import { normalisedDiscountedGain, percentile, recall, reciprocalRank } from '../search/retrieval-metrics.ts';
import type { Context } from './context.ts';
import { jsonLines, type Line } from './json-lines.ts';
import { openSource, sourceName } from './line-source.ts';
import { defineOperation } from './operation.ts';
import { writeWhole } from './output-file.ts';
import { warningsOf } from './present.ts';
import { answer } from './search-answer.ts';
import { MAX_LIMIT, MAX_PATH_CHARS } from './shared-params.ts';

/** Longest line of an input file, in bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const PATH = { kind: 'text', format: 'path', maxChars: MAX_PATH_CHARS } as const;
const PARAMS = {
  queries: {
    ...PATH,
    required: true,
    description:
      'JSON Lines: {"query":…,"relevant":[ids or keys of the items that answer it]}; one item per key is enough. - reads stdin.',
  },
  k: { kind: 'int', min: 1, max: MAX_LIMIT, default: 10, description: 'How many results per query count.' },
  save: {
    ...PATH,
    description: 'Write the figures of each query to this file, replacing its content, for a later comparison.',
  },
  compare: { ...PATH, description: 'Compare with the figures that an earlier run saved.' },
} as const;

interface Judged {
  readonly query: string;
  readonly relevant: ReadonlySet<string>;
}

/** The figures of one query, as saved. */
interface Figures {
  readonly query: string;
  readonly recall: number;
  readonly mrr: number;
  readonly ndcg: number;
}

/** Differences up to this do not count as a change. */
const LEAST_CHANGE = 1e-9;

export const evaluate = defineOperation({
  name: 'eval',
  summary: 'Measure search quality on questions whose answers you know.',
  prints:
    'queries, k, recall, mrr, ndcg (means, 0 to 1), empty (queries that found nothing), latency_ms (mean, p50, p95, p99); with --compare: compared (queries in both runs, recall, mrr, ndcg as differences, better, worse); warnings: names in relevant that no stored item has.',
  notes: [
    'Nothing is written to the database. Run it before and after a change, with --save and --compare, to see whether the change helped.',
  ],
  examples: [
    { command: 'memtool eval --queries questions.jsonl --save before.jsonl', note: 'measure' },
    { command: 'memtool eval --queries questions.jsonl --compare before.jsonl', note: 'measure again and compare' },
  ],
  isDestructive: true, // --save replaces a file
  isIdempotent: true,
  writesFile: true,
  access: 'read',
  params: PARAMS,
  async run(context, input) {
    if (input.save === '-')
      throw new MemtoolError('PARAM_ERROR', '--save - would mix the figures with the answer on stdout', {
        hint: 'name a file',
      });
    if (input.save !== undefined && isSameFile(input.save, input.queries))
      throw new MemtoolError(
        'PARAM_ERROR',
        sentence`--save names the file of the queries, which would be overwritten`,
        {
          hint: 'name another file',
        },
      );
    const judged = await readJudged(context, input.queries);
    const earlier = input.compare === undefined ? undefined : await readFigures(context, input.compare, judged);
    const unknown = context.store.unknownNames([...new Set(judged.flatMap(({ relevant }) => [...relevant]))]);
    context.store.expectManyReads();
    const latencies: number[] = [];
    let empty = 0;
    const figures = judged.map(({ query, relevant }): Figures => {
      const startedAt = performance.now();
      const found = search(context, query, input.k);
      latencies.push(performance.now() - startedAt);
      if (found.length === 0) empty += 1;
      const { gains, answers } = gainsOf(found, relevant);
      return {
        query,
        recall: recall(gains, answers),
        mrr: reciprocalRank(gains),
        ndcg: normalisedDiscountedGain(gains, answers, input.k),
      };
    });
    if (input.save !== undefined)
      writeWhole(
        input.save,
        figures.map((one) => `${JSON.stringify(one)}\n`),
        context.store.path,
      );
    const mean = (of: keyof Omit<Figures, 'query'>): number =>
      figures.reduce((sum, one) => sum + one[of], 0) / figures.length;
    return {
      queries: figures.length,
      k: input.k,
      recall: mean('recall'),
      mrr: mean('mrr'),
      ndcg: mean('ndcg'),
      empty,
      latency_ms: {
        mean: latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length,
        p50: percentile(latencies, 0.5),
        p95: percentile(latencies, 0.95),
        p99: percentile(latencies, 0.99),
      },
      ...(earlier !== undefined && { compared: comparison(figures, earlier) }),
      ...warningsOf(context.store, unknownNameWarnings(unknown)),
    };
  },
});

/** Most names in a warning. */
const SHOWN_NAMES = 20;

function unknownNameWarnings(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > SHOWN_NAMES ? `, and ${names.length - SHOWN_NAMES} more` : '';
  return [
    `no stored item has these ids or keys, so that they count as not found: ${names.slice(0, SHOWN_NAMES).map(quote).join(', ')}${more}`,
  ];
}

interface Named {
  readonly id: string;
  readonly key: string | null;
  readonly duplicates?: readonly string[];
}

/** Runs a query as `memtool search` does. Returns the names of each result: its id, its key, and the ids of its
 * copies. */
function search(context: Context, query: string, k: number): string[][] {
  const { items } = answer(context, {
    query,
    sort_by: 'relevance',
    limit: k,
    match: 'any',
    syntax: 'plain',
    engine: 'auto',
  });
  // every field is present, since `fields` is not given
  return (items as Named[]).map(({ id, key, duplicates = [] }) => [id, key ?? id, ...duplicates]);
}

/** Returns which results are answers, and how many answers there are. An answer counts once, however many items have
 * its key; the names of one result (copies, a key and its id) are a single answer. */
function gainsOf(
  found: readonly (readonly string[])[],
  relevant: ReadonlySet<string>,
): { readonly gains: boolean[]; readonly answers: number } {
  const wanted = new Set(relevant);
  let answers = relevant.size;
  const gains = found.map((names) => {
    const hits = [...new Set(names)].filter((name) => wanted.delete(name));
    answers -= Math.max(0, hits.length - 1);
    return hits.length > 0;
  });
  return { gains, answers };
}

type JsonLine = Exclude<Line, { readonly problem: string }>;

/** Returns the JSON of each non-blank line of a file; - is stdin. Throws PARAM_ERROR for a bad line, with `hint`. */
async function readLines(context: Context, file: string, hint: Text): Promise<JsonLine[]> {
  const source = openSource(context, file, (queries) => command('eval', { queries }));
  try {
    const found: JsonLine[] = [];
    for await (const line of jsonLines(
      source.chunks(() => {}),
      MAX_LINE_BYTES,
    )) {
      if ('problem' in line) throw badLine(file, line.number, line.problem, hint);
      found.push(line);
    }
    return found;
  } finally {
    source.close();
  }
}

const QUESTION_FORM = 'each line must look like {"query":"…","relevant":["id or key"]}';
const FIGURES_FORM = sentence`name a file that an earlier run wrote, with: ${command('eval', { queries: 'QUESTIONS', save: 'FIGURES' })}`;

function badLine(file: string, line: number, problem: string, hint: Text): MemtoolError {
  return new MemtoolError('PARAM_ERROR', `line ${line} of ${sourceName(file)}: ${problem}`, {
    hint,
    context: { line },
  });
}

async function readJudged(context: Context, file: string): Promise<Judged[]> {
  const lines = await readLines(context, file, QUESTION_FORM);
  const judged = lines.map(({ number, value }) => {
    const { query, relevant } = Object(value) as { query?: unknown; relevant?: unknown };
    const isList = Array.isArray(relevant) && relevant.length > 0 && relevant.every((name) => typeof name === 'string');
    if (typeof query !== 'string' || query === '' || !isList)
      throw badLine(file, number, 'needs a query and a list of relevant ids or keys', QUESTION_FORM);
    return { query, relevant: new Set<string>(relevant) };
  });
  if (judged.length === 0) throw badLine(file, 1, 'there is no query', QUESTION_FORM);
  return judged;
}

/** True for the figures of a query that an earlier run saved; lines in another form are left out of a comparison. */
function areFigures(value: unknown): value is Figures {
  const saved = Object(value) as Partial<Record<keyof Figures, unknown>>;
  return typeof saved.query === 'string' && [saved.recall, saved.mrr, saved.ndcg].every(Number.isFinite);
}

/** Returns the figures that an earlier run saved, by query. To be called before anything is saved: it may be the same
 * file. Throws PARAM_ERROR when it has none of these queries: a comparison with nothing would look like no change. */
async function readFigures(context: Context, file: string, judged: readonly Judged[]): Promise<Map<string, Figures>> {
  const lines = await readLines(context, file, FIGURES_FORM);
  const saved = new Map(
    lines
      .map(({ value }) => value)
      .filter(areFigures)
      .map((one) => [one.query, one]),
  );
  if (saved.size === 0)
    throw new MemtoolError('PARAM_ERROR', `${sourceName(file)} holds no figures of an earlier run`, {
      hint: FIGURES_FORM,
    });
  if (!judged.some(({ query }) => saved.has(query)))
    throw new MemtoolError('PARAM_ERROR', `${sourceName(file)} holds figures, but of none of these queries`, {
      hint: 'compare with an earlier run of the same questions',
    });
  return saved;
}

function comparison(figures: readonly Figures[], earlier: ReadonlyMap<string, Figures>): Record<string, number> {
  const pairs = figures.flatMap((now) => {
    const before = earlier.get(now.query);
    return before === undefined ? [] : [{ before, now }];
  });
  const difference = (of: keyof Omit<Figures, 'query'>): number =>
    pairs.length === 0 ? 0 : pairs.reduce((sum, { before, now }) => sum + now[of] - before[of], 0) / pairs.length;
  return {
    queries: pairs.length,
    recall: difference('recall'),
    mrr: difference('mrr'),
    ndcg: difference('ndcg'),
    better: pairs.filter(({ before, now }) => now.ndcg > before.ndcg + LEAST_CHANGE).length,
    worse: pairs.filter(({ before, now }) => now.ndcg < before.ndcg - LEAST_CHANGE).length,
  };
}
