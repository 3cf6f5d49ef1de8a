import type { InputOf, Params } from '../core/params.ts';
import type { Context } from './context.ts';

/** Flags that every command of the command line takes, before and after its name, and whether they take a value. */
export const GLOBAL_FLAGS = { db: 'value', format: 'value', json: 'none', help: 'none', version: 'none' } as const;

/** How an operation uses the database: not at all, reading, writing, or making it. */
export type Access = 'none' | 'read' | 'write' | 'create';

interface Example {
  /** The command as a shell takes it. */
  readonly command: string;
  readonly note: string;
}

/** What an operation gives: data for the renderer, or lines that are printed as they are made. */
export type Result = Readonly<Record<string, unknown>>;

/** Output that is not one object: JSON lines, a script. `result` is what stands in its place where one object is demanded. */
export class Lines {
  readonly lines: Iterable<string> | AsyncIterable<string>;
  constructor(lines: Iterable<string> | AsyncIterable<string>) {
    this.lines = lines;
  }
}

/** One thing that memtool can do, said once: the CLI, its help, the JSON Schemas, the docs and every other front end are loops over these.
 * All of it but `run` is plain data that the hot path reads without evaluating zod or yargs. */
export interface Operation<P extends Params = Params> {
  readonly name: string;
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
  /** Set where the access depends on the input: a dry run only reads. */
  readonly accessFor?: (input: InputOf<P>) => Access;
  readonly params: P;
  run(context: Context, input: InputOf<P>): Result | Lines | Promise<Result | Lines>;
}

/** Infers an operation's input type from its parameters. */
export function defineOperation<const P extends Params>(operation: Operation<P>): Operation<P> {
  return operation;
}
