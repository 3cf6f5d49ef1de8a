import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileProblem, MemtoolError, systemCode } from '../core/errors.ts';
import { absolutePath, finalTarget, followLinks } from '../core/paths.ts';
import { command, sentence, shellWord } from '../core/sentence.ts';
import { restoreBackupHint } from './check-file.ts';
import type { StoreOptions } from './memory-reader.ts';
import { MemoryStore } from './memory-store.ts';
import { OpenFile } from './open-file.ts';
import type { OpenDatabase } from './transaction.ts';
import { connectForReading, connectForWriting, foldInLeftLog, userVersion, type ReadingConnection } from './connect.ts';
import { isCurrent, migrate, turnOnWal, type Migration } from './migrations.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { createPrivate, hardLinkWarning, hasLog } from './file-access.ts';
import { isDatabase, isWal, ownedDatabase, sqliteHeader, wholeOf, USER_VERSION_OFFSET } from './file-header.ts';
import { cannotBeWritten, hasNoRoomToShare, sqliteCode, toDbError } from './sqlite-errors.ts';
import type { IndexTokenizer } from './fts-index.ts';

/** How an operation uses the database: only `create` may create one. */
export type StoreAccess = 'read' | 'write' | 'create';

export interface OpenedStore extends Disposable {
  readonly store: MemoryStore;
  /** True when this call created the database. */
  readonly created: boolean;
  /** True if the file was opened as immutable and has changed since: what was read may mix several states. */
  readonly hasChanged: () => boolean;
}

/** SQLite's page cache for a reading connection, in KiB. Range 128 to 2,000 (SQLite's default): a call reads most pages
 * once, and where the system allocates memory slowly, keeping them costs more than rereading the few that are needed
 * again. With 512 instead of 2,000 a search takes 2 to 4 % less time, `recommend` 7 %; 128 is no faster. See
 * `expectManyReads`. */
const READING_CACHE_KIB = 512;

/** Opens the database at `dbPath`: checks the path and the schema version, connects with the busy timeout, and migrates
 * if needed. A missing file is a PARAM_ERROR unless `access` is `create`; a newer schema is a DB_ERROR, and nothing is
 * touched. Dispose of the result to close it: the last process to close leaves one whole .db file. */
export function openStore(dbPath: string, access: StoreAccess, options: StoreOptions): OpenedStore {
  const given = absolutePath(dbPath);
  const isMissing = checkPath(dbPath, given, access);
  if (isMissing) makeFile(followLinks(given));
  const file = new OpenFile(targetOf(given));
  try {
    const { db, created, copy, hasChanged, isWalFile } = openDatabase(file, access, options);
    const store = new MemoryStore({ db, file }, { ...options, isWalFile });
    const linkWarning = access === 'read' ? undefined : hardLinkWarning(file.path);
    if (linkWarning !== undefined) store.warnings.push(linkWarning);
    if (copy !== undefined)
      store.warnings.push(`the database of the Python memtool was migrated; a copy of it as it was is in ${copy}`);
    return {
      store,
      created,
      hasChanged,
      [Symbol.dispose]() {
        close(store);
        file[Symbol.dispose]();
        if (!file.isReplaced) foldInLeftLog(file.path);
      },
    };
  } catch (error) {
    throw toDbError(error, file.path);
  }
}

/** Closes a connection, so that no log is left for another file that has taken the place of this one: SQLite empties the
 * log when the last connection is closed, but not for a file that is no longer in its place. */
function close({ db, file }: OpenDatabase): void {
  try {
    if (file.isReplaced) db.exec('pragma wal_checkpoint(truncate)');
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
  }
  db.close();
}

/** The target of a symbolic link: SQLite keeps its -wal and -shm files beside it. */
function targetOf(file: string): string {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? finalTarget(file) : file;
}

