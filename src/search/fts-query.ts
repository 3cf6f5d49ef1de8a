import { MemtoolError } from '../core/errors.ts';
import { hasHan, scriptOf } from './scripts.ts';
import { fold, neighbours, type Tokenizer } from './tokenizer.ts';

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
  const expression = `(${joinExpressions(forms.map(formExpression), 'any')})`;
  // a filter costs time at every row, and only one or two Han characters could also be a gram
  return forms.some(isGram) ? `{key tags source content} : ${expression}` : expression;
}

/** A form as a term; a character of a script that is cut into pairs, where it stands alone, begins a term wherever it
 * is. */
function formExpression(form: string): string {
  return isAlone(form) && scriptOf(form.codePointAt(0) ?? 0) === 'syllables' ? `${quoteTerm(form)} *` : quoteTerm(form);
}

function isGram(form: string): boolean {
  const characters = Array.from(form);
  return characters.length <= 2 && characters.every((character) => scriptOf(character.codePointAt(0) ?? 0) === 'han');
}

/** Matches items that hold a word that begins with the stem of this one. */
export function prefixExpression(word: string): string {
  return `${quoteTerm(word)} *`;
}

/** Matches items that hold the terms of one of the ways in a row. */
export function phraseExpression(ways: readonly (readonly string[])[]): string {
  return `(${joinExpressions(
    ways.map((way) => quoteTerm(way.join(' '))),
    'any',
  )})`;
}

/** True for a text of one character. */
export function isAlone(text: string): boolean {
  return text.length <= 2 && Array.from(text).length === 1;
}

/** Matches items that hold a stretch of Han characters, wherever words are cut: its pairs of neighbours in a row; what
 * begins with it, if it is one. */
export function spanExpression(span: string): string {
  return `grams : ${quoteTerm(neighbours(span).join(' '))}${isAlone(span) ? ' *' : ''}`;
}

function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

// A string of the FTS5 language, or a bareword (which may hold any character beyond ASCII), and whether a star follows.
const STRING_OR_BAREWORD = /(?<word>"(?:[^"]|"")*"|[A-Za-z0-9_\u0080-\u{10FFFF}]+)(?=(?<star>\s*\*)?)/gu;
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/** A column filter that stands before a word, and what joins a word to a phrase: ^ before it, + before or behind. */
const COLUMN_BEFORE = /(?:-\s*)?(?:\{[^{}]*\}|"[^"]*"|[A-Za-z0-9_]+)\s*:\s*$/;
const JOINED_BEFORE = /[\^+]\s*$/;
const JOINED_BEHIND = /^\s*\+/;
/** How far around a word these are looked for, in characters. */
const NEIGHBOURHOOD = 200;

/** Rewrites a query in the FTS5 language so that text beyond ASCII is cut as the index cuts it: a bareword becomes its
 * terms side by side, which FTS5 takes for AND, each with the word's column filter; a string, a prefix, what is joined
 * by + or ^ and what stands inside NEAR a phrase of them. Operators, columns and ASCII words stay as they are. */
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
    // the beginning of an identifier (getUser* of getUserById): its parts side by side, without the whole
    if (star !== undefined && !hasHan(text) && terms.length > 1 && terms.at(-1) === text.toLowerCase())
      return quoteTerm(terms.slice(0, -1).join(' '));
    const before = query.slice(Math.max(0, offset - NEIGHBOURHOOD), offset);
    const behind = query.slice(offset + word.length, offset + word.length + NEIGHBOURHOOD);
    const isJoined = JOINED_BEFORE.test(before) || JOINED_BEHIND.test(behind);
    const isNear = near.some(({ start, end }) => offset > start && offset < end);
    if (isString || star !== undefined || isJoined || isNear) return quoteTerm(terms.join(' '));
    const column = COLUMN_BEFORE.exec(before)?.[0] ?? '';
    return [...new Set(terms)].map(quoteTerm).join(` ${column}`);
  });
}

/** The words of a query in the FTS5 language that stand for all that begin with them (deploy*), folded. */
export function ftsPrefixes(query: string): Set<string> {
  const words = Array.from(query.matchAll(STRING_OR_BAREWORD), ({ groups }) => groups ?? {});
  const prefixes = words
    .filter(({ star }) => star !== undefined)
    .map(({ word = '' }) => fold(word.replaceAll('"', '')));
  return new Set(prefixes);
}

/** Turns FTS5's complaint about a query in its own language into a PARAM_ERROR with the offset (in characters) where it
 * can be told. `cause` is its complaint about the query as it was asked, with the words cut; `complaintOf` asks FTS5
 * about the query as it was written, or a part of it, and gives its complaint, undefined where there is none. */
export function ftsSyntaxError(
  query: string,
  cause: Error,
  complaintOf: (part: string) => string | undefined,
): MemtoolError {
  const message = complaintOf(query) ?? cause.message;
  const position = Array.from(query.slice(0, offendingOffset(query, message, complaintOf))).length + 1;
  return new MemtoolError('PARAM_ERROR', `not a query of the FTS5 language: ${message} (at character ${position})`, {
    hint: 'leave out --syntax fts to search for the text as it is, or quote words with double quotes',
    context: { query, position },
    cause,
  });
}

/** How often FTS5 is asked where it stopped: each time it reads the query up to there. Range 10 to 200. */
const MOST_COMPLAINTS = 50;

/** Where FTS5 stopped, in UTF-16 units. It names the token that it could not take: the first place of that token up to
 * which it complains alike. */
function offendingOffset(query: string, message: string, complaintOf: (part: string) => string | undefined): number {
  if (message === 'unterminated string')
    return query.replaceAll(/"(?:[^"]|"")*"/g, (text) => ' '.repeat(text.length)).lastIndexOf('"');
  const column = /^no such column: (.*)$/s.exec(message)?.[1];
  // of key:error-codes FTS5 takes codes for a column
  if (column !== undefined)
    return Math.max(0, query.search(new RegExp(`${RegExp.escape(column)}\\s*:|-\\s*${RegExp.escape(column)}`)));
  const token = /near "(.*)"$/s.exec(message)?.[1] ?? '';
  if (token === '') return query.length;
  let looks = 0;
  for (let at = query.indexOf(token); at >= 0 && looks < MOST_COMPLAINTS; at = query.indexOf(token, at + 1)) {
    if (complaintOf(query.slice(0, at + token.length)) === message) return at;
    looks += 1;
  }
  // of a word before a parenthesis FTS5 complains only once it has seen that
  const first = looks < MOST_COMPLAINTS ? query.indexOf(token) : query.lastIndexOf(token);
  return first < 0 ? query.length : first;
}
