import fs from 'node:fs';
import { MemtoolError } from '../core/errors.ts';
import { AGAIN } from '../core/sentence.ts';
import { identityOf, PRIVATE_MODE } from './file-access.ts';

/** How many bytes are copied at a time. */
const COPIED_BYTES = 1024 * 1024;

/** The file of an open database, as it is when it is opened. Dispose of it after the connections are closed. */
export class OpenFile implements Disposable {
  readonly path: string;
  readonly #identity: string;
  #descriptor: number | undefined;

  constructor(path: string) {
    this.path = path;
    this.#identity = identityOf(path);
  }

  /** True once another file has taken its place (git checkout, mv), or it has been removed. */
  get isReplaced(): boolean {
    return identityOf(this.path) !== this.#identity;
  }

  /** Throws DB_ERROR if the file has been replaced, where nobody would find what is written, and SQLite would take the
   * log of this file for that of the other. `effect` says what has happened to the caller's work. */
  refuseReplaced(effect = 'nothing was written'): void {
    if (!this.isReplaced) return;
    const message = `another program replaced or removed the database during this call; ${effect}: ${this.path}`;
    throw new MemtoolError('DB_ERROR', message, { hint: AGAIN, retryable: true, context: { db: this.path } });
  }

  /** Copies the bytes of the file into an empty one, mode 0600. The descriptor stays open until this is disposed of:
   * closing it would release the locks of the process (POSIX), and the SQLite of another program could then remove the
   * log. */
  copyTo(target: string): void {
    this.#descriptor ??= fs.openSync(this.path, 'r');
    const copy = fs.openSync(target, 'w', PRIVATE_MODE);
    try {
      const bytes = new Uint8Array(COPIED_BYTES);
      for (let at = 0; ;) {
        const read = fs.readSync(this.#descriptor, bytes, 0, bytes.length, at);
        if (read === 0) break;
        fs.writeFileSync(copy, bytes.subarray(0, read));
        at += read;
      }
      fs.fsyncSync(copy);
    } finally {
      fs.closeSync(copy);
    }
  }

  [Symbol.dispose](): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
