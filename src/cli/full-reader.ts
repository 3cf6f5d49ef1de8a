import type * as z from 'zod';
import { SYNCHRONOUS } from '../core/durability.ts';
import { MemtoolError, quote } from '../core/errors.ts';
import { command, sentence, type Text } from '../core/sentence.ts';
import { flagName } from '../core/flag-name.ts';
import { inputError } from '../ops/input-error.ts';
import { inputSchema } from '../ops/input-schema.ts';
import { GLOBAL_FLAGS, type Operation } from '../ops/operation.ts';
import { nearest } from '../ops/suggest.ts';
import type { ArgvProblem, ArgvWords } from './argv.ts';
import { FORMATS, rawInput, readGlobals, synchronousOf, type Call } from './call.ts';
import { helpText } from './help.ts';
import { commandFor, flagFor } from './other-names.ts';
import { parseWithYargs } from './yargs-parser.ts';

/** What a line requests: a call, or a help text. */
export type FullReading =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'help'; readonly text: string };

/** Parses any command line with yargs and zod. Throws a PARAM_ERROR that names the first misfit and the nearest valid
 * spelling. Agrees with `readCall` whenever that returns a call. */
export async function readFully(
  argv: ArgvWords,
  operations: readonly Operation[],
  env: NodeJS.ProcessEnv,
): Promise<FullReading> {
  const { operation } = argv;
  const isRequested = argv.globals.has('help') && !isHelpMisused(argv.problem);
  if (isRequested && (argv.command === undefined || operation !== undefined)) {
    return { kind: 'help', text: await helpText(operations, operation) };
  }
  if (argv.globals.has('version') && operation !== undefined) throw versionOf(operation);
  if (argv.problem !== undefined) throw misfit(argv.problem, argv, operations);
  const globals = readGlobals(argv.globals, env);
  if (globals === undefined) throw badGlobals(argv.globals, env);
  if (operation === undefined) {
    throw new MemtoolError('PARAM_ERROR', 'no command was given', { hint: 'see: memtool --help' });
  }
  const words = await parseWithYargs(operation, argv.words);
  const parsed = inputSchema(operation.params).safeParse(rawInput(operation, words));
  if (!parsed.success) throw badValue(operation, parsed.error, rawInput(operation, words));
  // the schema is derived from the same parameters that type the input
  return { kind: 'call', call: { operation, input: parsed.data as Call['input'], globals } };
}

/** True if the help was not requested: `--help` may have been meant as a value, and storing content must not end in a
 * help text and exit code 0; or it has a value, which may be false. */
function isHelpMisused(problem: ArgvProblem | undefined): boolean {
  if (problem?.kind === 'no-value') return problem.next === '--help';
  return problem?.kind === 'value-not-taken' && problem.flag === '--help';
}

function misfit(problem: ArgvProblem, argv: ArgvWords, operations: readonly Operation[]): MemtoolError {
  const { operation } = argv;
  switch (problem.kind) {
    case 'unknown-command':
      return refusal(
        `unknown command ${quote(problem.word)}`,
        commandFor(problem.word) ??
          suggestion(
            problem.word,
            operations.map(({ name }) => name),
            '',
            'see: memtool --help',
          ),
      );
    case 'unknown-flag':
      return unknownFlag(problem.word, operation);
    case 'no-value':
      return refusal(
        `${problem.flag} needs ${problem.values === 2 ? 'two values' : 'a value'}`,
        problem.values === 2 || problem.next === undefined || problem.next === '--'
          ? `write ${problem.flag}${problem.values === 2 ? ' A B' : '=VALUE'}`
          : `if the value looks like a flag, write ${problem.flag}=${problem.next}`,
      );
    case 'value-not-taken':
      return refusal(`${problem.flag} takes no value`, `write ${problem.flag} alone, or leave it out`);
    case 'repeated':
      return refusal(`${problem.flag} was given more than once`, 'give it once');
    case 'stray-word':
      return refusal(strayMessage(problem.word, operation), strayHint(operation));
    case 'divided':
      return refusal(
        `unexpected word ${quote(problem.word)} after ${problem.after.flag}: the words of a ${problem.name} must follow each other`,
        `${problem.after.takesList ? `separate the values of ${problem.after.flag} with commas, without spaces` : `${problem.after.flag} takes no value`}; or quote the whole ${problem.name}`,
      );
  }
}

/** The error for `--version` with other flags: items have versions too, so the program's version may be the wrong
 * answer. */
function versionOf({ name, params }: Operation): MemtoolError {
  const flag = 'version' in params ? '-V' : '--version';
  const hint =
    'if_version' in params
      ? 'to write only if the stored version is N, use --if-version N'
      : sentence`see the versions of an item with: ${command('history', ['ID'])}`;
  return refusal(`${name} has no flag "${flag}"; see the version of memtool with: memtool --version`, hint);
}

