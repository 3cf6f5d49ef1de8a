import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError, shellWord, systemCode } from '../core/errors.ts';
import { migrateAncestor } from './ancestor.ts';
import { cannotCopy, fileBeside, vacuumInto } from './backup.ts';
import { userVersion } from './connect.ts';
import { indexState, isIndexReadable, rebuildIndex, type IndexTokenizer } from './fts-index.ts';
import { text } from './rows.ts';
import { PAGE_SIZE, SCHEMA_VERSION, TABLES } from './schema.ts';
import { BUSY_TIMEOUT_MS, isBusy } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

/** What a file contains. */
type Found = 'nothing' | 'ancestor' | 'current' | 'foreign';

/** Brings the database to the current schema in one IMMEDIATE transaction, in which the state is read again: a second
 * process that waited for the lock finds the work done. An ancestor's database is copied beside the file first.
 * `expected` is `new` if the caller may fill an empty file, `existing` if not. Returns true if it created the tables of
 * a new database. Throws DB_ERROR for a file that memtool must not write. */
export function migrate(
  db: DatabaseSync,
  file: string,
  expected: 'new' | 'existing',
  tokenizer: IndexTokenizer,
): boolean {
  // checked before anything is written, so that the file of another program stays unchanged
  const before = refuseForeign(db, file, expected);
  if (before === 'current' && isCurrent(db, tokenizer)) return false;
  if (before === 'nothing') db.exec(`pragma page_size = ${PAGE_SIZE}`);
  enterWal(db);
  let backup: string | undefined;
  try {
    if (before === 'ancestor') db.exec(UNBOUND);
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
    // the database is unchanged: the copy is of no use, and the next attempt would make another
    if (backup !== undefined) fs.rmSync(backup, { force: true });
    throw error;
  } finally {
    if (before === 'ancestor') db.exec(BOUND);
  }
}

/** While tables are replaced, references to them from tables and views of the user's own must neither be rewritten nor
 * followed: dropping the old table would delete the rows that refer to it. These settings have no effect inside a
 * transaction. */
const UNBOUND = 'pragma foreign_keys = off; pragma legacy_alter_table = on';
const BOUND = 'pragma legacy_alter_table = off; pragma foreign_keys = on';

/** Pause between two attempts to enter WAL, in milliseconds. */
const PAUSE_MS = 5;

/** Sets the journal to WAL. Two processes that do so at once can deadlock: SQLite then reports the file as busy without
 * waiting, so the waiting is done here. */
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

/** Returns what is in the file; throws DB_ERROR if memtool must not write it. */
function refuseForeign(db: DatabaseSync, file: string, expected: 'new' | 'existing'): Found {
  const found = whatIsIn(db);
  if (found === 'foreign' || (found === 'nothing' && expected === 'existing')) throw notOurs(found, file);
  return found;
}

/** True when nothing has to be done, so that not even a second init takes a lock. */
function isCurrent(db: DatabaseSync, tokenizer: IndexTokenizer): boolean {
  if (userVersion(db) !== SCHEMA_VERSION || missingParts(db, 'table').length > 0) return false;
  const state = indexState(db, tokenizer.version);
  return state === 'unavailable' || (state === 'ready' && isIndexReadable(db));
}

/** The names of the tables or indexes of the schema that are missing. */
export function missingParts(db: DatabaseSync, kind: 'table' | 'index'): string[] {
  const rows = db.prepare('select name from sqlite_master where type = :kind').all({ kind });
  const there = new Set(rows.map((row) => text(row, 'name')));
  const names = [...TABLES.matchAll(/create (table|index) if not exists (\w+)/g)];
  return names.flatMap(([, type, name = '']) => (type === kind && !there.has(name) ? [name] : []));
}

/** Creates the missing tables, and an index of this tokenizer if FTS5 is available. */
function createMissing(db: DatabaseSync, tokenizer: IndexTokenizer): void {
  db.exec(TABLES);
  const state = indexState(db, tokenizer.version);
  if (state === 'unavailable' || (state === 'ready' && isIndexReadable(db))) return;
  rebuildIndex(db, tokenizer);
}

/** Uses one statement, which sees one state: another process may be creating the tables at this moment. */
function whatIsIn(db: DatabaseSync): Found {
  const row = db
    .prepare(`
      select
        exists (select 1 from pragma_table_info('memory_items') where name = 'seq') as is_current,
        (select count(*) from pragma_table_info('memory_items')
          where name in ('id', 'type', 'key', 'content', 'tags_json', 'version', 'created_at', 'updated_at')) = 8
          as is_ancestor,
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
      : `not a memtool database (it contains other tables): ${file}`;
  const hint =
    found === 'nothing'
      ? `restore it from a backup, or create a new one with: memtool init --db ${shellWord(file)}`
      : 'choose another file with --db';
  return new MemtoolError('DB_ERROR', message, { hint, context: { db: file } });
}

/** Copies the database beside itself, mode 0600, under an unused name, and returns the path. A second connection reads
 * the committed state while this one holds the write lock, so that the copy is exactly what is migrated. The copy gets
 * its name when it is complete; what a killed migration left of one is removed. */
function backUp(file: string): string {
  const unfinished = `${file}.before-migration.tmp`;
  const removeUnfinished = (): void => {
    for (const suffix of ['', '-journal']) fs.rmSync(`${unfinished}${suffix}`, { force: true });
  };
  removeUnfinished();
  try {
    fs.closeSync(fs.openSync(unfinished, 'wx', 0o600));
    vacuumInto(file, unfinished);
    const backup = fileBeside(file, 'before-migration');
    fs.renameSync(unfinished, backup);
    return backup;
  } catch (error) {
    removeUnfinished();
    throw systemCode(error) === undefined ? error : cannotCopy(file, error);
  }
}
