import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ConfidenceLevel, LogicalKey, Memory, MemoryType } from '../core/memory.ts';
import { whereOf, type Filters, type SqlParameters } from './filters.ts';
import {
  addToIndex,
  bestMatches,
  countMatches,
  indexedText,
  indexState,
  isIndexReadable,
  rebuildIndex,
  removeFromIndex,
  type Candidate,
  type IndexedText,
  type IndexState,
  type IndexTokenizer,
} from './fts-index.ts';
import { archive, historyOf, lastVersion, note, noteWhole, type Change, type HistoryEntry } from './history.ts';
import { ITEM_COLUMNS, number, text, toMemory, toParameters, type Row } from './rows.ts';
import { isCorruption } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

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
}

const DAMAGED_INDEX = 'the search index was damaged and has been made anew';

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

export interface ListedItem {
  readonly memory: Memory;
  readonly position: Position;
}

/** One open database: reads, and writes that keep table, history and index in step. Every write must run inside `write`. */
export class MemoryStore {
  readonly db: DatabaseSync;
  readonly path: string;
  /** What the caller should be told although the call succeeded. */
  readonly warnings: string[] = [];
  readonly #options: StoreOptions;
  readonly #statements = new Map<string, StatementSync>();
  readonly #indexedTexts = new Map<string, IndexedText>();
  #hasFunctions = false;
  /** Whether the running transaction keeps an index: false where SQLite has no FTS5. */
  #isIndexed = true;

  constructor(db: DatabaseSync, path: string, options: StoreOptions) {
    this.db = db;
    this.path = path;
    this.#options = options;
  }

  get tokenizer(): IndexTokenizer {
    return this.#options.tokenizer;
  }

  indexState(): IndexState {
    return indexState(this.db, this.tokenizer.version);
  }

  /** Runs `work` in one IMMEDIATE transaction. The index is derived data: when it is outdated or damaged it is rebuilt, and the work done. */
  write<T>(work: () => T extends Promise<unknown> ? never : T): T {
    try {
      return transaction(this.db, () => {
        this.#isIndexed = this.#mendIndex();
        return work();
      });
    } catch (error) {
      if (!isCorruption(error)) throw error;
      // Where the table itself is damaged this fails as well, and changes nothing.
      const result = transaction(this.db, () => {
        rebuildIndex(this.db, this.tokenizer);
        this.#isIndexed = true;
        return work();
      });
      this.warnings.push(DAMAGED_INDEX);
      return result;
    }
  }

