import {
  findersOf,
  prepare,
  wordCounters,
  type CandidateText,
  type Field,
  type PreparedField,
  type WordCounter,
} from './counter.ts';
import { NOWHERE } from './places.ts';
import type { Query } from './query.ts';

/** Returns the terms and phrases of the query that occur in each field of a text, the pairs of Han characters that are
 * in none of these terms, and the words that stand in for terms which occur in no field. */
export function matchedTerms(query: Query, text: Omit<CandidateText, 'length'>): Partial<Record<Field, string[]>> {
  const finders = findersOf(query);
  const fields = prepare(text, query.variants, finders);
  const terms = fields.map((field) => {
    const words = new Set(finders.filter((_, at) => (field.places[at] ?? NOWHERE).length > 0).map(({ term }) => term));
    return query.terms
      .filter(({ term, kind }) => (kind === 'word' ? words.has(term) : field.text.lower.includes(term)))
      .map(({ term }) => term);
  });
  const known = new Set(terms.flat());
  const isIn = ({ count }: WordCounter): boolean => fields.some((field) => count(field.text) > 0);
  const missing = query.expansions.filter(({ of, said }) => !known.has(of) && !wordCounters(said).some(isIn));
  const matched: Partial<Record<Field, string[]>> = {};
  for (const [at, field] of fields.entries()) {
    const all = new Set([...piecesIn(query, field, terms[at] ?? []), ...expansionsIn(missing, field)]);
    if (all.size > 0) matched[field.name] = [...all];
  }
  return matched;
}

/** The terms of a field, with the pairs and phrases in it. */
function piecesIn(query: Query, { text }: PreparedField, terms: readonly string[]): string[] {
  const pairs = query.bigrams.filter((pair) => text.lower.includes(pair) && !terms.some((term) => term.includes(pair)));
  const phrases = query.phrases.filter(({ count }) => count(text) > 0).map(({ term }) => term);
  return [...terms, ...pairs, ...phrases];
}

function expansionsIn(expansions: Query['expansions'], { text }: PreparedField): string[] {
  const counters = expansions.flatMap(({ words }) => wordCounters(words));
  return counters.filter(({ count }) => count(text) > 0).map(({ term }) => term);
}
