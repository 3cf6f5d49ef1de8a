import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { connectTemporary } from './connect.ts';
import { number, text, textOrNull } from './rows.ts';

/** A checked line that waits to be imported. `parsed` and `indexed` are JSON. */
export interface StagedLine {
  readonly line: number;
  readonly parsed: string;
  /** The terms of its text, tokenized before the transaction; null when the line is not expected to be written. */
  readonly indexed: string | null;
}

/** Keeps checked lines in a temporary database, so that memory does not grow with the import, and the database is
 * neither locked nor held in one state while lines are read, checked and tokenized: a sender may be slow. */
export class ImportStage implements Disposable {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor() {
    this.#db = connectTemporary();
    this.#db.exec('create table stage (line integer primary key, parsed text not null, indexed text)');
    this.#insert = this.#db.prepare('insert into stage (line, parsed, indexed) values (:line, :parsed, :indexed)');
    this.#db.exec('begin');
  }

  add(staged: StagedLine): void {
    this.#insert.run({ ...staged });
  }

  /** Call this after the last `add` and before `lines`. */
  finish(): void {
    this.#db.exec('commit');
  }

  *lines(): Generator<StagedLine> {
    for (const row of this.#db.prepare('select line, parsed, indexed from stage order by line').iterate()) {
      yield { line: number(row, 'line'), parsed: text(row, 'parsed'), indexed: textOrNull(row, 'indexed') };
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