/** Returns true if the file has to be created; throws unless it exists or may be created. */
function checkPath(given: string, file: string, access: StoreAccess): boolean {
  const context = { db: file };
  if (given === '') {
    throw new MemtoolError('PARAM_ERROR', 'the database path is empty', { hint: 'give --db PATH or set MEMTOOL_DB' });
  }
  const stat = statOf(file);
  if (stat?.isDirectory()) {
    const hint = `name a file in it, such as ${shellWord(path.join(file, 'memtool.db'))}`;
    throw new MemtoolError('PARAM_ERROR', `the database path is a folder: ${file}`, { hint, context });
  }
  if (stat?.isFile() === false) {
    const hint = 'name a file: a pipe or a device cannot be a database';
    throw new MemtoolError('PARAM_ERROR', `the database path is not a regular file: ${file}`, { hint, context });
  }
  if (stat !== undefined && stat.size > 0) return false;
  if (stat === undefined) refuseParents(followLinks(file));
  if (access === 'create') {
    refuseCompanionName(followLinks(file));
    return true;
  }
  if (stat === undefined) {
    const other = inParent(file);
    const create = sentence`create it with: ${command('init', { db: file })}`;
    throw new MemtoolError('PARAM_ERROR', `no database at ${file}`, {
      hint:
        other === undefined
          ? create
          : sentence`there is one in a parent folder: --db ${shellWord(other)}; or ${create}`,
      context,
    });
  }
  if (fs.existsSync(`${file}-wal`)) return false;
  const hint = sentence`${restoreBackupHint(file)}; or create a new one with: ${command('init', { db: file })}`;
  throw new MemtoolError('DB_ERROR', `the database file is empty: ${file}`, { hint, context });
}

/** Throws PARAM_ERROR if a file cannot be in its folder, since that, or one above it, is something else. */
function refuseParents(file: string): void {
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const stat = statOf(folder);
    if (stat?.isDirectory()) return;
    if (stat === undefined) continue;
    const message = `the database cannot be at ${file}: ${folder} is not a folder`;
    throw new MemtoolError('PARAM_ERROR', message, { hint: 'check --db or MEMTOOL_DB', context: { db: file } });
  }
}

/** Throws PARAM_ERROR if SQLite would take the new database for a part of another one, or another one for a part of it,
 * and remove it. `file` is no symbolic link. */
function refuseCompanionName(file: string): void {
  const whole = wholeOf(file);
  const owner = whole !== undefined && isDatabase(whole) ? whole : undefined;
  const owned = ownedDatabase(file);
  if (owner === undefined && owned === undefined) return;
  const hint =
    owned === undefined
      ? 'choose a database name that does not end in -wal, -shm or -journal'
      : `choose another name, or rename ${owned} first`;
  throw new MemtoolError(
    'PARAM_ERROR',
    `SQLite would take ${owned ?? file} for a part of ${owner ?? file}, and remove it`,
    { hint, context: { db: file } },
  );
}

/** Returns the file of this name in the nearest parent folder that has one: an agent may be in another folder than the
 * one where it was started. */
function inParent(file: string): string | undefined {
  let folder = path.dirname(file);
  while (folder !== path.dirname(folder)) {
    folder = path.dirname(folder);
    const other = path.join(folder, path.basename(file));
    if (isFilledFile(other)) return other;
  }
  return undefined;
}

function isFilledFile(file: string): boolean {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && stat.isFile() && stat.size > 0;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false; // a folder that may not be searched, a loop of links
  }
}

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // the path may be right: the same code as for a file that may not be read
    const isForbidden = ['EACCES', 'EPERM'].includes(systemCode(error) ?? '');
    throw new MemtoolError(
      isForbidden ? 'DB_ERROR' : 'PARAM_ERROR',
      `the database path ${file} ${fileProblem(error)}`,
      {
        hint: isForbidden ? 'check the permissions of its folders, or --db and MEMTOOL_DB' : 'check --db or MEMTOOL_DB',
        context: { db: file },
        cause: error,
      },
    );
  }
}

interface Opened extends ReadingConnection, Migration {}

function openDatabase(
  file: OpenFile,
  access: StoreAccess,
  options: StoreOptions,
): Opened & Pick<StoreOptions, 'isWalFile'> {
  checkReadable(file.path);
  const header = sqliteHeader(file.path);
  // before SQLite opens the file, and would checkpoint its -wal file
  if (header !== undefined) refuseNewerSchema(header.readUInt32BE(USER_VERSION_OFFSET), file.path);
  const isWalFile = isWal(header);
  try {
    return { ...connectAndMigrate(file, access, { ...options, isWalFile }), isWalFile };
  } catch (error) {
    const isUnwritable = cannotBeWritten(error) || hasNoRoomToShare(error);
    const unchanged = access === 'create' && isUnwritable ? openUnchanged(file.path, options) : undefined;
    if (unchanged === undefined) throw error;
    return { ...unchanged, isWalFile };
  }
}

