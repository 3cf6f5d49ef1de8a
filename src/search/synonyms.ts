import { SYNONYM_GROUPS } from './synonym-groups.ts';
import { normalForm } from './words.ts';

/** Returns the words that mean the same as a word of a query, in lower case; empty where none are listed. `term` is a
 * Han word, or the normal form of a Latin one. */
export function synonymsOf(term: string): string[] {
  if (term.length < SHORTEST) return [];
  const found = new Set<string>();
  const isHan = !/^[a-z]/.test(term);
  // a word differs from its normal form at most in its ending
  const beginning = isHan ? term : term.slice(0, Math.max(SHARED_LETTERS, term.length - 1));
  for (let at = SYNONYM_GROUPS.indexOf(beginning); at >= 0; at = SYNONYM_GROUPS.indexOf(beginning, at + 1)) {
    if (!isSpace(at - 1)) continue;
    const [word = ''] = SYNONYM_GROUPS.slice(at, at + LONGEST).split(/\s/, 1);
    if (isHan ? word !== term : normalForm(word) !== term) continue;
    const group = SYNONYM_GROUPS.slice(
      SYNONYM_GROUPS.lastIndexOf('\n', at) + 1,
      SYNONYM_GROUPS.indexOf('\n', at),
    ).split(' ');
    for (const other of group) if (other !== word) found.add(other);
  }
  return [...found];
}

/** Shortest word of the groups, in characters, as a normal form. */
const SHORTEST = 2;
/** Fewest letters that a word shares with its stem (flies, fli). */
const SHARED_LETTERS = 2;
/** Longest word of the groups, in characters, with the space after it. */
const LONGEST = 24;

function isSpace(at: number): boolean {
  return SYNONYM_GROUPS[at] === ' ' || SYNONYM_GROUPS[at] === '\n';
}
