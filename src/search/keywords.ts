import type { QueryTerm } from './query-term.ts';
import { hasHan, runs } from './scripts.ts';
import { LONGEST_KEYWORD, stopPhrases } from './stop-phrases.ts';
import { isQuestion } from './stop-words.ts';
import { normalForm } from './words.ts';

/** Most names of a query that count for being there (presence.ts), and most Han words that are names though nothing
 * separates them: a query with more is a question rather than a list of names. Range 1 to 5; at 4 cosqa loses 0.4. */
export const NAMES = 3;

/** The Han words of a query that are names: those of a list of words, or those of a query of a few words that is no
 * question. Empty for any other. `terms` are those of the query. */
export function keywordsOf(query: string, terms: readonly QueryTerm[]): readonly string[] {
  const listed = listedWords(query);
  if (listed.length === 0) return isQuestion(query) ? [] : few(longestWords(terms), terms);
  const words = listed.flatMap((word) => {
    const inner = longestWords(terms.filter(({ term }) => word.includes(term)));
    return inner.join('') === word ? inner : [word]; // of 检查点删除, both words
  });
  const names = few([...new Set(words)], terms);
  return names.length > 0 ? names : listed;
}

/** The Han words of a query that is a list of words separated by spaces; empty for any other. */
function listedWords(query: string): string[] {
  const words = query
    .replace(/[\s?!.\u3002]+$/, '')
    .trim()
    .split(/\s+/);
  const han = words.filter(hasHan);
  const isList = han.every(
    (word) =>
      word.length <= LONGEST_KEYWORD &&
      runs(word).length === 1 &&
      runs(word)[0]?.text === word &&
      !stopPhrases().test(word),
  );
  return isList && words.length > 1 ? [...new Set(han.filter((word) => word.length > 1))] : [];
}

/** The Han words among terms that are in no other of them, in the order of the query. */
function longestWords(terms: readonly QueryTerm[]): string[] {
  const han = terms.filter(({ kind, term }) => kind === 'han' && term.length > 1).map(({ term }) => term);
  return han.filter((one) => !han.some((other) => other !== one && other.includes(one)));
}

/** The Han words of a query, unless these and its Latin words are too many to be names. */
function few(words: readonly string[], terms: readonly QueryTerm[]): readonly string[] {
  return words.length + terms.filter(({ kind }) => kind === 'word').length > NAMES ? [] : words;
}

/** Words that only say what the number behind them is: HTTP status 409, exit code 137. */
const LABELS =
  /(?<![A-Za-z0-9])((?:(?:https?|status|code|error|errno|exit|port)[ _:#/-]{1,2}){1,4})\d{3,6}(?![A-Za-z0-9]|[.:,]\d)/gi;

/** The normal forms of such words in a query. */
export function labelsOf(query: string): string[] {
  if (!/\d{3}/.test(query)) return []; // a short call compiles every pattern that it uses
  return Array.from(query.matchAll(LABELS), ([, labels = '']) => labels.toLowerCase().match(/[a-z]+/g) ?? [])
    .flat()
    .map(normalForm);
}

/** Marks the words inside keywords as parts, where the keyword is a word too, and labels. */
export function withParts(
  terms: readonly QueryTerm[],
  keywords: readonly string[],
  labels: readonly string[],
): readonly QueryTerm[] {
  const words = keywords.filter((keyword) => terms.some(({ term }) => term === keyword));
  const isInside = ({ term }: QueryTerm): boolean => !words.includes(term) && words.some((word) => word.includes(term));
  const isPart = (term: QueryTerm): boolean => labels.includes(term.term) || isInside(term);
  return words.length === 0 && labels.length === 0
    ? terms
    : terms.map((term) => (isPart(term) ? { ...term, isPart: true } : term));
}
