import fs from 'node:fs';
import { systemCode } from '../core/errors.ts';
import { pause } from '../core/pause.ts';

/** Delay before retrying a write to a full pipe, in milliseconds. */
const FULL_PIPE_PAUSE_MS = 2;

/** Writes a whole text to a file descriptor, waiting for a slow reader. Returns false if nobody reads any more (a pipe
 * closed early, a closed descriptor), which is not an error. Synchronous, so that the process may exit right after it;
 * does not load node:stream. */
export function writeAll(fd: number, text: string): boolean {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  while (written < bytes.length) {
    try {
      written += fs.writeSync(fd, bytes, written);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'EPIPE' || code === 'EBADF' || code === 'EIO') return false;
      if (code !== 'EAGAIN') throw error;
      pause(FULL_PIPE_PAUSE_MS);
    }
  }
  return true;
}
