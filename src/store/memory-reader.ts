import type { DatabaseSync } from 'node:sqlite';
import type { Synchronous } from '../core/durability.ts';
import type { LogicalKey, Memory } from '../core/memory.ts';
import { hasFilters, isSelective, whereOf, type Filters } from './filters.ts';
import { defineFunctions, sortValue, type Scoring, type Sort, type SortValue } from './sort-values.ts';
import {
  bestMatches,
  countMatches,
  equalMatches,
  indexState,
  isIndexProvisional,
  newestMatches,
  newestRows,
  rowsOrNewest,
  type BestMatches,
  type IndexState,
  type IndexTokenizer,
  type RankedMatch,
  type Scope,
} from './fts-index.ts';
import { FtsStatistics, isIndexInStep, type IndexStatistics } from './fts-statistics.ts';
import { findByContent, findByLogicalKey, itemsWithKeys, unknownNames, type SameContent } from './find-item.ts';
import { countDeleted, deletedItems, versionInRow, type DeletedItem, type DeletedQuery } from './deleted-items.ts';
import { rowsOf, sourceOfEvery, updatedSort } from './item-source.ts';
import { earlierVersion, historyLength, historyOf, lastVersion, type HistoryEntry } from './history.ts';
import { ITEM_COLUMNS, number, text, toMemory, type Row } from './rows.ts';
import { isCorruption } from './sqlite-errors.ts';
import {
  indexedItems,
  outlines,
  scoredTexts,
  textCache,
  type IndexedItem,
  type ScoredText,
  type TextCache,
} from './scored-texts.ts';
import { SizedCache } from './sized-cache.ts';
import { Statements } from './statement.ts';
import type { OpenFile } from './open-file.ts';
import type { OpenDatabase } from './transaction.ts';
import { listItems, type ListedItem, type ListQuery } from './list-items.ts';
import { Vocabulary, type VocabularyWord } from './vocabulary.ts';

/** SQLite's page cache for many searches, in KiB. Range 2,000 (SQLite's default) to 65,536: with 8 MiB a query over
 * 100,000 memories takes 15 % less time than with 2; 16 is no faster. */
const SEARCHES_CACHE_KIB = 8192;

/** Largest file whose texts are cached for many searches, in bytes: of a larger one, few texts are scored twice before
 * they are dropped. Range 1 to 100 million; at 500 million, caching saved no time and took 250 MB. */
const CACHED_FILE_BYTES = 24_000_000;

/** Most row ids of matches that are cached for many searches, since queries repeat common words, which take longest to
 * look up. Range 100,000 to 4 million; each takes 8 bytes. */
const CACHED_ROW_IDS = 1_000_000;

export interface StoreOptions {
  readonly tokenizer: IndexTokenizer;
  readonly scoring: Scoring;
  /** When a commit is flushed to disk; defaults to `normal`. */
  readonly synchronous?: Synchronous | undefined;
  /** How long a statement waits for another process's lock; defaults to `BUSY_TIMEOUT_MS`. */
  readonly busyTimeoutMs?: number | undefined;
  /** True if the file was in WAL mode when it was opened. */
  readonly isWalFile?: boolean | undefined;
}

/** All reads of one open database. */
export class MemoryReader implements OpenDatabase {
  readonly db: DatabaseSync;
  readonly file: OpenFile;
  protected readonly options: StoreOptions;
  protected readonly statements: Statements;
  #hasFunctions = false;
  readonly #vocabulary: Vocabulary;
  readonly #statistics: FtsStatistics;
  /** Caches, only if many reads are expected; they hold until somebody writes. The rows of matches are by expression and
   * limit. */
  #texts: TextCache | undefined;
  #rows: SizedCache<string, readonly number[]> | undefined;

  constructor({ db, file }: OpenDatabase, options: StoreOptions) {
    this.db = db;
    this.file = file;
    this.options = options;
    this.statements = new Statements(db);
    this.#vocabulary = new Vocabulary(db, this.statements);
    this.#statistics = new FtsStatistics(this.statements);
  }

