import { MAX_CONTENT_BYTES, MAX_NAME_CHARS } from '../core/memory.ts';
import type { CandidateText } from '../search/counter.ts';
import { expressionOf, matchExpression } from '../search/fts-query.ts';
import { hasHan } from '../search/scripts.ts';
import { LONGEST_STRETCH } from '../search/tokenizer.ts';
import { lexicalScores, termWeight, type LexicalScore, type Statistics } from '../search/score.ts';
import { relevance } from '../search/rank.ts';
import type { Filters } from '../store/filters.ts';
import type { Candidate, Scope } from '../store/fts-index.ts';
import type { RankFields } from '../store/rows.ts';
import type { ScoredText } from '../store/scored-texts.ts';
import { bestOfLookups, type WeightedLookup } from './best-of-lookups.ts';
import type { Context } from './context.ts';
import type { SearchRequest } from './search-engine.ts';
import type { Lookup } from './lookup.ts';
import type { IndexPlan } from './search-plan.ts';

// Scoring all matches in full would take time without bound. These functions choose what is scored:
//
//   bestOfLookups      the best by BM25 of the rows that have most of the rarest lookups (best-of-lookups.ts)
//   matchesByName      the newest whose key is the query or a word of it, however common,
//                      or that have a word of it in key or tags (CALLED_ROWS)
//   matchesOfAllWords  all that have the rarest word if they are few, else the newest that have all words,
//                      or all but the commonest, down to the two rarest
//   matchesOfPhrases   the newest that contain a phrase (search-plan.ts: PHRASE_ROWS)
//   promising          all of these but those far below the best
//
// A content is read whole only if nothing was found in its start. If more items match than are scored, the results of
// the three `matches` functions replace the lowest by BM25. See docs/ranking.md, Candidates.

/** Number of the best matches by FTS5's BM25 that are scored in full. Range 50 to 1,000; 100 measured within 0.1 of
 * 1,000. */
const SCORED_CANDIDATES = 100;
/** Share of the best candidate's BM25 below which a candidate is not scored, unless it is needed to reach the number
 * requested. Range 0 to 0.5; 0.2 measured as good as 0, 0.45 costs 0.2 points. */
const LEAST_PROSPECT = 0.2;
/** Number of characters of a content that are scored: bounds the work for contents of megabytes. */
const SCORED_CHARS = 100_000;
/** Number of candidates that the rarest terms must yield for commoner ones to be left out: as many as a search examines
 * by default. The first items are the same for every limit up to a third of it. Range 20 to `SCORED_CANDIDATES`. */
const ENOUGH_CANDIDATES = 60;
/** Number of the rarest words of a query that are looked up together; the second is for a query of more than
 * `LONG_QUERY` words, which is a question rather than a list of words. Range 2 to 10. */
const JOINED_WORDS = 6;
const JOINED_WORDS_OF_LONG = 3;
const LONG_QUERY = 8;
/** At most this many items with all or most words of a query, and as many with a phrase of it, are scored besides those
 * with its rarest words; the newest are taken. Range 20 to `SCORED_CANDIDATES`; each takes 20 microseconds. */
const JOINED_CANDIDATES = 30;
/** Number of names that are looked up as keys: the query and its first words. */
const CALLED_KEYS = 20;
/** At most this many items that have a word of the query in key or tags, and as many whose key it names, are scored
 * besides the others; the newest are taken. Range 10 to `SCORED_CANDIDATES`. */
const CALLED_CANDIDATES = 20;
/** Most rows that the words looked up in key and tags may have together, since FTS5 reads each of them. Range 2,000 to
 * 50,000; a row takes 0.05 microseconds. */
const CALLED_ROWS = 10_000;
/** Most words of a query that is looked up there: a name is short. Range 2 to 10. */
const CALLED_WORDS = 4;
/** Number of contents that are read whole, since nothing was found in their scored characters. */
const WHOLE_CONTENTS = 5;

interface ScoredCandidate {
  readonly item: RankFields;
  readonly outline: string;
  readonly lexical: LexicalScore;
}

interface Candidates {
  readonly scored: readonly ScoredCandidate[];
  /** Number of matching items, if known. */
  readonly total: number | undefined;
}

