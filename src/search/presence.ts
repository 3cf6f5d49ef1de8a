import type { Phrase } from './phrases.ts';
import type { Query, QueryTerm } from './query.ts';
import { normalForm } from './words.ts';

/** What a Latin word or a compound adds to any text that has it, however long the text and however seldom the word:
 * this many times its idf, times its idf relative to the rarest of the query (like the delta of BM25+; Lv and Zhai,
 * 2011). Range 0 to 2; at 0 a long note with the only mention of a name ranks after short ones that repeat a common
 * word. */
const PRESENCE_WEIGHT = 2;
/** Most Latin words and compounds of a query for which this holds: one with more is a question rather than a list of
 * names. Range 1 to 5; at 4 cosqa loses 0.4. */
const NAMES = 3;

/** Returns what each Latin word of a query adds to a text that has it, by its term. A compound (jdk8, time out) adds in
 * place of its words. Empty if the query has more than `NAMES` of these. `idfOf` returns the inverse document frequency,
 * and 0 for what no candidate has. */
export function presenceOf(
  { terms, phrases }: Query,
  idfOf: (name: QueryTerm | Phrase) => number,
): ReadonlyMap<string, number> {
  const compounds = phrases.filter(({ compound }) => compound !== undefined);
  const joined = new Set(
    compounds.flatMap(({ term, compound = '' }) => [compound, ...term.split(' ').map((word) => normalForm(word))]),
  );
  const words = terms.filter(
    ({ term, kind, isPart, isNear }) => kind === 'word' && !isPart && !isNear && !joined.has(term),
  );
  const names = [...words, ...compounds];
  if (names.length > NAMES) return new Map();
  const idfs = names.map(idfOf);
  const rarest = Math.max(...idfs);
  return new Map(
    names.map(({ term }, at) => {
      const idf = idfs[at] ?? 0;
      return [term, idf === 0 ? 0 : (PRESENCE_WEIGHT * idf * idf) / rarest];
    }),
  );
}
