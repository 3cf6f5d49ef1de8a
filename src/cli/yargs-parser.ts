import yargs, { type Argv, type Options } from 'yargs';
import { MemtoolError, messageOf } from '../core/errors.ts';
import { flagName } from '../core/flag-name.ts';
import { shellText } from '../core/sentence.ts';
import { type Param } from '../core/params.ts';
import { FORMATS } from './call.ts';
import type { Operation } from '../ops/operation.ts';

/** Where a help text has its examples: yargs would wrap them, so that nobody can copy them. */
export const EXAMPLES_PLACE = '{examples}';

const VERSION_OPTION = { type: 'boolean', describe: 'Show the version.' } as const;

/** The program as a yargs parser: a command for each operation, an option for each parameter. `shown` is the operation
 * whose help is requested. */
export function yargsProgram(operations: readonly Operation[], shown?: Operation): Argv {
  const program = globalsProgram(shown);
  for (const operation of operations) {
    program.command(
      commandUsage(operation),
      operation.summary,
      (command) => describe(command, operation),
      () => {},
    );
  }
  return program;
}

/** The program without any command. Never prints and never exits. `shown` is the operation whose flags are added to the
 * globals. */
function globalsProgram(shown: Operation | undefined): Argv {
  // restore has its own --version, and yargs does not allow a second meaning
  const version = shown !== undefined && Object.hasOwn(shown.params, 'version') ? {} : { version: VERSION_OPTION };
  return yargs()
    .scriptName('memtool')
    .version(false)
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'duplicate-arguments-array': true,
    })
    .options({
      db: { type: 'string', describe: 'The database file (default: $MEMTOOL_DB, else ./memtool.db).' },
      format: { choices: FORMATS, describe: 'json for programs (the default), text for people.' },
      json: { type: 'boolean', describe: 'The same as --format json.' },
      ...version,
    })
    .updateStrings({
      'Options:': 'Global flags, before or after the command:',
      'Show help': 'Show this help.',
    })
    .strict()
    .exitProcess(false)
    .fail(false);
}

/** The usage line of an operation, such as `search [query..]`, `completion <shell>` or `list`. */
export function commandUsage(operation: Operation): string {
  const found = Object.entries(operation.params).find(([, param]) => param.positional);
  if (found === undefined) return operation.name;
  const [name, param] = found;
  const several = param.kind === 'texts' || (param.kind === 'text' && param.joinWords) ? '..' : '';
  const word = `${flagName(name)}${several}`;
  return `${operation.name} ${param.required ? `<${word}>` : `[${word}]`}`;
}

function describe(command: Argv, operation: Operation): Argv {
  const flags = Object.keys(operation.params).map(flagName);
  for (const [name, param] of Object.entries(operation.params)) command.option(flagName(name), toOption(param));
  return command
    .group(flags, 'Flags:')
    .usage(
      [`memtool ${commandUsage(operation)} [flags]`, operation.summary, `Examples:\n${EXAMPLES_PLACE}`].join('\n\n'),
    )
    .epilogue(
      [`Prints: ${shellText(operation.prints)}`, ...(operation.notes ?? []).map((note) => shellText(note))].join(
        '\n\n',
      ),
    );
}

function toOption(param: Param): Options {
  const options: Options = { describe: describedValue(param), ...(param.aliases && { alias: [...param.aliases] }) };
  if ('default' in param && param.default !== undefined) options.defaultDescription = String(param.default);
  switch (param.kind) {
    case 'flag':
      return { ...options, type: 'boolean' };
    case 'texts':
      return { ...options, type: 'string', array: true };
    case 'int-pair':
      return { ...options, type: 'number', nargs: 2, array: true };
    case 'choice':
      return { ...options, choices: param.choices };
    case 'int':
    case 'number':
      return { ...options, type: 'number' };
    case 'text':
      return { ...options, type: 'string' };
  }
}

/** A description with the values that the type does not show: a range, or the elements of a list. */
function describedValue(param: Param): string {
  const { description } = param;
  if (param.kind === 'int' || param.kind === 'number') {
    const most = param.max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${param.max}`;
    return `${description} ${param.min} ${most}.`;
  }
  if (param.kind !== 'texts' || param.choices === undefined) return description;
  return `${description} Any of: ${param.choices.join(', ')}.`;
}

/** Parses grouped words with yargs in its strict mode and returns them by parameter name. Words are passed as
 * `--flag=value`, since yargs would drop a lone `-` or `---`; a quoted word gets another pair of quotes, since yargs
 * strips one. Throws PARAM_ERROR. */
export async function parseWithYargs(
  operation: Operation,
  words: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, readonly string[]>> {
  const argv = [...words].flatMap(([name, values]) => {
    const flag = `--${flagName(name)}`;
    return operation.params[name]?.kind === 'flag' ? [flag] : values.map((value) => `${flag}=${inQuotes(value)}`);
  });
  try {
    // without the command, since yargs builds the help text of every command that it parses
    const program = globalsProgram(operation).help(false).version(false).options(optionsForParsing(operation));
    const parsed: Readonly<Record<string, unknown>> = await program.parseAsync(argv);
    return new Map([...words.keys()].map((name) => [name, toWords(parsed[flagName(name)])]));
  } catch (error) {
    throw new MemtoolError('PARAM_ERROR', messageOf(error), {
      hint: `see: memtool ${operation.name} --help`,
      cause: error,
    });
  }
}

/** A value in a form that yargs returns unchanged. */
function inQuotes(value: string): string {
  return /^(["'])[^]*\1$/.test(value) ? `"${value}"` : value;
}

/** The flags of an operation with every value as a plain string. Numbers, lists and choices are only for the help: zod
 * validates them with the same messages as everything else, and yargs drops empty elements of a list but keeps a
 * repeated string unchanged. */
function optionsForParsing({ params }: Operation): Record<string, Options> {
  const options = Object.entries(params).map(([name, { kind }]): [string, Options] => [
    flagName(name),
    { type: kind === 'flag' ? 'boolean' : 'string' },
  ]);
  return Object.fromEntries(options);
}

function toWords(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [''];
}