/** Returns the best matches by BM25, with their full lexical scores. */
export function findCandidates(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Candidates {
  const { store } = context;
  const { matches, total } = matchesOf(context, request, plan, scope);
  const chosen = promising(matches, Math.max(ENOUGH_CANDIDATES, request.limit));
  const { count, averageLength } = store.indexStatistics();
  const frequencies = new Map(plan.lookups.map(({ term, frequency }) => [term, frequency]));
  const statistics: Statistics = {
    count,
    averageLength,
    documentFrequency: (term) => Math.max(1, Math.min(count, frequencies.get(term) ?? 1)),
  };
  const items: (Pick<ScoredText, 'seq' | 'fields' | 'outline'> & { readonly isCut: boolean })[] = [];
  const texts = function* (): Generator<CandidateText> {
    const seqs = chosen.map(({ seq }) => seq);
    for (const text of store.scoredTexts(seqs, SCORED_CHARS)) {
      const { seq, fields, outline, content } = text;
      items.push({ seq, fields, outline, isCut: content.length >= SCORED_CHARS });
      yield text;
    }
  };
  const scores = lexicalScores(plan.query, texts(), statistics, (at) => {
    const fields = items[at]?.fields;
    return fields === undefined ? 0 : relevance(1, fields, context.nowMs).score;
  });
  // matches beyond the scored characters
  const unseen = items.map((_, at) => at).filter((at) => isUnmatched(scores[at]));
  for (const at of unseen.slice(0, WHOLE_CONTENTS)) {
    const whole = store.scoredTexts([items[at]?.seq ?? 0], MAX_CONTENT_BYTES);
    const [score] = lexicalScores(plan.query, whole, statistics);
    if (score !== undefined) scores[at] = score;
  }
  // What the index found may be something else in the text: 1:234 for 1234, at for ate (their stems are the same). A query
  // in the FTS5 language asks for just what the index finds.
  const scored = items.flatMap(({ fields, outline, isCut }, at) => {
    const lexical = scores[at];
    const isMistaken = request.syntax === 'plain' && !isCut && isUnmatched(lexical);
    return lexical === undefined || isMistaken ? [] : [{ item: fields, outline, lexical }];
  });
  return { scored, total: total === undefined ? undefined : total - (items.length - scored.length) };
}

/** True for a text in which nothing of the query was found, though it may resemble one that matches. */
function isUnmatched(lexical: LexicalScore | undefined): boolean {
  return lexical !== undefined && lexical.score === lexical.agreement;
}

/** Drops candidates that are far below the best, but keeps at least `wanted`. */
function promising(items: readonly Candidate[], wanted: number): Candidate[] {
  const ordered = items.toSorted((a, b) => b.bm25 - a.bm25);
  const least = LEAST_PROSPECT * (ordered[0]?.bm25 ?? 0);
  return ordered.filter(({ bm25 }, at) => at < wanted || bm25 >= least);
}

interface Matches {
  readonly matches: readonly Candidate[];
  /** Number of matching items, if known. */
  readonly total: number | undefined;
}

/** Returns the best matches of a plan by BM25, more than are requested, and others that are examined. */
function matchesOf(context: Context, request: SearchRequest, plan: IndexPlan, scope: Scope): Matches {
  const limit = Math.max(SCORED_CANDIDATES, request.limit);
  if (plan.expression === undefined) return { matches: [], total: 0 };
  const options = { scope, limit, enough: Math.max(ENOUGH_CANDIDATES, request.limit) };
  const isWhole = request.match === 'all' || request.syntax === 'fts';
  const lookups = isWhole
    ? [{ expression: plan.expression, frequency: Number.POSITIVE_INFINITY, weight: 1 }]
    : weighted(plan);
  const { candidates, isAll, total } = bestOfLookups(context, lookups, options);
  if (isAll) return { matches: candidates, total: candidates.length };
  // More items match than were taken. The added ones are not ranked by FTS5, which would read all rows of common words
  // and rank long texts far behind.
  const best = Math.max(...candidates.map(({ bm25 }) => bm25));
  const added = [
    ...(isWhole
      ? []
      : [...matchesByName(context, request.query, plan, scope), ...matchesOfAllWords(context, plan, scope)]),
    ...matchesOfPhrases(context, plan.phraseMatch, isWhole ? plan.expression : undefined, scope),
  ];
  const sure = new Map(added.map((seq) => [seq, { seq, bm25: best }]));
  const others = candidates.filter(({ seq }) => !sure.has(seq)).toSorted((a, b) => b.bm25 - a.bm25);
  // the number of scored items stays the same, but at least `enough` others are kept
  return {
    matches: [...sure.values(), ...others.slice(0, Math.max(options.enough, limit - sure.size))],
    total,
  };
}

/** Returns the lookups of a plan with their weights in the query. */
function weighted({ query, lookups }: IndexPlan): WeightedLookup[] {
  const weights = new Map(query.terms.map((term) => [term.term, termWeight(term, query)]));
  return lookups.map((lookup) => ({ ...lookup, weight: weights.get(lookup.term) ?? 1 }));
}

/** Returns the newest items that the query names: those whose key is the query or a word of it, and if its words are
 * few and not too common, those that have one of them in key or tags. */
function matchesByName({ store }: Context, query: string, plan: IndexPlan, scope: Scope): number[] {
  const normal = query.normalize('NFC').trim();
  const names = [...new Set([normal, ...normal.split(/\s+/)])].slice(0, CALLED_KEYS).filter(mayBeKey);
  const keys = names.flatMap((name) => plan.query.variants.spellings(name));
  let rows = 0;
  const all = wordsOf(plan);
  const words = all.length > CALLED_WORDS ? [] : all.filter(({ frequency }) => (rows += frequency) <= CALLED_ROWS);
  return [
    ...store.itemsWithKeys(keys, scope, CALLED_CANDIDATES),
    ...(words.length === 0
      ? []
      : store.newestMatches(`{key tags} : (${expressionOf(words, 'any')})`, scope, CALLED_CANDIDATES)),
  ];
}

/** True for a name that is not too long for a key; a character takes up to two UTF-16 units. */
function mayBeKey(name: string): boolean {
  return name.length <= 2 * MAX_NAME_CHARS;
}

/** Returns the newest items that contain a phrase of the query; only those that match `within`, if that is given. */
function matchesOfPhrases(
  { store }: Context,
  phraseMatch: string | undefined,
  within: string | undefined,
  scope: Scope,
): number[] {
  if (phraseMatch === undefined) return [];
  const match = within === undefined ? phraseMatch : `(${within}) AND (${phraseMatch})`;
  return store.newestMatches(match, scope, JOINED_CANDIDATES);
}

/** Returns the newest items that have all words of a query; if these are few, also those that have all but the
 * commonest, and so on down to the two rarest; all that have the rarest, if they are few. */
function matchesOfAllWords({ store }: Context, plan: IndexPlan, scope: Scope): number[] {
  const all = wordsOf(plan);
  const words = all.slice(0, all.length > LONG_QUERY ? JOINED_WORDS_OF_LONG : JOINED_WORDS);
  let found: number[] = [];
  // The rarest come first: if few items have them, only these items can have more words of the query, and FTS5 need not
  // read the rows of commoner ones.
  const isRare = (words[0]?.frequency ?? 0) < JOINED_CANDIDATES;
  for (let count = isRare ? 1 : 2; count <= words.length; count += 1) {
    const rows = store.newestMatches(expressionOf(words.slice(0, count), 'all'), scope, JOINED_CANDIDATES);
    found = [...new Set([...rows, ...found])].slice(0, JOINED_CANDIDATES);
    if (rows.length < JOINED_CANDIDATES) break;
  }
  return found;
}

/** Returns the words of a query that are in some item, rarest first, without those that are part of another. */
function wordsOf({ query, lookups }: IndexPlan): Lookup[] {
  const known = query.terms.flatMap(({ term }) => lookups.find((lookup) => lookup.term === term) ?? []);
  return known
    .filter(({ term }) => !known.some((other) => other.term !== term && other.term.includes(term)))
    .toSorted((a, b) => a.frequency - b.frequency);
}

/** Returns the scope of a search. If the filters are selective and few items pass them, these are listed once, so that
 * their rows are known before any word is looked up. */
export function scopeOf({ store, tokenizer }: Context, filters: Filters): Scope {
  // text that was indexed without the dictionary has no longer terms
  const terms = (filters.tags ?? [])
    .flatMap((tag) => tokenizer.terms(tag))
    .filter((term) => term.length <= LONGEST_STRETCH || !hasHan(term));
  const isKnown = terms.length > 0 && !tokenizer.isProvisional && !store.isIndexProvisional();
  const tagMatch = isKnown ? `tags : (${matchExpression(terms, 'all')})` : undefined;
  return store.scopeOf(filters, tagMatch);
}