  /** Enlarges the page cache and keeps word frequencies, the rows of matches and, of a small file, texts, so that many
   * searches do not read the same again and again. */
  expectManyReads(): void {
    this.db.exec(`pragma cache_size = -${SEARCHES_CACHE_KIB}`);
    const pages = number(this.statements.read('pragma page_count').get() ?? {}, 'page_count');
    const pageBytes = number(this.statements.read('pragma page_size').get() ?? {}, 'page_size');
    if (pages * pageBytes <= CACHED_FILE_BYTES) this.#texts = textCache();
    this.#rows = new SizedCache(CACHED_ROW_IDS, (rows) => rows.length);
    this.#statistics.keepsFrequencies = true;
  }

  get path(): string {
    return this.file.path;
  }

  get tokenizer(): IndexTokenizer {
    return this.options.tokenizer;
  }

  isIndexInStep(): boolean {
    return isIndexInStep(this.statements);
  }

  /** True when part of the index was made without the Chinese dictionary. */
  isIndexProvisional(): boolean {
    return isIndexProvisional(this.statements);
  }

  indexState(): IndexState {
    return indexState(this.statements, this.tokenizer.version);
  }

  get(id: string): Memory | undefined {
    const row = this.rowOf(id);
    return row && toMemory(row);
  }

  /** The items with these ids that exist, one by one in the order of `ids`. */
  *each(ids: readonly string[]): Generator<Memory> {
    const columns = ITEM_COLUMNS.map((column) => `m.${column}`).join(', ');
    const rows = this.statements
      .read(`select ${columns} from json_each(:ids) wanted cross join memory_items m on m.id = wanted.value`)
      .iterate({ ids: JSON.stringify(ids) });
    for (const row of rows) yield toMemory(row);
  }

  /** Runs several reads on one state of the database. */
  snapshot<T>(read: () => T): T {
    if (this.db.isTransaction) return read();
    const state = this.holdState();
    try {
      return read();
    } finally {
      state[Symbol.dispose]();
    }
  }

  /** Keeps all reads on one state of the database until it is disposed of. */
  holdState(): Disposable {
    this.db.exec('begin');
    if (!this.#statistics.begin()) {
      this.#texts?.clear();
      this.#rows?.clear();
    }
    return { [Symbol.dispose]: () => this.#endReading() };
  }

  /** SQLite's journal mode: wal, delete or another. That of the file, also where it is read as immutable: such a
   * connection needs no journal, and SQLite says `delete`. */
  journalMode(): string {
    const mode = text(this.statements.read('pragma journal_mode').get() ?? {}, 'journal_mode');
    return mode === 'delete' && this.options.isWalFile === true ? 'wal' : mode;
  }

  /** Ends a transaction in which nothing was written. A commit makes FTS5 check its index again, and fails when that is
   * damaged. */
  #endReading(): void {
    this.#statistics.end();
    if (!this.db.isTransaction) return; // an error has ended it
    try {
      this.db.exec('commit');
    } catch (error) {
      if (!isCorruption(error)) throw error;
      if (this.db.isTransaction) this.db.exec('rollback');
      this.#vocabulary.forget();
    }
  }

  /** The newest item with a logical key, except the one with the id `except`. */
  findByLogicalKey(key: LogicalKey, except?: string): Memory | undefined {
    return findByLogicalKey(this.statements, key, except);
  }

  /** The newest item with the same type, task, step and content and all of the tags; `match` is a MATCH expression that
   * every item with this content matches, if there is one. */
  findByContent(same: SameContent, match: string | undefined): Memory | undefined {
    return findByContent(this.statements, same, match);
  }

  /** Items that pass the filters, in sort order. */
  list(query: ListQuery): ListedItem[] {
    this.#defineFunctions(query.filters, query.sort);
    return listItems(this.statements, this.options.scoring, query);
  }

  /** The newest items that pass the filters, at most `limit`. */
  newest(filters: Filters, limit: number): Memory[] {
    return this.list({ filters, sort: 'updated', nowMs: 0, limit }).flatMap(({ seq }) => this.bySeq(seq) ?? []);
  }

  count(filters: Filters): number {
    this.#defineFunctions(filters);
    const where = whereOf(filters);
    const { from, condition } = hasFilters(filters)
      ? sourceOfEvery(this.statements, filters)
      : { from: 'memory_items m', condition: 'true' };
    const row = this.statements
      .read(`select count(*) as total from ${from} where ${condition} and ${where.sql}`)
      .get(where.parameters);
    return row === undefined ? 0 : number(row, 'total');
  }

