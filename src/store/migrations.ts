import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError, shellWord } from '../core/errors.ts';
import { migrateAncestor } from './ancestor.ts';
import { fileBeside, vacuumInto } from './backup.ts';
import { userVersion } from './connect.ts';
import { indexState, isIndexReadable, rebuildIndex, type IndexTokenizer } from './fts-index.ts';
import { text } from './rows.ts';
import { PAGE_SIZE, SCHEMA_VERSION, TABLES } from './schema.ts';
import { BUSY_TIMEOUT_MS, isBusy } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

/** What stands in a file whose user_version is not the current one. */
type Found = 'nothing' | 'ancestor' | 'current' | 'foreign';

/** Returns true where it made the tables of a new database. Brings the database to the current schema in one IMMEDIATE
 * transaction, in which the version is read again: a second process that waited for the lock finds the work done. An
 * ancestor's database is copied beside the file first. `expected` says whether the caller may fill an empty file
 * (`new`) or only an existing database (`existing`). */
export function migrate(
  db: DatabaseSync,
  file: string,
  expected: 'new' | 'existing',
  tokenizer: IndexTokenizer,
): boolean {
  // asked before anything is written, so that the file of another program stays as it is
  const before = refuseForeign(db, file, expected);
  if (before === 'current' && isCurrent(db, tokenizer)) return false;
  if (before === 'nothing') db.exec(`pragma page_size = ${PAGE_SIZE}`);
  enterWal(db);
  let backup: string | undefined;
  try {
    return transaction(db, () => {
      const found = refuseForeign(db, file, expected);
      if (found === 'ancestor') {
        backup = backUp(file);
        migrateAncestor(db);
      }
      createMissing(db, tokenizer);
      if (userVersion(db) !== SCHEMA_VERSION) db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
      return found === 'nothing';
    });
  } catch (error) {
    // the database is as it was: a copy of it is of no use, and the next try would make another
    if (backup !== undefined) fs.rmSync(backup, { force: true });
    throw error;
  }
}

/** Pause between two tries to enter WAL, in milliseconds. */
const PAUSE_MS = 5;

/** Sets the journal to WAL. Two processes that do so at once can each hold what the other waits for: SQLite then says
 * that the file is busy without waiting, and the waiting is done here. */
function enterWal(db: DatabaseSync): void {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/** Says what is in the file; throws DB_ERROR where it is not for memtool to write. */
function refuseForeign(db: DatabaseSync, file: string, expected: 'new' | 'existing'): Found {
  const found = whatIsIn(db);
  if (found === 'foreign' || (found === 'nothing' && expected === 'existing')) throw notOurs(found, file);
  return found;
}

/** True when nothing is to be done, so that no lock is taken: not even for a second init. */
function isCurrent(db: DatabaseSync, tokenizer: IndexTokenizer): boolean {
  if (userVersion(db) !== SCHEMA_VERSION || missingParts(db, 'table').length > 0) return false;
  const state = indexState(db, tokenizer.version);
  return state === 'unavailable' || (state === 'ready' && isIndexReadable(db));
}

/** The tables or indexes of the schema that are not there. */
export function missingParts(db: DatabaseSync, kind: 'table' | 'index'): string[] {
  const rows = db.prepare('select name from sqlite_master where type = :kind').all({ kind });
  const there = new Set(rows.map((row) => text(row, 'name')));
  const names = [...TABLES.matchAll(/create (table|index) if not exists (\w+)/g)];
  return names.flatMap(([, type, name = '']) => (type === kind && !there.has(name) ? [name] : []));
}

/** Tables where they are missing, and an index of this tokenizer where FTS5 is there. */
function createMissing(db: DatabaseSync, tokenizer: IndexTokenizer): void {
  db.exec(TABLES);
  const state = indexState(db, tokenizer.version);
  if (state === 'unavailable' || (state === 'ready' && isIndexReadable(db))) return;
  rebuildIndex(db, tokenizer);
}

/** Asked in one statement, which sees one state: another process may be making the tables at this moment. */
function whatIsIn(db: DatabaseSync): Found {
  const row = db
    .prepare(`
      select
        exists (select 1 from pragma_table_info('memory_items') where name = 'seq') as is_current,
        exists (select 1 from pragma_table_info('memory_items') where name = 'content') as is_ancestor,
        exists (select 1 from sqlite_master) as is_used`)
    .get();
  if (row?.['is_current'] === 1) return 'current';
  if (row?.['is_ancestor'] === 1) return 'ancestor';
  return row?.['is_used'] === 1 ? 'foreign' : 'nothing';
}

function notOurs(found: Found, file: string): MemtoolError {
  const message =
    found === 'nothing'
      ? `the database has no tables: ${file}`
      : `not a memtool database (it holds other tables): ${file}`;
  const hint =
    found === 'nothing'
      ? `restore it from a backup, or start anew with: memtool init --db ${shellWord(file)}`
      : 'choose another file with --db';
  return new MemtoolError('DB_ERROR', message, { hint, context: { db: file } });
}

/** Copies the database beside itself, mode 0600, under a name that is not taken, and returns the path. Another
 * connection reads what was committed while this one holds the write lock, so that the copy is exactly what is
 * migrated. */
function backUp(file: string): string {
  const backup = fileBeside(file, 'before-migration');
  try {
    vacuumInto(file, backup);
    return backup;
  } catch (error) {
    fs.rmSync(backup, { force: true });
    throw error;
  }
}
