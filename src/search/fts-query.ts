import { MemtoolError } from '../core/errors.ts';
import { sentence } from '../core/sentence.ts';
import { hasHan, scriptOf } from './scripts.ts';
import { fold, neighbours, normalise, type Tokenizer } from './tokenizer.ts';
import { PAIR_MARK, symbolNames } from './words.ts';

export type Match = 'any' | 'all';

/** Returns a MATCH expression of quoted terms, so that no part of them is syntax. `terms` must not be empty. */
export function matchExpression(terms: readonly string[], match: Match): string {
  return joinExpressions(terms.map(quoteTerm), match);
}

export function joinExpressions(expressions: readonly string[], match: Match): string {
  return expressions.join(match === 'all' ? ' AND ' : ' OR ');
}

/** Returns an expression for items that match any or all of some lookups. */
export function expressionOf(lookups: readonly { readonly expression: string }[], match: Match): string {
  return joinExpressions(
    lookups.map(({ expression }) => expression),
    match,
  );
}

/** Returns an expression for items that hold any of the forms as a term, in any field. */
export function termExpression(forms: readonly string[]): string {
  const expression = `(${joinExpressions(forms.map(formExpression), 'any')})`;
  // a column filter costs time for every row, and only one or two Han characters could also match a gram
  return forms.some(isGram) ? `{key tags source content} : ${expression}` : expression;
}

/** A form as a term; a single character of a script that is split into pairs as a prefix, since it begins a term
 * wherever it occurs. */
function formExpression(form: string): string {
  return isSingleCharacter(form) && scriptOf(form.codePointAt(0) ?? 0) === 'syllables'
    ? `${quoteTerm(form)} *`
    : quoteTerm(form);
}

function isGram(form: string): boolean {
  const characters = Array.from(form);
  return characters.length <= 2 && characters.every((character) => scriptOf(character.codePointAt(0) ?? 0) === 'han');
}

/** Returns an expression for items that hold any of the forms as two neighbouring parts of a longer identifier. */
export function pairExpression(forms: readonly string[]): string {
  return `(${matchExpression(
    forms.map((form) => PAIR_MARK + form),
    'any',
  )})`;
}

/** Returns an expression for items that hold a word that begins with the stem of this one. */
export function prefixExpression(word: string): string {
  return `${quoteTerm(word)} *`;
}

/** Returns an expression for items that hold the terms of one of the ways in a row. */
export function phraseExpression(ways: readonly (readonly string[])[]): string {
  return `(${joinExpressions(
    ways.map((way) => quoteTerm(way.join(' '))),
    'any',
  )})`;
}

/** True for a text of one character. */
export function isSingleCharacter(text: string): boolean {
  return text.length <= 2 && Array.from(text).length === 1;
}

/** Returns an expression for items that hold a stretch of Han characters, however it is segmented: its pairs of
 * neighbours in a row; for a single character, the grams that begin with it. */
export function spanExpression(span: string): string {
  return `grams : ${quoteTerm(neighbours(span).join(' '))}${isSingleCharacter(span) ? ' *' : ''}`;
}

function quoteTerm(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

// A string of the FTS5 language, or a bareword (which may have any character beyond ASCII), and whether a star follows.
const STRING_OR_BAREWORD = /(?<word>"(?:[^"]|"")*"|[A-Za-z0-9_\u0080-\u{10FFFF}]+)(?=(?<star>\s*\*)?)/gu;
const OPERATORS = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/** A column filter before a word, and what joins a word to a phrase: ^ before it, + before or after it. */
const COLUMN_BEFORE = /(?:-\s*)?(?:\{[^{}]*\}|"[^"]*"|[A-Za-z0-9_]+)\s*:\s*$/;
const JOINED_BEFORE = /[\^+]\s*$/;
const JOINED_BEHIND = /^\s*\+/;
/** How far around a word these are searched for, in characters. */
const NEIGHBOURHOOD = 200;

/** Rewrites a query in the FTS5 language so that text beyond ASCII and identifiers are split as in the index: a
 * bareword becomes its terms side by side, which FTS5 reads as AND, each with the word's column filter; a string, a
 * prefix, a word joined by + or ^ and a word inside NEAR become a phrase of them. The terms of names like C++, which the
 * index has behind all others of a text, are demanded beside a phrase, where the language allows that. Where columns are
 * excluded, so are the pairs of characters, which come from all of them. Operators, columns and other ASCII words are
 * unchanged. */
export function segmentFtsQuery(tokenizer: Tokenizer, written: string): string {
  const query = withoutGrams(written);
  const near = nearGroups(query);
  return query.replace(STRING_OR_BAREWORD, (...match) => {
    const { word = '', star } = match.at(-1) as { word?: string; star?: string };
    const offset: number = match.at(-3);
    const isString = word.startsWith('"');
    const text = unquoted(word);
    if (OPERATORS.has(word) || tokenizer.indexText(text).terms === '') return word;
    const terms = tokenizer.terms(text);
    // a prefix of an identifier (getUser* for getUserById): its parts in a row, without the whole
    if (star !== undefined && !hasHan(text) && terms.length > 1 && terms.at(-1) === text.toLowerCase())
      return quoteTerm(terms.slice(0, -1).join(' '));
    const before = query.slice(Math.max(0, offset - NEIGHBOURHOOD), offset);
    const behind = query.slice(offset + word.length, offset + word.length + NEIGHBOURHOOD);
    const isJoined = JOINED_BEFORE.test(before) || JOINED_BEHIND.test(behind);
    const isNear = near.some(({ start, end }) => offset > start && offset < end);
    const column = COLUMN_BEFORE.exec(before)?.[0] ?? '';
    const isPart = star !== undefined || isJoined || isNear;
    if (!isString && !isPart) return [...new Set(terms)].map(quoteTerm).join(` ${column}`);
    const names = symbolNames(normalise(text)).map(({ term }) => term);
    const phrase = terms.slice(0, terms.length - names.length).join(' ');
    return [phrase, ...(isPart ? [] : names)].map(quoteTerm).join(` ${column}`);
  });
}

