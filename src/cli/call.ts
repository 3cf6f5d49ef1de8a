import { SYNCHRONOUS, type Synchronous } from '../core/durability.ts';
import { checkInput, fromWords, type InputOf, type Params } from '../core/params.ts';
import type { Operation } from '../ops/operation.ts';
import type { ArgvWords, GlobalName } from './argv.ts';

export const FORMATS = ['json', 'text'] as const;
export type Format = (typeof FORMATS)[number];

/** A parsed command line: what to run, on which input and database, and how to print the result. */
export interface Call {
  readonly operation: Operation;
  readonly input: InputOf<Params>;
  readonly globals: Globals;
}

export interface Globals {
  readonly dbPath: string;
  readonly format: Format;
  readonly synchronous: Synchronous;
}

/** The database of a call that does not name one. */
const DEFAULT_DB = './memtool.db';

/** The format that a line requests, as far as it can be determined: even an invalid line needs one for its error. */
export function formatOf(globals: ArgvWords['globals']): Format {
  return globals.get('format')?.at(-1) === 'text' && !globals.has('json') ? 'text' : 'json';
}

/** The globals of a line; undefined if they are not well-formed. */
export function readGlobals(globals: ArgvWords['globals'], env: NodeJS.ProcessEnv): Globals | undefined {
  const asked = globals.get('format')?.[0] ?? 'json';
  const format = FORMATS.find((known) => known === asked);
  if (format === undefined || (globals.has('json') && format === 'text')) return undefined;
  const dbPath = globals.get('db')?.[0] ?? (env['MEMTOOL_DB'] || DEFAULT_DB);
  const synchronous = synchronousOf(env);
  if (dbPath === '' || dbPath === '-' || synchronous === undefined) return undefined;
  return { dbPath, format, synchronous };
}

/** The durability that MEMTOOL_SYNC requests, `normal` if it is unset; undefined for any value not in `SYNCHRONOUS`. */
export function synchronousOf(env: NodeJS.ProcessEnv): Synchronous | undefined {
  const asked = (env['MEMTOOL_SYNC'] || 'normal').toLowerCase();
  return SYNCHRONOUS.find((known) => known === asked);
}

/** The words of a line as a raw input object: values converted to JSON types, nothing validated. */
export function rawInput(operation: Operation, words: ArgvWords['words']): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [name, values] of words) {
    const param = operation.params[name];
    if (param !== undefined) raw[name] = fromWords(param, values);
  }
  return raw;
}

const ANSWERED_ELSEWHERE: readonly GlobalName[] = ['help', 'version'];

/** The hot path's reader: returns a well-formed call, or undefined for any other line, which the full reader
 * handles. */
export function readCall(argv: ArgvWords, env: NodeJS.ProcessEnv): Call | undefined {
  const { operation, problem } = argv;
  if (operation === undefined || problem !== undefined) return undefined;
  if (ANSWERED_ELSEWHERE.some((name) => argv.globals.has(name))) return undefined;
  const globals = readGlobals(argv.globals, env);
  if (globals === undefined) return undefined;
  const checked = checkInput(operation.params, rawInput(operation, argv.words));
  return 'problem' in checked ? undefined : { operation, input: checked.input, globals };
}
