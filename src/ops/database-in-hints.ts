import { MemtoolError, shellWord } from '../core/errors.ts';
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
  if (db === undefined) return result;
  const { hint, warnings, checks } = result;
  return {
    ...result,
    ...(typeof hint === 'string' && { hint: withDatabase(hint, db) }),
    ...(Array.isArray(warnings) && { warnings: warnings.map((warning) => withDatabase(String(warning), db)) }),
    ...(Array.isArray(checks) && { checks: withCommands(checks, db) }),
  };
}

function withCommands(checks: readonly { readonly fix: unknown }[], db: string): unknown[] {
  return checks.map((check) =>
    typeof check.fix === 'string' ? { ...check, fix: withDatabase(check.fix, db) } : check,
  );
}

/** Returns an error with `--db` added to the commands in its hint and in the checks of doctor. */
export function errorWithDatabase(error: MemtoolError, db: string | undefined): MemtoolError {
  if (db === undefined || db === '' || error.hint === undefined) return error;
  const { checks } = error.context;
  return new MemtoolError(error.code, error.message, {
    hint: withDatabase(error.hint, db),
    retryable: error.retryable,
    context: { ...error.context, ...(Array.isArray(checks) && { checks: withCommands(checks, db) }) },
    cause: error.cause,
  });
}
