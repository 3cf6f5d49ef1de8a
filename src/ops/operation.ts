import type { InputOf, Params } from '../core/params.ts';
import type { Context } from './context.ts';

/** Flags that every command of the command line takes, before and after its name, and whether they take a value. */
export const GLOBAL_FLAGS = { db: 'value', format: 'value', json: 'none', help: 'none', version: 'none' } as const;

/** The names of all operations, in the order of help and docs. Apart from the registry, so that what only has to know a
 * command by its name does not load them all. */
export const OPERATION_NAMES = [
  'init',
  'put',
  'get',
  'list',
  'search',
  'recommend',
  'delete',
  'history',
  'restore',
  'cleanup',
  'purge',
  'export',
  'import',
  'backup',
  'stats',
  'doctor',
  'eval',
  'mcp',
  'schema',
  'completion',
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** How an operation uses the database: not at all, reading, writing, or making it. */
export type Access = 'none' | 'read' | 'write' | 'create';

interface Example {
  /** The command as a shell takes it. */
  readonly command: string;
  readonly note: string;
}

/** What an operation gives: data for the renderer, or lines that are printed as they are made. */
export type Result = Readonly<Record<string, unknown>>;

/** Output that is not one object: JSON lines, a script. */
export class Lines {
  readonly lines: Iterable<string> | AsyncIterable<string>;
  constructor(lines: Iterable<string> | AsyncIterable<string>) {
    this.lines = lines;
  }
}

export type Output = Result | Lines | Service;

/** Work that goes on until a client ends it: the front end that took the call hands itself over. */
export class Service {
  readonly options: ServiceOptions;
  constructor(options: ServiceOptions) {
    this.options = options;
  }
}

export interface ServiceOptions {
  readonly tools: ToolSet;
  /** Whether to make the database where there is none. */
  readonly isInitialising: boolean;
}

export const TOOL_SETS = ['default', 'all'] as const;
/** Which operations a client is offered: those that an agent needs, or all. */
export type ToolSet = (typeof TOOL_SETS)[number];

/** One thing that memtool can do, said once: the CLI, its help, the JSON Schemas, the docs and every other front end
 * are loops over these. All of it but `run` is plain data that the hot path reads without evaluating zod or yargs. */
export interface Operation<P extends Params = Params> {
  readonly name: OperationName;
  /** One sentence, for lists. */
  readonly summary: string;
  /** What it prints, field by field, for help and docs. */
  readonly prints: string;
  /** Further paragraphs of the help: rules that a caller should know. */
  readonly notes?: readonly string[];
  readonly examples: readonly Example[];
  readonly access: Access;
  /** Set for work that may take long, so that a front end can show how far it has come. */
  readonly isLong?: true;
  /** Set where what is stored, or a file, may not be there any more afterwards. */
  readonly isDestructive?: true;
  /** Set where the same call again changes nothing more. */
  readonly isIdempotent?: true;
  /** Set where a file other than the database is written. */
  readonly writesFile?: true;
  /** Set where the access depends on the input: a dry run only reads. */
  readonly accessFor?: (input: InputOf<P>) => Access;
  /** Set where a call is what the hint on a damaged database names: its own failure has to say something else. */
  readonly isRemedy?: (input: InputOf<P>) => boolean;
  /** What to say of flags that are not there and that callers look for, by name. */
  readonly instead?: Readonly<Record<string, string>>;
  readonly params: P;
  run(context: Context, input: InputOf<P>): Output | Promise<Output>;
}

/** Infers an operation's input type from its parameters. */
export function defineOperation<const P extends Params>(operation: Operation<P>): Operation<P> {
  return operation;
}
