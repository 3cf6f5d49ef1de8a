import {
  isAlone,
  joinExpressions,
  phraseExpression,
  prefixExpression,
  spanExpression,
  termExpression,
  type Match,
} from '../search/fts-query.ts';
import { phraseLookup } from '../search/phrase-lookup.ts';
import type { Phrase } from '../search/phrases.ts';
import { MAX_QUERY_TERMS, queryTerm, type Query, type QueryTerm } from '../search/query.ts';
import { beginningsOf, normalForm, wordOfStem, wordStem } from '../search/words.ts';
import { COUNTED_ROWS } from '../store/fts-statistics.ts';
import type { Context } from './context.ts';
import { nearTerms } from './near-terms.ts';
import { writtenOtherwise } from './written-otherwise.ts';

/** Han stretches up to this many characters are also looked for as they stand. */
const LONGEST_SPAN = 6;
/** Words of the vocabulary that stand for an unknown one with which they begin, where its stem does not. Range 20 to
 * 500. */
const BEGUN_WORDS = 200;
/** FTS5 brings together the rows of all words with a beginning. In an index of more items than this, where it would
 * take up to a second, a word that no item has is looked for as a beginning only from `TELLING_BEGINNING` characters
 * on, if other words of the query are known. Range 1,000 to 20,000. */
const SMALL_INDEX = 10_000;
/** Range 6 to 10; an abbreviated hash has 7. */
const TELLING_BEGINNING = 7;
/** Numbers that make a name of their own: a date has three, an address four. Range 3 to 4; at 2 versions lose 0.1. */
const NUMBERS_OF_NAME = 3;
/** Severed pairs of a query that are looked for, the first. Range 2 to 10; each takes one look at the index. */
const SEVERED_PAIRS = 6;
/** Rows that FTS5 may look at for a phrase, and for all phrases of a query by which candidates are chosen. Range 5,000
 * to 50,000; it takes 0.1 to 0.2 microseconds for each. */
const PHRASE_ROWS = 20_000;
/** Longest phrase that is looked for, in words: a longer one is found by its words. Range 4 to 12. */
const PHRASE_WORDS = 6;

/** One thing that the index is asked for. */
export interface Lookup {
  readonly term: string;
  readonly expression: string;
  /** How many items hold it. */
  readonly frequency: number;
}

/** What the index is asked for a query, and what it has. Of `jdk8 连接池`, where items say JDK 8 and never jdk8:
 *
 * - the query's `terms` are jdk8, 连接, 连接池; its `spans` (Han stretches) 连接池; its `wanted`, for --match all, one
 *   of [[jdk8]], [[连接]], [[连接池]] each;
 * - its `phrases` are the compound "jdk 8" (as two words, or as jdk8) and the whole query, which has Han text and so no
 *   `ways` in the index;
 * - the `lookups` that items hold are 连接 and 连接池 as words, 连接池 as its pairs in a row, and the compound, which
 *   stands for the unknown jdk8 and spares it near words. */
export interface IndexPlan {
  /** The query, with near words added for those that no item has. */
  readonly query: Query;
  /** What matches; undefined when no item holds anything of the query (or not all of it). */
  readonly expression: string | undefined;
  /** The parts of it that items hold; none where the expression was given by the caller. */
  readonly lookups: readonly Lookup[];
  /** What matches items that say a phrase of the query; undefined when there is none, or it would take long. */
  readonly sayings: string | undefined;
}

/** True for a stretch of Han that is looked for as it stands. */
export function isLookedUp(span: string): boolean {
  return !isAlone(span) && span.length <= LONGEST_SPAN;
}

/** Asks the index for one thing. */
export function lookUp({ store }: Context, term: string, expression: string): Lookup {
  return { term, expression, frequency: store.documentFrequency(expression) };
}

interface Asked {
  readonly term: QueryTerm;
  readonly lookup: Lookup;
}

/** True for a term that no item has. */
function isUnknown({ lookup }: Asked): boolean {
  return lookup.frequency === 0;
}

/** Asks the index for every term, and for near words of those that it does not have. With `--match all` a word is looked
 * for as a beginning only where no item has all words as they are. */
