import { MAX_CONTENT_BYTES } from '../core/memory.ts';
import { joinExpressions, matchExpression } from '../search/fts-query.ts';
import { hasHan } from '../search/scripts.ts';
import { LONGEST_STRETCH } from '../search/tokenizer.ts';
import { lexicalScores, termWeight, type CandidateText, type LexicalScore, type Statistics } from '../search/score.ts';
import { relevance } from '../search/rank.ts';
import type { Filters } from '../store/filters.ts';
import type { Candidate, Scope } from '../store/fts-index.ts';
import type { RankFields } from '../store/rows.ts';
import { bestOfLookups, type WeighedLookup } from './best-of-lookups.ts';
import type { Context } from './context.ts';
import type { SearchRequest } from './search-engine.ts';
import type { IndexPlan, Lookup } from './search-plan.ts';

// Which items are scored in full, since scoring all would take time without bound:
//
//   bestOfLookups  the best by BM25 of the rows that hold most of the rarest lookups (best-of-lookups.ts)
//   called         of any frequency: the newest whose key is the query or a word of it,
//                  or that have a word of it in key or tags (CALLED_ROWS)
//   joined         the newest that have all words, or all but the commonest, down to the two rarest
//   saying         the newest that say a phrase (search-plan.ts: PHRASE_ROWS)
//   promising      of these, none far below the best;
//                  whole contents are read only where nothing was found in their beginnings
//
// The last three in the place of the last by BM25, where more match than are scored. docs/ranking.md, Candidates, says
// it in words.

/** How many of the best matches by FTS5's BM25 are scored in full. Range 50 to 1,000; 100 measured within 0.1 of
 * 1,000. */
const SCORED_CANDIDATES = 100;
/** Share of the best candidate's BM25 below which one is not scored, unless as many are asked for. Range 0 to 0.5; 0.2
 * measured as good as 0, 0.45 costs 0.2 points. */
const LEAST_PROSPECT = 0.2;
/** How much of a content is scored, in characters: bounds the work for contents of megabytes. */
const SCORED_CHARS = 100_000;
/** Candidates that the rarest terms have to give before commoner ones are left out: as many as a search by default
 * looks through. The first items are the same for every limit up to a third of it. Range 20 to `SCORED_CANDIDATES`. */
const ENOUGH_CANDIDATES = 60;
/** Words of a query that are asked for together, the rarest; and of one with more than `LONG_QUERY` words, which is a
 * question rather than a list of words. Range 2 to 10. */
const JOINED_WORDS = 6;
const JOINED_WORDS_OF_LONG = 3;
const LONG_QUERY = 8;
/** Items with all words of a query, or with most of them, that are scored beside those with its rarest, the newest.
 * Range 20 to `SCORED_CANDIDATES`; each takes 20 microseconds. */
const JOINED_CANDIDATES = 30;
/** Keys that are looked up: the query and its first words. */
const CALLED_KEYS = 20;
/** Items that have a word of the query in key or tags, or are called by their key, and are scored beside the others,
 * the newest. Range 10 to `SCORED_CANDIDATES`. */
const CALLED_CANDIDATES = 20;
/** Rows that the words which are looked for in key and tags may have together: FTS5 looks at each. Range 2,000 to
 * 50,000; a row takes 0.05 microseconds. */
const CALLED_ROWS = 10_000;
/** Words of a query up to which they are looked for there: a name is short. Range 2 to 10. */
const CALLED_WORDS = 4;
/** Contents without any match in what is scored of them that are read whole. */
const WHOLE_CONTENTS = 5;
interface ScoredCandidate {
  readonly item: RankFields;
  readonly lexical: LexicalScore;
}

interface Candidates {
  readonly scored: readonly ScoredCandidate[];
  /** How many items match; undefined where not all of them were looked at. */
  readonly total: number | undefined;
}

