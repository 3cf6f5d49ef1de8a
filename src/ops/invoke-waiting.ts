import { setTimeout } from 'node:timers/promises';
import { isMemtoolError } from '../core/errors.ts';
import type { InputOf, Params } from '../core/params.ts';
import { BUSY_TIMEOUT_MS, isBusy } from '../store/sqlite-errors.ts';
import type { ContextOptions } from './context.ts';
import { invoke, type Invocation } from './invoke.ts';
import type { Operation } from './operation.ts';

/** How long one attempt blocks the process, in milliseconds. Range 50 to 500: a client must not wait longer for the
 * answer to a ping, and every attempt prepares the call again. */
const ATTEMPT_MS = 100;
/** The pause after an attempt, in which the process does its other work, in milliseconds. Range 1 to 50. */
const PAUSE_MS = 10;

/** Runs an operation as `invoke` does, but while another process holds the lock, this process goes on with its other
 * work: SQLite would block it for all of `BUSY_TIMEOUT_MS`. Throws the reason of `signal` when that is given up. */
export async function invokeWaiting<P extends Params>(
  operation: Operation<P>,
  input: InputOf<P>,
  { signal, ...options }: Omit<ContextOptions, 'access'> & { readonly signal: AbortSignal },
): Promise<Invocation> {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return await invoke(operation, input, { ...options, busyTimeoutMs: ATTEMPT_MS });
    } catch (error) {
      // nothing was written: what was locked is the beginning of a transaction
      const isLocked = isMemtoolError(error) && error.retryable && isBusy(error.cause);
      if (!isLocked || performance.now() >= until) throw error;
    }
    await setTimeout(PAUSE_MS, undefined, { signal });
  }
}
