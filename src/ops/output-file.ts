import fs from 'node:fs';
import path from 'node:path';
import { fileProblem, MemtoolError, quote, systemCode } from '../core/errors.ts';
import { absolutePath, followLinks, isSameFile } from '../core/paths.ts';
import { AGAIN, command, sentence, shellWord } from '../core/sentence.ts';
import { COMPANIONS, PRIVATE_MODE } from '../store/file-access.ts';
import { isDatabase, wholeOf } from '../store/file-header.ts';

const BUFFERED_CHARS = 1 << 18;

/** Writes a file so that its old content stays until the new one is complete: the new content is written beside it,
 * flushed to disk, then renamed over it. Returns its absolute path. Anything but a regular file (a pipe, a device) is
 * written in place. `forbidden` is a file that must not be the target. Throws PARAM_ERROR when the path cannot be
 * written, DB_ERROR when the disk is full. */
export function writeWhole(given: string, pieces: Iterable<string>, forbidden: string): string {
  try {
    const target = resolveLinks(absolutePath(given));
    refuse(target, forbidden, given);
    refuseDatabase(target, given);
    if (isSpecial(target)) {
      fill(fs.openSync(target, 'w'), pieces);
      return target;
    }
    const mode = fs.statSync(target, { throwIfNoEntry: false })?.mode;
    replaceFile(target, (_temporary, fd) => {
      if (mode !== undefined) fs.fchmodSync(fd, mode & 0o777);
      fill(fd, pieces);
    });
    return target;
  } catch (error) {
    throw translated(error, given);
  }
}

/** Builds a file so that its old content stays until the new one is complete: `build` fills an empty file beside it,
 * which is then renamed over it. Only its owner can access the file. Returns its absolute path. `forbidden` is a file
 * that must not be the target. Throws PARAM_ERROR when the path cannot be written, or exists and `overwrite` is not
 * set; DB_ERROR when the disk is full. */
export function buildWhole(
  given: string,
  build: (temporary: string) => void,
  { forbidden, overwrite }: { readonly forbidden: string; readonly overwrite: boolean },
): string {
  try {
    const target = resolveLinks(absolutePath(given));
    refuse(target, forbidden, given);
    if (isSpecial(target)) {
      throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} is not a regular file`, { hint: 'name a file' });
    }
    if (!overwrite && fs.existsSync(target)) {
      throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} already exists`, {
        hint: sentence`name another file, or replace it with: --overwrite`,
      });
    }
    refuseCompanions(target, given);
    replaceFile(target, (temporary, fd) => {
      fs.closeSync(fd);
      build(temporary);
      refuseCompanions(target, given);
    });
    return target;
  } catch (error) {
    throw translated(error, given);
  }
}

