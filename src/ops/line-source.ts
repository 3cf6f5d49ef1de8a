import fs from 'node:fs';
import { MemtoolError, quote, systemCode } from '../core/errors.ts';
import { command, sentence, shellWord, type Text } from '../core/sentence.ts';
import { isStdin, unreadable } from './content-input.ts';
import type { Context, StdinOptions } from './context.ts';
import { belongsTo, SQLITE_HEADER } from '../store/file-header.ts';

const READ_BYTES = 1 << 20;

interface Source {
  readonly bytes: number | undefined;
  chunks(onBytes: (bytes: number) => void): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Returns the name of an input file for messages. */
export function sourceName(file: string | undefined): string {
  return file === undefined || isStdin(file) ? 'stdin' : `file ${quote(file)}`;
}

/** Opens the source of lines: a file, or stdin (one of its names, or undefined). Throws PARAM_ERROR if it cannot be
 * read. `call` returns the call with a file, for the hint if no file is named and nothing is piped, or nothing
 * arrives. */
export function openSource({ stdin, store }: Context, file: string | undefined, call: (file: string) => Text): Source {
  if (file === undefined || isStdin(file)) {
    if (stdin === undefined || (file === undefined && !stdin.isGiven()))
      throw new MemtoolError('PARAM_ERROR', 'no file was named, and nothing is piped to stdin', {
        hint: call('FILE'),
      });
    const ifSilent = sentence`wait for a slow sender with: ${call('-')}; or name a file: ${call('FILE')}`;
    const options: StdinOptions = file === undefined ? { isExplicit: false, ifSilent } : { isExplicit: true };
    return { bytes: undefined, chunks: () => textOnly(stdin.chunks(options), file), close() {} };
  }
  const what = sourceName(file);
  if (belongsTo(file, store.path)) throw database(file); // and must not be opened again (store/file-header.ts)
  let fd: number;
  try {
    fd = fs.openSync(file, 'r');
  } catch (error) {
    throw unreadable(what, error);
  }
  return {
    bytes: fs.fstatSync(fd).size,
    chunks: (onBytes) => textOnly(readChunks(fd, what, onBytes), file),
    close: () => fs.closeSync(fd),
  };
}

/** Yields the bytes of an open file. Throws PARAM_ERROR, naming `what`, if they cannot be read. */
function* readChunks(fd: number, what: string, onBytes: (bytes: number) => void): Generator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  try {
    for (let bytes = fs.readSync(fd, buffer); bytes > 0; bytes = fs.readSync(fd, buffer)) {
      onBytes(bytes);
      yield buffer.subarray(0, bytes);
    }
  } catch (error) {
    throw systemCode(error) === undefined ? error : unreadable(what, error);
  }
}

/** Yields the chunks of a source. Throws PARAM_ERROR for a database, which is not lines of text. */
async function* textOnly(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  file: string | undefined,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && Buffer.from(chunk.subarray(0, SQLITE_HEADER.length)).toString('latin1') === SQLITE_HEADER)
      throw database(file);
    isFirst = false;
    yield chunk;
  }
}

function database(file: string | undefined): MemtoolError {
  const db = file === undefined || isStdin(file) ? 'FILE' : file;
  return new MemtoolError('PARAM_ERROR', `${sourceName(file)} is a database, not JSON Lines`, {
    hint: sentence`write its memories as lines with: ${command('export', { db, output: 'memories.jsonl' })}; then import these, or use the database itself: --db ${shellWord(db)}`,
  });
}
