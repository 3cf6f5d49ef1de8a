import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError } from '../core/errors.ts';
import type { IndexTokenizer } from './fts-index.ts';
import { type StoreOptions } from './memory-reader.ts';
import { MemoryStore } from './memory-store.ts';
import { migrate, userVersion } from './migrations.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { BUSY_TIMEOUT_MS, isReadOnly, toDbError } from './sqlite-errors.ts';

/** How an operation uses the database: `create` alone may make one. */
export type StoreAccess = 'read' | 'write' | 'create';

export interface OpenedStore extends Disposable {
  readonly store: MemoryStore;
  /** True when this call made the database. */
  readonly created: boolean;
}

/** Mode of a new database: its owner alone, since memories may be private. */
const PRIVATE_MODE = 0o600;

/** Opens the database at `dbPath`: path, busy timeout, schema version, migration, in this order.
 * A missing file is a PARAM_ERROR unless `access` is `create`; a newer schema is a DB_ERROR, and nothing is touched.
 * Dispose of the result to close it: the last process to close leaves one whole .db file. */
export function openStore(dbPath: string, access: StoreAccess, options: StoreOptions): OpenedStore {
  const file = path.resolve(dbPath);
  const created = checkPath(dbPath, file, access);
  try {
    return {
      store: new MemoryStore(openDatabase(file, access, options.tokenizer), file, options),
      created,
      [Symbol.dispose]() {
        this.store.db.close();
      },
    };
  } catch (error) {
    throw toDbError(error, file);
  }
}

/** Says whether the file is to be made; throws unless it is there or may be made. */
function checkPath(given: string, file: string, access: StoreAccess): boolean {
  if (given === '')
    throw new MemtoolError('PARAM_ERROR', 'the database path is empty', { hint: 'give --db PATH or set MEMTOOL_DB' });
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    throw new MemtoolError('PARAM_ERROR', `the database path is a folder: ${file}`, {
      hint: `name a file in it, such as ${path.join(file, 'memtool.db')}`,
      context: { db: file },
    });
  }
  if (stat !== undefined && stat.size > 0) return false;
  if (access === 'create') return true;
  if (stat !== undefined && !fs.existsSync(`${file}-wal`)) {
    throw new MemtoolError('DB_ERROR', `the database file is empty: ${file}`, {
      hint: `restore it from a backup, or start anew with: memtool init --db ${file}`,
      context: { db: file },
    });
  }
  if (stat !== undefined) return false;
  throw new MemtoolError('PARAM_ERROR', `no database at ${file}`, {
    hint: `create it with: memtool init --db ${file}`,
    context: { db: file },
  });
}

function openDatabase(file: string, access: StoreAccess, tokenizer: IndexTokenizer): DatabaseSync {
  if (access === 'create') makeFile(file);
  const db = access === 'read' ? connectForReading(file) : connect(file);
  try {
    if (access !== 'create' || userVersion(db) > 0) refuseNewerSchema(db, file);
    if (userVersion(db) === SCHEMA_VERSION && access !== 'create') return prepareConnection(db, access);
    if (access === 'read') {
      // An older schema has to be migrated before it can be read; the read itself then goes on as ever.
      using writer = {
        db: connect(file),
        [Symbol.dispose]() {
          this.db.close();
        },
      };
      migrate(writer.db, file, 'existing', tokenizer);
    } else {
      migrate(db, file, access === 'create' ? 'new' : 'existing', tokenizer);
    }
    return prepareConnection(db, access);
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeFile(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a', PRIVATE_MODE));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MemtoolError('DB_ERROR', `cannot create the database ${file}: ${reason}`, {
      hint: 'choose a folder that can be written, with --db PATH or MEMTOOL_DB',
      context: { db: file },
      cause: error,
    });
  }
}

/** Loaded here, not at the top: a command without a database never pays for it. */
function sqlite() {
  return process.getBuiltinModule('node:sqlite');
}

function connect(file: string): DatabaseSync {
  return new (sqlite().DatabaseSync)(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
}

/** A connection that writes nothing: `query_only` refuses every change. It is not opened with SQLite's read-only flag where the folder can be
 * written, since such a connection leaves its -wal and -shm files behind, and cannot fold in what a killed writer left in them.
 * A folder that cannot be written has nobody to change the file, so that it may be read as immutable. */
function connectForReading(file: string): DatabaseSync {
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (error) {
    throw new MemtoolError('DB_ERROR', `no permission to read the database: ${file}`, {
      hint: 'check the permissions of the file',
      context: { db: file },
      cause: error,
    });
  }
  const db = connect(file);
  try {
    userVersion(db);
    return db;
  } catch (error) {
    db.close();
    if (!isReadOnly(error) || fs.existsSync(`${file}-wal`)) throw error;
  }
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new (sqlite().DatabaseSync)(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

function prepareConnection(db: DatabaseSync, access: StoreAccess): DatabaseSync {
  if (access === 'read') db.exec('pragma query_only = on');
  else db.exec(`pragma synchronous = ${process.env['MEMTOOL_SYNC'] === 'full' ? 'full' : 'normal'}`);
  return db;
}

function refuseNewerSchema(db: DatabaseSync, file: string): void {
  const version = userVersion(db);
  if (version <= SCHEMA_VERSION) return;
  throw new MemtoolError(
    'DB_ERROR',
    `the database is from a newer memtool (schema ${version}, this one knows ${SCHEMA_VERSION}): ${file}`,
    {
      hint: 'update memtool; nothing was changed',
      context: { db: file, schema_version: version },
    },
  );
}
