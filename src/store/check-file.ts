import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { shellWord, systemCode } from '../core/errors.ts';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do, null when nothing is to be done. */
  readonly fix: string | null;
}

/** What mends a problem, at the beginning of its fix. */
export const FIX_COMMAND = 'memtool doctor --fix';

/** True for a problem that doctor --fix mends: its fix begins with that command. */
export function isMendable({ fix }: Check): boolean {
  return fix?.startsWith(FIX_COMMAND) === true;
}

export function check(name: string, status: Check['status'], message: string, fix: string | null = null): Check {
  return { name, status, message, fix };
}

/** The file's permissions: memories may be private, so that nobody else should read them. */
export function checkFile(file: string, fix: boolean): Check {
  const mode = fs.statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32')
    return check('permissions', 'ok', 'only the owner can read the file');
  if (!fix)
    return check(
      'permissions',
      'warning',
      `others can read the file (mode ${mode.toString(8)})`,
      `${FIX_COMMAND}, or: chmod 600 ${shellWord(file)}`,
    );
  try {
    fs.chmodSync(file, 0o600);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const message = `others can read the file (mode ${mode.toString(8)}), and only its owner can change that`;
    return check('permissions', 'warning', message, `as its owner: chmod 600 ${shellWord(file)}`);
  }
  return check('permissions', 'ok', `mode was ${mode.toString(8)}, is 600 now`);
}

/** File systems over which several machines may share a file, by the number that statfs gives. Source: statfs(2) of
 * Linux. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x65735546, 'fuse'],
  [0x01021997, '9p'],
]);

/** What the system says of a file that is there and that this user cannot write. */
const LOCKED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** True for a file that is there and that this user cannot write. */
export function isThereAndLocked(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return false;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    // one answer of the system: a file that comes in this moment is none that is locked
    return LOCKED.has(code);
  }
}

/** True where the memory that processes share (the -shm file) belongs to somebody else, or is from a time when the
 * database could not be written: nobody can write the database then. */
export function isSharedMemoryLocked(file: string): boolean {
  return isThereAndLocked(`${file}-shm`);
}

export function unlockHint(file: string): string {
  return `its -shm file was left by somebody who could not write the database; once no other program has it open: rm ${shellWord(`${file}-shm`)}`;
}

/** Where the file lies: SQLite's locks need a local file system, and writing needs the folder too. */
export function checkPlace(file: string): Check {
  const kind = NETWORK_FILE_SYSTEMS.get(fs.statfsSync(file).type);
  if (kind !== undefined) {
    return check(
      'place',
      'warning',
      `the file lies on a ${kind} file system, where locks may not hold between machines`,
      'let one machine alone write it, or move it to a local disk',
    );
  }
  if (isThereAndLocked(file) || isThereAndLocked(path.dirname(file)))
    return check('place', 'warning', 'the file or its folder cannot be written: memories can be read alone', null);
  if (isSharedMemoryLocked(file))
    return check(
      'place',
      'warning',
      'the -shm file beside the database cannot be written: memories can be read alone',
      unlockHint(file),
    );
  return check('place', 'ok', 'the file lies on a local file system and can be written');
}

/** What stands in the -wal file: nothing, unless a process was killed or another one has the database open at this
 * moment. With `fix` it is folded in; so it is by the end of any command when no other process has the database
 * open. */
export function checkLog(db: DatabaseSync, file: string, fix: boolean): Check {
  const bytes = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return check('log', 'ok', 'nothing waits in the -wal file');
  const found = `${bytes} bytes of writes stand in the -wal file: they count, and were left by a process that was killed, or belong to one at work`;
  if (!fix) return check('log', 'warning', found, FIX_COMMAND);
  // passive: nobody at work is waited for
  const { busy, log, checkpointed } = db.prepare('pragma wal_checkpoint(passive)').get() ?? {};
  return busy === 0 && log === checkpointed
    ? check('log', 'ok', `${bytes} bytes of writes stood in the -wal file, and have been folded in`)
    : check('log', 'warning', `${found}; it is at work`, null);
}
