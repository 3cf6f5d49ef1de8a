import fs from 'node:fs';
import path from 'node:path';
import { isMemtoolError, MemtoolError, quote, systemCode } from '../core/errors.ts';
import { checkInput, fromText } from '../core/params.ts';
import { toJson } from '../core/text.ts';
import type { ContextOptions } from '../ops/context.ts';
import { asMemtoolError, errorEnvelope } from '../ops/envelope.ts';
import { fieldError, inputError } from '../ops/input-error.ts';
import { invokeWaiting } from '../ops/invoke-waiting.ts';
import { Lines, Service, type Result } from '../ops/operation.ts';
import { isInDev, resolveLinks } from '../ops/output-file.ts';
import { nearest } from '../ops/suggest.ts';
import { errorForClient, resultForClient } from './hints.ts';
import { renderNotes } from './notes.ts';
import type { Arguments, Tool } from './tool.ts';

/** The database of a server and its durability. The path is absolute. */
export type Database = Pick<ContextOptions, 'dbPath' | 'synchronous'>;

interface Cancellable {
  readonly signal: AbortSignal;
}

/** The answer to a call: for the model as text, for the client as data. */
interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [more: string]: unknown;
}

/** Runs the operation of a tool as the command line would, on the current state of the database. Never throws: an error
 * becomes an answer with the code and the data of the command line, and a message and a hint that speak of the tools in
 * `offered`. */
export async function callTool(
  tool: Tool,
  given: unknown,
  { offered, ...options }: Database & Cancellable & { readonly offered: readonly Tool[] },
): Promise<ToolAnswer> {
  const speaker = { tool, offered, dbPath: options.dbPath };
  try {
    const args = checkedArguments(tool, given);
    const ran = await run(tool, args, options);
    const result = resultForClient(ran.result, speaker);
    const shown = tool.toNotes(result, args);
    const text = shown === undefined ? toJson(result) : renderNotes(shown, ran.nowMs);
    return { content: [{ type: 'text', text }], structuredContent: { ...result } };
  } catch (error) {
    const known = errorForClient(asMemtoolError(error), speaker);
    return { content: [{ type: 'text', text: toJson(errorEnvelope(known)) }], isError: true };
  }
}

async function run(
  tool: Tool,
  args: Arguments,
  { signal, ...database }: Database & Cancellable,
): Promise<{ result: Result; nowMs: number }> {
  const operation = tool.operationFor(args);
  const checked = checkInput(operation.params, tool.toInput(args));
  if ('problem' in checked) throw inputError(operation, checked.problem);
  try {
    using invocation = await invokeWaiting(operation, checked.input, { ...database, signal });
    const { result, context } = invocation;
    if (result instanceof Lines || result instanceof Service) {
      throw new MemtoolError('PARAM_ERROR', `${tool.name} cannot return lines in its answer`, {
        hint: 'set output to a file to write them to',
      });
    }
    return { result: tool.toResult(result, args), nowMs: context.nowMs };
  } catch (error) {
    const answer = isMemtoolError(error) ? tool.toAnswer(error, args) : undefined;
    if (answer === undefined) throw error;
    return { result: answer, nowMs: Date.now() };
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
    const general = operation.params[name];
    if (general === undefined) throw fieldError(checked.problem, param);
    const clear = tool.params['clear'] === undefined ? undefined : operation.params['clear'];
    const described = { ...param, description: param.description || general.description };
    const params = { [name]: described, ...(clear !== undefined && { clear }) };
    throw inputError({ ...operation, params }, checked.problem);
  }
  throw new MemtoolError('PARAM_ERROR', `${tool.name} has no parameter ${JSON.stringify(name)}`, {
    hint: insteadOf(name, tool),
  });
}

/** Returns what to use in place of an argument that a tool does not have. */
function insteadOf(name: string, { params, names, instead }: Tool): string {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known !== undefined) return `use ${known}`;
  const hint = Object.hasOwn(instead, name) ? instead[name] : undefined;
  if (hint !== undefined) return hint;
  const near = nearest(name, Object.keys(params));
  if (near !== undefined) return `did you mean ${near}?`;
  return `it takes ${Object.keys(params).join(', ') || 'no parameters'}`;
}

/** The error for an argument that is a pipe or a device, or the sign for stdin and stdout: it could consume the client's
 * next messages, insert lines between the answers, or block the server forever. Undefined if there is none. */
function problemWithFiles(tool: Tool, args: Arguments): MemtoolError | undefined {
  for (const [name, param] of Object.entries(tool.params)) {
    const file = args[name];
    if (param.kind !== 'text' || param.format !== 'path' || typeof file !== 'string') continue;
    if (file !== '-' && isRegular(file)) continue;
    const what = file === '-' ? 'stdin or stdout' : 'a pipe or a device';
    return new MemtoolError('PARAM_ERROR', `${name} must be a regular file, not ${what}: ${quote(file)}`, {
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
    if (isInDev(resolveLinks(path.resolve(file))) || isInDev(resolveLinks(inRealFolder(file)))) return false;
    const stat = fs.statSync(file);
    return stat.isFile() || stat.isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return true;
  }
}

/** The path of a file with its folder as it is after all links: /proc/self/fd/1 for link/1. */
function inRealFolder(file: string): string {
  const absolute = path.resolve(file);
  return path.join(fs.realpathSync.native(path.dirname(absolute)), path.basename(absolute));
}
