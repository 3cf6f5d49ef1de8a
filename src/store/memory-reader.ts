import type { DatabaseSync } from 'node:sqlite';
import type { Synchronous } from '../core/durability.ts';
import type { ConfidenceLevel, LogicalKey, Memory, MemoryType } from '../core/memory.ts';
import { isSelective, whereOf, type Filters, type SqlParameters } from './filters.ts';
import {
  bestMatches,
  countMatches,
  indexState,
  isIndexProvisional,
  newestMatches,
  recentFloor,
  rowsOf,
  type Candidate,
  type IndexState,
  type IndexTokenizer,
  type Scope,
} from './fts-index.ts';
import { documentFrequency, indexStatistics, isIndexInStep, type IndexStatistics } from './fts-statistics.ts';
import { findByContent, findByLogicalKey, itemsWithKeys, type SameContent } from './find-item.ts';
import { historyOf, lastVersion, type HistoryEntry } from './history.ts';
import { ITEM_COLUMNS, number, text, toMemory, type Row } from './rows.ts';
import { isCorruption } from './sqlite-errors.ts';
import { indexedItems, scoredTexts, type IndexedItem, type ScoredText } from './scored-texts.ts';
import { Statements } from './statement.ts';
import { Vocabulary } from './vocabulary.ts';

/** What many searches keep of the file in memory, in KiB. Range 2,000 (SQLite's own) to 65,536: with 8 MiB a question over 100,000 memories takes 15 % less than with 2, with 16 no less. */
const SEARCHES_CACHE_KIB = 8192;

/** The time-dependent scores that sorts and filters need inside SQL. Injected, since formulas live in `search/`. */
export interface Scoring {
  mixed(type: MemoryType, updatedAt: string, confidence: ConfidenceLevel, nowMs: number): number;
  recency(type: MemoryType, updatedAt: string, nowMs: number): number;
  confidence(confidence: ConfidenceLevel): number;
  isStale(type: MemoryType, updatedAt: string, nowMs: number): boolean;
}

export interface StoreOptions {
  readonly tokenizer: IndexTokenizer;
  readonly scoring: Scoring;
  /** When a commit is flushed to disk; `normal` where nothing is said. */
  readonly synchronous?: Synchronous | undefined;
}

export const SORTS = ['updated', 'confidence', 'recency', 'mixed'] as const;
export type Sort = (typeof SORTS)[number];

// The value that each sort orders by, falling; ties by updated_sort falling, then id rising.
const SORT_VALUES: Readonly<Record<Sort, string>> = {
  updated: '0',
  confidence: 'memory_confidence(m.confidence_level)',
  recency: 'memory_recency(m.type, m.updated_at, :now_ms)',
  mixed: 'memory_mixed(m.type, m.updated_at, m.confidence_level, :now_ms)',
};

/** Where a page ended: the sort value, updated_sort and id of its last item. */
export interface Position {
  readonly value: number;
  readonly updated: string;
  readonly id: string;
}

export interface ListQuery {
  readonly filters: Filters;
  readonly sort: Sort;
  readonly nowMs: number;
  readonly limit: number;
  readonly after?: Position | undefined;
  /** Ask for items that match this MATCH expression only. */
  readonly match?: string | undefined;
}

/** An item of a list, by its rowid: whole items are read one by one, so that a list never holds all contents. */
export interface ListedItem {
  readonly seq: number;
  readonly position: Position;
}

/** Everything that is read from one open database. */
export class MemoryReader {
  readonly db: DatabaseSync;
  readonly path: string;
  protected readonly options: StoreOptions;
  protected readonly statements: Statements;
  #hasFunctions = false;
  readonly #vocabulary: Vocabulary;

  constructor(db: DatabaseSync, path: string, options: StoreOptions) {
    this.db = db;
    this.path = path;
    this.options = options;
    this.statements = new Statements(db);
    this.#vocabulary = new Vocabulary(db, this.statements);
  }

  /** Gives the coming reads more memory, so that many searches do not read the same pages again and again. */
  expectManyReads(): void {
    this.db.exec(`pragma cache_size = -${SEARCHES_CACHE_KIB}`);
  }

  get tokenizer(): IndexTokenizer {
    return this.options.tokenizer;
  }

  isIndexInStep(): boolean {
    return isIndexInStep(this.statements);
  }

  /** True where some of the index was made without the Chinese dictionary. */
  isIndexProvisional(): boolean {
    return isIndexProvisional(this.statements);
  }

  indexState(): IndexState {
    return indexState(this.db, this.tokenizer.version);
  }

  get(id: string): Memory | undefined {
    const row = this.rowOf(id);
    return row && toMemory(row);
  }