  /** Makes the index anew where it cannot be used; returns whether there is one. */
  #mendIndex(): boolean {
    const state = this.indexState();
    if (state === 'unavailable') return false;
    if (state === 'ready' && isIndexReadable(this.db)) return true;
    rebuildIndex(this.db, this.tokenizer);
    if (state === 'ready') this.warnings.push(DAMAGED_INDEX);
    return true;
  }

  get(id: string): Memory | undefined {
    const row = this.#rowOf(id);
    return row && toMemory(row);
  }

  /** The newest item of a logical key; an absent part of the key is null, and null is only equal to null. */
  findByLogicalKey(key: LogicalKey): Memory | undefined {
    const row = this.#prepare(`
      select ${ITEM_COLUMNS.join(', ')} from memory_items m indexed by memory_items_type_key
      where type = :type and key = :key and task_id is :task_id and step_id is :step_id
      order by updated_sort desc, id limit 1`).get(pick(key, ['type', 'key', 'task_id', 'step_id']));
    return row && toMemory(row);
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
    const rows = this.#prepare(`
      select m.seq, m.id, m.updated_sort, ${value} as sort_value
      from memory_items m ${matched}
      where ${where.sql} and ${after}
      order by ${order}m.updated_sort desc, m.id
      limit :limit`).all(parameters);
    return rows.flatMap((row) => {
      const memory = this.bySeq(number(row, 'seq'));
      const position = { value: number(row, 'sort_value'), updated: text(row, 'updated_sort'), id: text(row, 'id') };
      return memory === undefined ? [] : [{ memory, position }];
    });
  }

  count(filters: Filters): number {
    this.#defineFunctions();
    const where = whereOf(filters);
    const row = this.#prepare(`select count(*) as total from memory_items m where ${where.sql}`).get(where.parameters);
    return row === undefined ? 0 : number(row, 'total');
  }

  /** Whether a stored item passes the filters. */
  passes(id: string, filters: Filters): boolean {
    this.#defineFunctions();
    const where = whereOf(filters);
    return (
      this.#prepare(`select 1 from memory_items m where m.id = :id and ${where.sql}`).get({
        ...where.parameters,
        id,
      }) !== undefined
    );
  }

  /** The value by which a sort orders, as a function of the item: the same as in `list`. */
  sortValue(sort: Sort, nowMs: number): (memory: Memory) => number {
    const { scoring } = this.#options;
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

  /** The best `limit` matches of an FTS5 MATCH expression by BM25. Throws SQLite's error when it is none. */
  bestMatches(match: string, filters: Filters, limit: number): Candidate[] {
    this.#defineFunctions();
    return bestMatches(this.db, match, filters, limit);
  }

  countMatches(match: string, filters: Filters): number {
    this.#defineFunctions();
    return countMatches(this.db, match, filters);
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
    const row = this.#prepare(`select ${ITEM_COLUMNS.join(', ')} from memory_items where seq = :seq`).get({ seq });
    return row && toMemory(row);
  }

  /** Cuts the text of an item into terms ahead of the transaction that writes it, so that the lock is held for the writing only. */
  tokenize(memory: Pick<Memory, 'key' | 'tags' | 'source' | 'content'>): IndexedText {
    const key = JSON.stringify([memory.key, memory.tags, memory.source, memory.content]);
    let indexed = this.#indexedTexts.get(key);
    if (indexed === undefined) {
      indexed = indexedText(this.tokenizer, memory);
      this.#indexedTexts.clear(); // one item at a time is enough, and memory stays flat
      this.#indexedTexts.set(key, indexed);
    }
    return indexed;
  }

  /** Adds an item. `earlier` is what is known of versions before this one, oldest first. */
  insert(
    memory: Memory,
    change: Change,
    changedAt: string,
    indexed: IndexedText = this.tokenize(memory),
    earlier: readonly HistoryEntry[] = [],
  ): void {
    const { lastInsertRowid } = this.#prepare(`
      insert into memory_items (id, type, task_id, step_id, key, tags_json, source, weight, version, created_at, updated_at,
        confidence_level, verified_by, content, content_search)
      values (:id, :type, :task_id, :step_id, :key, :tags_json, :source, :weight, :version, :created_at, :updated_at,
        :confidence_level, :verified_by, :content, :content_search)`).run({
      ...toParameters(memory),
      content_search: indexed.contentSearch,
    });
    for (const entry of earlier) noteWhole(this.db, entry);
    note(this.db, { id: memory.id, version: memory.version, changedAt, change });
    if (this.#isIndexed) addToIndex(this.db, Number(lastInsertRowid), indexed, memory.content);
  }

  /** Replaces the stored item of the same id; the version replaced goes to the history. */
  replace(memory: Memory, change: Change, changedAt: string, indexed: IndexedText = this.tokenize(memory)): void {
    const row = this.#rowOf(memory.id);
    if (row === undefined) throw new Error(`replace of an item that is not stored: ${memory.id}`);
    archive(this.db, memory.id, number(row, 'version'));
    this.#prepare(`
      update memory_items set type = :type, task_id = :task_id, step_id = :step_id, key = :key, tags_json = :tags_json,
        source = :source, weight = :weight, version = :version, created_at = :created_at, updated_at = :updated_at,
        confidence_level = :confidence_level, verified_by = :verified_by, content = :content, content_search = :content_search
      where id = :id`).run({ ...toParameters(memory), content_search: indexed.contentSearch });
    note(this.db, { id: memory.id, version: memory.version, changedAt, change });
    if (!this.#isIndexed) return;
    removeFromIndex(this.db, number(row, 'seq'));
    addToIndex(this.db, number(row, 'seq'), indexed, memory.content);
  }

  /** Deletes an item; its history keeps it. Returns false when it is not stored. */
  remove(id: string, changedAt: string): boolean {
    const memory = this.get(id);
    if (memory === undefined) return false;
    archive(this.db, id, memory.version);
    note(this.db, { id, version: memory.version, changedAt, change: 'delete' });
    this.removeTraceless(id);
    return true;
  }

  /** Deletes an item from the table and the index alone, as a purge does. */
  removeTraceless(id: string): void {
    const row = this.#rowOf(id);
    if (row === undefined) return;
    this.#prepare('delete from memory_items where id = :id').run({ id });
    if (this.#isIndexed) removeFromIndex(this.db, number(row, 'seq'));
  }

  history(id: string): HistoryEntry[] {
    return historyOf(this.db, id, this.get(id));
  }

  lastVersion(id: string): number {
    return lastVersion(this.db, id);
  }

  /** The values of a column in use, at most `limit`: what a hint can suggest instead of a value that matches nothing. */
  valuesOf(column: 'task_id' | 'step_id' | 'key', limit: number): string[] {
    const rows = this.#prepare(
      `select distinct ${column} as value from memory_items where ${column} is not null limit :limit`,
    ).all({ limit });
    return rows.map((row) => text(row, 'value'));
  }

  /** Sixteen random bytes from SQLite: the entropy of a new id, without loading node:crypto. */
  randomBytes(): Uint8Array {
    const value = this.#prepare('select randomblob(16) as bytes').get()?.['bytes'];
    return value instanceof Uint8Array ? value : new Uint8Array(16);
  }

  #rowOf(id: string): Row | undefined {
    return this.#prepare(`select ${ITEM_COLUMNS.join(', ')} from memory_items where id = :id`).get({ id });
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #defineFunctions(): void {
    if (this.#hasFunctions) return;
    this.#hasFunctions = true;
    const { scoring } = this.#options;
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

function pick(key: LogicalKey, names: readonly (keyof LogicalKey)[]): SqlParameters {
  return Object.fromEntries(names.map((name) => [name, key[name]]));
}
