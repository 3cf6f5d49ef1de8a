import { distance } from 'fastest-levenshtein';
import {
  isAlone,
  joinExpressions,
  matchExpression,
  spanExpression,
  termExpression,
  type Match,
} from '../search/fts-query.ts';
import type { Query, QueryTerm } from '../search/query.ts';
import { hasHan } from '../search/scripts.ts';
import { LONGEST_STRETCH } from '../search/tokenizer.ts';
import { normalForm } from '../search/words.ts';
import { lexicalScores, type LexicalScore, type Statistics } from '../search/score.ts';
import { hasFilters, type Filters } from '../store/filters.ts';
import type { Candidate, Scope } from '../store/fts-index.ts';
import { COUNTED_ROWS } from '../store/fts-statistics.ts';
import type { Context } from './context.ts';
import type { SearchRequest } from './search-engine.ts';

/** How many of the best matches by FTS5's BM25 are scored in full. Range 50 to 1,000; 100 measured within 0.1 of 1,000. */
const SCORED_CANDIDATES = 100;
/** Share of the best candidate's BM25 below which one is not scored, unless as many are asked for. Range 0 to 0.5; 0.2 measured as good as 0, 0.45
 * costs 0.2 points. */
const LEAST_PROSPECT = 0.2;
/** How much of a content is scored, in characters: bounds the work for contents of megabytes. */
const SCORED_CHARS = 100_000;
/** Rows that the terms by which candidates are chosen may match together: the rare terms of a query say what it is about, and a word in half of the
 * items would cost a look at all of them. Range 1,000 to 20,000; 2,000 measured as good as 5,000, and a row takes about a microsecond. */
const CANDIDATE_ROWS = 2000;
/** Items that pass filters and are listed before anything is looked up. Range 500 to 10,000. */
const SCOPE_ROWS = 2000;
/** Han stretches up to this many characters are also looked for as they stand. */
const LONGEST_SPAN = 6;
/** Letters with which a word must begin like a near one, and the shortest word that has near ones. */
const NEAR_PREFIX = 2;
const SHORTEST_NEAR_WORD = 4;
/** Near words are looked for where at most this many terms of the query are known: where exact terms find little. */
const FEW_KNOWN_TERMS = 3;
/** Words of the vocabulary that are compared with an unknown one. */
const COMPARED_WORDS = 5000;
/** From this length on two letters may differ, below it one. */
const TWO_ERRORS_FROM = 8;

/** One thing that the index is asked for. */
interface Lookup {
  readonly term: string;
  readonly expression: string;
  /** How many items hold it. */
  readonly frequency: number;
}

export interface IndexPlan {
  /** The query, with near words added for those that no item has. */
  readonly query: Query;
  /** What matches; undefined when no item holds anything of the query (or not all of it). */
  readonly expression: string | undefined;
  /** The parts of it that items hold; none where the expression was given by the caller. */
  readonly lookups: readonly Lookup[];
}

/** Asks the index for one thing. */
export function lookUp({ store }: Context, term: string, expression: string): Lookup {
  return { term, expression, frequency: store.documentFrequency(expression) };
}

/** Asks the index for every term, and for near words of those that it does not have. */
export function planLookups(context: Context, query: Query, match: Match): IndexPlan {
  const asked = query.terms.map((term) => ({ term, lookup: lookUpTerm(context, term, match) }));
  const exact = context.tokenizer.isProvisional ? longestKnown(asked) : asked;
  const missing = exact.filter(({ lookup }) => lookup.frequency === 0);
  const isLittle = exact.length - missing.length <= FEW_KNOWN_TERMS;
  const near = isLittle ? missing.flatMap(({ term }) => nearWords(context, term)) : [];
  const terms = [...exact.map(({ term }) => term), ...near];
  const words = [
    ...exact.map(({ lookup }) => lookup),
    ...near.map(({ term, forms }) => lookUp(context, term, termExpression(forms))),
  ];
  const spans = query.spans
    .filter((span) => !isAlone(span) && span.length <= LONGEST_SPAN)
    .map((span) => lookUp(context, span, spanExpression(span)));
  const lone = loneCharacters(context, query, [...exact.map(({ lookup }) => lookup), ...spans]);
  const lookups = [...words, ...spans, ...lone].filter(({ frequency }) => frequency > 0);
  const isMissing = match === 'all' && exact.some(({ lookup }) => lookup.frequency === 0);
  if (lookups.length === 0 || isMissing) return { query, expression: undefined, lookups };
  const wanted = match === 'all' ? exact.map(({ lookup }) => lookup) : lookups;
  return {
    query: { ...query, terms },
    expression: joinExpressions(
      wanted.map(({ expression }) => expression),
      match,
    ),
    lookups,
  };
}

