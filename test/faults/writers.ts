/** Many processes that write and read one file at once: no update is lost, no version is assigned twice, and the only
 * errors are a lock that may be retried, a conflict, and an item that was just deleted. */
import path from 'node:path';
import { fail, must, Random, run, type Outcome } from './program.ts';
import { readState } from './state.ts';

const KEYS = 6;
/** How long a call waits for the lock before it gives up, in milliseconds. Source: contract, section 2. */
const LOCK_WAIT_MS = 5000;
/** Errors that a caller must expect if others write too. */
const EXPECTED = new Set(['CONFLICT', 'NOT_FOUND']);

export interface WriterCounts {
  calls: number;
  /** Calls that waited for the lock for 5 s and got a retryable error. */
  locked: number;
  conflicts: number;
}

/** What was acknowledged: how often each key was written, and which items were inserted. */
interface Ledger {
  readonly writes: Map<string, number>;
  readonly inserted: Set<string>;
  readonly counts: WriterCounts;
}

export async function writers(
  folder: string,
  random: Random,
  processes: number,
  seconds: number,
): Promise<WriterCounts> {
  const db = path.join(folder, 'writers.db');
  await must(['init'], { db });
  const ledger: Ledger = { writes: new Map(), inserted: new Set(), counts: { calls: 0, locked: 0, conflicts: 0 } };
  for (let key = 0; key < KEYS; key += 1) {
    await must(['put', '--type', 'project', '--key', `shared-${key}`, '--content', 'first'], { db });
    ledger.writes.set(`shared-${key}`, 1);
  }
  const until = Date.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      const own = new Random(random.below(2 ** 31));
      while (Date.now() < until) await step(db, own, at, ledger);
    }),
  );
  await verify(db, ledger);
  return ledger.counts;
}

async function step(db: string, random: Random, writer: number, ledger: Ledger): Promise<void> {
  const key = `shared-${random.below(KEYS)}`;
  const onKey = ['--type', 'project', '--key', key];
  switch (random.below(6)) {
    case 0:
      return ask(db, ['search', `shared ${random.below(100)} 数据库`], ledger, () => {});
    case 1:
      return ask(
        db,
        ['put', '--type', 'run', '--content', `note ${writer} 笔记 ${random.below(1000)}`],
        ledger,
        ({ id }) => {
          ledger.inserted.add(String(id));
        },
      );
    case 2: {
      const lines = Array.from({ length: 5 }, () => `batch-${writer}-${random.below(2 ** 31)}`);
      const input = lines.map((id) => JSON.stringify({ id, type: 'run', content: `批 ${id}` })).join('\n');
      return ask(db, ['import', '--input', '-'], ledger, () => lines.forEach((id) => ledger.inserted.add(id)), input);
    }
    case 3: {
      const [id] = ledger.inserted;
      if (id === undefined) return;
      return ask(db, ['delete', id], ledger, () => ledger.inserted.delete(id));
    }
    case 4: {
      const { answer } = await run(['get', ...onKey, '--fields', 'version'], { db });
      const version = (answer?.['item'] as { version?: number } | undefined)?.version;
      if (version === undefined) return;
      return ask(
        db,
        ['put', ...onKey, '--content', `set by ${writer}`, '--if-version', String(version)],
        ledger,
        (told) => written(ledger, key, told, version + 1),
      );
    }
    default:
      return ask(db, ['put', ...onKey, '--content', `by ${writer} ${random.below(1000)}`], ledger, (told) =>
        written(ledger, key, told),
      );
  }
}

function written(ledger: Ledger, key: string, told: Readonly<Record<string, unknown>>, version?: number): void {
  if (version !== undefined && told['version'] !== version)
    fail(`${key}: compare-and-set to ${version} gave ${String(told['version'])}`);
  ledger.writes.set(key, (ledger.writes.get(key) ?? 0) + 1);
}

async function ask(
  db: string,
  args: readonly string[],
  { counts }: Ledger,
  onSuccess: (answer: Readonly<Record<string, unknown>>) => void,
  input?: string,
): Promise<void> {
  const startedAt = performance.now();
  const outcome: Outcome = await run(args, { db, ...(input !== undefined && { input }) });
  counts.calls += 1;
  if (outcome.code === 0 && outcome.answer !== undefined) {
    onSuccess(outcome.answer);
    return;
  }
  const { error, retryable } = outcome.answer ?? {};
  const hasWaited = performance.now() - startedAt >= LOCK_WAIT_MS;
  if (error === 'DB_ERROR' && retryable === true && hasWaited) counts.locked += 1;
  else if (EXPECTED.has(String(error))) counts.conflicts += 1;
  else fail('an error that nobody expects', outcome);
}

/** Checks that every acknowledged write of a key has its own version, that there are no other versions, and that every
 * acknowledged item exists. */
async function verify(db: string, { writes, inserted }: Ledger): Promise<void> {
  const { items } = readState(db);
  const missing = [...inserted].filter((id) => !items.has(id));
  if (missing.length > 0) fail(`acknowledged items are gone: ${missing.slice(0, 5).join(', ')}`);
  for (const [key, count] of writes) {
    const { item } = (await must(['get', '--type', 'project', '--key', key], { db })) as {
      item: { id: string; version: number };
    };
    const { versions } = (await must(['history', item.id], { db })) as { versions: { version: number }[] };
    const found = versions.map(({ version }) => version);
    if (item.version !== count) fail(`${key} was written ${count} times and is at version ${item.version}`);
    if (found.some((version, at) => version !== count - at) || found.length !== count)
      fail(`${key}: versions ${found.join(' ')}`);
  }
}

/** Processes that create one database at once. */
const STARTERS = 12;

/** Rounds in which many processes create one database at once, and write to it as soon as it exists: none of them
 * fails, and nothing is lost. */
export async function firstStarts(folder: string, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const db = path.join(folder, `first-${round}.db`);
    const starts = Array.from({ length: STARTERS }, async (_, at) => {
      await must(['init'], { db });
      return must(['put', '--type', 'run', '--content', `笔记 ${at}`], { db });
    });
    const ids = (await Promise.all(starts)).map(({ id }) => String(id));
    const { items } = readState(db);
    if (items.size !== STARTERS || !ids.every((id) => items.has(id)))
      fail(`${STARTERS} first starts wrote ${items.size} items`);
  }
}

/** Rounds of compare-and-set in which exactly one process may win. */
export async function races(folder: string, rounds: number): Promise<void> {
  const db = path.join(folder, 'races.db');
  await must(['init'], { db });
  await must(['put', '--type', 'project', '--key', 'k', '--content', '0'], { db });
  for (let version = 1; version <= rounds; version += 1) {
    const args = ['put', '--type', 'project', '--key', 'k', '--if-version', String(version), '--content'];
    const all = await Promise.all(Array.from({ length: 8 }, (_, at) => run([...args, `${version} ${at}`], { db })));
    const won = all.filter(({ code }) => code === 0).length;
    if (won !== 1) fail(`${won} of 8 won the round for version ${version}`, all[0]);
  }
}
