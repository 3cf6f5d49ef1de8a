import type { Text } from '../core/sentence.ts';
import type { InputOf, Params } from '../core/params.ts';
import type { Remedy } from '../store/sqlite-errors.ts';
import type { Context } from './context.ts';

/** Flags that every command accepts, before or after its name, and whether each takes a value. */
export const GLOBAL_FLAGS = { db: 'value', format: 'value', json: 'none', help: 'none', version: 'none' } as const;

/** The names of all operations, in the order of help and docs. Kept apart from the registry, so that code that only
 * needs a name does not load every operation. */
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

/** How an operation uses the database: not at all, reading, writing or creating it. */
export type Access = 'none' | 'read' | 'write' | 'create';

interface Example {
  /** The command as it is typed in a shell. */
  readonly command: string;
  readonly note: string;
}

/** The data that an operation returns to the renderer. */
export type Result = Readonly<Record<string, unknown>>;

/** A line of output: a text, or a result that is printed as JSON. */
export type OutputLine = string | Result;
type OutputLines = Iterable<OutputLine> | AsyncIterable<OutputLine>;

/** Output that is not one object (JSON lines, a script), printed as it is produced. */
export class Lines {
  readonly lines: OutputLines;
  constructor(lines: OutputLines) {
    this.lines = lines;
  }
}

export type Output = Result | Lines | Service;

/** Work that continues until a client ends it; the front end that received the call hands over to it. */
export class Service {
  readonly options: ServiceOptions;
  constructor(options: ServiceOptions) {
    this.options = options;
  }
}

export interface ServiceOptions {
  readonly tools: ToolSet;
  /** Whether to create the database if there is none. */
  readonly isInitialising: boolean;
}

export const TOOL_SETS = ['default', 'all'] as const;
/** The operations that a client is offered: those that an agent needs, or all. */
export type ToolSet = (typeof TOOL_SETS)[number];

/** One thing that memtool can do, defined once: the CLI, its help, the JSON Schemas, the docs and every other front end
 * iterate over these. Everything but the functions is plain data that the hot path reads without evaluating zod or
 * yargs. */
export interface Operation<P extends Params = Params> {
  readonly name: OperationName;
  /** One sentence, for lists. */
  readonly summary: string;
  /** The printed fields, for help and docs. */
  readonly prints: Text;
  /** Further paragraphs of the help: rules that a caller should know. */
  readonly notes?: readonly Text[];
  readonly examples: readonly Example[];
  readonly access: Access;
  /** Set for work that may take long, so that a front end can show progress. */
  readonly isLong?: true;
  /** Set when a call may remove or overwrite stored data or a file. */
  readonly isDestructive?: true;
  /** Set when repeating a call changes nothing more. */
  readonly isIdempotent?: true;
  /** Set when a file other than the database is written. */
  readonly writesFile?: true;
  /** Set when the access depends on the input: a dry run only reads. */
  readonly accessFor?: (input: InputOf<P>) => Access;
  /** Set when the hint for a damaged database may name this call: its own failure then needs a different hint. */
  readonly remedyOf?: (input: InputOf<P>) => Remedy | undefined;
  /** Hints for flags that do not exist but that callers try, by parameter name. */
  readonly instead?: Readonly<Record<string, Text>>;
  readonly params: P;
  run(context: Context, input: InputOf<P>): Output | Promise<Output>;
}

/** Infers an operation's input type from its parameters. */
export function defineOperation<const P extends Params>(operation: Operation<P>): Operation<P> {
  return operation;
}
