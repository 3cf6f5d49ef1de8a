import { recommend } from '../ops/recommend.ts';
import { search } from '../ops/search.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands with which agents search for items. */
export const SEARCHING = [search, recommend];

/** Runs a well-formed line of one of these commands and returns the exit code; undefined for any other line. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, SEARCHING);
}