/** The best matches by BM25, with their full lexical scores. */
export function findCandidates(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Candidates {
  const { store } = context;
  const { matches, isAll } = bestMatches(context, request, plan, scope);
  const chosen = promising(matches, Math.max(ENOUGH_CANDIDATES, request.limit));
  const { count, averageLength } = store.indexStatistics();
  const frequencies = new Map(plan.lookups.map(({ term, frequency }) => [term, frequency]));
  const statistics: Statistics = {
    count,
    averageLength,
    documentFrequency: (term) => Math.max(1, Math.min(count, frequencies.get(term) ?? 1)),
  };
  const items: { seq: number; fields: RankFields }[] = [];
  const texts = function* (): Generator<CandidateText> {
    const seqs = chosen.map(({ seq }) => seq);
    for (const text of store.scoredTexts(seqs, SCORED_CHARS)) {
      items.push({ seq: text.seq, fields: text.fields });
      yield text;
    }
  };
  const scores = lexicalScores(plan.query, texts(), statistics, (at) => {
    const fields = items[at]?.fields;
    return fields === undefined ? 0 : relevance(1, fields, context.nowMs).score;
  });
  // what matches so far behind that it was not seen
  const unseen = items.map((_, at) => at).filter((at) => scores[at]?.score === 0);
  for (const at of unseen.slice(0, WHOLE_CONTENTS)) {
    const whole = store.scoredTexts([items[at]?.seq ?? 0], MAX_CONTENT_BYTES);
    const [score] = lexicalScores(plan.query, whole, statistics);
    if (score !== undefined) scores[at] = score;
  }
  const scored = items.flatMap(({ fields }, at) => {
    const lexical = scores[at];
    return lexical === undefined ? [] : [{ item: fields, lexical }];
  });
  return { scored, total: isAll ? matches.length : undefined };
}

/** Leaves out the candidates that have no prospect: far below the best, and more than are asked for. */
function promising(items: readonly Candidate[], wanted: number): Candidate[] {
  const ordered = items.toSorted((a, b) => b.bm25 - a.bm25);
  const least = LEAST_PROSPECT * (ordered[0]?.bm25 ?? 0);
  return ordered.filter(({ bm25 }, at) => at < wanted || bm25 >= least);
}

interface Matches {
  readonly matches: readonly Candidate[];
  /** True where these are all items that match. */
  readonly isAll: boolean;
}

/** The best matches of a plan by BM25, more than are asked for. */
function bestMatches(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Matches {
  const limit = Math.max(SCORED_CANDIDATES, request.limit);
  if (plan.expression === undefined) return { matches: [], isAll: true };
  const options = { scope, limit, enough: Math.max(ENOUGH_CANDIDATES, request.limit) };
  const isWhole = request.match === 'all' || plan.lookups.length === 0;
  const lookups = isWhole
    ? [{ expression: plan.expression, frequency: Number.POSITIVE_INFINITY, weight: 1 }]
    : weighed(plan);
  const { candidates, isAll } = bestOfLookups(context, lookups, options);
  if (isAll) return { matches: candidates, isAll };
  // More items match than were taken. What is added is not ranked by FTS5: it would read all rows of common words, and
  // it sets long texts far behind.
  const best = Math.max(...candidates.map(({ bm25 }) => bm25));
  const added = [
    ...(isWhole ? [] : [...called(context, request.query, plan, scope), ...joined(context, plan, scope)]),
    ...saying(context, plan.sayings, isWhole ? plan.expression : undefined, scope),
  ];
  const sure = new Map(added.map((item) => [item.seq, { ...item, bm25: best }]));
  const others = candidates.filter(({ seq }) => !sure.has(seq)).toSorted((a, b) => b.bm25 - a.bm25);
  // as many are scored as without these
  return {
    matches: [...sure.values(), ...others.slice(0, Math.max(options.enough, limit - sure.size))],
    isAll: false,
  };
}

/** The lookups of a plan with what each counts for in the query. */
function weighed({ query, lookups }: IndexPlan): WeighedLookup[] {
  const weights = new Map(query.terms.map((term) => [term.term, termWeight(term, query)]));
  return lookups.map((lookup) => ({ ...lookup, weight: weights.get(lookup.term) ?? 1 }));
}

/** The newest items that the query calls by their key or tags: those whose key is the query or a word of it, and where
 * the words are not too common, those that have one of them in key or tags. */
function called({ store }: Context, query: string, plan: IndexPlan, scope: Scope): Candidate[] {
  const normal = query.normalize('NFC').trim();
  const names = [...new Set([normal, ...normal.split(/\s+/)])].slice(0, CALLED_KEYS);
  const keys = names.flatMap((name) => plan.query.variants.writings(name));
  let rows = 0;
  const all = wordsOf(plan);
  const words = all.length > CALLED_WORDS ? [] : all.filter(({ frequency }) => (rows += frequency) <= CALLED_ROWS);
  const expressions = words.map(({ expression }) => expression);
  return [
    ...store.itemsWithKeys(keys, scope, CALLED_CANDIDATES),
    ...(words.length === 0
      ? []
      : store.newestMatches(`{key tags} : (${joinExpressions(expressions, 'any')})`, scope, CALLED_CANDIDATES)),
  ];
}

/** The newest items that say a phrase of the query as one; of those that match `within`, where that is given. */
function saying(
  { store }: Context,
  sayings: string | undefined,
  within: string | undefined,
  scope: Scope,
): Candidate[] {
  if (sayings === undefined) return [];
  const match = within === undefined ? sayings : `(${within}) AND (${sayings})`;
  return store.newestMatches(match, scope, JOINED_CANDIDATES);
}

/** The newest items that have all words of a query; where these are few, those that have all but the commonest, and so
 * on down to the two rarest. */
function joined({ store }: Context, plan: IndexPlan, scope: Scope): Candidate[] {
  const all = wordsOf(plan);
  const words = all.slice(0, all.length > LONG_QUERY ? JOINED_WORDS_OF_LONG : JOINED_WORDS);
  let found: Candidate[] = [];
  // The two rarest first: where few items have them, these are all that can have more words of the query, and FTS5 need
  // not read the rows of the commoner ones.
  for (let count = 2; count <= words.length; count += 1) {
    const expressions = words.slice(0, count).map(({ expression }) => expression);
    const items = store.newestMatches(joinExpressions(expressions, 'all'), scope, JOINED_CANDIDATES);
    const isAll = items.length < JOINED_CANDIDATES;
    const others = isAll ? found.filter(({ seq }) => items.every((item) => item.seq !== seq)) : [];
    found = [...items, ...others].slice(0, JOINED_CANDIDATES);
    if (isAll) break;
  }
  return found;
}

/** The words of a query that items have, the rarest first, without those that are a part of another. */
function wordsOf({ query, lookups }: IndexPlan): Lookup[] {
  const known = query.terms.flatMap(({ term }) => lookups.find((lookup) => lookup.term === term) ?? []);
  return known
    .filter(({ term }) => !known.some((other) => other.term !== term && other.term.includes(term)))
    .toSorted((a, b) => a.frequency - b.frequency);
}

/** Which items a search may find. Where an index serves the filters and few items pass them, these are listed once, so
 * that their rows are known before any word is looked up. */
export function scopeOf({ store, tokenizer }: Context, filters: Filters): Scope {
  // a text that was indexed without the dictionary has no longer words
  const terms = (filters.tags ?? [])
    .flatMap((tag) => tokenizer.terms(tag))
    .filter((term) => term.length <= LONGEST_STRETCH || !hasHan(term));
  const isKnown = terms.length > 0 && !tokenizer.isProvisional;
  const tagMatch = isKnown ? `tags : (${matchExpression(terms, 'all')})` : undefined;
  return store.scopeOf(filters, tagMatch);
}
