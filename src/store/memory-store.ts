import type { Memory } from '../core/memory.ts';
import {
  addToIndex,
  disownIndex,
  indexedText,
  isIndexProvisional,
  isIndexReadable,
  noteProvisional,
  rebuildIndex,
  removeFromIndex,
  type IndexedText,
} from './fts-index.ts';
import { archive, note, noteWhole, type Change, type HistoryEntry } from './history.ts';
import { MemoryReader } from './memory-reader.ts';
import { number, toParameters } from './rows.ts';
import { makeLaterIndexes } from './later-indexes.ts';
import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import { damage, isCorruption } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

const DAMAGED_INDEX = 'the search index was damaged and has been rebuilt';

const NO_DICTIONARY =
  'the Chinese dictionary is missing from the installation: Chinese text was indexed without being split into words; reinstall memtool';

/** SQLite's page cache for very many writes, in KiB. Range 2,000 (SQLite's default) to 1,000,000; measured on 100,000
 * items, an import is a tenth faster. */
const BULK_CACHE_KIB = 65_536;

/** A version of an item that is to be written. */
interface NewVersion {
  readonly memory: Memory;
  readonly change: Change;
  readonly changedAt: string;
  /** The terms of its text, if it was tokenized ahead. */
  readonly indexed?: IndexedText | undefined;
  /** Versions before it that the history lacks, oldest first. */
  readonly earlier?: readonly HistoryEntry[];
}

/** One open database: reads, and writes that keep table, history and index in step. Every write must run inside `write`
 * or `rehearse`. */
export class MemoryStore extends MemoryReader {
  /** Warnings for the caller of a call that succeeded. */
  readonly warnings: string[] = [];
  /** The texts that were tokenized last: keeping one item is enough, and memory stays flat. */
  #tokenized: { readonly texts: readonly unknown[]; readonly indexed: IndexedText } | undefined;
  /** True when the running transaction maintains the index: false when SQLite has no FTS5. */
  #isIndexed = true;

  /** Runs `work` in one IMMEDIATE transaction. The index is derived data: when it is outdated or damaged, it is rebuilt
   * and `work` is run (again, if it met the damage). */
  write<T>(work: () => T extends Promise<unknown> ? never : T): T {
    const { result, wasRebuilt } = this.#attempt(work, 'commit');
    if (wasRebuilt) this.warnings.push(DAMAGED_INDEX);
    return result;
  }

  /** Runs `work` as `write` does and rolls everything back: returns what a dry run reports. */
  rehearse<T>(work: () => T extends Promise<unknown> ? never : T): T {
    return this.#attempt(work, 'rollback').result;
  }