/** A Han word that no item has as a word, or that has to be there, is taken wherever it stands, since items may be cut otherwise than the query. */
function lookUpTerm(context: Context, { term, kind, forms }: QueryTerm, match: Match): Lookup {
  const expression = termExpression(forms);
  if (kind === 'han' && match === 'all') return lookUp(context, term, `((${expression}) OR ${spanExpression(term)})`);
  const lookup = lookUp(context, term, expression);
  return kind === 'han' && lookup.frequency === 0 ? lookUp(context, term, spanExpression(term)) : lookup;
}

/** The characters of a query that stand alone, wherever items have them: looked up where no word of the query is known, since they say little beside words,
 * and where they are no common words themselves, of which enough is found. */
function loneCharacters(context: Context, { spans }: Query, exact: readonly Lookup[]): Lookup[] {
  if (exact.some(({ term, frequency }) => frequency > 0 && !isAlone(term))) return [];
  const answered = new Set(
    exact
      .filter(({ term, expression, frequency }) => frequency >= COUNTED_ROWS || expression === spanExpression(term))
      .map(({ term }) => term),
  );
  return spans
    .filter((span) => isAlone(span) && !answered.has(span))
    .map((span) => lookUp(context, span, spanExpression(span)));
}

interface Asked {
  readonly term: QueryTerm;
  readonly lookup: Lookup;
}

/** The words of a query whose Han text was cut without the dictionary: of all stretches those that the index knows and that are no part of another such;
 * the index stands in for the dictionary. */
function longestKnown(asked: readonly Asked[]): readonly Asked[] {
  const known = asked.filter(({ term, lookup }) => term.kind !== 'han' || lookup.frequency > 0);
  const longest = known.filter(
    ({ term }) =>
      term.kind !== 'han' || !known.some((other) => other.term !== term && other.term.term.includes(term.term)),
  );
  return longest.length === 0 ? asked : longest;
}

/** Words of the index that differ from an unknown Latin word by a letter or two. */
function nearWords({ store }: Context, { term, kind }: QueryTerm): QueryTerm[] {
  if (kind !== 'word' || term.length < SHORTEST_NEAR_WORD) return [];
  const most = term.length < TWO_ERRORS_FROM ? 1 : 2;
  const swaps = swapped(term);
  return store
    .vocabulary(term.slice(0, NEAR_PREFIX), COMPARED_WORDS)
    .filter((word) => swaps.has(word) || (Math.abs(word.length - term.length) <= most && distance(word, term) <= most))
    .map((word) => ({ term: word, kind, forms: [word], count: 1, isName: false }));
}

/** What a word would be, as the index has it, if two of its neighbouring letters had changed places: the commonest slip of the fingers. */
function swapped(word: string): Set<string> {
  const found = new Set<string>();
  for (let at = NEAR_PREFIX; at + 1 < word.length; at += 1)
    found.add(normalForm(`${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`));
  return found;
}

export interface ScoredCandidate {
  readonly item: Candidate;
  readonly lexical: LexicalScore;
}

/** The best matches by BM25, with their full lexical scores. */
export function findCandidates(
  context: Context,
  request: SearchRequest,
  plan: IndexPlan,
  scope: Scope,
): ScoredCandidate[] {
  const { store } = context;
  const items = promising(bestMatches(context, request, plan, scope), request.limit);
  const { count, averageLength } = store.indexStatistics();
  const frequencies = new Map(plan.lookups.map(({ term, frequency }) => [term, frequency]));
  const statistics: Statistics = {
    count,
    averageLength,
    documentFrequency: (term) => Math.max(1, Math.min(count, frequencies.get(term) ?? 1)),
  };
  const scores = lexicalScores(
    plan.query,
    store.scoredTexts(
      items.map(({ seq }) => seq),
      SCORED_CHARS,
    ),
    statistics,
  );
  return items.flatMap((item, at) => {
    const lexical = scores[at];
    return lexical === undefined ? [] : [{ item, lexical }];
  });
}

