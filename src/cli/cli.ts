import tty from 'node:tty';
import { isMemtoolError, MemtoolError } from '../core/errors.ts';
import type { Context } from '../ops/context.ts';
import { errorEnvelope } from '../ops/envelope.ts';
import { invoke } from '../ops/invoke.ts';
import { Lines } from '../ops/operation.ts';
import { OPERATIONS } from '../ops/registry.ts';
import { sortWords, type ArgvWords } from './argv.ts';
import { formatOf, readCall, type Call, type Format } from './call.ts';
import { EXIT_CODES } from './exit.ts';
import { writeAll } from './output.ts';
import { processStdin } from './stdin.ts';
import { VERSION } from './version.ts';

const STDOUT = 1;
const STDERR = 2;

/** Runs one command line and returns the exit code. The only place that prints. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const words = sortWords(argv, OPERATIONS);
  try {
    const call = readCall(words, env) ?? (await readRest(words, env));
    if (call !== undefined) await runCall(call);
    return 0;
  } catch (error) {
    const known = asMemtoolError(error);
    await printError(known, formatOf(words.globals));
    return EXIT_CODES[known.code];
  }
}

/** Help, version and errors, for which yargs and zod are loaded; a call where the hot path declined one that is right after all. */
async function readRest(words: ArgvWords, env: NodeJS.ProcessEnv): Promise<Call | undefined> {
  const { readFully } = await import('./full-reader.ts');
  const reading = await readFully(words, OPERATIONS, env);
  if (reading.kind === 'call') return reading.call;
  const isJson = words.globals.has('json') || words.globals.get('format')?.[0] === 'json';
  const data = reading.kind === 'help' ? { help: reading.text } : { version: VERSION };
  const plain = reading.kind === 'help' ? reading.text : VERSION;
  writeAll(STDOUT, isJson ? `${JSON.stringify({ ok: true, ...data })}\n` : `${plain}\n`);
  return undefined;
}

async function runCall({ operation, input, globals }: Call): Promise<void> {
  const bars = operation.isLong && tty.isatty(STDERR) ? await import('./text/progress-bar.ts') : undefined;
  using invocation = await invoke(operation, input, {
    dbPath: globals.dbPath,
    stdin: processStdin,
    ...(bars && { progress: bars.progressBar }),
  });
  const { result, context } = invocation;
  if (result instanceof Lines) {
    await printLines(result);
    return;
  }
  if (globals.format === 'json') {
    writeAll(STDOUT, `${JSON.stringify({ ok: true, ...result })}\n`);
    return;
  }
  const { renderText } = await import('./text/render.ts');
  writeAll(
    STDOUT,
    `${renderText(operation.name, result, { nowMs: context.nowMs, highlight: await highlightOf(input, context) })}\n`,
  );
}

/** Marks the words of a search in its answer; other operations have no query. */
async function highlightOf(input: Call['input'], context: Context) {
  const query = (input as Readonly<Record<string, unknown>>)['query'];
  if (typeof query !== 'string') return undefined;
  const { highlighter } = await import('../ops/highlight.ts');
  return highlighter(context, query);
}

async function printLines({ lines }: Lines): Promise<void> {
  for await (const line of lines) {
    if (!writeAll(STDOUT, `${line}\n`)) return;
  }
}

/** Anything that was not thrown on purpose is a defect: reported as such, without a stack trace on stdout. */
function asMemtoolError(error: unknown): MemtoolError {
  if (isMemtoolError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MemtoolError('GENERAL_ERROR', `memtool failed: ${message}`, {
    hint: 'this is a defect of memtool; please report it',
    cause: error,
  });
}

async function printError(error: MemtoolError, format: Format): Promise<void> {
  if (format === 'json') {
    writeAll(STDOUT, `${JSON.stringify(errorEnvelope(error))}\n`);
    return;
  }
  const { renderError } = await import('./text/render.ts');
  writeAll(STDERR, `${renderError(error)}\n`);
}