function refusal(message: string, hint: Text): MemtoolError {
  return new MemtoolError('PARAM_ERROR', message, { hint });
}

/** The error for an unknown flag. A word with a space may be a flag quoted together with content: only the flag is
 * shown. */
function unknownFlag(word: string, operation: Operation | undefined): MemtoolError {
  const [flag = '', ...rest] = word.split(/\s/);
  const takesText = Object.values(operation?.params ?? {}).some((param) => param.positional && param.kind === 'text');
  const after = takesText ? '; a text that begins with a dash goes after --' : '';
  return refusal(
    `${operation?.name ?? 'memtool'} has no flag ${quote(flag)}${rest.length > 0 ? ' with a space in it' : ''}`,
    rest.length > 0 ? `quote only the value, not the flag${after}` : flagSuggestion(flag, operation),
  );
}

/** An extra word of a command that takes content may be part of unquoted content, so it is not shown. */
function strayMessage(word: string, operation: Operation | undefined): string {
  const takesContent = Object.values(operation?.params ?? {}).some(
    (param) => param.kind === 'text' && param.format === 'content',
  );
  return takesContent ? 'unexpected word' : `unexpected word ${quote(word)}`;
}

function strayHint(operation: Operation | undefined): string {
  const params = Object.entries(operation?.params ?? {});
  const positional = params.find(([, param]) => param.positional);
  const named = params.find(([, param]) => param.kind === 'text' && ['content', 'path'].includes(param.format ?? ''));
  const instead = named === undefined ? '' : `, such as --${flagName(named[0])}`;
  const takes = positional === undefined ? `takes no words, only flags${instead}` : `takes one ${positional[0]}`;
  return `${operation?.name ?? 'memtool'} ${takes}; quote a value that contains spaces; see: memtool ${operation?.name ?? ''} --help`;
}

function suggestion(word: string, candidates: readonly string[], prefix: string, otherwise: string): string {
  const near = nearest(word, candidates);
  return near === undefined ? otherwise : `did you mean ${prefix}${near}?`;
}

function flagSuggestion(word: string, operation: Operation | undefined): Text {
  // --version is not suggested for a command: together with other flags it would be refused too
  const globals = Object.keys(GLOBAL_FLAGS).filter((name) => operation === undefined || name !== 'version');
  const names = [...Object.keys(operation?.params ?? {}).map(flagName), ...globals];
  const usual =
    operation === undefined
      ? 'flags of a command come after its name; see: memtool --help'
      : `see: memtool ${operation.name} --help`;
  const bare = word.replace(/^-+/, '');
  const instead = Object.entries(operation?.instead ?? {}).find(([name]) => flagName(name) === bare)?.[1];
  if (instead !== undefined) return instead;
  const other = flagFor(bare, operation?.params ?? {});
  if (other !== undefined) return other;
  const near = nearest(bare, names);
  if (near !== undefined) return `did you mean --${near}?`;
  const takesWords = Object.values(operation?.params ?? {}).some((param) => param.positional);
  return takesWords ? `${usual}; a word that begins with a dash goes after --` : usual;
}

function badGlobals(globals: ArgvWords['globals'], env: NodeJS.ProcessEnv): MemtoolError {
  const format = globals.get('format')?.[0];
  if (globals.get('db')?.[0] === '') return refusal('--db must not be empty', 'give --db PATH, or set MEMTOOL_DB');
  if ((globals.get('db')?.[0] ?? env['MEMTOOL_DB']) === '-')
    return refusal('the database is a file, but - means stdin or stdout', 'give --db PATH, or set MEMTOOL_DB');
  if (globals.has('json') && format === 'text')
    return refusal('--json and --format text cannot be combined', 'give only one of them');
  if (synchronousOf(env) === undefined)
    return refusal(
      `MEMTOOL_SYNC must be one of ${SYNCHRONOUS.join(', ')}, got ${quote(env['MEMTOOL_SYNC'])}`,
      'leave it unset, or set it to full so that a power cut loses no commit',
    );
  return refusal(
    `--format must be one of ${FORMATS.join(', ')}, got ${quote(format)}`,
    suggestion(format ?? '', FORMATS, '', 'use --format json or --format text'),
  );
}

/** The error for the first issue that zod found. */
function badValue(operation: Operation, error: z.ZodError, raw: Readonly<Record<string, unknown>>): MemtoolError {
  const issue = error.issues[0];
  const name = String(issue?.path[0] ?? '');
  return inputError(operation, { name, value: raw[name], problem: issue?.message ?? 'is not valid' });
}
