import type { MemtoolError } from '../core/errors.ts';
import type { Param, Params } from '../core/params.ts';
import type { Operation, Result } from '../ops/operation.ts';
import { findOperation } from '../ops/registry.ts';

export type Arguments = Readonly<Record<string, unknown>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation as a client of MCP is offered it. The words are for a model; the parameters and the result are those of
 * the operation. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, and what it gives. */
  readonly description: string;
  readonly operation: Operation;
  /** What a client may send: parameters of the operation, some with closer limits, some under another name. */
  readonly params: Params;
  /** What is wrong with arguments that are right one by one; undefined where nothing is. */
  readonly problemWith: (args: Arguments) => MemtoolError | undefined;
  /** The raw input of the operation for arguments that were checked. */
  readonly toInput: (args: Arguments) => Arguments;
  /** The result as the client gets it. */
  readonly toResult: (result: Result, args: Arguments) => Result;
  /** The result for an error of the operation that is an answer to the client; undefined for any other. */
  readonly toAnswer: (error: MemtoolError, args: Arguments) => Result | undefined;
  /** The schema of the result, from that of the operation. */
  readonly toOutput: (output: JsonSchema) => JsonSchema;
  /** The notes that the text of a result shows; undefined where it recalls none. */
  readonly toNotes: (result: Result) => RecalledNotes | undefined;
}

/** What the text of a result shows. */
export interface RecalledNotes {
  readonly items: readonly Arguments[];
  /** What is said after them, in words of memtool's own. */
  readonly remarks: readonly string[];
  /** What is said in words that may hold stored text, and what it is. */
  readonly quoted: readonly { readonly what: string; readonly text: string }[];
}

/** A tool that equals its operation, except for the given differences. */
export function defineTool(
  operation: Operation,
  differences: Pick<Tool, 'name' | 'title' | 'description'> & Partial<Tool>,
): Tool {
  return {
    operation,
    params: operation.params,
    problemWith: () => undefined,
    toInput: (args) => args,
    toResult: (result) => result,
    toAnswer: () => undefined,
    toOutput: (output) => output,
    toNotes: () => undefined,
    ...differences,
  };
}

/** Some of the parameters of an operation, with closer limits, and without words but for those that are given: every
 * word costs tokens in every session, and most names say all. Errors have the operation's own words. */
export function pick(
  operation: Operation,
  names: readonly string[],
  changes: Readonly<Record<string, object>> = {},
): Params {
  return Object.fromEntries(
    names.map((name) => [name, { ...paramOf(operation, name), description: '', ...changes[name] }]),
  );
}

export function operationOf(name: string): Operation {
  const operation = findOperation(name);
  if (operation === undefined) throw new Error(`no operation is called ${name}`);
  return operation;
}

export function paramOf(operation: Operation, name: string): Param {
  const param = operation.params[name];
  if (param === undefined) throw new Error(`${operation.name} has no parameter ${name}`);
  return param;
}
