import path from 'node:path';
import { expandHome } from '../core/paths.ts';
import type { InputOf, Params } from '../core/params.ts';
import { afterRemedy, toDbError } from '../store/sqlite-errors.ts';
import { createContext, type Context, type ContextOptions } from './context.ts';
import { Lines, type Access, type Operation, type Output, type OutputLine } from './operation.ts';

export interface Invocation extends Disposable {
  readonly result: Output;
  readonly context: Context;
}

/** Opens what the operation needs, runs it on a validated input, and returns the result. The context stays open, since
 * lines may still be read from it. SQLite errors are thrown as DB_ERROR. */
export async function invoke<P extends Params>(
  operation: Operation<P>,
  input: InputOf<P>,
  options: Omit<ContextOptions, 'access'>,
): Promise<Invocation> {
  const given = expandHome(options.dbPath);
  const toCallerError = (error: unknown): unknown => {
    // resolved only after an error, since an operation without a database also runs in a deleted folder
    const dbPath = path.resolve(given);
    const known = toDbError(error, dbPath);
    const tried = operation.remedyOf?.(input);
    return tried === undefined ? known : afterRemedy(known, dbPath, tried);
  };
  const context = opened(
    () => createContext({ ...options, dbPath: given, access: accessOf(operation, input) }),
    toCallerError,
  );
  try {
    const result = await operation.run(context, input);
    if (!(result instanceof Lines)) context.ensureOneState();
    return {
      result: result instanceof Lines ? new Lines(translated(result.lines, context, toCallerError)) : result,
      context,
      [Symbol.dispose]: () => context[Symbol.dispose](),
    };
  } catch (error) {
    context[Symbol.dispose]();
    context.ensureOneState();
    throw toCallerError(error);
  }
}

function opened(open: () => Context, toCallerError: (error: unknown) => unknown): Context {
  try {
    return open();
  } catch (error) {
    throw toCallerError(error);
  }
}

/** How a call uses the database. */
export function accessOf<P extends Params>(operation: Operation<P>, input: InputOf<P>): Access {
  return operation.accessFor?.(input) ?? operation.access;
}

/** Yields the lines. They are read after `run` has returned, so their SQLite errors become DB_ERROR here. */
async function* translated(
  lines: Lines['lines'],
  context: Context,
  toCallerError: (error: unknown) => unknown,
): AsyncGenerator<OutputLine> {
  try {
    yield* lines;
  } catch (error) {
    context.ensureOneState();
    throw toCallerError(error);
  }
  context.ensureOneState();
}