export function planLookups(context: Context, original: Query, match: Match): IndexPlan {
  if (match === 'any') return planned(context, original, { match, beginnings: 'cheap' });
  const exact = planned(context, original, { match, beginnings: 'none' });
  const isFound = exact.expression !== undefined && context.store.newestRows(exact.expression, 1).length > 0;
  return isFound ? exact : planned(context, original, { match, beginnings: 'all' });
}

/** Which words that no item has are looked for as beginnings of others. */
type Beginnings = 'none' | 'cheap' | 'all';

function planned(
  context: Context,
  original: Query,
  { match, beginnings }: { readonly match: Match; readonly beginnings: Beginnings },
): IndexPlan {
  const asIs = withSevered(context, original);
  const asked = asIs.terms.map((term) => ask(context, term, match));
  const unknown = asked.filter(isUnknown).map(({ term }) => term);
  const query = { ...asIs, phrases: [...asIs.phrases, ...writtenOtherwise(context, asIs, unknown)] };
  const stretches = query.spans
    .filter(isLookedUp)
    .slice(0, MAX_QUERY_TERMS)
    .map((span) => lookUp(context, span, spanExpression(span)));
  const spans = [...stretches, ...cutWords(context, query, asked)];
  const found = withBeginnings(context, asked, { spans, beginnings });
  const exact = context.tokenizer.isProvisional ? longestKnown(found) : found;
  const frequencies = new Map(asked.map(({ term, lookup }) => [term.term, lookup.frequency]));
  const phrases = lookUpCompounds(context, query, frequencies);
  const forWords = phrasesForWords(query, asked, phrases);
  const written = new Set([...forWords.values()].flat());
  const missing = exact.filter(({ term, lookup }) => lookup.frequency === 0 && !written.has(term.term));
  const near = nearTerms(
    context,
    exact.map(({ lookup }) => lookup.frequency),
    missing.map(({ term }) => term),
  );
  const parts = new Set([...partsOfKnown(query, exact), ...query.phrases.flatMap(numbersOfName)]);
  const terms = [...exact.map(({ term }) => (parts.has(term.term) ? { ...term, isPart: true } : term)), ...near];
  const words = [
    ...exact.map(({ lookup }) => lookup),
    ...near.map(({ term, forms }) => lookUp(context, term, termExpression(forms))),
  ];
  const lone = loneCharacters(context, query, [...exact.map(({ lookup }) => lookup), ...spans]);
  const lookups = [...words, ...spans, ...lone, ...phrases].filter(({ frequency }) => frequency > 0);
  const sets = context.tokenizer.isProvisional ? exact.map(({ term }) => [[term.term]]) : query.wanted;
  const asOne = query.phrases.map((phrase) =>
    forWords.has(phrase.term) ? { ...phrase, kind: 'word' as const } : phrase,
  );
  return {
    query: { ...query, terms, words: query.words.filter((word) => !written.has(word)), phrases: asOne },
    expression:
      match === 'all' ? allOf(sets, [...lookups, ...compounds(query, [...lookups, ...phrases])]) : anyOf(lookups),
    lookups,
    sayings: sayingsOf(query, frequencies),
  };
}

/** What was asked for, where no item has it, as a beginning of words: what is cheap is what takes little, and all where
 * no word of the query is known, since looking through all texts takes more. */
function withBeginnings(
  context: Context,
  asked: readonly Asked[],
  { spans, beginnings }: { readonly spans: readonly Lookup[]; readonly beginnings: Beginnings },
): readonly Asked[] {
  if (beginnings === 'none') return asked;
  if (beginnings === 'all') return asked.map((one) => askForBeginning(context, one));
  const isSmall = context.store.indexStatistics().count <= SMALL_INDEX;
  const found = asked.map((one) =>
    isSmall || one.term.term.length >= TELLING_BEGINNING ? askForBeginning(context, one) : one,
  );
  const isNothingKnown = [...found.map(({ lookup }) => lookup), ...spans].every(({ frequency }) => frequency === 0);
  return isNothingKnown ? found.map((one) => askForBeginning(context, one)) : found;
}

