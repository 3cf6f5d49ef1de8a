import path from 'node:path';
import type { InputOf, Params } from '../core/params.ts';
import { toDbError, withoutRemedy } from '../store/sqlite-errors.ts';
import { createContext, type Context, type ContextOptions } from './context.ts';
import { Lines, type Access, type Operation, type Output } from './operation.ts';

export interface Invocation extends Disposable {
  readonly result: Output;
  readonly context: Context;
}

/** Opens what the operation needs, runs it on an input that was checked, and returns the result with the context still
 * open, since lines may yet be read from it. Errors of SQLite come out as DB_ERROR. */
export async function invoke<P extends Params>(
  operation: Operation<P>,
  input: InputOf<P>,
  options: Omit<ContextOptions, 'access'>,
): Promise<Invocation> {
  const told = (error: unknown): unknown => {
    // not before there is an error: an operation without a database runs in a folder that is gone, too
    const dbPath = path.resolve(options.dbPath);
    const known = toDbError(error, dbPath);
    return operation.isRemedy?.(input) === true ? withoutRemedy(known, dbPath) : known;
  };
  const context = opened(() => createContext({ ...options, access: accessOf(operation, input) }), told);
  try {
    const result = await operation.run(context, input);
    if (!(result instanceof Lines)) context.ensureOneState();
    return {
      result: result instanceof Lines ? new Lines(translated(result.lines, context, told)) : result,
      context,
      [Symbol.dispose]: () => context[Symbol.dispose](),
    };
  } catch (error) {
    context[Symbol.dispose]();
    context.ensureOneState();
    throw told(error);
  }
}

function opened(open: () => Context, told: (error: unknown) => unknown): Context {
  try {
    return open();
  } catch (error) {
    throw told(error);
  }
}

function accessOf<P extends Params>(operation: Operation<P>, input: InputOf<P>): Access {
  return operation.accessFor?.(input) ?? operation.access;
}

/** Lines are read after `run` has returned: their errors of SQLite become DB_ERROR here. */
async function* translated(
  lines: Iterable<string> | AsyncIterable<string>,
  context: Context,
  told: (error: unknown) => unknown,
): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    context.ensureOneState();
    throw told(error);
  }
  context.ensureOneState();
}
