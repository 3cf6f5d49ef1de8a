import { VERSION } from '../core/version.ts';
import { OPERATIONS } from '../ops/registry.ts';
import { sortWords, type ArgvWords } from './argv.ts';
import { readCall, type Call } from './call.ts';
import { exitCodeOf, print, refuseMangled, runCall, STDOUT } from './run-call.ts';

/** Runs one command line and returns the exit code. */
export function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const words = sortWords(argv, OPERATIONS);
  return exitCodeOf(words, async () => {
    refuseMangled(argv, words, env);
    const call = readCall(words, env) ?? (await readRest(words, env));
    if (call !== undefined) await runCall(call, words, OPERATIONS);
  });
}

/** Handles help, version and errors, loading yargs and zod if needed. Returns a call if the hot path declined a line
 * that is valid after all. */
async function readRest(words: ArgvWords, env: NodeJS.ProcessEnv): Promise<Call | undefined> {
  if (words.globals.has('version') && !words.globals.has('help') && isAlone(words)) {
    printPlain(words, VERSION, { version: VERSION });
    return undefined;
  }
  const { readFully } = await import('./full-reader.ts');
  const reading = await readFully(words, OPERATIONS, env);
  if (reading.kind === 'call') return reading.call;
  printPlain(words, reading.text, { help: reading.text });
  return undefined;
}

/** True for a line of only globals and at most the name of a command. */
function isAlone({ words, problem }: ArgvWords): boolean {
  return words.size === 0 && problem === undefined;
}

/** Prints help or version as plain text, or as JSON if that was requested explicitly. */
function printPlain({ globals }: ArgvWords, plain: string, data: Readonly<Record<string, string>>): void {
  const isJson = globals.has('json') || globals.get('format')?.[0] === 'json';
  print(STDOUT, isJson ? JSON.stringify({ ok: true, ...data }) : plain);
}
