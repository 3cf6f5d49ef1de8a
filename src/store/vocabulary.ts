import type { DatabaseSync } from 'node:sqlite';
import { number, text } from './rows.ts';
import type { Statements } from './statement.ts';

/** The words of the index, in their order. */
export class Vocabulary {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  #isThere = false;

  constructor(db: DatabaseSync, statements: Statements) {
    this.#db = db;
    this.#statements = statements;
  }

  /** Words that begin like this, at most `limit`. */
  words(prefix: string, limit: number): string[] {
    if (!this.#isThere) this.#make();
    const rows = this.#statements
      .read('select term from temp.memory_words where term >= :prefix and term < :end limit :limit')
      .all({ prefix, end: `${prefix}\u{10FFFF}`, limit });
    return rows.map((row) => text(row, 'term'));
  }

  /** To be told when a transaction in which words were asked for was rolled back: the table may be gone. */
  forget(): void {
    this.#isThere = false;
  }

  /** A table of this connection alone, which a connection that refuses writes would not make. */
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
