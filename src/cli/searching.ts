import { recommend } from '../ops/recommend.ts';
import { search } from '../ops/search.ts';
import { runWellFormed } from './well-formed.ts';

/** The commands with which agents look for something. */
export const SEARCHING = [search, recommend];

/** Runs a well-formed line of these; undefined for any other. */
export function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  return runWellFormed(argv, env, SEARCHING);
}
