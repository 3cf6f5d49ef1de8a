/** Random command lines, files and bytes: every call is answered, never with a defect, and an error changes nothing. */
import fs from 'node:fs';
import path from 'node:path';
import { parseLine } from '../../src/ops/import-line.ts';
import { OPERATIONS } from '../../src/ops/registry.ts';
import { sortWords } from '../../src/cli/argv.ts';
import { readCall } from '../../src/cli/call.ts';
import { flagName } from '../../src/core/flag-name.ts';
import { fail, must, Random, run } from './program.ts';
import { isSameState, readState } from './state.ts';

const WORDS = [
  '数据库',
  'deploy',
  '',
  ' ',
  '-',
  '--',
  '-x',
  '--nosuch',
  '=',
  '--limit=',
  'a=b',
  '007',
  '1e5',
  '-1',
  '99999999999999999999',
  'NaN',
  '0x10',
  'true',
  'null',
  'project',
  'feature',
  'run',
  'high',
  'json',
  'text',
  '"',
  "'",
  '\\',
  '\n',
  '\t',
  '\u0001',
  '🟥',
  '𠮷',
  'é',
  '٣',
  '../x',
  '/dev/null',
  '/nonexistent/x',
  '.',
  '*',
  'AND',
  '{"a":1}',
  '[',
  'x'.repeat(600),
  '2026-01-01',
  '2026-02-30',
  '2026-01-01T00:00:00+08:00',
  'f1',
  'f2',
  'glossary',
  'id,key',
  'id,,key',
] as const;
/** Flags that would make the run wait or write elsewhere. */
const LEFT_OUT = new Set(['output', 'save', 'file', 'input', 'compare', 'queries', 'db']);
const EXIT_CODES = new Set([0, 2, 3, 4, 5, 6]);

export interface FuzzCounts {
  programs: number;
  parsed: number;
  /** Programs that succeeded. */
  succeeded: number;
}

/** Databases that are tested at the same time, each by one call after another, so that a change made by a failed call
 * can be detected. */
const LANES = 2;

export async function fuzz(folder: string, random: Random, programs: number, parsed: number): Promise<FuzzCounts> {
  for (let at = 0; at < parsed; at += 1) parseBoth(random);
  const lanes = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => {
      const own = path.join(folder, `fuzz-${lane}`);
      fs.mkdirSync(own);
      return runPrograms(own, new Random(random.below(2 ** 31)), Math.ceil(programs / LANES));
    }),
  );
  const succeeded = lanes.reduce((sum, count) => sum + count, 0);
  return { programs: LANES * Math.ceil(programs / LANES), parsed, succeeded };
}

/** Runs random calls on their own database; returns how many succeeded. */
async function runPrograms(folder: string, random: Random, programs: number): Promise<number> {
  const db = path.join(folder, 'fuzz.db');
  await must(['init'], { db });
  const seed = ['f1', 'f2', 'f3'].map((id) =>
    JSON.stringify({ id, type: 'project', key: 'glossary', content: `模糊 fuzz ${id}` }),
  );
  await must(['import', '--input', '-'], { db, input: seed.join('\n') });
  let succeeded = 0;
  let state = readState(db);
  for (let at = 0; at < programs; at += 1) {
    const isImport = random.below(3) === 0;
    const args = isImport ? ['import', ...(random.below(2) === 0 ? ['--skip-invalid'] : [])] : commandLine(random);
    const outcome = await run(args, { db, cwd: folder, input: isImport ? jsonLines(random) : bytesOf(random) });
    if (outcome.code === null || !EXIT_CODES.has(outcome.code)) fail('an exit code outside the table', outcome);
    if (/\n\s+at .*:\d+:\d+/.test(outcome.stdout + outcome.stderr)) fail('a stack trace', outcome);
    const after = readState(db);
    if (outcome.code === 0) succeeded += 1;
    else if (!isSameState(after, state)) fail('an error has changed the database', outcome);
    state = after;
  }
  return succeeded;
}

function commandLine(random: Random): string[] {
  const operation = random.pick(OPERATIONS);
  const flags = Object.keys(operation.params)
    .map(flagName)
    .filter((name) => !LEFT_OUT.has(name));
  const words = Array.from({ length: random.below(7) }, () => {
    const kind = random.below(4);
    if (kind === 0 && flags.length > 0) return `--${random.pick(flags)}`;
    if (kind === 1 && flags.length > 0) return `--${random.pick(flags)}=${random.pick(WORDS)}`;
    return random.pick(WORDS);
  });
  // an argument cannot contain a NUL, and a command that would write a file is left out
  const line = [random.below(20) === 0 ? random.pick(WORDS) : operation.name, ...words].map((word) =>
    word.replaceAll('\0', ''),
  );
  return line[0] === 'backup' ? ['list', ...line.slice(1)] : line;
}

/** Lines of an import, some of them invalid. */
function jsonLines(random: Random): string {
  const lines = Array.from({ length: random.below(6) }, () => {
    const item: Record<string, unknown> = {
      id: `z${random.below(50)}`,
      type: random.pick(['run', 'project', 'nosuch', 7]),
      content: random.pick(WORDS),
    };
    for (let at = random.below(4); at > 0; at -= 1) {
      const field = random.pick([
        'weight',
        'version',
        'tags',
        'key',
        'created_at',
        'history',
        'confidence_level',
        'content',
        '__proto__',
        'extra',
      ]);
      item[field] = random.pick<unknown>([
        1,
        -1,
        1.5,
        null,
        true,
        [],
        [1],
        {},
        'x',
        '',
        '2026-01-01',
        'NaN',
        [[[[[[]]]]]],
        ['a', 'a'],
        '\u0000',
        '\ud800',
      ]);
    }
    const text = JSON.stringify(item);
    const kind = random.below(6);
    if (kind === 0) return text.slice(0, random.below(text.length));
    if (kind === 1) return text + text;
    if (kind === 2) return `${'['.repeat(random.below(3000))}${text}`;
    return text;
  });
  return lines.join(random.pick(['\n', '\r\n', '\n\n', '\r']));
}

function bytesOf(random: Random): Uint8Array {
  return Uint8Array.from({ length: random.below(60) }, () => random.below(256));
}

/** Runs only the parsers, which take a million inputs in the time of a thousand programs: they may refuse an input with
 * their own errors, but must not fail otherwise. */
function parseBoth(random: Random): void {
  readCall(sortWords(commandLine(random), OPERATIONS), {});
  const [line = ''] = jsonLines(random).split('\n');
  try {
    parseLine(line);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'LineProblem') throw error;
  }
}
