import { runCli } from './cli/cli.ts';

// Everything has been written synchronously and the database is closed: nothing is left to wait for.
void runCli(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