/** A query with those of its severed pairs that items have as words. */
function withSevered(context: Context, query: Query): Query {
  const pairs = query.severed
    .slice(0, SEVERED_PAIRS)
    .filter((pair) => context.store.documentFrequency(spanExpression(pair)) > 0);
  if (pairs.length === 0) return query;
  return {
    ...query,
    terms: [...query.terms, ...pairs.map((pair) => queryTerm(pair, 'han', [pair]))],
    bigrams: [...query.bigrams, ...pairs],
  };
}

/** Words that a question phrase has cut out of the stretches of a query (何伟, of whom 何 asks which), wherever they
 * stand, where more items have them so than as a word. */
function cutWords(context: Context, { spans }: Query, asked: readonly Asked[]): Lookup[] {
  return asked
    .filter(({ term: { kind, term } }) => kind === 'han' && isLookedUp(term))
    .filter(({ term: { term } }) => !spans.some((span) => span.includes(term)))
    .map(({ term: { term }, lookup }) => ({ lookup, stretch: lookUp(context, term, spanExpression(term)) }))
    .filter(({ lookup, stretch }) => stretch.frequency > lookup.frequency)
    .map(({ stretch }) => stretch);
}

/** How many items have each term that was asked for. */
type Frequencies = ReadonlyMap<string, number>;

/** The compounds of a query that items have, as one or apart; a word of the query that no item has is looked for as two
 * whatever that takes. */
function lookUpCompounds(context: Context, { phrases }: Query, frequencies: Frequencies): Lookup[] {
  return phrases
    .filter(({ compound }) => compound !== undefined)
    .filter(
      (phrase) => frequencies.get(phrase.compound ?? '') === 0 || phraseLookup(phrase, frequencies).rows <= PHRASE_ROWS,
    )
    .map(({ term, ways }) => lookUp(context, term, phraseExpression(ways)))
    .filter(({ frequency }) => frequency > 0);
}

/** What matches the phrases of a query, of as many as take little together, those that take least first; undefined
 * where there is none. */
function sayingsOf({ phrases }: Query, frequencies: Frequencies): string | undefined {
  const lookups = phrases
    .filter(({ term, ways }) => ways.length > 0 && term.split(' ').length <= PHRASE_WORDS)
    .map((phrase) => phraseLookup(phrase, frequencies))
    .toSorted((a, b) => a.rows - b.rows);
  let rows = 0;
  const quick = lookups.filter((lookup) => (rows += lookup.rows) <= PHRASE_ROWS);
  if (quick.length === 0) return undefined;
  return joinExpressions(
    quick.map(({ expression }) => expression),
    'any',
  );
}

/** The phrases that stand for words of the query which no item has as they are, or which say nothing alone (the s of 30
 * s), by their terms, with these words: jdk8 or ES 6, where items say JDK 8 or es6. */
function phrasesForWords({ phrases }: Query, asked: readonly Asked[], known: readonly Lookup[]): Map<string, string[]> {
  const unknown = new Set(asked.filter(isUnknown).map(({ term }) => term.term));
  const said = new Set(asked.map(({ term }) => term.term));
  const terms = new Set(known.map(({ term }) => term));
  const found = new Map<string, string[]>();
  for (const { term, compound } of phrases) {
    if (compound === undefined || !terms.has(term)) continue;
    const parts = term.split(' ').map(normalForm);
    const isLeftOut = (word: string): boolean => !said.has(compound) && !said.has(word);
    const words = [compound, ...parts].filter((word) => unknown.has(word) || (word !== compound && isLeftOut(word)));
    if (words.length > 0) found.set(term, words);
  }
  return found;
}

/** For each word of a compound (JDK 8, jdk8) that items have in one form or the other, what matches the word or the
 * compound: an item that has all words of a query may have either. */
function compounds({ phrases }: Query, lookups: readonly Lookup[]): Lookup[] {
  const known = new Map(lookups.map((lookup) => [lookup.term, lookup]));
  return phrases.flatMap(({ term, compound }) => {
    const lookup = compound === undefined ? undefined : known.get(term);
    if (lookup === undefined || compound === undefined) return [];
    return [compound, ...term.split(' ').map(normalForm)].map((word) => {
      const alone = known.get(word)?.expression;
      return {
        ...lookup,
        term: word,
        expression: alone === undefined ? lookup.expression : `((${alone}) OR ${lookup.expression})`,
      };
    });
  });
}

