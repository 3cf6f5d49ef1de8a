import {
  expressionOf,
  isSingleCharacter,
  joinExpressions,
  pairExpression,
  prefixExpression,
  spanExpression,
  termExpression,
  type Match,
} from '../search/fts-query.ts';
import { MAX_QUERY_TERMS, type Query } from '../search/query.ts';
import { queryTerm, type QueryTerm } from '../search/query-term.ts';
import { neighbours } from '../search/tokenizer.ts';
import { isHash, PAIR_MARK, prefixesOf, wordOfStem, wordStem } from '../search/words.ts';
import { numbersOfName } from '../search/phrases.ts';
import { COUNTED_ROWS } from '../store/fts-statistics.ts';
import type { Context } from './context.ts';
import { lookUp, type Asked, type Lookup } from './lookup.ts';
import { nearTerms } from './near-terms.ts';
import { compounds, lookUpCompounds, phraseMatchOf, phrasesForWords, withPhrases } from './phrase-lookups.ts';
import { knownExpansions } from './expansion-lookups.ts';
import { writtenOtherwise } from './written-otherwise.ts';

/** Han stretches of up to this many characters are also looked up as a whole. */
const LONGEST_SPAN = 6;
/** Most words of the vocabulary that begin with an unknown word and are looked up in its place, if FTS5 would stem it, or
 * merge the rows of so many items that this takes longer. Range 20 to 500. */
const WORDS_OF_PREFIX = 400;
/** FTS5 merges the rows of all words with a prefix, which takes up to a second in an index of more items than this.
 * There, a word that is in no item is looked up as a prefix only from `SHORTEST_PREFIX` characters on, unless no word
 * of the query is known. Range 1,000 to 20,000. */
const SMALL_INDEX = 10_000;
/** In characters. Range 6 to 10; an abbreviated hash has 7. */
const SHORTEST_PREFIX = 7;
/** Letters of the longest word that is not looked up as a prefix if items have synonyms of it: a car is no cart. Range 2
 * to 4: longer ones are often abbreviations (auth). */
const LONGEST_WHOLE_WORD = 3;
/** Letters of the shortest word that is looked up as two parts of an identifier. Range 3 to 6. */
const SHORTEST_PAIR = 4;
/** Most pairs of its unknown Han words that are looked up. Range 4 to 40. */
const PAIRS_OF_UNKNOWN = 12;
/** Number of severed words and pairs of a query that are looked up, from the first. Range 2 to 10; each takes one index
 * query. */
const SEVERED = 6;

/** What the index is asked for a query, and what it has. For `jdk8 连接池`, if items contain JDK 8 but never jdk8:
 *
 * - the query's `terms` are jdk8, 连接, 连接池; its `spans` (Han stretches) 连接池; its `wanted`, for --match all,
 *   [[jdk8]], [[连接]] and [[连接池]], one for each word;
 * - its `phrases` are the compound "jdk 8" (as two words, or as jdk8) and the whole query, which has no `ways` in the
 *   index since it contains Han text;
 * - the `lookups` that items contain are 连接 and 连接池 as words, 连接池 as its pairs in a row, and the compound, which
 *   stands in for the unknown jdk8, so that no near words of it are looked up. */
export interface IndexPlan {
  /** The query, with near words added for words that are in no item. */
  readonly query: Query;
  /** The MATCH expression; undefined if nothing of the query is in any item, or with --match all, if a word is in
   * none. */
  readonly expression: string | undefined;
  /** Its parts that items contain; if the caller gave the expression, its words that items contain. */
  readonly lookups: readonly Lookup[];
  /** The MATCH expression for items that contain a phrase of the query; undefined if there is none or it would take
   * long. */
  readonly phraseMatch: string | undefined;
}

/** True for a Han stretch that is looked up as a whole. */
export function isLookedUp(span: string): boolean {
  return !isSingleCharacter(span) && span.length <= LONGEST_SPAN;
}

/** True for a term that is in no item. */
function isUnknown({ lookup }: Asked): boolean {
  return lookup.frequency === 0;
}

/** Looks up every term, and near words of the unknown ones. With `--match all` a word is looked up as a prefix only if
 * no item has all words unchanged. */
export function planLookups(context: Context, original: Query, match: Match): IndexPlan {
  if (match === 'any') return planned(context, original, { match, prefixes: 'cheap' });
  const exact = planned(context, original, { match, prefixes: 'none' });
  const isFound = exact.expression !== undefined && context.store.newestRows(exact.expression, 1).length > 0;
  return isFound ? exact : planned(context, original, { match, prefixes: 'all' });
}

/** Which words that are in no item are looked up as prefixes of others. */
type PrefixLookups = 'none' | 'cheap' | 'all';

