import { shellWord, type MemtoolError } from '../core/errors.ts';
import { adviseError, adviseResult } from './advice.ts';
import { OPERATION_NAMES, type Result } from './operation.ts';

/** Adds `--db` to the commands in a text, for a caller who named a database, so that they work verbatim. */
export function withDatabase(text: string, db: string): string {
  // a command ends at a semicolon; only at the start, after a colon or after a pipe sign: elsewhere these words may be
  // a stored name
  const command = new RegExp(`(?<=^|: |\\| )memtool (${OPERATION_NAMES.join('|')})\\b(?! --help|[^;]* --db )`, 'g');
  return text.replaceAll(command, (found) => `${found} --db ${shellWord(db)}`);
}

/** Returns a result with `--db` added to the commands in its hint, its warnings and the checks of doctor. */
export function resultWithDatabase(result: Result, db: string | undefined): Result {
  return db === undefined ? result : adviseResult(result, (text) => withDatabase(text, db));
}

/** Returns an error with `--db` added to the commands in its hint and in the checks of doctor. */
export function errorWithDatabase(error: MemtoolError, db: string | undefined): MemtoolError {
  return db === undefined || db === '' ? error : adviseError(error, (text) => withDatabase(text, db));
}