/** Leaves out the candidates that have no prospect: far below the best, and more than are asked for. */
function promising(items: readonly Candidate[], wanted: number): Candidate[] {
  const ordered = items.toSorted((a, b) => b.bm25 - a.bm25);
  const least = LEAST_PROSPECT * (ordered[0]?.bm25 ?? 0);
  return ordered.filter(({ bm25 }, at) => at < wanted || bm25 >= least);
}

/** The best matches of a plan by BM25, more than are asked for. */
function bestMatches(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Candidate[] {
  const limit = Math.max(SCORED_CANDIDATES, request.limit);
  if (plan.expression === undefined) return [];
  const whole = { expression: plan.expression, rows: Number.POSITIVE_INFINITY };
  const isOne = request.match === 'all' || plan.lookups.length === 0;
  const all = isOne ? [whole] : groups(plan.lookups);
  return bestOfGroups(context, all, { scope, limit, enough: request.limit });
}

/** Which items a search may find. Where an index serves the filters and few items pass them, these are listed once, so that their rows are known before any
 * word is looked up. */
export function scopeOf({ store, tokenizer }: Context, filters: Filters): Scope {
  // a text that was indexed without the dictionary has no longer words
  const terms = (filters.tags ?? [])
    .flatMap((tag) => tokenizer.terms(tag))
    .filter((term) => term.length <= LONGEST_STRETCH || !hasHan(term));
  const isKnown = terms.length > 0 && !tokenizer.isProvisional;
  const tagMatch = isKnown ? `tags : (${matchExpression(terms, 'all')})` : undefined;
  return store.scopeOf(filters, tagMatch, SCOPE_ROWS);
}

/** The best `limit` matches of the rarest lookups, as many of these as match few enough rows together; where they find less than `enough`, also those of
 * the next rarest, and so on, of a term that matches more rows by the newest of them. */
export function bestOfLookups(context: Context, lookups: readonly Lookup[], options: SelectOptions): Candidate[] {
  return bestOfGroups(context, groups(lookups), options);
}

interface SelectOptions {
  readonly scope: Scope;
  readonly limit: number;
  readonly enough: number;
}

interface Group {
  readonly expression: string;
  readonly rows: number;
}

function bestOfGroups({ store }: Context, all: readonly Group[], { scope, limit, enough }: SelectOptions): Candidate[] {
  const found = new Map<number, Candidate>();
  const add = ({ expression }: Group, mostRows: number | undefined): void => {
    for (const item of store.bestMatches(expression, scope, limit, mostRows))
      if (!found.has(item.seq)) found.set(item.seq, item);
  };
  // among the listed rows of a scope all matches are looked at: few of them are ranked
  const isCut = ({ rows }: Group): boolean => rows > CANDIDATE_ROWS && scope.seqs === undefined;
  for (const group of all) {
    if (found.size >= enough) return [...found.values()];
    add(group, isCut(group) ? CANDIDATE_ROWS : undefined);
  }
  // filters may leave out all of the newest: then nothing must be missed for the sake of speed
  if (found.size < enough && hasFilters(scope.filters)) for (const group of all.filter(isCut)) add(group, undefined);
  return [...found.values()];
}

/** Lookups, the rarest first, in groups that match at most `CANDIDATE_ROWS` rows together, or that are one lookup. FTS5 reads all rows of every term of an
 * expression when it ranks, so that a common term must not stand beside a rare one. */
function groups(lookups: readonly Lookup[]): Group[] {
  const found: { expressions: string[]; rows: number }[] = [];
  for (const { expression, frequency } of lookups.toSorted((a, b) => a.frequency - b.frequency)) {
    const last = found.at(-1);
    if (last !== undefined && last.rows + frequency <= CANDIDATE_ROWS) {
      last.expressions.push(expression);
      last.rows += frequency;
    } else {
      found.push({ expressions: [expression], rows: frequency });
    }
  }
  return found.map(({ expressions, rows }) => ({ expression: joinExpressions(expressions, 'any'), rows }));
}
