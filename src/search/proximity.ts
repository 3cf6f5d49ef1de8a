import { isLetter, NOWHERE, type WordFinder } from './places.ts';

/** Longest distance between neighbours, in words. Chosen with the constants of score.ts. */
const WINDOW = 3;
/** The same in characters; neighbours farther apart are not counted. */
const WINDOW_CHARS = 60;
/** How many positions of the first word are compared: bounds the work for long texts. */
const COMPARED_PLACES = 50;

/** Pairs of neighbours from which on a query is a pasted text. Range 20 to 50; at 10, long questions are some, and
 * cranfield loses 0.4. */
const PASTED_PAIRS = 25;
/** Pairs of the shortest run of words that a text has as the query has them. Range 2 to 5. */
const RUN_PAIRS = 3;
/** Weight of the best run, relative to its pairs alone. Range 1 to 4; measured in docs/ranking-experiments.md. */
const RUN_WEIGHT = 3;

/** Two consecutive words of a query, by the indexes of their finders, and the lower of their idf. */
export interface Neighbours {
  readonly first: number;
  readonly second: number;
  readonly idf: number;
}

/** Returns the pairs of neighbours in a sequence of words, each once, where both have finders and differ. */
export function neighboursOf(
  sequence: readonly string[],
  finders: readonly WordFinder[],
  idfOf: (term: string) => number,
): Neighbours[] {
  const indexes = sequence.map((word) => finders.findIndex(({ term }) => term === word));
  const found: Neighbours[] = [];
  const known = new Set<number>();
  for (const [at, first] of indexes.entries()) {
    const second = indexes[at + 1] ?? -1;
    if (first < 0 || second < 0 || first === second) continue;
    const pair = first * finders.length + second;
    if (known.has(pair)) continue;
    known.add(pair);
    found.push({ first, second, idf: Math.min(idfOf(sequence[at] ?? ''), idfOf(sequence[at + 1] ?? '')) });
  }
  return found;
}

/** Returns the sum, over the pairs of query neighbours that are near each other in a text, of their idf divided by
 * their distance; for a pasted text, plus a multiple of that of the best run, since long texts have many words of it
 * here and there, and one has the line that matters. `places` holds the offsets of each word, in the order of the
 * finders. */
export function proximity(
  pairs: readonly Neighbours[],
  folded: string,
  places: readonly (readonly number[])[],
): number {
  const distances = new Uint8Array(pairs.length);
  let total = 0;
  for (let at = 0; at < pairs.length; at += 1) {
    const pair = pairs[at];
    if (pair === undefined) continue;
    const distance = leastDistance(folded, places[pair.first] ?? NOWHERE, places[pair.second] ?? NOWHERE);
    if (distance === undefined) continue;
    distances[at] = distance;
    total += pair.idf / distance;
  }
  return pairs.length < PASTED_PAIRS ? total : total + RUN_WEIGHT * bestRun(pairs, distances);
}

/** The highest sum of the idf of pairs that follow one another in the query and are adjacent in the text, of at least
 * `RUN_PAIRS`. A distance of 0 is none. */
function bestRun(pairs: readonly Neighbours[], distances: Uint8Array): number {
  let [best, sum, length] = [0, 0, 0];
  for (let at = 0; at < pairs.length; at += 1) {
    const pair = pairs[at];
    if (pairs[at - 1]?.second !== pair?.first || distances[at] !== 1) [sum, length] = [0, 0];
    if (distances[at] !== 1) continue;
    sum += pair?.idf ?? 0;
    length += 1;
    if (length >= RUN_PAIRS) best = Math.max(best, sum);
  }
  return best;
}

/** The smallest distance, in words, between an occurrence of each word, where that is within the window; the reverse
 * order adds 1. Both lists are ascending, so that each offset is compared only with the few around it. */
function leastDistance(text: string, first: readonly number[], second: readonly number[]): number | undefined {
  if (first.length === 0 || second.length === 0) return undefined;
  let least: number | undefined;
  let from = 0;
  for (const a of first.slice(0, COMPARED_PLACES)) {
    while ((second[from] ?? Number.POSITIVE_INFINITY) < a - WINDOW_CHARS) from += 1;
    for (let at = from; at < second.length; at += 1) {
      const b = second[at] ?? 0;
      if (b > a + WINDOW_CHARS) break;
      const distance = Math.max(1, wordsBetween(text, Math.min(a, b), Math.max(a, b))) + (b > a ? 0 : 1);
      if (distance <= WINDOW && (least === undefined || distance < least)) least = distance;
    }
    if (least === 1) return least;
  }
  return least;
}

/** How many words end between two offsets; counting stops beyond the window. */
function wordsBetween(text: string, from: number, to: number): number {
  let words = 0;
  let isInWord = false;
  for (let at = from; at < to && words <= WINDOW; at += 1) {
    const isInside = isLetter(text, at);
    if (isInWord && !isInside) words += 1;
    isInWord = isInside;
  }
  return words;
}
