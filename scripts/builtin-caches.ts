/** The code caches of Node.js' own modules in its executable. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

/** Offsets of what V8 compares in the header of a code cache. Source: V8, src/snapshot/code-serializer.h. */
const VERSION_END = 8; // magic number and version
const FLAGS_START = 12; // after the hash of the source
const FLAGS_END = 16;

/** Prints the header of a code cache of the Node.js that runs it. */
const PRINT_HEADER = `process.stdout.write(new (require('node:vm').Script)('').createCachedData().toString('latin1', 0, ${FLAGS_END}), 'latin1')`;

/** Adapts the caches of Node.js' own modules in an executable to V8's flags, in place: V8 rejects a cache that was
 * built under other flags and would compile those modules at every start, which takes 1.4 ms. The flags must not change
 * what V8 compiles a source to (its bytecode), only when it compiles it and what it does with the result. An executable
 * that is no longer built this way contains no such cache, and starts as before. */
export function fitBuiltinCaches(executable: string, flags: readonly string[]): void {
  const made = headerOf([]);
  const fitting = headerOf(flags);
  const version = made.subarray(0, VERSION_END);
  if (!fitting.subarray(0, VERSION_END).equals(version)) throw new Error('V8 tells its versions by the flags');
  const bytes = fs.readFileSync(executable);
  for (let at = bytes.indexOf(version); at >= 0; at = bytes.indexOf(version, at + VERSION_END)) {
    const flagsHash = bytes.subarray(at + FLAGS_START, at + FLAGS_END);
    if (flagsHash.equals(made.subarray(FLAGS_START, FLAGS_END)))
      flagsHash.set(fitting.subarray(FLAGS_START, FLAGS_END));
  }
  fs.writeFileSync(executable, bytes);
}

function headerOf(flags: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', PRINT_HEADER], {
    encoding: 'latin1',
  });
  if (status !== 0 || stdout.length !== FLAGS_END) throw new Error(`Node.js made no code cache: ${stderr}`);
  return Buffer.from(stdout, 'latin1');
}
