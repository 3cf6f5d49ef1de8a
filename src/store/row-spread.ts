import type { Statements } from './statement.ts';

/** Most rows that are counted one by one, at 0.03 microseconds each. Range 1,000 to 20,000. */
const EXACT_ROWS = 4096;
/** Positions, spread evenly over all rowids, at which the density of rows is sampled, and rows sampled at each. Range 8
 * to 32, and 16 to 256; a position takes 5 microseconds. */
const PLACES = 16;
const ROWS_AT_A_PLACE = 64;

const HIGHEST = 'select ifnull(max(id), 0) as highest from memory_fts_docsize';
const UP_TO = `
select count(*) as found from (select 1 from memory_fts_docsize where id <= :up_to limit ${EXACT_ROWS + 1})`;
const FROM = `
select count(*) as found, ifnull(max(id), 0) as last from (
  select id from memory_fts_docsize where id > :start order by id limit ${ROWS_AT_A_PLACE})`;

/** How densely the rows of the index fill the rowids, in one state of the database: rows that were deleted or replaced
 * leave gaps. FTS5's own number of rows does not fall when one is deleted from a contentless table, and counting them
 * takes time in proportion to the rows. */
export class RowSpread {
  readonly #statements: Statements;
  readonly #highest: number;
  #isCounted: boolean | undefined;
  /** Rows per rowid, 0 to 1, by position. */
  #densities: readonly number[] | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#highest = Number(statements.read(HIGHEST).get()?.['highest']);
  }

  /** Number of rows up to a rowid, by default of all rows: exact if the index has at most `EXACT_ROWS`, else
   * estimated. */
  rows(upTo = this.#highest): number {
    this.#isCounted ??= this.#counted(this.#highest) <= EXACT_ROWS;
    if (this.#isCounted) return this.#counted(upTo);
    const step = this.#highest / PLACES;
    this.#densities ??= Array.from({ length: PLACES }, (_, place) => this.#densityAt(Math.floor(place * step)));
    let rows = 0;
    for (let place = 0; place < PLACES; place += 1) {
      const ids = Math.min(step, upTo - place * step);
      if (ids > 0) rows += (this.#densities[place] ?? 0) * ids;
    }
    return Math.round(rows);
  }

  #counted(upTo: number): number {
    return Number(this.#statements.read(UP_TO).get({ up_to: upTo })?.['found']);
  }

  #densityAt(start: number): number {
    const row = this.#statements.read(FROM).get({ start });
    return Number(row?.['found']) / Math.max(1, Number(row?.['last']) - start);
  }
}
