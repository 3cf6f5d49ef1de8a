import { remove } from '../ops/delete.ts';
import { put } from '../ops/put.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands with which agents write items. */
export const WRITING = [put, remove];

/** Runs a well-formed line of one of these commands and returns the exit code; undefined for any other line. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, WRITING);
}
