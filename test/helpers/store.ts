import { checkInput } from '../../src/core/params.ts';
import { MemtoolError } from '../../src/core/errors.ts';
import { inputSchema } from '../../src/ops/input-schema.ts';
import { shellText } from '../../src/core/sentence.ts';
import { toldLine, toldResult, type Teller } from '../../src/ops/advice.ts';
import { invoke } from '../../src/ops/invoke.ts';
import { Lines, type Result } from '../../src/ops/operation.ts';
import { OUTPUT_SCHEMAS } from '../../src/ops/output-schemas.ts';
import { findOperation } from '../../src/ops/registry.ts';
import type { Stdin } from '../../src/ops/context.ts';
import { tempFolder } from './temp-folder.ts';

export const NOW = Date.parse('2026-06-01T12:00:00.000Z');
export const DAY = 86_400_000;

// The shape differs by operation; the output schema has checked it, and each test says what it expects.
// oxlint-disable-next-line typescript/no-explicit-any
export type Output = any;

export interface TestStore extends Disposable {
  readonly path: string;
  readonly folder: string;
  /** Runs an operation through invoke, in this process, on a real file. Checks the input with both readers and the
   * result against the output schema. */
  run(name: string, input?: Record<string, unknown>, options?: { nowMs?: number; stdin?: Stdin }): Promise<Output>;
}

/** A new database that is removed at the end of the block. */
export async function tempStore(fileName = 'memtool.db'): Promise<TestStore> {
  const folder = tempFolder();
  const path = folder.file(fileName);
  const store: TestStore = {
    path,
    folder: folder.path,
    run: (name, input = {}, options = {}) => runOperation(path, name, input, options),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
  await store.run('init');
  return store;
}

async function runOperation(
  dbPath: string,
  name: string,
  raw: Record<string, unknown>,
  options: { nowMs?: number; stdin?: Stdin },
) {
  const operation = findOperation(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const checked = checkInput(operation.params, raw);
  const parsed = inputSchema(operation.params).safeParse(raw);
  if (parsed.success === 'problem' in checked) throw new Error(`the readers disagree on ${JSON.stringify(raw)}`);
  if ('problem' in checked) throw new MemtoolError('PARAM_ERROR', `${checked.problem.name} ${checked.problem.problem}`);
  using invocation = await invoke(operation, checked.input, {
    dbPath,
    nowMs: options.nowMs ?? NOW,
    stdin: options.stdin,
  });
  const tell: Teller = (text) => shellText(text);
  if (invocation.result instanceof Lines)
    return { lines: await Array.fromAsync(invocation.result.lines, (line) => toldLine(line, tell)) };
  const output = JSON.parse(JSON.stringify(toldResult(invocation.result as Result, tell)));
  OUTPUT_SCHEMAS[name]?.parse(output);
  return output;
}

/** A stdin that contains a text. */
export function stdinOf(text: string): Stdin {
  const bytes = Buffer.from(text, 'utf8');
  return {
    readAll: async () => (bytes.length === 0 ? undefined : bytes),
    isGiven: () => true,
    takeDataNow: async () => bytes.length > 0,
    async *chunks() {
      yield bytes;
    },
  };
}

/** The error that a promise is rejected with. */
export async function errorOf(promise: Promise<unknown>): Promise<MemtoolError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof MemtoolError) return error;
    throw error;
  }
  throw new Error('expected an error');
}

/** A store of items by key, written as one import. */
export async function storeOf(contents: Readonly<Record<string, string>>): Promise<TestStore> {
  const store = await tempStore();
  const lines = Object.entries(contents).map(([key, content]) => JSON.stringify({ type: 'feature', key, content }));
  await store.run('import', {}, { stdin: stdinOf(lines.join('\n')) });
  return store;
}

/** The keys of a list of items, in its order. */
export function keys({ items }: Output): string[] {
  return items.map(({ key }: { key: string }) => key);
}
