import { MemtoolError } from '../core/errors.ts';
import type { Text } from '../core/sentence.ts';
import { toJson } from '../core/text.ts';
import type { OutputLine, Result } from './operation.ts';

/** How a front end tells the texts for its caller. */
export type Teller = (text: Text) => string;

/** Returns a result with every text that tells the caller what to do told: its hint, its warnings and the fixes of
 * doctor's checks. */
export function toldResult(result: Result, tell: Teller): Result {
  const { hint, warnings } = result;
  return {
    ...result,
    // an operation puts nothing but texts here
    ...(hint !== undefined && { hint: tell(hint as Text) }),
    ...(Array.isArray(warnings) && { warnings: warnings.map((warning: Text) => tell(warning)) }),
    ...checksOf(result, tell),
  };
}

/** Returns a line of output as it is printed. */
export function toldLine(line: OutputLine, tell: Teller): string {
  return typeof line === 'string' ? line : toJson(toldResult(line, tell));
}

/** The same as `toldResult` for an error. A hint that becomes empty is left out. */
export function toldError({ code, told, retryable, context, cause }: MemtoolError, tell: Teller): MemtoolError {
  const hint = told.hint === undefined ? '' : tell(told.hint);
  return new MemtoolError(code, tell(told.message), {
    ...(hint !== '' && { hint }),
    retryable,
    context: { ...context, ...checksOf(context, tell) },
    cause,
  });
}

function checksOf({ checks }: Readonly<Record<string, unknown>>, tell: Teller): { checks?: unknown[] } {
  if (!Array.isArray(checks)) return {};
  return {
    checks: checks.map((check: { readonly fix: Text | null }) => ({
      ...check,
      fix: check.fix === null ? null : tell(check.fix),
    })),
  };
}
