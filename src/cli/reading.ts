import { get } from '../ops/get.ts';
import { list } from '../ops/list.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands with which agents read what they know of. */
export const READING = [get, list];

/** Runs a well-formed line of these; undefined for any other. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, READING);
}
