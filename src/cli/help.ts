import type { Operation } from '../ops/operation.ts';
import { yargsProgram } from './yargs-parser.ts';

/** The help of the program, or of one command. */
export async function helpText(operations: readonly Operation[], operation: Operation | undefined): Promise<string> {
  let text = '';
  const program = yargsProgram(operations, operation);
  if (operation === undefined) {
    program
      .usage('Memory for AI coding agents: JSON in, JSON out, one SQLite file.\n\nUsage: memtool <command> [flags]')
      .epilogue(
        'memtool <command> --help shows the flags and examples of a command. Exit codes: 0 success, 1 defect, 2 PARAM_ERROR, 3 NOT_FOUND, 4 DB_ERROR, 5 FTS_UNAVAILABLE, 6 CONFLICT.',
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
