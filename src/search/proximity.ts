import { isLetter, NOWHERE, type WordFinder } from './places.ts';

/** How far apart, in words, neighbours may stand. Chosen with the constants of score.ts. */
const WINDOW = 3;
/** The same in characters, above which nothing is counted. */
const WINDOW_CHARS = 60;
/** How many places of a word are compared: bounds the work for long texts. */
const COMPARED_PLACES = 50;

/** Two words that follow each other in a query, by the indexes of their finders, and the lesser of their idf. */
export interface Neighbours {
  readonly first: number;
  readonly second: number;
  readonly idf: number;
}

/** The pairs of neighbours in a sequence of words, as far as there are finders of both. */
export function neighboursOf(
  sequence: readonly string[],
  finders: readonly WordFinder[],
  idfOf: (term: string) => number,
): Neighbours[] {
  const indexes = sequence.map((word) => finders.findIndex(({ term }) => term === word));
  const found: Neighbours[] = [];
  for (const [at, first] of indexes.entries()) {
    const second = indexes[at + 1] ?? -1;
    if (first < 0 || second < 0 || first === second) continue;
    found.push({ first, second, idf: Math.min(idfOf(sequence[at] ?? ''), idfOf(sequence[at + 1] ?? '')) });
  }
  return found;
}

/** For each pair of neighbours in the query: their idf, over their distance in a text, where they are near. `places`
 * are those of the words, in the order of the finders. */
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

/** Words from a place of one to the next of the other, where these are within the window; the wrong order counts one
 * more. Both lists rise, so that each place is compared with the few around it alone. */
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

/** How many words end between two offsets, counted only as far as the window goes. */
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
