// All but this file is loaded dynamically, so that the build can load it with V8's code cache.
void import('./cli/cli.ts')
  .then(({ runCli }) => runCli(process.argv.slice(2), process.env))
  .then(
    // Everything has been written synchronously and the database is closed: nothing is left to wait for.
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
