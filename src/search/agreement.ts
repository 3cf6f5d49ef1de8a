import { runs } from './scripts.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { inverseDocumentFrequency } from './idf.ts';

/** The constants of agreement. docs/ranking-experiments.md has the effect of each. */
export const AGREEMENT = {
  /** How many of the best matches are compared. Range 10 to 40. */
  matches: 20,
  /** Other matches are compared too if they reach this share of the score of the last of these. Range 0 (all, which
   * takes three times as long) to 1; measured alike from 0 to 0.9. */
  near: 0.9,
  /** How many of the very best (the models) they are compared with. Range 1 to 3; at 3 the third is often wrong
   * itself. */
  models: 2,
  /** How many terms, those that the models repeat most, are compared. Range 20 to 200. */
  terms: 40,
  /** How much of each text is compared, in characters: its topic is at its start. Range 400 to 2,000. */
  chars: 600,
  /** Share of the best score that full agreement adds. Range 0 to 0.5; measured alike from 0.2 to 0.4. */
  weight: 0.3,
} as const;
/** Letters of the shortest Latin word that counts. */
const SHORTEST_WORD = 3;

/** What agreement uses of a match. */
export interface Agreeing {
  readonly score: number;
  /** The first `chars` characters of its content, folded. */
  readonly beginning: string;
}

/** Returns the matches (best first) that are compared: the best, and those that score nearly as much as the last of
 * these, so that among equals none falls behind for being the 21st. */
export function comparedMatches<T extends Agreeing>(matches: readonly T[]): T[] {
  const least = AGREEMENT.near * (matches[AGREEMENT.matches - 1]?.score ?? 0);
  return matches.filter(({ score }) => score >= least);
}

/** Returns the boost of each of the best matches (best first) for agreeing with the very best, the models: texts that
 * resemble each other are probably relevant to the same queries, so that a match that has the query's words but another
 * topic falls behind. The boost is `weight` times the best score times the mean cosine with the models, weighted by
 * their scores; the vectors are binary over the models' terms, weighted by their idf among the matches. The best match
 * never falls behind the second. Source: regularization of retrieval scores (Diaz, 2007), here only towards the
 * best. */
export function agreement(matches: readonly Agreeing[]): number[] {
  const models = matches.slice(0, AGREEMENT.models);
  if (matches.length === models.length) return matches.map(() => 0);
  const best = models[0]?.score ?? 0;
  const total = models.reduce((sum, { score }) => sum + score, 0);
  const cosines = cosinesWith(models, matches);
  return matches.map((_, at) => {
    const sum = models.reduce((gain, { score }, model) => gain + score * (cosines[model]?.[at] ?? 0), 0);
    return total === 0 ? 0 : (AGREEMENT.weight * best * sum) / total;
  });
}

/** For each model, the cosines of its vector with those of all matches, the first of which are the models. */
function cosinesWith(models: readonly Agreeing[], matches: readonly Agreeing[]): Float64Array[] {
  const squares = new Float64Array(matches.length);
  const products = models.map(() => new Float64Array(matches.length));
  const holders = new Int32Array(matches.length);
  for (const term of repeatedTerms(models)) {
    let count = 0;
    for (let at = 0; at < matches.length; at += 1)
      if (matches[at]?.beginning.includes(term) === true) holders[count++] = at;
    const square = inverseDocumentFrequency(matches.length, count) ** 2;
    add(squares, square, holders, count);
    for (let model = 0; model < products.length; model += 1) {
      const product = products[model];
      if (product !== undefined && models[model]?.beginning.includes(term) === true)
        add(product, square, holders, count);
    }
  }
  return products.map((product, model) =>
    product.map((sum, at) => {
      const norm = Math.sqrt((squares[model] ?? 0) * (squares[at] ?? 0));
      return norm > 0 ? sum / norm : Number(at === model);
    }),
  );
}

/** Adds `value` to the sums at the first `count` of the indexes. */
function add(sums: Float64Array, value: number, indexes: Int32Array, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const index = indexes[at] ?? 0;
    sums[index] = (sums[index] ?? 0) + value;
  }
}

/** The terms that the models repeat most, words and pairs of characters; among equals those that come first. */
function repeatedTerms(models: readonly Agreeing[]): string[] {
  const counts = new Map<string | number, number>();
  const count = (term: string | number): void => {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  for (const { beginning } of models) {
    for (const { script, text } of runs(beginning)) {
      if (script === 'han' || script === 'syllables') {
        // a thousand pairs are counted and few are used: as numbers they take a third of the time
        for (let at = 0; at + 2 <= text.length; at += 1) count(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
      } else if (script === 'word' && text.length >= SHORTEST_WORD && !ENGLISH_STOP_WORDS.has(text)) count(text);
    }
  }
  const byCount: (string | number)[][] = [];
  for (const [term, times] of counts) (byCount[times] ??= []).push(term);
  return byCount
    .toReversed()
    .flatMap((terms) => terms ?? [])
    .slice(0, AGREEMENT.terms)
    .map((term) => (typeof term === 'string' ? term : String.fromCharCode(term & 0xffff, term >>> 16)));
}
