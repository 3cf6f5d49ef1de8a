import type { MemtoolError } from '../core/errors.ts';
import type { Param, Params } from '../core/params.ts';
import type { Text } from '../core/sentence.ts';
import type { Operation, Result } from '../ops/operation.ts';
import { findOperation } from '../ops/registry.ts';

export type Arguments = Readonly<Record<string, unknown>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation as offered to an MCP client. The descriptions are written for a model; parameters and result are those
 * of the operation. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When to use it, and what it returns: paragraphs, in memtool's own words. */
  readonly description: readonly Text[];
  readonly operation: Operation;
  /** The operation that a call runs: another one if the arguments request it. */
  readonly operationFor: (args: Arguments) => Operation;
  /** What a client may send: parameters of the operation, some with tighter limits, some under another name. */
  readonly params: Params;
  /** The arguments whose name differs from that of the operation's parameter, by the latter. */
  readonly names: Readonly<Record<string, string>>;
  /** Hints for arguments that do not exist but that clients try, by name. */
  readonly instead: Readonly<Record<string, string>>;
  /** The error for arguments that are individually valid but not in combination; undefined if there is none. */
  readonly problemWith: (args: Arguments) => MemtoolError | undefined;
  /** The raw input of the operation for checked arguments. */
  readonly toInput: (args: Arguments) => Arguments;
  /** The result as the client gets it. */
  readonly toResult: (result: Result, args: Arguments) => Result;
  /** The result for an error of the operation that is a normal answer for the client; undefined for any other error. */
  readonly toAnswer: (error: MemtoolError, args: Arguments) => Result | undefined;
  /** The schema of the result, derived from the operation's. */
  readonly toOutput: (output: JsonSchema) => JsonSchema;
  /** The notes that the text of a result shows; undefined for a tool that recalls none. */
  readonly toNotes: (result: Result, args: Arguments) => RecalledNotes | undefined;
}

/** What the text of a result shows. */
export interface RecalledNotes {
  readonly items: readonly Arguments[];
  /** The fields that the client requested: all of them are shown. */
  readonly fields?: readonly string[];
  /** Whether some were left out: then no items are not no notes. */
  readonly isCut?: boolean;
  /** Remarks after the items, in memtool's own words. */
  readonly remarks: readonly string[];
  /** Remarks that may contain stored text, each with a label that says what it is. */
  readonly quoted: readonly { readonly what: string; readonly text: string }[];
}

/** A tool that equals its operation, except for the given differences. */
export function defineTool(
  operation: Operation,
  differences: Pick<Tool, 'name' | 'title' | 'description'> & Partial<Tool>,
): Tool {
  return {
    operation,
    operationFor: () => operation,
    params: operation.params,
    names: {},
    instead: {},
    problemWith: () => undefined,
    toInput: (args) => args,
    toResult: (result) => result,
    toAnswer: () => undefined,
    toOutput: (output) => output,
    toNotes: () => undefined,
    ...differences,
  };
}

/** Some of the parameters of an operation, with the given changes such as tighter limits, and without descriptions
 * except for given ones: every word costs tokens in every session, and most names are self-explanatory. Errors use the
 * operation's own descriptions. */
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

/** A schema without these properties, at any depth: a tool whose arguments do not request them never returns them. */
export function without(names: readonly string[], schema: JsonSchema): JsonSchema {
  const prune = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(prune);
    if (typeof part !== 'object' || part === null) return part;
    const kept = Object.entries(part).filter(([name]) => !names.includes(name));
    return Object.fromEntries(kept.map(([name, value]) => [name, prune(value)]));
  };
  return prune(schema) as JsonSchema;
}

/** Returns a function that renames a property of a schema. */
export function renamed(from: string, to: string): (output: JsonSchema) => JsonSchema {
  const rename = (name: string): string => (name === from ? to : name);
  return (output) => ({
    ...output,
    properties: Object.fromEntries(
      Object.entries(output['properties'] as JsonSchema).map(([name, schema]) => [rename(name), schema]),
    ),
    required: (output['required'] as readonly string[]).map(rename),
  });
}
