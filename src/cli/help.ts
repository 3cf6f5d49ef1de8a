import { ERRORS } from '../core/errors.ts';
import type { Operation } from '../ops/operation.ts';
import { lineColumns } from './columns.ts';
import { EXAMPLES_PLACE, yargsProgram } from './yargs-parser.ts';

/** Width of help texts where there is room, in columns. */
const HELP_COLUMNS = 100;

/** The help of the program, or of one command. */
export async function helpText(operations: readonly Operation[], operation: Operation | undefined): Promise<string> {
  let text = '';
  const exitCodes = Object.entries(ERRORS)
    .map(([code, { exitCode }]) => `${exitCode} ${code}`)
    .join(', ');
  const program = yargsProgram(operations, operation).wrap(Math.min(HELP_COLUMNS, lineColumns()));
  if (operation === undefined) {
    program
      .usage('Memory for AI coding agents: JSON in, JSON out, one SQLite file.\n\nUsage: memtool <command> [flags]')
      .epilogue(
        `memtool <command> --help, or memtool help <command>, shows the flags and examples of a command; memtool version (or -V) the version. Exit codes: 0 success, ${exitCodes}.`,
      );
  }
  await program.parseAsync(
    operation === undefined ? ['--help'] : [operation.name, '--help'],
    {},
    (_error, _argv, output) => {
      text = output;
    },
  );
  // yargs shows a flag of one letter with one dash, but all have two
  text = text.replaceAll(/^( +)-([a-z]) (?= )/gm, '$1--$2');
  return text.replace(EXAMPLES_PLACE, () => examplesOf(operation)).trimEnd();
}

function examplesOf(operation: Operation | undefined): string {
  const examples = operation?.examples ?? [];
  return examples.map(({ command, note }) => `  # ${note}\n${command.replaceAll(/^/gm, '  ')}`).join('\n');
}
