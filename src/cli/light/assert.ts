/** The two assertions of node:assert that yargs uses. They replace that module within yargs (scripts/build.ts), since
 * loading it opens stderr and pulls in all of node:stream. */
export function strictEqual(actual: unknown, expected: unknown, message?: string): void {
  if (!Object.is(actual, expected)) throw new Error(message ?? 'two values that should be the same are not');
}

export function notStrictEqual(actual: unknown, expected: unknown, message?: string): void {
  if (Object.is(actual, expected)) throw new Error(message ?? 'two values that should differ are the same');
}
