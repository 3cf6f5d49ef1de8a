import { MemtoolError } from '../core/errors.ts';
import type { Result } from './operation.ts';

/** Returns a result with every text that tells the caller what to do passed through `say`: its hint, its warnings and
 * the fixes of doctor's checks. */
export function adviseResult(result: Result, say: (text: string) => string): Result {
  const { hint, warnings } = result;
  return {
    ...result,
    ...(typeof hint === 'string' && { hint: say(hint) }),
    ...(Array.isArray(warnings) && { warnings: warnings.map((warning) => say(String(warning))) }),
    ...checksOf(result, say),
  };
}

/** The same for an error. A hint that becomes empty is left out. */
export function adviseError(error: MemtoolError, say: (text: string) => string): MemtoolError {
  const { code, message, hint, retryable, context, cause } = error;
  const said = hint === undefined ? '' : say(hint);
  return new MemtoolError(code, message, {
    ...(said !== '' && { hint: said }),
    retryable,
    context: { ...context, ...checksOf(context, say) },
    cause,
  });
}

function checksOf(
  { checks }: Readonly<Record<string, unknown>>,
  say: (text: string) => string,
): { checks?: unknown[] } {
  if (!Array.isArray(checks)) return {};
  return {
    checks: checks.map((check: { readonly fix: unknown }) =>
      typeof check.fix === 'string' ? { ...check, fix: say(check.fix) } : check,
    ),
  };
}