/** A filter that excludes columns, or a string, which is kept. */
const EXCLUSION = /-\s*(?:\{(?<several>\s*[^{}\s][^{}]*)\}|(?<one>"[^"]*"|[A-Za-z0-9_]+))\s*:|"(?:[^"]|"")*"/g;

/** Returns a query in the FTS5 language of which the filters that exclude columns exclude `grams` too. */
function withoutGrams(query: string): string {
  return query.replace(EXCLUSION, (filter, several?: string, one?: string) => {
    const columns = several ?? one;
    return columns === undefined ? filter : `-{${columns} grams} :`;
  });
}

/** The text of a string or a bareword. */
function unquoted(word: string): string {
  return word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word;
}

/** Returns where the NEAR groups of a query in the FTS5 language are. */
function nearGroups(query: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  for (const { index: start } of query.matchAll(/\bNEAR\s*\(/g)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const end = query.indexOf(')', start);
    if (end < 0) break;
    found.push({ start, end });
  }
  return found;
}

// A string, which is kept, or a column filter or the distance of a NEAR group.
const STRING_OR_SYNTAX =
  /(?<text>"(?:[^"]|"")*"(?!\s*:))|(?:\{[^{}]*\}|"(?:[^"]|"")*"|[A-Za-z0-9_]+)\s*:|,\s*\d+\s*(?=\))/g;

/** Returns the words of a query in the FTS5 language as plain text, without operators and column filters. */
export function ftsWords(query: string): string {
  const bare = query.replaceAll(STRING_OR_SYNTAX, (_match, text: string | undefined) => text ?? ' ');
  return Array.from(bare.matchAll(STRING_OR_BAREWORD), ({ groups }) => groups?.['word'] ?? '')
    .filter((word) => !OPERATORS.has(word))
    .map(unquoted)
    .join(' ');
}

/** Returns the prefixes in a query in the FTS5 language (deploy*), folded, without the star. */
export function ftsPrefixes(query: string): Set<string> {
  const words = Array.from(query.matchAll(STRING_OR_BAREWORD), ({ groups }) => groups ?? {});
  const prefixes = words
    .filter(({ star }) => star !== undefined)
    .map(({ word = '' }) => fold(word.replaceAll('"', '')));
  return new Set(prefixes);
}

/** Converts FTS5's error for a query in its language to a PARAM_ERROR with the position (in characters, from 1; the end
 * of the query where unknown). `cause` is its error for the query with segmented words; `complaintOf` runs FTS5 on the
 * query as written, or on a prefix of it, and returns the error message, undefined where there is none. */
export function ftsSyntaxError(
  query: string,
  cause: Error,
  complaintOf: (part: string) => string | undefined,
): MemtoolError {
  const message = complaintOf(query) ?? cause.message;
  const position = Array.from(query.slice(0, offendingOffset(query, message, complaintOf))).length + 1;
  return new MemtoolError('PARAM_ERROR', `not a valid FTS5 query: ${message} (at character ${position})`, {
    hint: sentence`leave out --syntax fts to search for the words as text, or put words in double quotes`,
    context: { query, position },
    cause,
  });
}

/** Most prefixes of a query on which FTS5 is run to find where it stopped: each is read from the start. Range 10 to
 * 200. */
const MOST_COMPLAINTS = 50;

/** Where FTS5 stopped, in UTF-16 units: the first occurrence of the token that it rejected for which the query up to
 * and including it gives the same error. */
function offendingOffset(query: string, message: string, complaintOf: (part: string) => string | undefined): number {
  if (message === 'unterminated string')
    return query.replaceAll(/"(?:[^"]|"")*"(?!")/g, (text) => ' '.repeat(text.length)).indexOf('"');
  const column = /^no such column: (.*)$/s.exec(message)?.[1];
  // in key:error-codes FTS5 takes codes for a column
  if (column !== undefined)
    return Math.max(0, query.search(new RegExp(`${RegExp.escape(column)}\\s*:|-\\s*${RegExp.escape(column)}`)));
  const token = /near "(.*)"$/s.exec(message)?.[1] ?? '';
  if (token === '') return query.length;
  let looks = 0;
  for (let at = query.indexOf(token); at >= 0 && looks < MOST_COMPLAINTS; at = query.indexOf(token, at + 1)) {
    if (complaintOf(query.slice(0, at + token.length)) === message) return at;
    looks += 1;
  }
  // FTS5 rejects a word before a parenthesis only once it has read the parenthesis
  const first = looks < MOST_COMPLAINTS ? query.indexOf(token) : query.lastIndexOf(token);
  return first < 0 ? query.length : first;
}
