import fs from 'node:fs';

/** Length of SQLite's file header, and offsets in it: of the version of the format that writers use, and of
 * user_version (big-endian), in bytes. Source: sqlite.org/fileformat2.html, section 1.3. */
const HEADER_BYTES = 100;
const WRITE_VERSION_OFFSET = 18;
export const USER_VERSION_OFFSET = 60;

/** The write version of a file whose journal is a write-ahead log. */
const WAL_VERSION = 2;

/** The header of a SQLite database, read without SQLite, which would checkpoint the log of a file that it opens;
 * undefined for any other file. Throws the system's error if the file cannot be read. */
export function sqliteHeader(file: string): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = fs.openSync(file, 'r');
  try {
    const isWhole = fs.readSync(fd, header) === HEADER_BYTES;
    return isWhole && header.toString('latin1', 0, 15) === 'SQLite format 3' ? header : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** True if the journal of a database is a write-ahead log. */
export function isWal(file: string): boolean {
  return sqliteHeader(file)?.[WRITE_VERSION_OFFSET] === WAL_VERSION;
}