  /** Those of the items that are there, one by one in the order of `ids`. */
  *each(ids: readonly string[]): Generator<Memory> {
    const columns = ITEM_COLUMNS.map((column) => `m.${column}`).join(', ');
    const rows = this.statements
      .read(`select ${columns} from json_each(:ids) wanted cross join memory_items m on m.id = wanted.value`)
      .iterate({ ids: JSON.stringify(ids) });
    for (const row of rows) yield toMemory(row);
  }

  /** Runs reads that belong together on one state of the database. */
  snapshot<T>(read: () => T): T {
    if (this.db.isTransaction) return read();
    const state = this.holdState();
    try {
      return read();
    } finally {
      state[Symbol.dispose]();
    }
  }

  /** Until it is disposed of, all reads are of one state of the database. */
  holdState(): Disposable {
    this.db.exec('begin');
    return { [Symbol.dispose]: () => this.#endReading() };
  }

  /** How SQLite keeps changes that are not yet in the file: wal, delete or another. */
  journalMode(): string {
    return text(this.statements.read('pragma journal_mode').get() ?? {}, 'journal_mode');
  }

  /** Ends a transaction in which nothing was written. A commit asks FTS5 about its index once more, and fails where that is damaged. */
  #endReading(): void {
    if (!this.db.isTransaction) return; // an error has ended it
    try {
      this.db.exec('commit');
    } catch (error) {
      if (!isCorruption(error)) throw error;
      if (this.db.isTransaction) this.db.exec('rollback');
      this.#vocabulary.forget();
    }
  }

  /** The newest item of a logical key but `except`. */
  findByLogicalKey(key: LogicalKey, except = ''): Memory | undefined {
    return findByLogicalKey(this.statements, key, except);
  }

  /** The newest item that says the same; `match` is a MATCH expression that every item of this content fulfils, where there is one. */
  findByContent(same: SameContent, match: string | undefined): Memory | undefined {
    return findByContent(this.statements, same, match);
  }

  /** Items that pass the filters, in the order of the sort. */
  list(query: ListQuery): ListedItem[] {
    this.#defineFunctions();
    const where = whereOf(query.filters);
    const value = SORT_VALUES[query.sort];
    const parameters: SqlParameters = { ...where.parameters, now_ms: query.nowMs, limit: query.limit };
    let after = 'true';
    if (query.after !== undefined) {
      Object.assign(parameters, {
        after_value: query.after.value,
        after_updated: query.after.updated,
        after_id: query.after.id,
      });
      after = `${value} <= :after_value and (${value} < :after_value
        or (m.updated_sort <= :after_updated and (m.updated_sort < :after_updated or m.id > :after_id)))`;
    }
    if (query.sort === 'updated' && query.after !== undefined) {
      after = 'm.updated_sort <= :after_updated and (m.updated_sort < :after_updated or m.id > :after_id)';
    }
    const order = query.sort === 'updated' ? '' : 'sort_value desc, ';
    const matched =
      query.match === undefined ? '' : 'join memory_fts on memory_fts.rowid = m.seq and memory_fts match :match';
    if (query.match !== undefined) parameters['match'] = query.match;
    const rows = this.statements
      .read(`
      select m.seq, m.id, m.updated_sort, ${value} as sort_value
      from memory_items m ${matched}
      where ${where.sql} and ${after}
      order by ${order}m.updated_sort desc, m.id
      limit :limit`)
      .all(parameters);
    return rows.map((row) => ({
      seq: number(row, 'seq'),
      position: { value: number(row, 'sort_value'), updated: text(row, 'updated_sort'), id: text(row, 'id') },
    }));
  }

  count(filters: Filters): number {
    this.#defineFunctions();
    const where = whereOf(filters);
    const row = this.statements
      .read(`select count(*) as total from memory_items m where ${where.sql}`)
      .get(where.parameters);
    return row === undefined ? 0 : number(row, 'total');
  }

  /** The value by which a sort orders, as a function of the item: the same as in `list`. */
  sortValue(sort: Sort, nowMs: number): (memory: Memory) => number {
    const { scoring } = this.options;
    return {
      updated: () => 0,
      confidence: (memory: Memory) => scoring.confidence(memory.confidence_level),
      recency: (memory: Memory) => scoring.recency(memory.type, memory.updated_at, nowMs),
      mixed: (memory: Memory) => scoring.mixed(memory.type, memory.updated_at, memory.confidence_level, nowMs),
    }[sort];
  }