  /** `wasRebuilt` is true if the index was damaged and has been rebuilt. */
  #attempt<T>(
    work: () => T extends Promise<unknown> ? never : T,
    end: 'commit' | 'rollback',
  ): { readonly result: T; readonly wasRebuilt: boolean } {
    const run = (prepare: () => boolean) =>
      transaction(
        this,
        () => {
          const wasRebuilt = prepare();
          makeLaterIndexes(this.db, this.statements);
          const result: T = work();
          this.#noteProvisional();
          return { result, wasRebuilt };
        },
        end,
      );
    try {
      return run(() => this.#repairIndex());
    } catch (error) {
      if (!isCorruption(error)) throw error;
      // If the table itself is damaged, this fails as well and changes nothing.
      return run(() => {
        rebuildIndex(this.db, this.tokenizer);
        this.#isIndexed = true;
        return true;
      });
    }
  }

  #noteProvisional(): void {
    if (!this.tokenizer.isProvisional) return;
    if (this.#isIndexed) noteProvisional(this.statements, this.tokenizer);
    if (!this.warnings.includes(NO_DICTIONARY)) this.warnings.push(NO_DICTIONARY);
  }

  /** Rebuilds an index that cannot be used, or that lacks the dictionary now available; returns true if it was
   * damaged. */
  #repairIndex(): boolean {
    const state = this.indexState();
    this.#isIndexed = state !== 'unavailable';
    if (!this.#isIndexed) {
      disownIndex(this.statements);
      return false;
    }
    const isReadable = state === 'ready' && isIndexReadable(this.db);
    if (isReadable && !(isIndexProvisional(this.statements) && this.tokenizer.hasDictionary)) return false;
    rebuildIndex(this.db, this.tokenizer);
    return state === 'ready' && !isReadable;
  }

  /** Enlarges the page cache, so that one transaction of very many rows does not write the same pages to the log again
   * and again. */
  expectManyWrites(): void {
    this.db.exec(`pragma cache_size = -${BULK_CACHE_KIB}`);
  }

  /** Tokenizes the text of an item before the transaction that writes it, so that the lock is held only while
   * writing. */
  tokenize(memory: Pick<Memory, 'key' | 'tags' | 'source' | 'content'>): IndexedText {
    const texts = [memory.content, memory.key, memory.source, ...memory.tags];
    const last = this.#tokenized;
    if (last?.texts.length === texts.length && texts.every((text, at) => text === last.texts[at])) return last.indexed;
    const indexed = indexedText(this.tokenizer, memory);
    this.#tokenized = { texts, indexed };
    return indexed;
  }

  /** Adds an item. */
  insert(version: NewVersion): void {
    const { memory, indexed = this.tokenize(memory) } = version;
    this.#ensureVersion(memory);
    const { lastInsertRowid } = this.statements
      .write(`
      insert into memory_items (id, type, task_id, step_id, key, tags_json, source, weight, version, created_at, updated_at,
        confidence_level, verified_by, content, content_search)
      values (:id, :type, :task_id, :step_id, :key, :tags_json, :source, :weight, :version, :created_at, :updated_at,
        :confidence_level, :verified_by, :content, :content_search)`)
      .run({
        ...toParameters(memory),
        content_search: indexed.contentSearch,
      });
    this.#confirm(memory, Number(lastInsertRowid));
    this.#note(version);
    if (this.#isIndexed) addToIndex(this.statements, Number(lastInsertRowid), indexed, memory.content);
  }

  /** Replaces the stored item with the same id; the replaced version goes to the history. The item becomes the newest
   * row: a search that cannot examine all matches examines the newest, and what is kept up to date must not be the
   * first to be left out. */
  replace(version: NewVersion): void {
    const { memory, indexed = this.tokenize(memory) } = version;
    const stored = this.#place(memory.id);
    // the caller has found it, by another index if one is damaged
    if (stored === undefined) throw damage(`item ${memory.id} is not found by its id`);
    this.#ensureVersion(memory);
    archive(this.statements, memory.id);
    const seq = this.#newestSeq(stored.seq);
    this.statements
      .write(`
      update memory_items set seq = :seq, type = :type, task_id = :task_id, step_id = :step_id, key = :key, tags_json = :tags_json,
        source = :source, weight = :weight, version = :version, created_at = :created_at, updated_at = :updated_at,
        confidence_level = :confidence_level, verified_by = :verified_by, content = :content, content_search = :content_search
      where id = :id`)
      .run({ ...toParameters(memory), content_search: indexed.contentSearch, seq });
    this.#confirm(memory, seq);
    this.#note(version);
    if (!this.#isIndexed) return;
    removeFromIndex(this.statements, stored.seq);
    addToIndex(this.statements, seq, indexed, memory.content);
  }

  #note({ memory, change, changedAt, earlier = [] }: NewVersion): void {
    for (const entry of earlier) noteWhole(this.statements, entry);
    note(this.statements, { id: memory.id, version: memory.version, changedAt, change });
  }

  /** Throws PARAM_ERROR for a version beyond the last exact integer: an export of it could not be read back. */
  #ensureVersion({ id, version }: Memory): void {
    if (Number.isSafeInteger(version)) return;
    throw new MemtoolError('PARAM_ERROR', `item ${id} has reached the highest version`, {
      hint: sentence`write it as a new item: ${command('put', { new: true })}`,
      context: { id },
    });
  }

  /** Looks up the item just written by its id, as later reads do: in a damaged table a row can end up where nobody
   * finds it, and no write is acknowledged that cannot be read back. */
  #confirm({ id, version }: Memory, seq: number): void {
    const found = this.#place(id);
    if (found?.seq !== seq || found.version !== version) throw damage('an item that was written cannot be found');
  }

  /** Deletes an item but keeps it in the history. Returns false when it is not stored. */
  remove(id: string, changedAt: string): boolean {
    const found = this.#place(id);
    if (found === undefined) return false;
    archive(this.statements, id);
    note(this.statements, { id, version: found.version, changedAt, change: 'delete' });
    this.removeRow(id);
    return true;
  }

  /** Deletes an item only from the table and the index; leaves its history unchanged. */
  removeRow(id: string): void {
    const found = this.#place(id);
    if (found === undefined) return;
    this.statements.write('delete from memory_items where id = :id').run({ id });
    if (this.#isIndexed) removeFromIndex(this.statements, found.seq);
  }

  /** The rowid that makes a row the newest: its own if the row is the newest already, or if no higher one is left. */
  #newestSeq(own: number): number {
    const row = this.statements
      .read(
        'select case when max(seq) < :highest then max(seq) + (max(seq) <> :own) else :own end as seq from memory_items',
      )
      .get({ own, highest: Number.MAX_SAFE_INTEGER });
    return number(row ?? {}, 'seq');
  }

  #place(id: string): { readonly seq: number; readonly version: number } | undefined {
    const row = this.statements.read('select seq, version from memory_items where id = :id').get({ id });
    return row && { seq: number(row, 'seq'), version: number(row, 'version') };
  }
}
