import { expressionOf, phraseExpression } from './fts-query.ts';
import type { Phrase } from './phrase.ts';
import { normalForm } from './words.ts';

/** A term is common if it is in more than this many times as many items as the rarest term of its phrase. Range 5 to
 * 50. */
const COMMON = 10;
/** Cost of a common term of a phrase relative to another term: FTS5 skips very many of its rows. Range 3 to 10;
 * measured 0.6 and 0.1 microseconds for each row of the rarest term. */
const COMMON_COST = 5;

/** Highest cost of a phrase of one word: its newest rows are found quickly. */
const WORD_ROWS = 1000;

/** How a phrase is looked up in the index. */
export interface PhraseLookup {
  /** An FTS5 MATCH expression: items that contain the phrase in one of its ways. */
  readonly expression: string;
  /** How many rows FTS5 reads for it, where a row of a common term counts `COMMON_COST` times; infinite where a way of
   * several words has no term of known frequency. */
  readonly rows: number;
}

/** Returns how to look up a phrase. `frequencies` is the number of items that hold a term, by normal form, for the
 * terms that were looked up; any other is taken to be common. */
export function phraseLookup({ ways }: Phrase, frequencies: ReadonlyMap<string, number>): PhraseLookup {
  const lookups = ways.map((way) => wayLookup(way, frequencies));
  return {
    expression: `(${expressionOf(lookups, 'any')})`,
    rows: lookups.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** FTS5 reads the rows of all terms of a phrase side by side. Where rare terms are adjacent, they are looked up first,
 * as a phrase of their own: FTS5 then checks the other terms in only a few rows. */
function wayLookup(way: readonly string[], frequencies: ReadonlyMap<string, number>): PhraseLookup {
  const counts = way.map((term) => frequencies.get(normalForm(term)) ?? Number.POSITIVE_INFINITY);
  const rarest = Math.min(...counts);
  const whole = phraseExpression([way]);
  if (way.length === 1) return { expression: whole, rows: Math.min(rarest, WORD_ROWS) };
  if (rarest === Number.POSITIVE_INFINITY) return { expression: whole, rows: rarest };
  const isCommon = counts.map((count) => count > COMMON * rarest);
  const [start, end] = rareRun(isCommon, counts.indexOf(rarest));
  if (end - start < 2 || end - start === way.length) {
    const costs = isCommon.map((common) => (common ? COMMON_COST : 1));
    return { expression: whole, rows: rarest * costs.reduce((sum, cost) => sum + cost, 0) };
  }
  return { expression: `(${phraseExpression([way.slice(start, end)])} AND ${whole})`, rows: rarest * (end - start) };
}

/** Start and end (exclusive) of the terms around a rare one that are not common either. */
function rareRun(isCommon: readonly boolean[], at: number): [start: number, end: number] {
  const after = isCommon.indexOf(true, at);
  return [isCommon.lastIndexOf(true, at) + 1, after === -1 ? isCommon.length : after];
}
