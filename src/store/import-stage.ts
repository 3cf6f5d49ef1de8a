import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { number, text, textOrNull } from './rows.ts';
import { Statements } from './statement.ts';

/** A checked line that waits to be imported. `parsed` and `indexed` are JSON. */
export interface StagedLine {
  readonly line: number;
  readonly parsed: string;
  /** The terms of its text, tokenized before the transaction; null when the line is not expected to be written. */
  readonly indexed: string | null;
}

/** Keeps checked lines in a temporary table (in a file of SQLite's own that disappears with the connection), so that
 * memory does not grow with the import and the database is not locked while lines are read, checked and tokenized. */
export class ImportStage implements Disposable {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec('create temp table import_stage (line integer primary key, parsed text not null, indexed text)');
    this.#insert = new Statements(db).write(
      'insert into temp.import_stage (line, parsed, indexed) values (:line, :parsed, :indexed)',
    );
    db.exec('begin');
  }

  add(staged: StagedLine): void {
    this.#insert.run({ ...staged });
  }

  /** Call this after the last `add` and before `lines`. */
  finish(): void {
    this.#db.exec('commit');
  }

  *lines(): Generator<StagedLine> {
    for (const row of this.#db.prepare('select line, parsed, indexed from temp.import_stage order by line').iterate()) {
      yield { line: number(row, 'line'), parsed: text(row, 'parsed'), indexed: textOrNull(row, 'indexed') };
    }
  }

  [Symbol.dispose](): void {
    if (this.#db.isTransaction) this.#db.exec('rollback');
    this.#db.exec('drop table temp.import_stage');
  }
}
