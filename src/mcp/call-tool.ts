import fs from 'node:fs';
import path from 'node:path';
import { isMemtoolError, MemtoolError, quote, systemCode } from '../core/errors.ts';
import { checkInput, fromText } from '../core/params.ts';
import { errorWithDatabase, resultWithDatabase } from '../ops/database-in-hints.ts';
import type { ContextOptions } from '../ops/context.ts';
import { asMemtoolError, errorEnvelope } from '../ops/envelope.ts';
import { fieldError, inputError } from '../ops/input-error.ts';
import { invoke } from '../ops/invoke.ts';
import { Lines, Service, type Result } from '../ops/operation.ts';
import { isInDev } from '../ops/output-file.ts';
import { nearest } from '../ops/suggest.ts';
import { renderNotes } from './notes.ts';
import type { Arguments, Tool } from './tool.ts';

/** The database of a server and its durability. The path is absolute. */
export type Database = Pick<ContextOptions, 'dbPath' | 'synchronous'>;

/** The answer to a call: for the model as text, for the client as data. */
interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [more: string]: unknown;
}

/** Runs the operation of a tool as the command line would, on the current state of the database. Never throws: an error
 * becomes an answer with the code, message and hint of the command line. */
export async function callTool(tool: Tool, given: unknown, database: Database): Promise<ToolAnswer> {
  try {
    const args = checkedArguments(tool, given);
    const { result, nowMs } = await run(tool, args, database);
    const shown = tool.toNotes(result);
    const text = shown === undefined ? JSON.stringify(result) : renderNotes(shown, nowMs);
    return { content: [{ type: 'text', text }], structuredContent: { ...result } };
  } catch (error) {
    const known = errorWithDatabase(asMemtoolError(error), database.dbPath);
    return { content: [{ type: 'text', text: JSON.stringify(errorEnvelope(known)) }], isError: true };
  }
}

async function run(tool: Tool, args: Arguments, database: Database): Promise<{ result: Result; nowMs: number }> {
  const operation = tool.operationFor(args);
  const checked = checkInput(operation.params, tool.toInput(args));
  if ('problem' in checked) throw inputError(operation, checked.problem);
  try {
    using invocation = await invoke(operation, checked.input, database);
    const { result, context } = invocation;
    if (result instanceof Lines || result instanceof Service) {
      throw new MemtoolError('PARAM_ERROR', `${tool.name} cannot return lines in its answer`, {
        hint: 'set output to a file to write them to',
      });
    }
    return { result: resultWithDatabase(tool.toResult(result, args), database.dbPath), nowMs: context.nowMs };
  } catch (error) {
    const answer = isMemtoolError(error) ? tool.toAnswer(error, args) : undefined;
    if (answer === undefined) throw error;
    return { result: resultWithDatabase(answer, database.dbPath), nowMs: Date.now() };
  }
}

/** The arguments of a call, checked against the tool's own parameters. Null counts as absent, since many models write
 * it, and a string in place of a list is parsed as on the command line. Throws PARAM_ERROR. */
function checkedArguments(tool: Tool, given: unknown): Arguments {
  const raw = Object.entries(typeof given === 'object' && given !== null ? given : {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const param = Object.hasOwn(tool.params, name) ? tool.params[name] : undefined;
      return [name, fromText(param, value)];
    });
  const checked = checkInput(tool.params, Object.fromEntries(raw));
  if (!('problem' in checked)) {
    const problem = tool.problemWith(checked.input) ?? problemWithFiles(tool, checked.input);
    if (problem !== undefined) throw problem;
    return checked.input;
  }
  const { name } = checked.problem;
  const param = Object.hasOwn(tool.params, name) ? tool.params[name] : undefined;
  if (param !== undefined) {
    const { operation } = tool;
    const description = operation.params[name]?.description;
    if (description === undefined) throw fieldError(checked.problem, param);
    throw inputError({ ...operation, params: { [name]: { ...param, description } } }, checked.problem);
  }
  const near = nearest(name, Object.keys(tool.params));
  throw new MemtoolError('PARAM_ERROR', `${tool.name} has no parameter ${JSON.stringify(name)}`, {
    hint:
      near === undefined
        ? `it takes ${Object.keys(tool.params).join(', ') || 'no parameters'}`
        : `did you mean ${near}?`,
  });
}

/** The error for an argument that is a pipe or a device: it could consume the client's next messages, insert lines
 * between the answers, or block the server forever. Undefined if there is none. */
function problemWithFiles(tool: Tool, args: Arguments): MemtoolError | undefined {
  for (const [name, param] of Object.entries(tool.params)) {
    const file = args[name];
    if (param.kind !== 'text' || param.format !== 'path' || typeof file !== 'string' || file === '-') continue;
    if (isRegular(file)) continue;
    return new MemtoolError('PARAM_ERROR', `${name} must be a regular file, not a pipe or a device: ${quote(file)}`, {
      hint: 'name a file on disk',
      context: { parameter: name },
    });
  }
  return undefined;
}

/** True for a path that is a regular file or may become one, and for a folder: the operation itself reports any other
 * problem with it. */
function isRegular(file: string): boolean {
  try {
    if (isInDev(path.resolve(file)) || isInDev(fs.realpathSync(file))) return false;
    const stat = fs.statSync(file);
    return stat.isFile() || stat.isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return true;
  }
}
