import { expressionOf, phraseExpression, termExpression, type Match } from '../search/fts-query.ts';
import { phraseLookup } from '../search/phrase-lookup.ts';
import { wordsOfCompound, type Phrase } from '../search/phrase.ts';
import type { Query } from '../search/query.ts';
import { hasHan } from '../search/scripts.ts';
import { normalForm } from '../search/words.ts';
import type { Context } from './context.ts';
import { lookUp, type Lookup } from './lookup.ts';

/** Most rows that FTS5 may read for one compound, and for all phrases together by which candidates are chosen. Range
 * 5,000 to 50,000; each takes 0.1 to 0.2 microseconds. */
const PHRASE_ROWS = 20_000;
/** Longest phrase that is looked up, in words: a longer one is found by its words. Range 4 to 12. */
const PHRASE_WORDS = 6;

/** Returns a query with further phrases; one that it has may be known to be a compound now. */
export function withPhrases(query: Query, others: readonly Phrase[]): Query {
  const phrases = new Map(query.phrases.map((phrase) => [phrase.term, phrase]));
  for (const phrase of others) if (phrases.get(phrase.term)?.compound === undefined) phrases.set(phrase.term, phrase);
  return { ...query, phrases: [...phrases.values()] };
}

/** Number of items that contain each term that was looked up. */
export type Frequencies = ReadonlyMap<string, number>;

/** Looks up the compounds of a query, as one word or several; keeps those that are in some item. A compound that costs
 * more than `PHRASE_ROWS` is skipped, unless it is a word of the query that is in no item. */
export function lookUpCompounds(context: Context, query: Query, frequencies: Frequencies, match: Match): Lookup[] {
  const compoundPhrases = query.phrases
    .filter(({ compound }) => compound !== undefined)
    .map((phrase) => (match === 'all' ? phrase : { ...phrase, ways: [...phrase.ways, ...(phrase.loose ?? [])] }));
  const known = new Map(frequencies);
  // of a compound that is a word of the query (jdk8), the words were not looked up
  const isInItems = (word: string): boolean => {
    const form = normalForm(word);
    const frequency = known.get(form) ?? context.store.documentFrequency(termExpression([word]));
    known.set(form, frequency);
    return frequency > 0;
  };
  // notations with a word that is in no item (the names of months, in a Chinese store) need not be looked up; pairs of
  // Han characters may be no words
  const isPossible = (way: readonly string[]): boolean => way.every((word) => hasHan(word) || isInItems(word));
  const possible = compoundPhrases
    .map((phrase) => ({ ...phrase, ways: withoutNumerals(context, phrase.ways.filter(isPossible)) }))
    .filter(({ ways }) => ways.length > 0);
  for (const word of possible.flatMap(({ ways }) => ways.flat())) isInItems(word);
  return possible
    .filter((phrase) => frequencies.get(phrase.compound ?? '') === 0 || phraseLookup(phrase, known).rows <= PHRASE_ROWS)
    .map(({ term, ways }) => lookUp(context, term, phraseExpression(ways)))
    .filter(({ frequency }) => frequency > 0);
}

/** Returns the ways without those in Chinese numerals (两个半小时), if no item has any of these: they consist of many pairs,
 * which are not looked up one by one then. */
function withoutNumerals({ store }: Context, ways: Phrase['ways']): Phrase['ways'] {
  const inNumerals = ways.filter((way) => way.every(hasHan));
  const isNone = inNumerals.length > 1 && store.documentFrequency(phraseExpression(inNumerals)) === 0;
  return isNone ? ways.filter((way) => !way.every(hasHan)) : ways;
}

/** Returns the MATCH expression for the cheapest phrases of a query that cost at most `PHRASE_ROWS` together; undefined
 * if there are none. */
export function phraseMatchOf({ phrases }: Query, frequencies: Frequencies): string | undefined {
  const lookups = phrases
    .filter(({ term, ways }) => ways.length > 0 && term.split(' ').length <= PHRASE_WORDS)
    .map((phrase) => phraseLookup(phrase, frequencies))
    .toSorted((a, b) => a.rows - b.rows);
  let rows = 0;
  const quick = lookups.filter((lookup) => (rows += lookup.rows) <= PHRASE_ROWS);
  if (quick.length === 0) return undefined;
  return expressionOf(quick, 'any');
}

/** Maps the terms of phrases that stand for words of the query to these words: words that are in no item unchanged
 * (jdk8 or ES 6, if items contain JDK 8 or es6), or that mean nothing alone (the s of 30 s). */
export function phrasesForWords(
  { phrases }: Query,
  frequencies: Frequencies,
  known: readonly Lookup[],
): Map<string, string[]> {
  const terms = new Set(known.map(({ term }) => term));
  const found = new Map<string, string[]>();
  for (const phrase of phrases) {
    const { term, compound = '' } = phrase;
    if (!terms.has(term)) continue;
    const isLeftOut = (word: string): boolean => !frequencies.has(compound) && !frequencies.has(word);
    const words = wordsOfCompound(phrase).filter(
      (word) => frequencies.get(word) === 0 || (word !== compound && isLeftOut(word)),
    );
    if (words.length > 0) found.set(term, words);
  }
  return found;
}

/** Returns, for each word of compounds (JDK 8, jdk8) that items contain in either form, a lookup that matches the word
 * or any of these: an item with all words of a query may have either. */
export function compounds({ phrases }: Query, lookups: readonly Lookup[]): Lookup[] {
  const known = new Map(lookups.map((lookup) => [lookup.term, lookup]));
  const found = new Map<string, Lookup>();
  for (const phrase of phrases) {
    const lookup = known.get(phrase.term);
    if (lookup === undefined) continue;
    for (const word of new Set(wordsOfCompound(phrase))) {
      const other = (found.get(word) ?? known.get(word))?.expression;
      const expression = other === undefined ? lookup.expression : `((${other}) OR ${lookup.expression})`;
      found.set(word, { ...lookup, term: word, expression });
    }
  }
  return [...found.values()];
}
