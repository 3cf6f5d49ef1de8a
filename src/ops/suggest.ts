import { distance } from 'fastest-levenshtein';

/** Share of a word's letters that may be wrong for another to be suggested in its place. Range 0 to 0.5; at a third,
 * `serach` finds `search`, and `merge` does not find `purge`. */
const MAX_EDITS_SHARE = 1 / 3;

/** Letters from which a word stands for the only candidate that begins with it, and a candidate for the word that
 * begins with it. */
const TELLING_LETTERS = 3;

/** The candidate that was probably meant, without regard to case: the only one that begins with the word, else the one
 * with the fewest edits between, else the longest with which the word begins; undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.trim().toLowerCase();
  return begun(wanted, candidates) ?? similar(wanted, candidates) ?? beginning(wanted, candidates);
}

function begun(wanted: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  return wanted.length >= TELLING_LETTERS && found.length === 1 ? found[0] : undefined;
}

function beginning(wanted: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter(
    (candidate) => candidate.length >= TELLING_LETTERS && wanted.startsWith(candidate.toLowerCase()),
  );
  return found.toSorted((a, b) => b.length - a.length)[0];
}

function similar(wanted: string, candidates: readonly string[]): string | undefined {
  const most = Math.floor(wanted.length * MAX_EDITS_SHARE);
  let [best, fewest]: [string | undefined, number] = [undefined, most + 1];
  for (const candidate of candidates) {
    const count = edits(wanted, candidate.toLowerCase());
    if (count < fewest) [best, fewest] = [candidate, count];
  }
  return best;
}

/** Letters that were added, left out or taken for others; two neighbours that changed places, where nothing else
 * differs, are one. */
function edits(wanted: string, candidate: string): number {
  return areSwapped(wanted, candidate) ? 1 : distance(wanted, candidate);
}

function areSwapped(wanted: string, candidate: string): boolean {
  if (wanted.length !== candidate.length) return false;
  let at = 0;
  while (at < wanted.length && wanted[at] === candidate[at]) at += 1;
  return (
    at + 1 < wanted.length &&
    wanted[at] === candidate[at + 1] &&
    wanted[at + 1] === candidate[at] &&
    wanted.slice(at + 2) === candidate.slice(at + 2)
  );
}
