import fs from 'node:fs';
import { ERRORS, MemtoolError, messageOf, systemCode } from '../core/errors.ts';
import { absolutePath, refuseMangledVariable } from '../core/paths.ts';
import { command, sentence, shellText } from '../core/sentence.ts';
import { decodeUtf8, jsonText, toJson } from '../core/text.ts';
import type { Context } from '../ops/context.ts';
import { asMemtoolError, errorEnvelope } from '../ops/envelope.ts';
import { toldError, toldLine, toldResult, type Teller } from '../ops/advice.ts';
import { accessOf, invoke } from '../ops/invoke.ts';
import { Lines, Service, type Operation, type ServiceOptions } from '../ops/operation.ts';
import type { SearchInput } from '../ops/search-answer.ts';
import type { ArgvWords } from './argv.ts';
import { formatOf, type Call, type Globals } from './call.ts';
import { writeAll } from './output.ts';
import { isTerminal, processStdin } from './stdin.ts';

// The only module that prints, except for the MCP server and progress bars.

const STDIN = 0;
export const STDOUT = 1;
const STDERR = 2;

/** Runs the work of a line and returns the exit code; an error is printed in the format that the line requests. */
export async function exitCodeOf(words: ArgvWords, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    const known = asMemtoolError(error);
    await printError(known, words).catch(complain);
    return ERRORS[known.code].exitCode;
  }
}

/** Throws PARAM_ERROR for arguments and, unless `--db` is given, for a MEMTOOL_DB that are not valid UTF-8. */
export function refuseMangled(argv: readonly string[], { globals }: ArgvWords, env: NodeJS.ProcessEnv): void {
  refuseMangledWords(argv);
  if (!globals.has('db')) refuseMangledVariable(env, 'MEMTOOL_DB');
}

/** Node.js replaces invalid UTF-8 in an argument with U+FFFD. Such an argument is refused where the system exposes the
 * bytes (/proc). */
function refuseMangledWords(argv: readonly string[]): void {
  if (!argv.some((word) => word.includes('\uFFFD')) || !fs.existsSync('/proc/self/cmdline')) return;
  const bytes = fs.readFileSync('/proc/self/cmdline');
  decodeUtf8(bytes.subarray(0, -1), 'the command line');
}

/** Runs a call and prints its result. `operations` are those that the call may describe. */
export async function runCall(
  { operation, input, globals }: Call,
  words: ArgvWords,
  operations?: readonly Operation[],
): Promise<void> {
  const bars = operation.isLong && hasProgressBar() ? await import('./text/progress-bar.ts') : undefined;
  using invocation = await invoke(operation, input, {
    dbPath: globals.dbPath,
    operations,
    synchronous: globals.synchronous,
    stdin: processStdin,
    ...(bars && { progress: bars.progressBar }),
  });
  const { context } = invocation;
  if (invocation.result instanceof Lines) {
    await printLines(invocation.result, tellerFor(words));
    return;
  }
  if (invocation.result instanceof Service) {
    await serveClient(invocation.result.options, { ...globals, dbPath: context.dbPath });
    return;
  }
  const result = toldResult(invocation.result, tellerFor(words));
  if (globals.format === 'json') {
    printAnswer(
      operation,
      input,
      jsonText({ ok: true, ...result }, 'reduce the output with --limit, --fields or --max-chars'),
    );
    return;
  }
  const { renderText } = await import('./text/render.ts');
  printAnswer(
    operation,
    input,
    renderText(operation.name, result, { nowMs: context.nowMs, highlight: await highlightOf(input, context) }),
  );
}

/** Prints the answer of an operation. Its work is done: an error says so, or a caller would do it again. */
function printAnswer(operation: Operation, input: Call['input'], text: string): void {
  try {
    print(STDOUT, text);
  } catch (error) {
    if (!(error instanceof OutputError) || accessOf(operation, input) === 'read') throw error;
    throw new OutputError('DB_ERROR', `${operation.name} has succeeded, but its answer is lost: ${error.message}`, {
      cause: error,
    });
  }
}

/** True if stderr is a terminal that can redraw a line. */
function hasProgressBar(): boolean {
  return isTerminal(STDERR) && process.env['TERM'] !== 'dumb';
}

/** Serves MCP until the client disconnects, even if the database cannot be created: every call then reports what is
 * wrong. Throws PARAM_ERROR if stdin is a terminal. */
async function serveClient({ tools, isInitialising }: ServiceOptions, globals: Globals): Promise<void> {
  if (isTerminal(STDIN)) {
    throw new MemtoolError('PARAM_ERROR', 'memtool mcp must be started by a client, but stdin is a terminal', {
      hint: sentence`see how to add it to a client with: ${command('mcp', { print_config: 'claude' })}`,
    });
  }
  const { prepareDatabase, serve } = await import('../mcp/serve.ts');
  const { synchronous } = globals;
  const dbPath = absolutePath(globals.dbPath); // the folder may be gone by the next call
  if (isInitialising) await prepareDatabase({ dbPath, synchronous });
  await serve({ dbPath, synchronous, tools });
}

/** The highlighter for the words of a search; undefined for an operation without a query. */
async function highlightOf(input: Call['input'], context: Context) {
  const { query, match, syntax } = input as Partial<SearchInput>;
  if (query === undefined || match === undefined || syntax === undefined) return undefined;
  const { highlighter } = await import('../ops/highlight.ts');
  return highlighter(context, { query, match, syntax });
}

async function printLines({ lines }: Lines, tell: Teller): Promise<void> {
  for await (const line of lines) {
    if (!print(STDOUT, toldLine(line, tell))) return;
  }
}

async function printError(error: MemtoolError, words: ArgvWords): Promise<void> {
  const shownError = toldError(error, tellerFor(words));
  if (error instanceof OutputError) {
    complain(error);
  } else if (formatOf(words.globals) === 'json') {
    print(STDOUT, toJson(errorEnvelope(shownError)));
  } else {
    const { renderError } = await import('./text/render.ts');
    print(STDERR, renderError(shownError));
  }
}

/** Commands name the database that the line names, so that they work as they are. */
function tellerFor({ globals }: ArgvWords): Teller {
  const db = globals.get('db')?.[0];
  return (text) => shellText(text, db === '' ? undefined : db);
}

/** stdout or stderr cannot be written, so the error cannot be reported in full. */
class OutputError extends MemtoolError {}

/** Reports an OutputError on stderr, if that can be written, and rethrows any other error. The exit code is that of the
 * first error. */
function complain(error: unknown): void {
  if (!(error instanceof OutputError)) throw error;
  try {
    writeAll(STDERR, `error: ${error.message}\n`);
  } catch (failure) {
    if (systemCode(failure) === undefined) throw failure;
  }
}

/** Prints a text and a newline. Returns false if nobody reads any more. Throws OutputError if it cannot be written. */
export function print(fd: number, text: string): boolean {
  try {
    return writeAll(fd, `${text}\n`);
  } catch (error) {
    throw new OutputError('DB_ERROR', `cannot write the output: ${messageOf(error)}`, { cause: error });
  }
}
