import type { MemtoolError } from '../core/errors.ts';
import { flagName } from '../core/flag-name.ts';
import { fromText, problemWith } from '../core/params.ts';
import { partsFor, shellCommand, type Command, type Text } from '../core/sentence.ts';
import { toldError, toldResult } from '../ops/advice.ts';
import type { Operation, Result } from '../ops/operation.ts';
import { findOperation } from '../ops/registry.ts';
import type { Arguments, Tool } from './tool.ts';

/** Who speaks to a client: the tool that is called (undefined for a resource), in its set, on a database. */
export interface Speaker {
  readonly tool: Tool | undefined;
  readonly offered: readonly Tool[];
  readonly dbPath: string;
}

/** Returns an error in the words of a client: it names tools and arguments instead of commands and flags. */
export function errorForClient(error: MemtoolError, speaker: Speaker): MemtoolError {
  const told = toldError(error, (text) => inClientWords(text, speaker));
  const { parameter } = told.context;
  if (typeof parameter !== 'string') return told;
  const named = { ...told.context, parameter: speaker.tool?.names[parameter] ?? parameter };
  return Object.assign(told, { context: named });
}

/** Returns a result whose hint, warnings and checks are in the words of a client. */
export function resultForClient(result: Result, speaker: Speaker): Result {
  return toldResult(result, (text) => inClientWords(text, speaker));
}

const SHELL_NOTE = ' (a shell command: if you have no shell, ask the user to run it)';

/** Returns a text with tools and arguments in place of commands and flags. A command that no tool can run stays a
 * complete shell command, and the text says so. */
export function inClientWords(text: Text, speaker: Speaker): string {
  let note = '';
  const told = partsFor('client', text).map((part) => {
    if (typeof part === 'string') return withArguments(part, speaker.tool);
    if ('value' in part) return part.value;
    const call = callOf(part, speaker);
    if (call === undefined) note = SHELL_NOTE;
    return call ?? shellCommand(part, speaker.dbPath);
  });
  return `${told.join('')}${note}`;
}

/** Returns memtool's own words with the arguments of a tool in place of the flags of its operation. */
export function withArguments(words: string, tool: Tool | undefined): string {
  if (tool === undefined) return words;
  return words.replaceAll(/(?<=^|[\s([])--([a-z][a-z-]*)\b/g, (piece, flag: string) => {
    const name = paramFor(tool.operation, flag);
    return name === undefined ? piece : (tool.names[name] ?? name);
  });
}

/** Returns the name of the parameter of a flag, by its name or an alias. */
function paramFor({ params }: Operation, flag: string): string | undefined {
  return Object.entries(params).find(([name, { aliases }]) => flagName(name) === flag || aliases?.includes(flag))?.[0];
}

/** What a tool may leave out of a command: it shows few fields in any case, and a note without an id or a key is new. */
const OPTIONAL = ['fields', 'limit', 'new'];

/** The argument with which the tool that deletes a note restores it. */
const UNDO = { undo: true } as const;

/** Returns the call of a tool that does what a command does; undefined if no offered tool does, or the command is for
 * another database. */
function callOf(command: Command, { offered, dbPath }: Speaker): string | undefined {
  const operation = findOperation(command.command);
  const given = operation && argumentsOf(command, operation);
  if (operation === undefined || given === undefined) return undefined;
  const { db = dbPath, ...args } = given;
  if (db !== dbPath) return undefined;
  const own = offered.find((tool) => tool.operation === operation);
  const tool = own ?? offered.find((other) => other.operationFor(UNDO) === operation);
  if (tool === undefined) return undefined;
  const wanted = Object.entries(own === undefined ? { ...args, ...UNDO } : args).map(([param, value]) => {
    const name = tool.names[param] ?? param;
    return [name, argumentFor(tool, name, value)] as const;
  });
  if (wanted.some(([name, value]) => value === undefined && !OPTIONAL.includes(name))) return undefined;
  const taken = wanted.filter(([, value]) => value !== undefined);
  return taken.length === 0 ? tool.name : `${tool.name} ${JSON.stringify(Object.fromEntries(taken))}`;
}

/** The parameters of a command by name. Undefined if only a shell can read it. */
function argumentsOf({ args }: Command, { params }: Operation): Arguments | undefined {
  if (args.some((part) => typeof part === 'string')) return undefined;
  const [positional = ''] = Object.entries(params).find(([, param]) => param.positional) ?? [];
  const named = args.map((part) => (Array.isArray(part) ? { [positional]: part } : part)) as readonly Arguments[];
  const given = Object.entries(Object.assign({}, ...named) as Arguments).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** A value in the form that the schema of a tool has for it: an array only where it has one. Undefined if the tool does
 * not take it, such as several values where it takes one, or a number beyond its limits. */
function argumentFor({ params }: Tool, name: string, value: unknown): unknown {
  const param = Object.hasOwn(params, name) ? params[name] : undefined;
  if (param === undefined) return undefined;
  if (param.kind === 'texts') return fromText(param, value);
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  // a string in place of a number says what the client writes there
  const isTaken = !Array.isArray(one) && (typeof one !== 'number' || problemWith(param, one) === undefined);
  return isTaken ? one : undefined;
}
