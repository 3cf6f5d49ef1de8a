import { MemtoolError } from '../core/errors.ts';
import { adviseError, adviseResult } from '../ops/advice.ts';
import { withDatabase } from '../ops/database-in-hints.ts';
import type { Operation, Result } from '../ops/operation.ts';
import { findOperation } from '../ops/registry.ts';
import { LEFT_UNCHANGED } from '../ops/secret-check.ts';
import { paramFor, readCommand, type Command } from './shell-command.ts';
import type { Tool } from './tool.ts';

/** Who speaks to a client: the tool that is called (undefined for a resource), in its set, on a database. */
export interface Speaker {
  readonly tool: Tool | undefined;
  readonly offered: readonly Tool[];
  readonly dbPath: string;
}

/** Returns an error in the words of a client: it names tools and arguments instead of commands and flags. */
export function errorForClient(error: MemtoolError, speaker: Speaker): MemtoolError {
  const say = (text: string): string => inClientWords(text, speaker);
  const { code, message, hint, retryable, context, cause } = adviseError(error, say);
  const { parameter } = context;
  return new MemtoolError(code, say(message), {
    ...(hint !== undefined && { hint }),
    retryable,
    context: {
      ...context,
      ...(typeof parameter === 'string' && { parameter: speaker.tool?.names[parameter] ?? parameter }),
    },
    cause,
  });
}

/** Returns a result whose hint, warnings and checks are in the words of a client. */
export function resultForClient(result: Result, speaker: Speaker): Result {
  return adviseResult(result, (text) => inClientWords(text, speaker));
}

const SHELL_NOTE = ' (a shell command: if you have no shell, ask the user to run it)';

/** Phrases that make sense on a command line only. */
const PHRASES: ReadonlyMap<string, (speaker: Speaker) => string> = new Map([
  ['--content, --file, a piped stdin', () => 'text'],
  ['; - reads stdin', () => ''],
  [' - reads stdin.', () => ''],
  ['; - is stdout', () => ''],
  [', the default where something is piped', () => ''],
  [' To stdout: only the lines.', () => ''],
  ['\nstdout has no place for warnings: use --output FILE to be warned about secrets, or --secrets refuse.', () => ''],
  ['the flags of the first page', () => 'the arguments of the first page'],
  ['run the command again', () => 'repeat the call'],
  [LEFT_UNCHANGED, secretAdvice],
]);

/** What to do about a stored secret: only what the tools of the client can do, or else the user. */
function secretAdvice({ tool, offered }: Speaker): string {
  const refuses = tool?.params['secrets'] === undefined ? '' : ', secrets "refuse" rejects it';
  const purge = offered.find(({ operation }) => operation.name === 'purge');
  return `redact: true replaces it in a new write${refuses}, and ${
    purge === undefined
      ? 'only the user can remove what is already stored (with memtool purge)'
      : `only ${purge.name} removes what is already stored`
  }`;
}

// Commands begin a text or follow a colon, a pipe sign or a bracket; elsewhere the words may be a stored name. What
// stands in double quotes is a caller's or a stored text, which a message may have cut.
const PIECES = new RegExp(
  [
    ...Array.from(PHRASES.keys(), (phrase) => phrase.replaceAll(/[^\w\s]/g, '\\$&')),
    ' ?See: memtool [a-z]+ --help',
    '(?<=^|: |\\| |\\()memtool (?<command>[a-z]+)\\b',
    '"(?:[^"\\\\]|\\\\.)*"',
    '"[^…]*…',
    '(?<=^|[\\s([])--(?<flag>[a-z][a-z-]*)\\b',
  ].join('|'),
  'g',
);

/** Returns a text with tools and arguments in place of commands and flags, except in what it quotes. A command that no
 * tool can run stays a complete shell command, and the text says so. */
export function inClientWords(text: string, speaker: Speaker): string {
  let [told, at, hasShellCommand] = ['', 0, false];
  for (const match of text.matchAll(PIECES)) {
    const { 0: piece, index, groups } = match;
    if (index < at) continue; // part of a command
    told += text.slice(at, index);
    at = index + piece.length;
    const operation = findOperation(groups?.['command'] ?? '');
    if (operation !== undefined) {
      const command = readCommand(operation, text.slice(at));
      const call = callOf(operation, command, speaker);
      hasShellCommand ||= call === undefined;
      told += call ?? withDatabase(text.slice(index, at + command.length), speaker.dbPath);
      at += command.length;
    } else if (groups?.['flag'] !== undefined) {
      told += argumentFor(groups['flag'], speaker.tool) ?? piece;
    } else if (piece.includes('See: memtool')) {
      continue;
    } else {
      told += PHRASES.get(piece)?.(speaker) ?? piece;
    }
  }
  return `${told}${text.slice(at)}${hasShellCommand ? SHELL_NOTE : ''}`;
}

/** Returns the name of the argument for a flag of the tool's operation; undefined if it has no such flag. */
function argumentFor(flag: string, tool: Tool | undefined): string | undefined {
  const [name] = (tool && paramFor(tool.operation, flag)) ?? [];
  return name === undefined ? undefined : (tool?.names[name] ?? name);
}

/** What a tool may leave out of a command: it shows few fields in any case, a note without an id or a key is new, and
 * its database is known. */
const OPTIONAL = ['fields', 'limit', 'new', 'db'];

/** Returns the call of a tool that does what a command does; undefined if no offered tool does, or the command is for
 * another database. */
function callOf(operation: Operation, { args, db }: Command, { offered, dbPath }: Speaker): string | undefined {
  if (db !== undefined && db !== dbPath) return undefined;
  const undo = args['version'] === undefined ? { undo: true } : {};
  const own = offered.find((tool) => tool.operation === operation);
  const tool = own ?? offered.find((other) => other.operationFor(undo) === operation);
  if (tool === undefined) return undefined;
  const wanted = Object.entries(own === undefined ? { ...args, ...undo } : args).map(
    ([name, value]) => [tool.names[name] ?? name, value] as const,
  );
  const given = wanted.filter(([name, value]) => takes(tool, name, value));
  if (wanted.some(([name, value]) => !OPTIONAL.includes(name) && !takes(tool, name, value))) return undefined;
  return given.length === 0 ? tool.name : `${tool.name} ${JSON.stringify(Object.fromEntries(given))}`;
}

/** True if a tool has an argument for this value: several values only where it takes several. */
function takes({ params }: Tool, name: string, value: unknown): boolean {
  const param = Object.hasOwn(params, name) ? params[name] : undefined;
  return param !== undefined && (!Array.isArray(value) || param.kind === 'texts' || param.kind === 'int-pair');
}