  /** The function that computes the value by which a sort orders an item. */
  sortValue(sort: Sort, nowMs: number): SortValue {
    return sortValue(this.options.scoring, sort, nowMs);
  }

  /** Yields the items that pass the filters one by one, in the given order, without holding them all; only those that
   * match `within`, a MATCH expression, if given. */
  *iterate(filters: Filters, order: 'id' | 'newest', within?: string): Generator<Memory> {
    this.#defineFunctions(filters);
    const where = whereOf(filters);
    const orders = { id: 'm.id', newest: `${updatedSort(filters)} desc, m.id` };
    const isWithin =
      within === undefined ? '' : 'and m.seq in (select rowid from memory_fts where memory_fts match :within)';
    const statement = this.db.prepare(`
      select ${ITEM_COLUMNS.map((column) => `m.${column}`).join(', ')} from memory_items m
      where ${where.sql} ${isWithin} order by ${orders[order]}`);
    for (const row of statement.iterate({ ...where.parameters, ...(within !== undefined && { within }) }))
      yield toMemory(row);
  }

  /** The best `limit` matches of an FTS5 MATCH expression by BM25; only among `rows` if given. Throws SQLite's error
   * when the expression is invalid. */
  bestMatches(match: string, scope: Scope, limit: number, rows?: readonly number[]): BestMatches {
    this.#defineFunctions(scope.filters);
    return bestMatches(this.statements, match, scope, limit, rows);
  }

  /** The newest matches with exactly this BM25, at most `limit`, among those that `bestMatches` considers. */
  equalMatches(match: string, scope: Scope, bm25: number, limit: number, rows?: readonly number[]): RankedMatch[] {
    this.#defineFunctions(scope.filters);
    return equalMatches(this.statements, match, scope, { bm25, limit, rows });
  }

  /** The row ids of all items that match, descending, at most `limit`. */
  newestRows(match: string, limit: number): number[] {
    return newestRows(this.statements, match, limit);
  }

  /** The row ids of all items that match, ascending; if they are more than `most`, of the newest of them. */
  rowsOrNewest(match: string, most: number): readonly number[] {
    const key = `${most} ${match}`;
    const cached = this.#rows?.get(key);
    if (cached !== undefined) return cached;
    const rows = rowsOrNewest(this.statements, match, most);
    this.#rows?.add(key, rows);
    return rows;
  }

  /** The rows of the newest `limit` matches in a scope. */
  newestMatches(match: string, scope: Scope, limit: number): number[] {
    this.#defineFunctions(scope.filters);
    return newestMatches(this.statements, match, scope, limit);
  }

  /** The rows of the newest `limit` items in a scope whose key is one of `keys`. */
  itemsWithKeys(keys: readonly string[], scope: Scope, limit: number): number[] {
    this.#defineFunctions(scope.filters);
    return itemsWithKeys(this.statements, keys, scope, limit);
  }

  /** Those of the names that are neither the id nor the key of an item. */
  unknownNames(names: readonly string[]): string[] {
    return unknownNames(this.statements, names);
  }

  /** Number of matches in a scope, counted up to `most`. */
  countMatches(match: string, scope: Scope, most: number): number {
    this.#defineFunctions(scope.filters);
    return countMatches(this.statements, match, scope, most);
  }

  /** The filters with the row ids of the items that pass, if the filters are selective and these are few. `tagMatch` is
   * a MATCH expression that every item with the filters' tags matches, if there is one. */
  scopeOf(filters: Filters, tagMatch?: string): Scope {
    this.#defineFunctions(filters);
    return { filters, seqs: isSelective(filters) ? rowsOf(this.statements, filters, tagMatch) : undefined };
  }

  indexStatistics(): IndexStatistics {
    return this.#statistics.index();
  }

  /** Number of items that match an FTS5 expression: exact below `COUNTED_ROWS`, else estimated. */
  documentFrequency(expression: string): number {
    return this.#statistics.documentFrequency(expression);
  }