/** Opens a database that cannot be written and need not be: undefined unless it is as `init` would leave it. */
function openUnchanged(file: string, options: StoreOptions): Opened | undefined {
  const { db, hasChanged } = connectForReading(file);
  try {
    if (isCurrent(db, options.tokenizer))
      return { db: prepareConnection(db, 'read', options), hasChanged, created: false };
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return undefined;
}

function connectAndMigrate(file: OpenFile, access: StoreAccess, options: StoreOptions): Opened {
  const { db, hasChanged } =
    access === 'read' ? connectForReading(file.path) : { db: connectForWriting(file.path), hasChanged: () => false };
  try {
    const version = userVersion(db);
    refuseNewerSchema(version, file.path);
    if (access !== 'read' && version === SCHEMA_VERSION && options.isWalFile !== true) turnOnWal(db);
    const isOpened = version === SCHEMA_VERSION && access !== 'create';
    const migrated = isOpened ? { created: false } : bringUpToDate({ db, file }, access, options);
    return { db: prepareConnection(db, access, options), hasChanged, ...migrated };
  } catch (error) {
    close({ db, file });
    throw error;
  }
}

function bringUpToDate(database: OpenDatabase, access: StoreAccess, { tokenizer }: StoreOptions): Migration {
  return access === 'read'
    ? migrateForReading(database.file, tokenizer)
    : migrate(database, access === 'create' ? 'new' : 'existing', tokenizer);
}

/** Migrates a database of an older schema, so that it can be read. Throws DB_ERROR when it cannot be written. */
function migrateForReading(file: OpenFile, tokenizer: IndexTokenizer): Migration {
  const { path: db } = file;
  try {
    const writer = connectForWriting(db);
    try {
      return migrate({ db: writer, file }, 'existing', tokenizer);
    } finally {
      close({ db: writer, file });
    }
  } catch (error) {
    // with a -wal file both files have to be copied, as the original error says
    if (!cannotBeWritten(error) || hasLog(db)) throw error;
    throw new MemtoolError(
      'DB_ERROR',
      `the database has to be migrated before it can be read, and is read-only: ${db}`,
      {
        hint: `copy it into a folder that can be written, and name the copy with --db: cp ${shellWord(db)} migrated.db && chmod u+w migrated.db`,
        context: { db },
        cause: error,
      },
    );
  }
}

function makeFile(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    createPrivate(file, 'a');
  } catch (error) {
    throw new MemtoolError('DB_ERROR', `the database cannot be created: ${file} ${fileProblem(error)}`, {
      hint: 'choose a writable folder with --db PATH or MEMTOOL_DB',
      context: { db: file },
      cause: error,
    });
  }
}

function checkReadable(file: string): void {
  try {
    fs.accessSync(file, fs.constants.R_OK);
  } catch (error) {
    throw new MemtoolError('DB_ERROR', `no permission to read the database: ${file}`, {
      hint: 'check the permissions of the file',
      context: { db: file },
      cause: error,
    });
  }
}

function prepareConnection(
  db: DatabaseSync,
  access: StoreAccess,
  { synchronous = 'normal', busyTimeoutMs }: StoreOptions,
): DatabaseSync {
  if (busyTimeoutMs !== undefined) db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  if (access === 'read') db.exec(`pragma query_only = on; pragma cache_size = -${READING_CACHE_KIB}`);
  else db.exec(`pragma synchronous = ${synchronous}`);
  return db;
}

function refuseNewerSchema(version: number, file: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new MemtoolError(
    'DB_ERROR',
    `the database schema is newer than this memtool supports (version ${version}, not ${SCHEMA_VERSION}): ${file}`,
    {
      hint: 'update memtool, or check that the file is a memtool database; nothing was changed',
      context: { db: file, schema_version: version },
    },
  );
}
