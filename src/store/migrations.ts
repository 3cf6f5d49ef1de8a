import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError, systemCode } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import { migratePythonDatabase } from './python-database.ts';
import { cannotCopy, fileBeside, vacuumInto } from './backup.ts';
import { userVersion } from './connect.ts';
import { indexState, isIndexReadable, rebuildIndex, type IndexTokenizer } from './fts-index.ts';
import { createPrivate } from './file-access.ts';
import { text } from './rows.ts';
import { PAGE_SIZE, partsOfSchema, SCHEMA_VERSION, TABLES } from './schema.ts';
import { isBusy } from './sqlite-errors.ts';
import { Statements } from './statement.ts';
import { transaction, whileBusy, withoutWaiting, type OpenDatabase } from './transaction.ts';

/** What a file contains. */
type Found = 'nothing' | 'python' | 'current' | 'foreign';

/** What a migration did. */
export interface Migration {
  /** True if it created the tables of a new database; of several processes that start together, only one does. */
  readonly created: boolean;
  /** The copy of a database of the Python tool that it made first. */
  readonly copy?: string | undefined;
}

/** Brings the database to the current schema in one IMMEDIATE transaction, in which the state is read again: a second
 * process that waited for the lock finds the work done. A database of the Python tool is copied beside the file first.
 * `expected` is `new` if the caller may fill an empty file, `existing` if not. Throws DB_ERROR for a file that memtool
 * must not write. */
export function migrate(database: OpenDatabase, expected: 'new' | 'existing', tokenizer: IndexTokenizer): Migration {
  const { db } = database;
  const file = database.file.path;
  // checked before anything is written, so that the file of another program stays unchanged
  const before = refuseForeign(db, file, expected);
  if (before === 'current' && isCurrent(db, tokenizer)) return { created: false };
  if (before === 'nothing') db.exec(`pragma page_size = ${PAGE_SIZE}`);
  enterWal(db);
  let copy: Copy | undefined;
  try {
    if (before === 'python') db.exec(UNBOUND);
    return transaction(database, () => {
      const found = refuseForeign(db, file, expected);
      if (found === 'python') {
        copy = backUp(file);
        migratePythonDatabase(db, file);
      }
      createMissing(db, tokenizer);
      if (userVersion(db) !== SCHEMA_VERSION) db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
      // at the last moment, so that a migration that is killed leaves no copy that looks like one of a finished one
      return { created: found === 'nothing', copy: copy?.keep() };
    });
  } catch (error) {
    // the database is unchanged: the copy is of no use, and the next attempt would make another
    copy?.remove();
    throw error;
  } finally {
    if (before === 'python') db.exec(BOUND);
  }
}

/** While tables are replaced, references to them from tables and views of the user's own must neither be rewritten nor
 * followed: dropping the old table would delete the rows that refer to it. These settings have no effect inside a
 * transaction. */
const UNBOUND = 'pragma foreign_keys = off; pragma legacy_alter_table = on';
const BOUND = 'pragma legacy_alter_table = off; pragma foreign_keys = on';

/** Sets the journal to WAL. Two processes that do so at once can deadlock: SQLite then reports the file as busy without
 * waiting. */
function enterWal(db: DatabaseSync): void {
  whileBusy(() => db.exec('pragma journal_mode = wal'));
}

/** Sets the journal of a database of ours to WAL, where another program has set it to something else. Does not wait for
 * that program if it has the database open: the write then waits for its readers. */
