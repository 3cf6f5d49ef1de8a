import { isLetter, NOWHERE, type WordFinder } from './places.ts';

/** Longest distance between neighbours, in words. Chosen with the constants of score.ts. */
const WINDOW = 3;
/** The same in characters; neighbours farther apart are not counted. */
const WINDOW_CHARS = 60;
/** How many positions of the first word are compared: bounds the work for long texts. */
const COMPARED_PLACES = 50;

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
 * their distance. `places` holds the offsets of each word, in the order of the finders. */
export function proximity(
  pairs: readonly Neighbours[],
  folded: string,
  places: readonly (readonly number[])[],
): number {
  let total = 0;
  for (let at = 0; at < pairs.length; at += 1) {
    const pair = pairs[at];
    if (pair === undefined) continue;
    const distance = leastDistance(folded, places[pair.first] ?? NOWHERE, places[pair.second] ?? NOWHERE);
    if (distance !== undefined) total += pair.idf / distance;
  }
  return total;
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
