import { remove } from '../ops/delete.ts';
import { put } from '../ops/put.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands that agents write with. */
export const WRITING = [put, remove];

/** Runs a well-formed line of these; undefined for any other. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, WRITING);
}
