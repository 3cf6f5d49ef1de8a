import { shellWord, type MemtoolError } from '../core/errors.ts';
import { adviseError, adviseResult } from './advice.ts';
import { OPERATION_NAMES, type Result } from './operation.ts';

/** What is before the end of a command, at a semicolon, without its quoted words. */
const BARE = /'[^']*'|"(?:[^"\\]|\\.)*"|;.*/gs;

/** Adds `--db` to the commands in a text, for a caller who named a database, so that they work verbatim. */
export function withDatabase(text: string, db: string): string {
  // Quoted words, which may be stored names, or a command: only at the start, after a colon or after a pipe sign, since
  // elsewhere its words may be stored too. An apostrophe within a word is no quote.
  const pieces = new RegExp(
    `(?<![A-Za-z0-9])'[^']*'|"(?:[^"\\\\]|\\\\.)*"|((?<=^|: |\\| )memtool (?:${OPERATION_NAMES.join('|')})\\b(?! --help))`,
    'g',
  );
  return text.replaceAll(pieces, (found, command: string | undefined, at: number) => {
    const isGiven = command === undefined || / --db\b/.test(text.slice(at).replaceAll(BARE, ''));
    return isGiven ? found : `${found} --db ${shellWord(db)}`;
  });
}

/** Returns a result with `--db` added to the commands in its hint, its warnings and the checks of doctor. */
export function resultWithDatabase(result: Result, db: string | undefined): Result {
  return db === undefined ? result : adviseResult(result, (text) => withDatabase(text, db));
}

/** Returns an error with `--db` added to the commands in its hint and in the checks of doctor. */
export function errorWithDatabase(error: MemtoolError, db: string | undefined): MemtoolError {
  return db === undefined || db === '' ? error : adviseError(error, (text) => withDatabase(text, db));
}