/** Throws PARAM_ERROR when a file with content already has the name. */
export function refuseExisting(given: string): void {
  let stat: fs.Stats | undefined;
  try {
    stat = fs.statSync(absolutePath(given), { throwIfNoEntry: false });
  } catch (error) {
    throw translated(error, given);
  }
  if (stat?.isFile() !== true || stat.size === 0) return;
  throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} already exists`, { hint: 'name another file' });
}

/** Throws PARAM_ERROR when a companion file is beside the target: SQLite would treat it as part of the new database. */
function refuseCompanions(target: string, given: string): void {
  const all = COMPANIONS.map((suffix) => `${target}${suffix}`).filter((file) => fs.existsSync(file));
  const [found] = all;
  if (found === undefined) return;
  throw new MemtoolError(
    'PARAM_ERROR',
    `output ${quote(given)} has ${quote(path.basename(found))} beside it, which belongs to another database`,
    {
      hint: sentence`name another file; or, if you still need that database, checkpoint it with: ${command('list', { db: target })}; otherwise, when no program has it open, remove what it left with: rm ${all.map(shellWord).join(' ')}`,
    },
  );
}

/** Age from which an unfinished file counts as left by a killed run, in milliseconds. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Removes the unfinished files that killed runs left in a folder. Best effort: what cannot be read or removed
 * stays. */
function sweep(folder: string): void {
  try {
    for (const name of fs.readdirSync(folder)) {
      if (/^\.memtool-\d+-[0-9a-z]+\.tmp(?:-wal|-shm|-journal)?$/.test(name)) removeAbandoned(path.join(folder, name));
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

function removeAbandoned(file: string): void {
  try {
    const stat = fs.lstatSync(file);
    if (stat.isFile() && Date.now() - stat.mtimeMs > ABANDONED_AFTER_MS) fs.rmSync(file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Opens a new, empty file in the folder of `target`. */
function openBeside(target: string): { temporary: string; fd: number } {
  sweep(path.dirname(target));
  const temporary = path.join(path.dirname(target), `.memtool-${process.pid}-${Date.now().toString(36)}.tmp`);
  return { temporary, fd: fs.openSync(temporary, 'wx', PRIVATE_MODE) };
}

/** Returns the file that a link points to, even if it does not exist yet, so that the link itself is kept; the first
 * path in /dev or /proc on the way, if there is one. */
export function resolveLinks(file: string): string {
  return followLinks(file, isInDev);
}

/** True for a path in /dev or /proc, which may be the stdin or stdout of this very process. /dev/shm is excluded: it
 * holds real files. */
export function isInDev(file: string): boolean {
  return /^\/(?:dev(?!\/shm\/)|proc)\//.test(file);
}

/** True for what is written in place: devices, pipes, and the names of open descriptors. */
function isSpecial(target: string): boolean {
  return isInDev(target) || fs.statSync(target, { throwIfNoEntry: false })?.isFile() === false;
}

function refuse(target: string, forbidden: string, given: string): void {
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory())
    throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} is a folder`, { hint: 'name a file in it' });
  for (const suffix of ['', ...COMPANIONS]) {
    if (isSameFile(`${forbidden}${suffix}`, target)) {
      throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} is the database itself`, {
        hint: 'name another file',
      });
    }
  }
  const owner = wholeOf(target);
  // the open database must not be opened again (sqliteHeader)
  if (owner !== undefined && (isSameFile(owner, forbidden) || isDatabase(owner)))
    throw new MemtoolError(
      'PARAM_ERROR',
      `SQLite would take output ${quote(given)} for a part of the database ${owner}, and remove it`,
      { hint: 'choose a name that does not end in -wal, -shm or -journal' },
    );
}

/** Throws PARAM_ERROR when the target is a database, which may hold memories: text must not overwrite it. */
function refuseDatabase(target: string, given: string): void {
  if (isSpecial(target) || !isDatabase(target)) return;
  throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} is a database`, {
    hint: sentence`name another file; to copy a database, use: ${command('backup', { output: 'FILE' })}`,
  });
}

/** Makes a file beside the target and renames it over the target, which stays unchanged if that fails. `make` closes
 * the descriptor. */
function replaceFile(target: string, make: (temporary: string, fd: number) => void): void {
  const { temporary, fd } = openBeside(target);
  try {
    make(temporary, fd);
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(target));
}

/** Writes to an open file, flushes it to disk if it is a regular file, and closes it. */
function fill(fd: number, pieces: Iterable<string>): void {
  try {
    writePieces(fd, pieces);
    if (fs.fstatSync(fd).isFile()) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function writePieces(fd: number, pieces: Iterable<string>): void {
  let buffer = '';
  for (const piece of pieces) {
    buffer += piece;
    if (buffer.length < BUFFERED_CHARS) continue;
    fs.writeFileSync(fd, buffer);
    buffer = '';
  }
  fs.writeFileSync(fd, buffer);
}

/** Makes the rename survive a power cut, if the folder can be opened; the file is written either way. */
function syncFolder(folder: string): void {
  let fd: number;
  try {
    fd = fs.openSync(folder, 'r');
  } catch (error) {
    if (systemCode(error) !== undefined) return;
    throw error;
  }
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function translated(error: unknown, given: string): unknown {
  const code = systemCode(error) ?? (error instanceof Error && 'code' in error ? error.code : undefined);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new MemtoolError('DB_ERROR', `disk is full; ${quote(given)} was not changed`, {
      hint: sentence`free some space and ${AGAIN}`,
      cause: error,
    });
  }
  if (systemCode(error) === undefined) return error;
  const problem = code === 'ENOENT' ? 'is in a folder that does not exist' : fileProblem(error);
  return new MemtoolError('PARAM_ERROR', `output ${quote(given)} ${problem}`, {
    hint: 'choose another output file',
    cause: error,
  });
}
