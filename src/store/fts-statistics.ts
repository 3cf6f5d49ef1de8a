import { RowSpread } from './row-spread.ts';
import { number, text, type Row } from './rows.ts';
import { INDEX_COLUMNS } from './schema.ts';
import { SizedCache } from './sized-cache.ts';
import type { Statements } from './statement.ts';

/** The statistics of the whole index that ranking needs. */
export interface IndexStatistics {
  /** Number of rows. */
  readonly count: number;
  /** Average number of terms of a content. */
  readonly averageLength: number;
}

/** Rows of a term, and matches of a query, that are counted one by one; beyond that a frequency is estimated from how
 * far the count got, and a total is not exact. Bounds the time for a word that half of the items contain. Range 1,001
 * (above the largest limit) to 10,000. */
export const COUNTED_ROWS = 1001;
const CONTENT_COLUMN = INDEX_COLUMNS.indexOf('content');
/** The row of memory_fts_data that holds the number of rows and of terms per column. Source: the "averages record" in
 * SQLite's fts5_index.c. */
const AVERAGES_RECORD = 1;

/** Number of terms of a content, from the sizes that FTS5 keeps for each row. */
export function contentLength(sizes: unknown): number {
  return columnLengths(sizes)[CONTENT_COLUMN] ?? 0;
}

/** Number of terms per column of the index, from memory_fts_docsize.sz: a varint per column. */
export function columnLengths(sizes: unknown): number[] {
  return varints(sizes);
}

/** Most frequencies cached for later lookups and searches, since queries repeat words. Range 1,000 to 100,000; each takes
 * about 100 bytes. */
const MOST_FREQUENCIES = 20_000;

/** Statistics of the index, by which matches are ranked. Between `begin` and `end` the totals and the frequencies of
 * words are cached; with `keepsFrequencies` also across transactions, until somebody writes. */
export class FtsStatistics {
  readonly #statements: Statements;
  readonly #frequencies = new SizedCache<string, number>(MOST_FREQUENCIES, () => 1);
  keepsFrequencies = false;
  #version: unknown;
  #isOpen = false;
  #spread: RowSpread | undefined;
  #statistics: IndexStatistics | undefined;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Call this when a read transaction begins. With `keepsFrequencies` it reads the version of the file, which fixes
   * the state that the following reads see. Returns true if that is the same state as in the last transaction. */
  begin(): boolean {
    this.#isOpen = true;
    const version = this.keepsFrequencies
      ? this.#statements.read('pragma data_version').get()?.['data_version']
      : undefined;
    if (version !== undefined && version === this.#version) return true;
    this.#version = version;
    this.#frequencies.clear();
    this.#spread = undefined;
    this.#statistics = undefined;
    return false;
  }

  end(): void {
    this.#isOpen = false;
  }

  /** The totals of the index. */
  index(): IndexStatistics {
    if (this.#isOpen && this.#statistics !== undefined) return this.#statistics;
    const row = this.#statements.read('select block from memory_fts_data where id = :id').get({ id: AVERAGES_RECORD });
    // FTS5's own totals: the number of all rows ever written, then one varint per column
    const [written = 0, ...totals] = varints(row?.['block']);
    const averageLength = written === 0 ? 0 : (totals[CONTENT_COLUMN] ?? 0) / written;
    const statistics = { count: Math.min(written, this.#rowSpread().rows()), averageLength };
    if (this.#isOpen) this.#statistics = statistics;
    return statistics;
  }

  /** Number of rows that match an FTS5 expression: exact below `COUNTED_ROWS`, else estimated. */
  documentFrequency(expression: string): number {
    if (!this.#isOpen) return this.#count(expression);
    const before = this.#frequencies.get(expression);
    if (before !== undefined) return before;
    const frequency = this.#count(expression);
    this.#frequencies.add(expression, frequency);
    return frequency;
  }

  #count(expression: string): number {
    const row: Row | undefined = this.#statements
      .read(`
        select count(*) as found, max(id) as last from (
          select rowid as id from memory_fts where memory_fts match :expression limit ${COUNTED_ROWS})`)
      .get({ expression });
    const found = row === undefined ? 0 : number(row, 'found');
    if (row === undefined || found < COUNTED_ROWS) return found;
    const spread = this.#rowSpread();
    const all = this.index().count;
    // where rows are sparse, the estimate may be as low as 0
    return Math.max(
      found,
      Math.min(all, Math.round((found * all) / Math.max(found, spread.rows(number(row, 'last'))))),
    );
  }

  #rowSpread(): RowSpread {
    if (!this.#isOpen) return new RowSpread(this.#statements);
    return (this.#spread ??= new RowSpread(this.#statements));
  }
}

/** Characters at the start of the newest content that are searched for a word of it. */
const CANARY_CHARS = 200;
const FIRST_WORD = /[a-z0-9\u0080-\u{10FFFF}]+/iu;

/** True when an empty answer of the index can be trusted: it has as many rows as there are items, and finds the newest
 * item by its first word. A cheap check, for a search that found nothing: false when that cannot be determined. */
export function isIndexInStep(statements: Statements): boolean {
  const { items, indexed } =
    statements
      .read('select (select count(*) from memory_items) as items, (select count(*) from memory_fts_docsize) as indexed')
      .get() ?? {};
  if (items !== indexed) return false;
  const newest = statements
    .read(`
      select seq, substr(case content_search when '' then content else content_search end, 1, ${CANARY_CHARS}) as terms
      from memory_items order by seq desc limit 1`)
    .get();
  if (newest === undefined) return true;
  const word = FIRST_WORD.exec(text(newest, 'terms'))?.[0];
  if (word === undefined) return false;
  const found = statements
    .read('select 1 from memory_fts where memory_fts match :word and memory_fts.rowid = :seq')
    .get({ word: `"${word}"`, seq: BigInt(number(newest, 'seq')) });
  return found !== undefined;
}

/** Decodes SQLite's variable-length integers: seven bits per byte; the highest bit means that more bytes follow. Counts
 * never exceed 2^53. */
function varints(blob: unknown): number[] {
  if (!(blob instanceof Uint8Array)) return [];
  const values: number[] = [];
  let value = 0;
  for (let at = 0; at < blob.length; at += 1) {
    const byte = blob[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    values.push(value);
    value = 0;
  }
  return values;
}