  /** Items that pass the filters one by one, in the given order, without holding them all. */
  *iterate(filters: Filters, order: 'id' | 'newest' | 'oldest'): Generator<Memory> {
    this.#defineFunctions();
    const where = whereOf(filters);
    const orders = { id: 'm.id', newest: 'm.updated_sort desc, m.id', oldest: 'm.updated_sort, m.id' };
    const statement = this.db.prepare(`
      select ${ITEM_COLUMNS.map((column) => `m.${column}`).join(', ')} from memory_items m
      where ${where.sql} order by ${orders[order]}`);
    for (const row of statement.iterate(where.parameters)) yield toMemory(row);
  }

  /** The best `limit` matches of an FTS5 MATCH expression by BM25. Throws SQLite's error when it is none. Where it matches more than
   * `mostRows` rows (when given), only the newest that many are looked at. */
  bestMatches(match: string, scope: Scope, limit: number, mostRows?: number): Candidate[] {
    this.#defineFunctions();
    const fromSeq = mostRows === undefined ? 0 : recentFloor(this.statements, match, mostRows);
    return bestMatches(this.statements, match, scope, limit, fromSeq);
  }

  /** The newest `limit` matches in a scope, not ranked. */
  newestMatches(match: string, scope: Scope, limit: number): Candidate[] {
    this.#defineFunctions();
    return newestMatches(this.statements, match, scope, limit);
  }

  /** The newest `limit` items in a scope that have one of the keys. */
  itemsWithKeys(keys: readonly string[], scope: Scope, limit: number): Candidate[] {
    this.#defineFunctions();
    return itemsWithKeys(this.statements, keys, scope, limit);
  }

  /** Number of matches in a scope, counted up to `most`. */
  countMatches(match: string, scope: Scope, most: number): number {
    this.#defineFunctions();
    return countMatches(this.statements, match, scope, most);
  }

  /** Filters with the rows of the items that pass, where an index finds these and they are at most `most`. `tagMatch` is a MATCH expression that every item
   * with the filters' tags fulfils. */
  scopeOf(filters: Filters, tagMatch: string | undefined, most: number): Scope {
    this.#defineFunctions();
    return { filters, seqs: isSelective(filters) ? rowsOf(this.statements, filters, tagMatch, most) : undefined };
  }

  indexStatistics(): IndexStatistics {
    return indexStatistics(this.statements);
  }

  /** Number of items that match an FTS5 expression: exact below `COUNTED_ROWS`, estimated from there on. */
  documentFrequency(expression: string): number {
    return documentFrequency(this.statements, expression);
  }

  /** The texts of items that are scored, one by one in the order of `seqs`. */
  scoredTexts(seqs: readonly number[], mostChars: number): Generator<ScoredText> {
    return scoredTexts(this.statements, seqs, mostChars);
  }

  /** Words of the index that begin like this, at most `limit`. */
  vocabulary(prefix: string, limit: number): string[] {
    return this.#vocabulary.words(prefix, limit);
  }

  /** What cleanup needs of the items of a layer, the oldest first, without their contents. */
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

  /** What recommending needs of items, one by one in the order of `seqs`; their texts, with `reads` alone. */
  indexedItems(seqs: readonly number[], reads: boolean): Generator<IndexedItem> {
    return indexedItems(this.statements, seqs, reads);
  }

  history(id: string): HistoryEntry[] {
    return historyOf(this.statements, id, this.get(id));
  }

  lastVersion(id: string): number {
    return lastVersion(this.statements, id);
  }

  /** The values of a column in use, at most `limit`: what a hint can suggest instead of a value that matches nothing. */
  valuesOf(column: 'task_id' | 'step_id' | 'key', limit: number): string[] {
    const rows = this.statements
      .read(`select distinct ${column} as value from memory_items where ${column} is not null limit :limit`)
      .all({ limit });
    return rows.map((row) => text(row, 'value'));
  }

  /** Tags in use, each once, at most `limit`. */
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

  #defineFunctions(): void {
    if (this.#hasFunctions) return;
    this.#hasFunctions = true;
    const { scoring } = this.options;
    const options = { deterministic: true };
    // SQLite hands over the columns named in SORT_VALUES and whereOf, whose types the schema fixes
    this.db.function('memory_confidence', options, (level) => scoring.confidence(level as ConfidenceLevel));
    this.db.function('memory_recency', options, (type, updated, now) =>
      scoring.recency(type as MemoryType, String(updated), Number(now)),
    );
    this.db.function('memory_mixed', options, (type, updated, level, now) =>
      scoring.mixed(type as MemoryType, String(updated), level as ConfidenceLevel, Number(now)),
    );
    this.db.function('memory_is_stale', options, (type, updated, now) =>
      Number(scoring.isStale(type as MemoryType, String(updated), Number(now))),
    );
  }
}
