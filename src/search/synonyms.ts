import { hasHan } from './scripts.ts';
import { SYNONYM_GROUPS } from './synonym-groups.ts';
import { beginningOf, normalForm } from './words.ts';

/** Letters of the shortest Latin word of the groups; a Han character may have synonyms too. */
const SHORTEST = 2;
/** Length of the longest word of the groups, with what follows it, at least. */
const LONGEST = 32;

const synonyms = new Map<string, readonly string[]>();
/** Most terms whose synonyms are cached. */
const REMEMBERED_TERMS = 20_000;

/** Returns the words that mean the same as a word of a query; empty where none are listed. None is a single Han
 * character, which texts have as a part of other words. `term` is a Han word, or the normal form of a Latin one (edg-cas
 * of edge cases). Several English words are joined by hyphens. */
export function synonymsOf(term: string): readonly string[] {
  if (term.length < SHORTEST && !hasHan(term)) return [];
  let known = synonyms.get(term);
  if (known === undefined) {
    known = search(term);
    if (synonyms.size >= REMEMBERED_TERMS) synonyms.clear();
    synonyms.set(term, known);
  }
  return known;
}

let phrases: readonly string[] | undefined;

/** The entries of the groups that are three or more English words (time to live), with spaces between these. */
export function longPhrases(): readonly string[] {
  return (phrases ??= (SYNONYM_GROUPS.match(/(?<=\s)[a-z\d]+(?:-[a-z\d]+){2,}(?=\s)/g) ?? []).map((phrase) =>
    phrase.replaceAll('-', ' '),
  ));
}

function search(term: string): string[] {
  const found = new Set<string>();
  const isHan = !/^[a-z]/.test(term);
  const [first = ''] = term.split('-', 1);
  const beginning = isHan ? term : beginningOf(first);
  for (let at = SYNONYM_GROUPS.indexOf(beginning); at >= 0; at = SYNONYM_GROUPS.indexOf(beginning, at + 1)) {
    if (!isSpace(at - 1)) continue;
    const [word = ''] = SYNONYM_GROUPS.slice(at, at + LONGEST).split(/\s/, 1);
    if (termOf(word) !== term) continue;
    const group = groupAt(at);
    // the words of a single Han character are no synonyms of each other
    if (group[0]?.length === 1 && word !== group[0]) continue;
    for (const other of group) if (other !== word) found.add(other);
  }
  return [...found];
}

/** The form in which the groups are searched for a word, or for several joined by hyphens. */
export function termOf(word: string): string {
  return word.split('-').map(normalForm).join('-');
}

function groupAt(at: number): string[] {
  return SYNONYM_GROUPS.slice(SYNONYM_GROUPS.lastIndexOf('\n', at) + 1, SYNONYM_GROUPS.indexOf('\n', at)).split(' ');
}

function isSpace(at: number): boolean {
  return SYNONYM_GROUPS[at] === ' ' || SYNONYM_GROUPS[at] === '\n';
}
