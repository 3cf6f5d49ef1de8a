import { isMemtoolError, MemtoolError, messageOf, systemCode } from '../core/errors.ts';

/** Returns an error as every front end prints it: ok, error, message, hint if there is one, retryable, then the
 * context. */
export function errorEnvelope(error: MemtoolError): Record<string, unknown> {
  return {
    ok: false,
    error: error.code,
    message: error.message,
    ...(error.hint !== undefined && { hint: error.hint }),
    retryable: error.retryable,
    ...error.context,
  };
}

/** Returns a MemtoolError unchanged, and a PARAM_ERROR for a deleted working directory. Any other error is a defect and
 * becomes GENERAL_ERROR, without a stack trace on stdout. */
export function asMemtoolError(error: unknown): MemtoolError {
  if (isMemtoolError(error)) return error;
  if (systemCode(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    return new MemtoolError('PARAM_ERROR', 'the folder in which memtool was started is gone', {
      hint: 'change to another folder, or give absolute paths: --db PATH',
      cause: error,
    });
  }
  const message = messageOf(error);
  return new MemtoolError('GENERAL_ERROR', `memtool failed: ${message}`, {
    hint: 'this is a defect in memtool; please report it',
    cause: error,
  });
}