interface PlanOptions {
  readonly match: Match;
  readonly prefixes: PrefixLookups;
}

function planned(context: Context, original: Query, options: PlanOptions): IndexPlan {
  const { query, asked, found, spans, pairs, expansions } = askTerms(context, original, options);
  const frequencies = new Map(asked.map(({ term, lookup }) => [term.term, lookup.frequency]));
  const phrases = lookUpCompounds(context, query, frequencies, options.match);
  const forWords = phrasesForWords(query, frequencies, phrases);
  const written = new Set([...forWords.values()].flat());
  const missing = found.filter(({ term, lookup }) => lookup.frequency === 0 && !written.has(term.term));
  const near = nearTerms(
    context,
    found.map(({ lookup }) => lookup.frequency),
    missing.map(({ term }) => term),
  );
  const parts = new Set([...lesserParts(query, found), ...query.phrases.flatMap(numbersOfName)]);
  const exact = [...found.map(({ lookup }) => lookup), ...spans, ...pairs];
  const lookups = [
    ...exact,
    ...near.map(({ lookup }) => lookup),
    ...pairsOfParts(context, asked),
    ...loneCharacters(context, query, exact),
    ...phrases,
    ...expansions.lookups,
  ].filter(({ frequency }) => frequency > 0);
  const sets = context.tokenizer.isProvisional ? found.map(({ term }) => [[term.term]]) : query.wanted;
  return {
    query: {
      ...query,
      ...expansions.found,
      terms: [
        ...found.map(({ term }) => (parts.has(term.term) ? { ...term, isPart: true } : term)),
        ...near.map(({ term }) => term),
      ],
      spans: [...query.spans, ...pairs.flatMap(({ term, frequency }) => (frequency > 0 ? [term] : []))],
      words: query.words.filter((word) => !written.has(word)),
      phrases: query.phrases.map((phrase) =>
        forWords.has(phrase.term) ? { ...phrase, kind: 'word' as const } : phrase,
      ),
    },
    expression:
      options.match === 'all'
        ? allOf(sets, [...lookups, ...compounds(query, [...lookups, ...phrases])])
        : anyOf(lookups),
    lookups,
    phraseMatch: phraseMatchOf(query, frequencies),
  };
}

interface AskedTerms {
  /** The query with its severed words, and with the compounds that items write in its words' place. */
  readonly query: Query;
  /** Its terms, unchanged. */
  readonly asked: readonly Asked[];
  /** Its terms, some of them as prefixes; without the dictionary only the longest known stretches. */
  readonly found: readonly Asked[];
  /** Its Han stretches. */
  readonly spans: readonly Lookup[];
  /** The pairs of its unknown Han words. */
  readonly pairs: readonly Lookup[];
  /** The words that stand in for its words. */
  readonly expansions: ReturnType<typeof knownExpansions>;
}

/** Looks up the terms of a query. */
function askTerms(context: Context, original: Query, { match, prefixes }: PlanOptions): AskedTerms {
  const asIs = withSevered(context, original);
  const asked = asIs.terms.map((term) => ask(context, term, match));
  const unknown = asked.filter(isUnknown).map(({ term }) => term);
  const query = withPhrases(asIs, writtenOtherwise(context, asIs, unknown));
  const stretches = query.spans
    .filter(isLookedUp)
    .slice(0, MAX_QUERY_TERMS)
    .map((span) => lookUp(context, span, spanExpression(span)));
  const spans = [...stretches, ...cutWords(context, query, asked)];
  const pairs = match === 'all' ? [] : pairsOfUnknown(context, asked);
  const expansions = knownExpansions(context, query);
  const replaced = new Set(expansions.found.expansions.map(({ of }) => of));
  const mayBegin = ({ term }: Asked): boolean => term.term.length > LONGEST_WHOLE_WORD || !replaced.has(term.term);
  const found = withPrefixes(context, asked, { known: [...spans, ...pairs], prefixes, mayBegin });
  return {
    query,
    asked,
    found: context.tokenizer.isProvisional ? longestKnown(found) : found,
    spans,
    pairs,
    expansions,
  };
}

/** Returns the lookups, with unknown words that may begin others looked up as prefixes. `cheap` tries only those that
 * take little time, but all of them if no word of the query is known, since scanning all texts takes longer. */
