import fs from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { isSameFile } from '../core/paths.ts';
import { COMPANIONS } from './file-access.ts';

/** The first bytes of every SQLite file. */
export const SQLITE_HEADER = 'SQLite format 3\0';

/** Length of SQLite's file header, and offsets in it: of the version of the format that writers use, and of
 * user_version (big-endian), in bytes. Source: sqlite.org/fileformat2.html, section 1.3. */
const HEADER_BYTES = 100;
const WRITE_VERSION_OFFSET = 18;
export const USER_VERSION_OFFSET = 60;

/** The write version of a file whose journal is a write-ahead log. */
const WAL_VERSION = 2;

/** The header of a SQLite database, read without SQLite, which would checkpoint the log of a file that it opens;
 * undefined for any other file. Throws the system's error if the file cannot be read. Not for a database that this
 * process has open: closing the file releases the locks of that connection (POSIX), and another program's SQLite may then
 * remove the log. */
export function sqliteHeader(file: string): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = fs.openSync(file, 'r');
  try {
    const isWhole = fs.readSync(fd, header) === HEADER_BYTES;
    return isWhole && header.toString('latin1').startsWith(SQLITE_HEADER) ? header : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** True if the journal of a database with this header is a write-ahead log. */
export function isWal(header: Buffer | undefined): boolean {
  return header?.[WRITE_VERSION_OFFSET] === WAL_VERSION;
}

/** The name of the database as a part of which SQLite takes a file of this name, and removes it; undefined for the name
 * of no such part. */
export function wholeOf(file: string): string | undefined {
  const suffix = COMPANIONS.find((one) => file.endsWith(one));
  return suffix === undefined ? undefined : file.slice(0, -suffix.length);
}

/** True if a file is a database, by whatever name, or SQLite takes it for a part of that. */
export function belongsTo(file: string, database: string): boolean {
  return isSameFile(file, database) || isSameFile(wholeOf(file) ?? file, database);
}

/** The database that SQLite would take for a part of a database with this name, and remove. */
export function ownedDatabase(file: string): string | undefined {
  return COMPANIONS.map((suffix) => `${file}${suffix}`).find(isDatabase);
}

/** True for an existing file that begins like a SQLite database. */
export function isDatabase(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true && sqliteHeader(file) !== undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false; // what cannot be read is no database of this user
  }
}