export function turnOnWal(db: DatabaseSync): void {
  if (whatIsIn(db) !== 'current') return; // the file of another program stays as it is
  try {
    withoutWaiting(db, () => db.exec('pragma journal_mode = wal'));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Returns what is in the file; throws DB_ERROR if memtool must not write it. */
function refuseForeign(db: DatabaseSync, file: string, expected: 'new' | 'existing'): Found {
  const found = whatIsIn(db);
  if (found === 'foreign' || (found === 'nothing' && expected === 'existing')) throw notOurs(found, file);
  return found;
}

/** True when nothing has to be done, so that not even a second init takes a lock, or needs to be able to write. */
export function isCurrent(db: DatabaseSync, tokenizer: IndexTokenizer): boolean {
  if (userVersion(db) !== SCHEMA_VERSION || missingParts(db, 'table').length > 0) return false;
  return isRebuildNeedless(db, tokenizer);
}

/** True for an index of this tokenizer that can be read, and where SQLite has no FTS5 to make one. */
function isRebuildNeedless(db: DatabaseSync, tokenizer: IndexTokenizer): boolean {
  const state = indexState(new Statements(db), tokenizer.version);
  return state === 'unavailable' || (state === 'ready' && isIndexReadable(db));
}

/** The names of the tables or indexes of the schema that are missing. */
export function missingParts(db: DatabaseSync, kind: 'table' | 'index'): string[] {
  const rows = db.prepare('select name from sqlite_master where type = :kind').all({ kind });
  const there = new Set(rows.map((row) => text(row, 'name')));
  return partsOfSchema().flatMap(({ type, name }) => (type === kind && !there.has(name) ? [name] : []));
}

/** Creates the missing tables, and an index of this tokenizer if FTS5 is available. */
function createMissing(db: DatabaseSync, tokenizer: IndexTokenizer): void {
  db.exec(TABLES);
  if (!isRebuildNeedless(db, tokenizer)) rebuildIndex(db, tokenizer);
}

/** Uses one statement, which sees one state: another process may be creating the tables at this moment. */
function whatIsIn(db: DatabaseSync): Found {
  const row = db
    .prepare(`
      select
        exists (select 1 from pragma_table_info('memory_items') where name = 'seq') as is_current,
        (select count(*) from pragma_table_info('memory_items')
          where name in ('id', 'type', 'key', 'content', 'tags_json', 'version', 'created_at', 'updated_at')) = 8
          as is_python,
        exists (select 1 from sqlite_master) as is_used`)
    .get();
  if (row?.['is_current'] === 1) return 'current';
  if (row?.['is_python'] === 1) return 'python';
  return row?.['is_used'] === 1 ? 'foreign' : 'nothing';
}

function notOurs(found: Found, file: string): MemtoolError {
  const message =
    found === 'nothing'
      ? `the database has no tables: ${file}`
      : `not a memtool database (it contains other tables): ${file}`;
  const hint =
    found === 'nothing'
      ? sentence`restore it from a backup, or create a new one with: ${command('init', { db: file })}`
      : 'choose another file with --db';
  return new MemtoolError('DB_ERROR', message, { hint, context: { db: file } });
}

/** A copy of a database that has not got its name yet. */
interface Copy {
  /** Gives the copy its name, one that is not used, and returns its path. */
  keep(): string;
  /** Removes the copy, under whatever name it is. */
  remove(): void;
}

/** Copies the database beside itself, mode 0600. A second connection reads the committed state while this one holds the
 * write lock, so that the copy is exactly what is migrated. What a killed migration left of a copy is removed. */
function backUp(file: string): Copy {
  let path = `${file}.before-migration.tmp`;
  const remove = (): void => {
    for (const suffix of ['', '-journal']) fs.rmSync(`${path}${suffix}`, { force: true });
  };
  try {
    remove();
    createPrivate(path, 'wx');
    vacuumInto(file, path);
  } catch (error) {
    throw undone(remove, systemCode(error) === undefined ? error : cannotCopy(file, error));
  }
  return {
    keep() {
      const named = fileBeside(file, 'before-migration');
      fs.renameSync(path, named);
      path = named;
      return named;
    },
    remove,
  };
}

/** Undoes something after an error, which is returned; that it cannot be undone is not reported over it. */
function undone(undo: () => void, error: unknown): unknown {
  try {
    undo();
  } catch (other) {
    if (systemCode(other) === undefined) throw other;
  }
  return error;
}