function withPrefixes(
  context: Context,
  asked: readonly Asked[],
  {
    known,
    prefixes,
    mayBegin,
  }: {
    readonly known: readonly Lookup[];
    readonly prefixes: PrefixLookups;
    readonly mayBegin: (one: Asked) => boolean;
  },
): readonly Asked[] {
  const those = (isAsked: (one: Asked) => boolean): Asked[] =>
    asked.map((one) => (isAsked(one) && mayBegin(one) ? askForPrefix(context, one) : one));
  if (prefixes === 'none') return those(({ term }) => isHash(term.term));
  if (prefixes === 'all') return those(() => true);
  const found = those(({ term }) => isSmall(context) || term.term.length >= SHORTEST_PREFIX);
  const isNothingKnown = [...found.map(({ lookup }) => lookup), ...known].every(({ frequency }) => frequency === 0);
  return isNothingKnown ? those(() => true) : found;
}

function isSmall({ store }: Context): boolean {
  return store.indexStatistics().count <= SMALL_INDEX;
}

/** Returns a query with those of its severed words and pairs that items contain added as words. A pair may be no word of
 * the query, and is not required with `--match all`. */
function withSevered(context: Context, query: Query): Query {
  const { words, pairs } = query.severed;
  const known = [...new Set([...words, ...pairs])]
    .slice(0, SEVERED)
    .filter((one) => context.store.documentFrequency(spanExpression(one)) > 0);
  if (known.length === 0) return query;
  const isNew = (one: string): boolean => !query.terms.some(({ term }) => term === one);
  const knownWords = known.filter((one) => words.includes(one));
  return {
    ...query,
    // the dictionary has some of them as words (对象)
    terms: [...query.terms, ...known.filter(isNew).map((one) => queryTerm(one, 'han', [one]))],
    bigrams: [...query.bigrams, ...known.flatMap(neighbours)],
    keywords: [...new Set([...query.keywords, ...knownWords])],
    wanted: [...query.wanted, ...knownWords.filter(isNew).map((word) => [[word]])],
  };
}

/** Looks up words of a query that are in none of its spans, since these are split at question phrases (何伟: 何 asks
 * which), wherever they occur; keeps those that are in more items that way than as a word. */
function cutWords(context: Context, { spans }: Query, asked: readonly Asked[]): Lookup[] {
  return asked
    .filter(({ term: { kind, term } }) => kind === 'han' && isLookedUp(term))
    .filter(({ term: { term } }) => !spans.some((span) => span.includes(term)))
    .map(({ term: { term }, lookup }) => ({ lookup, stretch: lookUp(context, term, spanExpression(term)) }))
    .filter(({ lookup, stretch }) => stretch.frequency > lookup.frequency)
    .map(({ stretch }) => stretch);
}

/** Looks up the pairs of characters of Han words that are in no item (幂等 of 幂等键, where items have it in 幂等性). */
function pairsOfUnknown(context: Context, asked: readonly Asked[]): Lookup[] {
  const words = asked.filter((one) => isUnknown(one) && one.term.kind === 'han');
  const known = new Set(asked.map(({ term }) => term.term));
  return [...new Set(words.flatMap(({ term }) => neighbours(term.term)))]
    .filter((pair) => !known.has(pair))
    .slice(0, PAIRS_OF_UNKNOWN)
    .map((pair) => lookUp(context, pair, spanExpression(pair)));
}

/** Returns the words that mean little beside the identifier of which they are a part: those of identifiers that items
 * contain whole, and of those of which they lack another part (data of DataGrip, where no item has grip). Words of the
 * query itself are none. */
function lesserParts({ wanted }: Query, exact: readonly Asked[]): Set<string> {
  const known = new Set(exact.filter(({ lookup }) => lookup.frequency > 0).map(({ term }) => term.term));
  const isKnown = (term: string): boolean => known.has(term);
  const parts = new Set(
    wanted.flatMap(([some = [], whole]) =>
      whole !== undefined && (whole.every(isKnown) || !some.every(isKnown)) ? some : [],
    ),
  );
  for (const [only = [], ...more] of wanted) if (more.length === 0) for (const term of only) parts.delete(term);
  return parts;
}

function anyOf(lookups: readonly Lookup[]): string | undefined {
  return lookups.length === 0 ? undefined : expressionOf(lookups, 'any');
}

/** Returns the MATCH expression for items that contain every word in any of its ways; undefined if a word is in no
 * item. */
function allOf(wanted: Query['wanted'], lookups: readonly Lookup[]): string | undefined {
  const known = new Map(lookups.map(({ term, expression }) => [term, expression]));
  const words = wanted.map((sets) =>
    sets
      .filter((set) => set.every((term) => known.has(term)))
      .map(
        (set) =>
          `(${joinExpressions(
            set.map((term) => known.get(term) ?? ''),
            'all',
          )})`,
      ),
  );
  if (words.length === 0 || words.some((ways) => ways.length === 0)) return undefined;
  return joinExpressions(
    words.map((ways) => `(${joinExpressions(ways, 'any')})`),
    'all',
  );
}

