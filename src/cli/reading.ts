import { get } from '../ops/get.ts';
import { list } from '../ops/list.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands with which agents read known items. */
export const READING = [get, list];

/** Runs a well-formed line of one of these commands and returns the exit code; undefined for any other line. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, READING);
}
