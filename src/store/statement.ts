import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

/** The prepared statements of one connection, each prepared once. */
export class Statements {
  readonly db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** A statement that reads. It may be given parameters that it does not name. */
  read(sql: string): StatementSync {
    return this.#cached(sql, (statement) => statement.setAllowUnknownNamedParameters(true));
  }

  /** Iterates over rows as arrays of their columns: for statements of which a search reads a hundred rows, since
   * otherwise node:sqlite looks up every column name of every row. */
  iterateArrays(sql: string, parameters: Record<string, SQLInputValue>): Iterable<readonly SQLOutputValue[]> {
    const statement = this.#cached(sql, (made) => {
      made.setAllowUnknownNamedParameters(true);
      made.setReturnArrays(true);
    });
    return statement.iterate(parameters) as unknown as Iterable<readonly SQLOutputValue[]>;
  }

  /** A statement that changes rows. `run` returns BigInts: FTS5 gives rows of its own tables ids beyond 2^53, SQLite
   * remembers the last one as the last inserted rowid, and node:sqlite would refuse to return it as a number, whatever
   * the statement itself did. */
  write(sql: string): StatementSync {
    return this.#cached(sql, (statement) => statement.setReadBigInts(true));
  }

  #cached(sql: string, prepare: (statement: StatementSync) => void): StatementSync {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      prepare(statement);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
