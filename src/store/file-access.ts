import fs from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { shellWord } from '../core/sentence.ts';

/** Mode of every file that memtool creates: only its owner can access it, since memories may be private. */
export const PRIVATE_MODE = 0o600;

/** Suffixes of the files that SQLite keeps beside a database and treats as part of it. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/** Error codes for an existing file that this user cannot write. */
const LOCKED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** True for an existing file that this user cannot write. */
export function isThereAndLocked(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return false;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    // one system call answers both questions, so a file created at this moment never counts as locked
    return LOCKED.has(code);
  }
}

/** True when this user cannot write the shared-memory file (-shm), because it belongs to somebody else or dates from a
 * time when the database could not be written. The database cannot be written then. */
export function isSharedMemoryLocked(file: string): boolean {
  return isThereAndLocked(`${file}-shm`);
}

/** True when the -wal file holds anything to checkpoint. */
export function hasLog(file: string): boolean {
  return (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** How much of a file tells what it is, in bytes. */
const BEGINNING_BYTES = 64;

/** The beginning of a file as text, with U+FFFD for what is none; empty if it cannot be read. Not for a database that
 * this process has open: closing the file would release its locks (POSIX). */
export function beginningOf(file: string): string {
  try {
    const fd = fs.openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(BEGINNING_BYTES);
      const read = fs.readSync(fd, bytes);
      // the last character may be cut
      return new TextDecoder().decode(bytes.subarray(0, read), { stream: true });
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}

/** The first bytes of a rollback journal that is to be applied; a program that keeps the file after a commit overwrites
 * them. Source: sqlite.org/fileformat2.html, section 3. */
const JOURNAL_MAGIC = 'd9d505f920a163d7';

/** True if another program, which had turned off the write-ahead log, was killed in the middle of a write: what the
 * database file holds is not committed until SQLite has rolled it back. */
export function hasHotJournal(file: string): boolean {
  const magic = Buffer.alloc(JOURNAL_MAGIC.length / 2);
  try {
    const fd = fs.openSync(`${file}-journal`, 'r');
    try {
      fs.readSync(fd, magic);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    if (systemCode(error) === undefined) throw error;
    return true; // one that cannot be read may be one
  }
  return magic.toString('hex') === JOURNAL_MAGIC;
}

/** Creates an empty file that only its owner can access. Throws if it exists, with `wx`; does nothing then with `a`. */
export function createPrivate(file: string, flags: 'wx' | 'a'): void {
  fs.closeSync(fs.openSync(file, flags, PRIVATE_MODE));
}

/** Identifies the file that a path names: it differs once another file has taken its place. Empty if there is none. */
export function identityOf(file: string): string {
  const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev} ${stat.ino}`;
}

/** A warning for a file that has several names (hard links): programs that open it by different names keep their writes
 * in different -wal files, and lose those of each other. Undefined for any other. */
export function hardLinkWarning(file: string): string | undefined {
  const names = fs.statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  return names > 1
    ? `the database file has ${names} names (hard links): programs that open it by different names lose the writes of each other; when no program has it open, make it a file of its own: cp -p ${shellWord(file)} ${shellWord(`${file}.own`)} && mv ${shellWord(`${file}.own`)} ${shellWord(file)}`
    : undefined;
}
