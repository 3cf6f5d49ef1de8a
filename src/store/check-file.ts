import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { systemCode } from '../core/errors.ts';
import { command, either, sentence, type Sentence, shellWord, type Text } from '../core/sentence.ts';
import { hardLinkWarning, isSharedMemoryLocked, isThereAndLocked, PRIVATE_MODE } from './file-access.ts';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do about it; null when there is nothing to do. */
  readonly fix: Text | null;
}

/** The call that repairs a problem. */
export const REPAIR = command('doctor', { fix: true });

/** How to save the items of a damaged database. */
export const SALVAGE = command('export', { salvage: true, output: 'salvaged.jsonl' });

/** Returns how to replace a damaged database by a backup. The copy is refused while a -wal file is beside the database,
 * which SQLite would take for a part of the copy. */
export function restoreBackupHint(file: string): Sentence {
  const line = `memtool --db BACKUP.db backup --output ${shellWord(file)} --overwrite`;
  const backup = command('backup', { db: 'BACKUP.db', output: file, overwrite: true });
  return sentence`restore a backup with: ${either(line, backup)}`;
}

/** Most ids that a check lists. */
export const NAMED_ITEMS = 20;

export function check(name: string, status: Check['status'], message: string, fix: Text | null = null): Check {
  return { name, status, message, fix };
}

/** Checks the file's permissions, and sets them to 0600 with `fix`: memories may be private, so nobody else should read
 * them. */
export function checkFile(file: string, fix: boolean): Check {
  const mode = fs.statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0 || process.platform === 'win32')
    return check('permissions', 'ok', 'only the owner can read the file');
  if (!fix)
    return check(
      'permissions',
      'warning',
      `others can read the file (mode ${mode.toString(8)})`,
      sentence`${REPAIR}, or: chmod 600 ${shellWord(file)}`,
    );
  try {
    fs.chmodSync(file, PRIVATE_MODE);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    const message = `others can read the file (mode ${mode.toString(8)}), and only its owner can change that`;
    return check('permissions', 'warning', message, `run as its owner: chmod 600 ${shellWord(file)}`);
  }
  return check('permissions', 'ok', `mode was ${mode.toString(8)} and is now 600`);
}

/** File systems on which several machines may share a file, by the type that statfs returns. The numbers are those of
 * Linux: on other systems none is recognized. Source: statfs(2). */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x65735546, 'fuse'],
  [0x01021997, '9p'],
]);

export function unlockHint(file: string): string {
  return `its -shm file was left by another user or while the database was read-only; when no program has the database open, remove it with: rm ${shellWord(`${file}-shm`)}`;
}

/** Checks where the file is: SQLite's locks need a local file system, and writing needs a writable folder. */
export function checkPlace(file: string): Check {
  return networkWarning(fs.statfsSync(file).type) ?? checkWritable(file);
}

/** Returns the warning of a file system that several machines may share, by its type; undefined for any other. */
export function networkWarning(type: number): Check | undefined {
  const kind = NETWORK_FILE_SYSTEMS.get(type);
  if (kind === undefined) return undefined;
  return check(
    'place',
    'warning',
    `the file is on a file system of type ${kind}, where locks may not hold between machines`,
    'let only one machine write it, or move it to a local disk',
  );
}

function checkWritable(file: string): Check {
  const linkWarning = hardLinkWarning(file);
  if (linkWarning !== undefined) return check('place', 'warning', linkWarning, null);
  if (isThereAndLocked(file) || isThereAndLocked(path.dirname(file)))
    return check('place', 'warning', 'the file or its folder is not writable: memories can only be read', null);
  if (isSharedMemoryLocked(file))
    return check(
      'place',
      'warning',
      'the -shm file beside the database is not writable: memories can only be read',
      unlockHint(file),
    );
  return check('place', 'ok', 'the file is on a local file system and is writable');
}

const NO_LOG =
  'another program has turned off the write-ahead log (journal_mode): readers and writers wait for each other until the next write turns it on again';

/** Checks that there is a write-ahead log, and the -wal file: it holds nothing unless a process was killed or another one
 * has the database open. With `fix` it is checkpointed, as it is at the end of any command when no other process has the
 * database open. */
export function checkLog(
  db: DatabaseSync,
  file: string,
  { fix, journalMode }: { readonly fix: boolean; readonly journalMode: string },
): Check {
  const bytes = fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (journalMode !== 'wal') return check('log', 'warning', NO_LOG, REPAIR);
  if (bytes === 0) return check('log', 'ok', 'no writes are left in the -wal file');
  const found = `${bytes} bytes of writes are in the -wal file: they are valid, and were left by a killed process or belong to a running one`;
  if (!fix) return check('log', 'warning', found, REPAIR);
  // passive: does not wait for running processes
  const { busy, log, checkpointed } = db.prepare('pragma wal_checkpoint(passive)').get() ?? {};
  return busy === 0 && log === checkpointed
    ? check('log', 'ok', `${bytes} bytes of writes were in the -wal file and have been checkpointed`)
    : check('log', 'warning', `${found}; another process has the database open`, null);
}
