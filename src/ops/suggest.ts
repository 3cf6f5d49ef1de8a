import { closest, distance } from 'fastest-levenshtein';

/** Share of a word's letters that may differ for another to be suggested in its place. Range 0 to 1; at 0.4, `serach` finds `search`. */
const MAX_DISTANCE_SHARE = 0.4;

/** Letters from which a word stands for the only candidate that begins with it. */
const TELLING_LETTERS = 4;

/** The candidate that was probably meant: by edit distance without regard to case, else the one that begins with the word; undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.trim().toLowerCase();
  return similar(wanted, candidates) ?? begun(wanted, candidates);
}

function begun(wanted: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  return wanted.length >= TELLING_LETTERS && found.length === 1 ? found[0] : undefined;
}

function similar(wanted: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const found = closest(
    wanted,
    candidates.map((candidate) => candidate.toLowerCase()),
  );
  const candidate = candidates.find((one) => one.toLowerCase() === found) ?? '';
  return distance(wanted, found) <= Math.round(wanted.length * MAX_DISTANCE_SHARE) ? candidate : undefined;
}
