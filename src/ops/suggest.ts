import { distance } from 'fastest-levenshtein';

/** Share of a word's letters that may differ in a suggestion. Range 0 to 0.5; at a third, `serach` finds `search`, and
 * `merge` does not find `purge`. */
const MAX_EDITS_SHARE = 1 / 3;

/** Fewest letters of a word that selects the only candidate it is a prefix of, or of a candidate that is a prefix of
 * the word. */
const SHORTEST_PREFIX = 3;

/** Returns the candidate that was probably meant, ignoring case: the only one that begins with the word, otherwise the
 * one with the fewest edits, otherwise the longest that is a prefix of the word; undefined if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.trim().toLowerCase();
  return completed(wanted, candidates) ?? similar(wanted, candidates) ?? longestPrefix(wanted, candidates);
}

function completed(wanted: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter((candidate) => candidate.toLowerCase().startsWith(wanted));
  return wanted.length >= SHORTEST_PREFIX && found.length === 1 ? found[0] : undefined;
}

function longestPrefix(wanted: string, candidates: readonly string[]): string | undefined {
  const found = candidates.filter(
    (candidate) => candidate.length >= SHORTEST_PREFIX && wanted.startsWith(candidate.toLowerCase()),
  );
  return found.toSorted((a, b) => b.length - a.length)[0];
}

function similar(wanted: string, candidates: readonly string[]): string | undefined {
  const most = Math.floor(wanted.length * MAX_EDITS_SHARE);
  let [best, fewest]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    const name = candidate.toLowerCase();
    const count = edits(wanted, name);
    if (count < fewest && (count <= most || isShortSlip(wanted, name))) [best, fewest] = [candidate, count];
  }
  return best;
}

/** True for two letters that are a name of three without one after its first (`ky` for key), or a name with its letters
 * swapped: with any other edit, too little of the name would be left to tell what was meant (`cp` is not mcp). */
function isShortSlip(wanted: string, candidate: string): boolean {
  if (wanted.length !== 2) return false;
  const [first, ...rest] = candidate;
  const isShortened = rest.length === 2 && first === wanted[0] && rest.includes(wanted[1] ?? '');
  return isShortened || areSwapped(wanted, candidate);
}

/** Returns the number of letters added, omitted or replaced; two swapped neighbours count as one if nothing else
 * differs. */
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
