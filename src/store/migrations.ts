import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError } from '../core/errors.ts';
import { migrateAncestor } from './ancestor.ts';
import { indexState, rebuildIndex, type IndexTokenizer } from './fts-index.ts';
import { number, text } from './rows.ts';
import { SCHEMA_VERSION, TABLES } from './schema.ts';
import { transaction } from './transaction.ts';

export function userVersion(db: DatabaseSync): number {
  const row = db.prepare('pragma user_version').get();
  return row === undefined ? 0 : number(row, 'user_version');
}

/** What stands in a file whose user_version is not the current one. */
type Found = 'nothing' | 'ancestor' | 'current' | 'foreign';

/** Brings the database to the current schema in one IMMEDIATE transaction, in which the version is read again: a second process that
 * waited for the lock finds the work done. An ancestor's database is copied beside the file first.
 * `expected` says whether the caller may fill an empty file (`new`) or only an existing database (`existing`). */
export function migrate(db: DatabaseSync, file: string, expected: 'new' | 'existing', tokenizer: IndexTokenizer): void {
  if (userVersion(db) === SCHEMA_VERSION && expected === 'existing') return;
  db.exec('pragma journal_mode = wal');
  transaction(db, () => {
    if (userVersion(db) === SCHEMA_VERSION) {
      createMissing(db, tokenizer);
      return;
    }
    const found = whatIsIn(db);
    if (found === 'foreign' || (found === 'nothing' && expected === 'existing')) throw notOurs(found, file);
    if (found === 'ancestor') {
      const backup = backUp(file);
      try {
        migrateAncestor(db);
      } catch (error) {
        throw new MemtoolError(
          'DB_ERROR',
          `the older database could not be migrated; it is unchanged, a copy lies at ${backup}`,
          {
            hint: 'export it with the tool that wrote it, and import the file',
            context: { db: file, backup },
            cause: error,
          },
        );
      }
    }
    createMissing(db, tokenizer);
    db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
  });
}

/** Tables where they are missing, and an index of this tokenizer where FTS5 is there. */
function createMissing(db: DatabaseSync, tokenizer: IndexTokenizer): void {
  db.exec(TABLES);
  const state = indexState(db, tokenizer.version);
  if (state === 'missing' || state === 'outdated') rebuildIndex(db, tokenizer);
}

function whatIsIn(db: DatabaseSync): Found {
  const columns = db
    .prepare("select name from pragma_table_info('memory_items')")
    .all()
    .map((row) => text(row, 'name'));
  if (columns.includes('seq')) return 'current';
  if (columns.includes('content')) return 'ancestor';
  return db.prepare('select 1 from sqlite_master limit 1').get() === undefined ? 'nothing' : 'foreign';
}

function notOurs(found: Found, file: string): MemtoolError {
  const message =
    found === 'nothing'
      ? `the database has no tables: ${file}`
      : `not a memtool database (it holds other tables): ${file}`;
  const hint =
    found === 'nothing'
      ? `restore it from a backup, or start anew with: memtool init --db ${file}`
      : 'choose another file with --db';
  return new MemtoolError('DB_ERROR', message, { hint, context: { db: file } });
}

/** Copies the database beside itself, mode 0600, under a name that is not taken, and returns the path. Another connection reads what was
 * committed while this one holds the write lock, so that the copy is exactly what is migrated. */
function backUp(file: string): string {
  let backup = `${file}.before-migration`;
  for (let n = 2; fs.existsSync(backup); n += 1) backup = `${file}.before-migration-${n}`;
  fs.closeSync(fs.openSync(backup, 'wx', 0o600));
  const reader = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file, { readOnly: true });
  try {
    reader.prepare('vacuum into ?').run(backup);
  } finally {
    reader.close();
  }
  return backup;
}
