import { joinExpressions, phraseExpression } from './fts-query.ts';
import type { Phrase } from './phrases.ts';
import { normalForm } from './words.ts';

/** How often a term has to stand, against the rarest of its phrase, to be a common one. Range 5 to 50. */
const COMMON = 10;
/** What a common term of a phrase costs against another: of its rows FTS5 passes over very many. Range 3 to 10;
 * measured 0.6 against 0.1 microseconds for each row of the rarest. */
const COMMON_COST = 5;

/** What a phrase of one word costs at most: its newest rows are soon found. */
const WORD_ROWS = 1000;

/** How a phrase is asked of the index. */
export interface PhraseLookup {
  /** An FTS5 MATCH expression: items that say the phrase in one of its ways. */
  readonly expression: string;
  /** How many rows FTS5 looks at for it, a row of a common term counted `COMMON_COST` times; infinite where nothing of
   * the phrase is known to be rare. */
  readonly rows: number;
}

/** How to ask for a phrase. `frequencies` has how many items hold a term, by normal form, for those that were asked
 * for; any other is taken to be common. */
export function phraseLookup({ ways }: Phrase, frequencies: ReadonlyMap<string, number>): PhraseLookup {
  const lookups = ways.map((way) => wayLookup(way, frequencies));
  return {
    expression: `(${joinExpressions(
      lookups.map(({ expression }) => expression),
      'any',
    )})`,
    rows: lookups.reduce((sum, { rows }) => sum + rows, 0),
  };
}

/** FTS5 reads the rows of all terms of a phrase side by side. Where rare ones follow each other, it is asked for these
 * first: it then looks for the others in few rows. */
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

/** Where the terms around a rare one begin and end that are not common either. */
function rareRun(isCommon: readonly boolean[], at: number): [start: number, end: number] {
  const after = isCommon.indexOf(true, at);
  return [isCommon.lastIndexOf(true, at) + 1, after === -1 ? isCommon.length : after];
}