/** The parts of identifiers that items have whole, without those that are words of the query themselves. */
function partsOfKnown({ wanted }: Query, exact: readonly Asked[]): Set<string> {
  const known = new Set(exact.filter(({ lookup }) => lookup.frequency > 0).map(({ term }) => term.term));
  const parts = new Set(
    wanted.flatMap(([some = [], whole]) => (whole !== undefined && whole.every((term) => known.has(term)) ? some : [])),
  );
  for (const [only = [], ...more] of wanted) if (more.length === 0) for (const term of only) parts.delete(term);
  return parts;
}

/** The numbers of a name that is made of them, a date or an address: alone they say little. */
function numbersOfName({ kind, term }: Phrase): string[] {
  const numbers = kind === 'name' ? term.split(' ').filter((word) => /^\d+$/.test(word)) : [];
  return numbers.length >= NUMBERS_OF_NAME ? numbers : [];
}

function anyOf(lookups: readonly Lookup[]): string | undefined {
  if (lookups.length === 0) return undefined;
  return joinExpressions(
    lookups.map(({ expression }) => expression),
    'any',
  );
}

/** What matches items that hold every word, in one of the ways in which each may be there; undefined when no item holds
 * one of them. */
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

/** Asks the index for a term as it is. A Han word that no item has as a word, or that has to be there, is taken
 * wherever it stands, since items may be cut otherwise than the query. */
function ask(context: Context, term: QueryTerm, match: Match): Asked {
  const { kind, forms } = term;
  const expression = termExpression(forms);
  if (kind !== 'han') return { term, lookup: lookUp(context, term.term, expression) };
  const span = spanExpression(term.term);
  if (match === 'all') return { term, lookup: lookUp(context, term.term, `((${expression}) OR ${span})`) };
  const lookup = lookUp(context, term.term, expression);
  return { term, lookup: lookup.frequency > 0 ? lookup : lookUp(context, term.term, span) };
}

/** Of a word that no item has, what begins with it, or with its stem. */
function askForBeginning(context: Context, asked: Asked): Asked {
  const { term, lookup } = asked;
  if (term.kind !== 'word' || lookup.frequency > 0) return asked;
  const expressions = beginningsOf(term.forms[0] ?? term.term, term.term).flatMap((beginning) => {
    if (wordStem(beginning) === beginning) return [prefixExpression(beginning)];
    // FTS5 would look for what begins with the stem of this
    const words = context.store.vocabulary(beginning, BEGUN_WORDS);
    return words.map((begun) => termExpression([wordOfStem(begun)]));
  });
  if (expressions.length === 0) return asked;
  const begun = lookUp(context, term.term, `(${joinExpressions(expressions, 'any')})`);
  return begun.frequency > 0 ? { term: { ...term, isBeginning: true }, lookup: begun } : asked;
}

/** The characters of a query that stand alone, wherever items have them: looked up where no word of the query is known,
 * since they say little beside words, and where they are no common words themselves, of which enough is found. */
function loneCharacters(context: Context, { spans, terms }: Query, exact: readonly Lookup[]): Lookup[] {
  if (exact.some(({ term, frequency }) => frequency > 0 && !isAlone(term))) return [];
  const answered = new Set(
    exact
      .filter(({ term, expression, frequency }) => frequency >= COUNTED_ROWS || expression === spanExpression(term))
      .map(({ term }) => term),
  );
  // what a question phrase leaves of a word (程 of 过程) does not stand alone
  const alone = new Set(terms.map(({ term }) => term));
  return spans
    .filter((span) => isAlone(span) && alone.has(span) && !answered.has(span))
    .slice(0, MAX_QUERY_TERMS)
    .map((span) => lookUp(context, span, spanExpression(span)));
}

/** The words of a query whose Han text was cut without the dictionary: of all stretches those that the index knows and
 * that are no part of another such; the index stands in for the dictionary. */
function longestKnown(asked: readonly Asked[]): readonly Asked[] {
  const known = asked.filter(({ term, lookup }) => term.kind !== 'han' || lookup.frequency > 0);
  const longest = known.filter(
    ({ term }) =>
      term.kind !== 'han' || !known.some((other) => other.term !== term && other.term.term.includes(term.term)),
  );
  return longest.length === 0 ? asked : longest;
}