/** Looks up words as two neighbouring parts of longer identifiers: github in GitHubClient. */
function pairsOfParts(context: Context, asked: readonly Asked[]): Lookup[] {
  const words = asked.flatMap(({ term }) => (mayBePair(term) ? [term] : []));
  const all = pairExpression(words.flatMap(({ forms }) => forms));
  // few words are in such an identifier: usually one lookup shows that none is
  if (words.length === 0 || context.store.documentFrequency(all) === 0) return [];
  return words.map(({ term, forms }) => lookUp(context, PAIR_MARK + term, pairExpression(forms)));
}

function mayBePair({ kind, term }: QueryTerm): boolean {
  return kind === 'word' && term.length >= SHORTEST_PAIR;
}

/** Looks up a term unchanged. A Han word that is in no item as a word, or that must be present (`--match all`), is
 * found wherever it occurs, since items may be segmented differently from the query. */
function ask(context: Context, term: QueryTerm, match: Match): Asked {
  const { kind, forms } = term;
  const expression = termExpression(forms);
  if (kind !== 'han') {
    const isPairToo = match === 'all' && mayBePair(term);
    const either = isPairToo ? `(${expression} OR ${pairExpression(forms)})` : expression;
    return { term, lookup: lookUp(context, term.term, either) };
  }
  const span = spanExpression(term.term);
  if (match === 'all') return { term, lookup: lookUp(context, term.term, `((${expression}) OR ${span})`) };
  const lookup = lookUp(context, term.term, expression);
  return { term, lookup: lookup.frequency > 0 ? lookup : lookUp(context, term.term, span) };
}

/** Looks up an unknown word, or its stem, as a prefix; returns any other term unchanged. */
function askForPrefix(context: Context, asked: Asked): Asked {
  const { term, lookup } = asked;
  // of a hash, items may have an abbreviation and a longer form
  if (term.kind !== 'word' || (lookup.frequency > 0 && !isHash(term.term))) return asked;
  const prefixes = prefixesOf(term.forms[0] ?? term.term, term.term);
  const expressions = prefixes.flatMap((prefix) => expressionsFor(context, prefix));
  if (expressions.length === 0) return asked;
  const known = lookup.frequency > 0 ? [lookup.expression] : [];
  const found = lookUp(context, term.term, `(${joinExpressions([...known, ...expressions], 'any')})`);
  return found.frequency > lookup.frequency ? { term: { ...term, isPrefix: true }, lookup: found } : asked;
}

/** The expressions for the words that begin with a prefix. */
function expressionsFor(context: Context, prefix: string): string[] {
  const isStem = wordStem(prefix) === prefix;
  if (isStem && isSmall(context)) return [prefixExpression(prefix)];
  const stems = context.store.vocabulary(prefix, WORDS_OF_PREFIX + 1).map(({ word }) => word);
  const words = stems.map(wordOfStem);
  const isComplete = stems.length <= WORDS_OF_PREFIX && words.every((word, at) => wordStem(word) === stems[at]);
  // FTS5 would search for the stem of a prefix that is none
  if (isStem && !isComplete) return [prefixExpression(prefix)];
  return words.slice(0, WORDS_OF_PREFIX).map((word) => termExpression([word]));
}

/** Looks up the characters of a query that stand alone, wherever they occur, if no word of the query is known, since
 * they add little to known words. Characters that are common words themselves are skipped: their items suffice. */
function loneCharacters(context: Context, { spans, terms }: Query, exact: readonly Lookup[]): Lookup[] {
  if (exact.some(({ term, frequency }) => frequency > 0 && !isSingleCharacter(term))) return [];
  const answered = new Set(
    exact
      .filter(({ term, expression, frequency }) => frequency >= COUNTED_ROWS || expression === spanExpression(term))
      .map(({ term }) => term),
  );
  // what a question phrase leaves of a word (程 of 过程) does not stand alone
  const alone = new Set(terms.map(({ term }) => term));
  return spans
    .filter((span) => isSingleCharacter(span) && alone.has(span) && !answered.has(span))
    .slice(0, MAX_QUERY_TERMS)
    .map((span) => lookUp(context, span, spanExpression(span)));
}

/** Returns the words of a query whose Han text was segmented without the dictionary: only the stretches that are in the
 * index and are not part of another such stretch, so that the index stands in for the dictionary. */
function longestKnown(asked: readonly Asked[]): readonly Asked[] {
  const known = asked.filter(({ term, lookup }) => term.kind !== 'han' || lookup.frequency > 0);
  const longest = known.filter(
    ({ term }) =>
      term.kind !== 'han' || !known.some((other) => other.term !== term && other.term.term.includes(term.term)),
  );
  return longest.length === 0 ? asked : longest;
}
