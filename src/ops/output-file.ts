import fs from 'node:fs';
import path from 'node:path';
import { MemtoolError, quote } from '../core/errors.ts';

const BUFFERED_CHARS = 1 << 18;

/** Writes a file so that its old content stays until the new one is whole: beside it, flushed to disk, then renamed. Returns its absolute path.
 * What is no regular file (a pipe, a device) is written in place. Throws PARAM_ERROR where the path cannot be written, DB_ERROR for a full disk. */
export function writeWhole(given: string, pieces: Iterable<string>): string {
  const target = resolved(given);
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory())
    throw new MemtoolError('PARAM_ERROR', `output ${quote(given)} is a folder`, { hint: 'name a file in it' });
  const inPlace = stat !== undefined && !stat.isFile();
  const temporary = inPlace ? target : path.join(path.dirname(target), `.${path.basename(target)}.${process.pid}.tmp`);
  try {
    const fd = fs.openSync(temporary, inPlace ? 'w' : 'wx', stat?.mode ?? 0o600);
    try {
      writePieces(fd, pieces);
      if (!inPlace) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    if (inPlace) return target;
    fs.renameSync(temporary, target);
    syncFolder(path.dirname(target));
    return target;
  } catch (error) {
    if (!inPlace) fs.rmSync(temporary, { force: true });
    throw translated(error, given);
  }
}

/** The file that a link points to, so that the link itself stays. */
function resolved(given: string): string {
  const target = path.resolve(given);
  return fs.existsSync(target) ? fs.realpathSync(target) : target;
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

/** Makes the rename itself survive a power cut, where the system lets a folder be opened. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function translated(error: unknown, given: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new MemtoolError('DB_ERROR', `disk is full; ${quote(given)} is as it was`, {
      hint: 'free some space and run the command again',
      cause: error,
    });
  }
  const reasons: Record<string, string> = {
    ENOENT: 'its folder does not exist',
    EACCES: 'no permission',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'its folder is a file',
  };
  const reason = reasons[String(code)];
  if (reason === undefined) return error;
  return new MemtoolError('PARAM_ERROR', `cannot write ${quote(given)}: ${reason}`, {
    hint: 'choose another --output',
    cause: error,
  });
}
