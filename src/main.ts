// Everything except this file is loaded dynamically, so that the build can load it with V8's code cache. The commands
// that agents call most have their own chunks: code that a call does not run costs it time too.

interface Frequent {
  /** Returns the exit code; undefined, with nothing done, unless the line is a well-formed call of one of these
   * commands. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | undefined>;
}

const reading = (): Promise<Frequent> => import('./cli/reading.ts');
const searching = (): Promise<Frequent> => import('./cli/searching.ts');
const writing = (): Promise<Frequent> => import('./cli/writing.ts');
const FREQUENT = new Map([
  ['get', reading],
  ['list', reading],
  ['search', searching],
  ['recommend', searching],
  ['put', writing],
  ['delete', writing],
]);

async function run(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const name = argv.find((word) => FREQUENT.has(word));
  const frequent = await FREQUENT.get(name ?? '')?.();
  return (await frequent?.run(argv, env)) ?? (await import('./cli/cli.ts')).runCli(argv, env);
}

void run(process.argv.slice(2), process.env).then(
  // Everything has been written synchronously and the database is closed: nothing is left to wait for.
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