  /** The fields by which items are scored, one by one in the order of `seqs`; contents up to `mostChars` characters. */
  scoredTexts(seqs: readonly number[], mostChars: number): Generator<ScoredText> {
    return scoredTexts(this.statements, seqs, mostChars, this.#texts);
  }

  /** The outlines of items, in the order of `seqs`. */
  outlines(seqs: readonly number[]): string[] {
    return outlines(this.statements, seqs);
  }

  /** Words of the index with this prefix, at most `limit`. */
  vocabulary(prefix: string, limit: number): VocabularyWord[] {
    return this.#vocabulary.words(prefix, limit);
  }

  /** What cleanup needs of the items that pass the filters, the oldest first, without their contents. */
  *iterateAges(filters: Filters): Generator<Pick<Memory, 'id' | 'type' | 'key' | 'updated_at'>> {
    const where = whereOf(filters);
    const statement = this.db.prepare(
      `select m.id, m.type, m.key, m.updated_at from memory_items m where ${where.sql} order by m.updated_sort, m.id`,
    );
    for (const row of statement.iterate(where.parameters)) {
      const { id, type, key, updated_at } = toMemory(row);
      yield { id, type, key, updated_at };
    }
  }

  bySeq(seq: number): Memory | undefined {
    const row = this.statements
      .read(`select ${ITEM_COLUMNS.join(', ')} from memory_items where seq = :seq`)
      .get({ seq });
    return row && toMemory(row);
  }

  /** What `recommend` needs of items, one by one in the order of `seqs`; texts up to `mostChars` characters, none at
   * 0. */
  indexedItems(seqs: readonly number[], mostChars: number): Generator<IndexedItem> {
    return indexedItems(this.statements, seqs, mostChars);
  }

  /** The history of an item, newest first, at most `limit` entries. */
  history(id: string, limit?: number): HistoryEntry[] {
    return historyOf(this.statements, id, this.get(id), limit);
  }

  historyLength(id: string): number {
    return historyLength(this.statements, id);
  }

  /** The item as it was in an earlier version; without `version`, in the last one whose fields the history holds. */
  earlierVersion(id: string, version?: number): Memory | undefined {
    return earlierVersion(this.statements, id, version);
  }

  lastVersion(id: string): number {
    return lastVersion(this.statements, id);
  }

  /** Deleted items that pass the filters, the most recently deleted first. */
  deleted(query: DeletedQuery): DeletedItem[] {
    return deletedItems(this.statements, query);
  }

  countDeleted(filters: DeletedQuery['filters']): number {
    return countDeleted(this.statements, filters);
  }

  /** The item as it was in the version whose fields a row of the history holds. */
  versionInRow(seq: number): Memory | undefined {
    return versionInRow(this.statements, seq);
  }

  /** Distinct values of a column, at most `limit`: suggestions for a hint when a value matches nothing. */
  valuesOf(column: 'task_id' | 'step_id' | 'key', limit: number): string[] {
    const rows = this.statements
      .read(`select distinct ${column} as value from memory_items where ${column} is not null limit :limit`)
      .all({ limit });
    return rows.map((row) => text(row, 'value'));
  }

  /** Distinct tags in use, at most `limit`. */
  tagsInUse(limit: number): string[] {
    const rows = this.statements
      .read(`
      select distinct t.value from memory_items m, json_each(case when json_valid(m.tags_json) then m.tags_json else '[]' end) t
      where m.tags_json <> '[]' limit :limit`)
      .all({ limit });
    return rows.map((row) => text(row, 'value'));
  }

  /** Sixteen random bytes from SQLite: the entropy of a new id, without loading node:crypto. */
  randomBytes(): Uint8Array {
    const value = this.statements.read('select randomblob(16) as bytes').get()?.['bytes'];
    if (!(value instanceof Uint8Array)) throw new Error('SQLite gave no random bytes');
    return value;
  }

  protected rowOf(id: string): Row | undefined {
    return this.statements.read(`select ${ITEM_COLUMNS.join(', ')} from memory_items where id = :id`).get({ id });
  }

  /** Defines the functions that the statements of these filters and this sort use, if any. */
  #defineFunctions({ fresh }: Filters, sort: Sort = 'updated'): void {
    if (this.#hasFunctions || (fresh === undefined && sort === 'updated')) return;
    this.#hasFunctions = true;
    defineFunctions(this.db, this.options.scoring);
  }
}
