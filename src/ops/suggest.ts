import { closest, distance } from 'fastest-levenshtein';

/** Share of a word's letters that may differ for another to be suggested in its place. Range 0 to 1; at 0.4, `serach` finds `search`. */
const MAX_DISTANCE_SHARE = 0.4;

/** The candidate that was probably meant, by edit distance without regard to case; undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const wanted = word.trim().toLowerCase();
  const found = closest(
    wanted,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  const candidate = candidates.find((one) => one.toLowerCase() === found) ?? '';
  return distance(wanted, found) <= Math.ceil(wanted.length * MAX_DISTANCE_SHARE) ? candidate : undefined;
}
