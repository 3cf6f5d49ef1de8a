import type { Operation } from '../ops/operation.ts';
import { sortWords } from './argv.ts';
import { readCall } from './call.ts';
import { exitCodeOf, refuseMangled, runCall } from './run-call.ts';

/** Runs a well-formed line of one of the given operations and returns the exit code; undefined, with nothing done, for
 * any other line, which `runCli` then handles. Both parse lines alike: a line that is well-formed here means the same
 * there. */
export async function runWellFormed(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  operations: readonly unknown[],
): Promise<number | undefined> {
  const words = sortWords(argv, operations as readonly Operation[]);
  const call = readCall(words, env);
  if (call === undefined) return undefined;
  return exitCodeOf(words, async () => {
    refuseMangled(argv, words, env);
    await runCall(call, words);
  });
}
