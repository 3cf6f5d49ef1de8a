import { MemtoolError } from '../core/errors.ts';
import { scriptOf } from './scripts.ts';
import { neighbours, type Tokenizer } from './tokenizer.ts';

export type Match = 'any' | 'all';

/** A MATCH expression of quoted terms, so that nothing of them is syntax. `terms` must not be empty. */
export function matchExpression(terms: readonly string[], match: Match): string {
  return joinExpressions(terms.map(quoteTerm), match);
}

export function joinExpressions(expressions: readonly string[], match: Match): string {
  return expressions.join(match === 'all' ? ' AND ' : ' OR ');
}

/** Matches items that hold any of the forms as a term, in whatever field. */
export function termExpression(forms: readonly string[]): string {
  const expression = `(${matchExpression(forms, 'any')})`;
  // a filter costs time at every row, and only a word of two Han characters could also be a pair
  return forms.some(isPair) ? `{key tags source content} : ${expression}` : expression;
}

function isPair(form: string): boolean {
  const characters = Array.from(form);
  return characters.length === 2 && characters.every((character) => scriptOf(character.codePointAt(0) ?? 0) === 'han');
}

/** Matches items that hold a stretch of Han characters, wherever words are cut: its pairs of neighbours in a row. */
export function spanExpression(span: string): string {
  return `grams : ${quoteTerm(neighbours(span).join(' '))}`;
}

function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

// A string of the FTS5 language, or a bareword (which may hold any character beyond ASCII), and whether a star follows.
const STRING_OR_BAREWORD = /(?<word>"(?:[^"]|"")*"|[A-Za-z0-9_\u0080-\u{10FFFF}]+)(?=(?<star>\s*\*)?)/gu;
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/** Rewrites a query in the FTS5 language so that text beyond ASCII is cut as the index cuts it: a bareword becomes the AND of its terms; a string,
 * a prefix and what stands inside NEAR a phrase of them. Operators, columns and ASCII words stay as they are. */
export function segmentFtsQuery(tokenizer: Tokenizer, query: string): string {
  const near = [...query.matchAll(/\bNEAR\s*\([^)]*\)/g)].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
  return query.replace(STRING_OR_BAREWORD, (...match) => {
    const { word = '', star } = match.at(-1) as { word?: string; star?: string };
    const offset: number = match.at(-3);
    const isString = word.startsWith('"');
    const text = isString ? word.slice(1, -1).replaceAll('""', '"') : word;
    if (OPERATORS.has(word) || tokenizer.indexText(text).terms === '') return word;
    const terms = tokenizer.terms(text);
    const isPhrase = isString || star !== undefined || near.some(({ start, end }) => offset > start && offset < end);
    if (isPhrase || terms.length === 1) return quoteTerm(terms.join(' '));
    return `(${matchExpression([...new Set(terms)], 'all')})`;
  });
}

/** Turns FTS5's complaint about a query in its own language into a PARAM_ERROR with the offset (in characters) where it can be told. */
export function ftsSyntaxError(query: string, cause: Error): MemtoolError {
  const near = /near "([^"]*)"/.exec(cause.message)?.[1];
  const at = near === undefined || near === '' ? query.length : query.indexOf(near);
  const position = Array.from(query.slice(0, Math.max(at, 0))).length;
  return new MemtoolError(
    'PARAM_ERROR',
    `not a query of the FTS5 language: ${cause.message} (at character ${position + 1})`,
    {
      hint: 'leave out --syntax fts to search for the text as it is, or quote words with double quotes',
      context: { query, position: position + 1 },
      cause,
    },
  );
}
