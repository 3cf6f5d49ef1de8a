import type { DatabaseSync } from 'node:sqlite';
import { number, text, type Row } from './rows.ts';
import type { Statements } from './statement.ts';

/** A word of the index, as it is there: a stem. */
export interface VocabularyWord {
  readonly word: string;
  /** Number of items that have it. */
  readonly items: number;
}

/** The words of the index, sorted. */
export class Vocabulary {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  #isThere = false;

  constructor(db: DatabaseSync, statements: Statements) {
    this.#db = db;
    this.#statements = statements;
  }

  /** Words with this prefix, at most `limit`. */
  words(prefix: string, limit: number): VocabularyWord[] {
    if (!this.#isThere) this.#make();
    const rows = this.#statements
      .read('select term, doc from temp.memory_words where term >= :prefix and term < :end limit :limit')
      .all({ prefix, end: `${prefix}\u{10FFFF}`, limit });
    return rows.map(wordOf);
  }

  /** Call this when a transaction that looked up words was rolled back: the table may be gone. */
  forget(): void {
    this.#isThere = false;
  }

  /** Creates a temporary table of this connection; `query_only` would refuse that, so it is lifted meanwhile. */
  #make(): void {
    const isReading = number(this.#statements.read('pragma query_only').get() ?? {}, 'query_only') !== 0;
    this.#db.exec('pragma query_only = off');
    try {
      this.#db.exec('create virtual table if not exists temp.memory_words using fts5vocab(main, memory_fts, row)');
    } finally {
      if (isReading) this.#db.exec('pragma query_only = on');
    }
    this.#isThere = true;
  }
}

function wordOf(row: Row): VocabularyWord {
  return { word: text(row, 'term'), items: number(row, 'doc') };
}
