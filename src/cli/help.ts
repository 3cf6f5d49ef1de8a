import { ERRORS } from '../core/errors.ts';
import type { Operation } from '../ops/operation.ts';
import { yargsProgram } from './yargs-parser.ts';

/** The help of the program, or of one command. */
export async function helpText(operations: readonly Operation[], operation: Operation | undefined): Promise<string> {
  let text = '';
  const exitCodes = Object.entries(ERRORS)
    .map(([code, { exitCode }]) => `${exitCode} ${code}`)
    .join(', ');
  const program = yargsProgram(operations, operation);
  if (operation === undefined) {
    program
      .usage('Memory for AI coding agents: JSON in, JSON out, one SQLite file.\n\nUsage: memtool <command> [flags]')
      .epilogue(
        `memtool <command> --help shows the flags and examples of a command. Exit codes: 0 success, ${exitCodes}.`,
      );
  }
  await program.parseAsync(
    operation === undefined ? ['--help'] : [operation.name, '--help'],
    {},
    (_error, _argv, output) => {
      text = output;
    },
  );
  return text.trimEnd();
}
