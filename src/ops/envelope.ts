import type { MemtoolError } from '../core/errors.ts';

/** An error as every front end prints it: ok, error, message, hint where there is one, retryable, then the context. */
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
