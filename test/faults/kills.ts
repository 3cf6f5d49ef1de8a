/** Kills the program at random moments during all kinds of writes, and checks what is left: all of the work or none of
 * it, and all of it if it was acknowledged. */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePythonDatabase } from '../helpers/python-database.ts';
import { fail, must, run, type Outcome, type Random } from './program.ts';
import { isSameState, readState, type State } from './state.ts';

/** When a kill comes, as a share of the time that such a call takes undisturbed: from the start of its work to a little
 * after its end. */
const [EARLIEST, LATEST] = [0.6, 1.1];
/** Number of kills from which on some must come after the work: with fewer, none may by chance. */
const ENOUGH_KILLS = 50;
/** Number of consecutive kills before anything was done, after which a call runs undisturbed again. */
const MOST_EARLY = 10;

/** How long one kind of call takes undisturbed: machines differ, and slow down. */
class Pace {
  #usualMs: number | undefined;
  #early = 0;

  /** When the next call is killed, in milliseconds; undefined if it runs undisturbed, to measure how long it takes. */
  killAfterMs(random: Random): number | undefined {
    if (this.#usualMs === undefined || this.#early >= MOST_EARLY) return undefined;
    return this.#usualMs * (EARLIEST + random.next() * (LATEST - EARLIEST));
  }

  wasKilled(isDone: boolean): void {
    this.#early = isDone ? 0 : this.#early + 1;
  }

  ended(tookMs: number): void {
    this.#usualMs = tookMs;
    this.#early = 0;
  }
}

export interface KillCounts {
  kills: number;
  /** Kills of calls that had printed their answer. */
  acknowledged: number;
  /** Kills after which the work was done but not acknowledged. */
  doneUnasked: number;
}

interface Scene {
  readonly db: string;
  readonly folder: string;
  readonly random: Random;
  /** A counter that makes contents distinct. */
  serial: number;
  /** By the name of the work. */
  readonly paces: Map<string, Pace>;
}

/** One kind of work: prepares it, and says what to run and what the result must be. */
interface Work {
  readonly name: string;
  prepare(scene: Scene, before: State): Promise<Prepared> | Prepared;
}

interface Prepared {
  readonly args: readonly string[];
  readonly input?: string;
  /** True if all of the work is done; false, or a description of what was found instead, is a failure. Called only if
   * the state has changed or the work was acknowledged. */
  readonly check: (after: State, before: State, outcome: Outcome) => boolean | string;
  /** True if the work leaves items and history unchanged. */
  readonly isQuiet?: true;
  /** Checks what the work leaves outside the database. */
  readonly look?: () => void;
}

const grew = (after: State, before: State, by: number): boolean | string =>
  after.items.size === before.items.size + by || `${after.items.size - before.items.size} new items, not ${by}`;
const gone = (after: State, ids: readonly string[]): boolean | string => {
  const left = ids.filter((id) => after.items.has(id)).length;
  return left === 0 || `${left} of ${ids.length} items are left`;
};
const someOf = (random: Random, ids: readonly string[], most: number): string[] =>
  ids.length === 0 ? [] : Array.from({ length: 1 + random.below(most) }, () => random.pick(ids));

const WORKS: readonly Work[] = [
  {
    name: 'put',
    prepare(scene) {
      const content = `记忆 ${(scene.serial += 1)} 数据库连接池 getUserById ${'文本 text '.repeat(scene.random.below(400))}`;
      return {
        args: ['put', '--type', 'run', '--content', content],
        check(after, before, { answer }) {
          const id = answer?.['id'];
          if (typeof id === 'string' && after.items.get(id) !== `1 ${content}`)
            return 'the acknowledged item is not there';
          return grew(after, before, 1);
        },
      };
    },
  },
  {
    name: 'put over',
    prepare(scene, before) {
      const content = `over ${(scene.serial += 1)}`;
      const key = `k${scene.random.below(5)}`;
      return {
        args: ['put', '--type', 'project', '--key', key, '--content', content],
        check(after) {
          const changed = [...after.items].filter(([id, value]) => before.items.get(id) !== value);
          return (changed.length === 1 && changed[0]?.[1].endsWith(content)) || `${changed.length} items changed`;
        },
      };
    },
  },
  {
    name: 'import',
    prepare(scene) {
      const count = 20 + scene.random.below(180);
      const lines = Array.from({ length: count }, () =>
        JSON.stringify({
          id: `imported-${(scene.serial += 1)}`,
          type: 'feature',
          content: `导入的内容 ${scene.serial} imported text`,
        }),
      );
      return {
        args: ['import', '--input', '-'],
        input: lines.join('\n'),
        check: (after, before) => grew(after, before, count),
      };
    },
  },
  {
    name: 'delete',
    prepare(scene, before) {
      const ids = [...new Set(someOf(scene.random, [...before.items.keys()], 20))];
      return { args: ['delete', ...ids], check: (after) => gone(after, ids) };
    },
  },
  {
    name: 'restore',
    async prepare(scene, before) {
      const id = scene.random.pick([...before.items.keys()]);
      await must(['delete', id], { db: scene.db });
      return {
        args: ['restore', id],
        check: (after) => after.items.has(id) || 'something else has changed',
      };
    },
  },
  {
    name: 'cleanup',
    async prepare(scene) {
      const time = '2019-01-01T00:00:00.000Z';
      const ids = Array.from({ length: 30 }, () => `stale-${(scene.serial += 1)}`);
      const lines = ids.map((id) =>
        JSON.stringify({ id, type: 'run', content: 'old', created_at: time, updated_at: time }),
      );
      await must(['import', '--input', '-'], { db: scene.db, input: lines.join('\n') });
      return { args: ['cleanup', '--older-than-days', '1000', '--apply'], check: (after) => gone(after, ids) };
    },
  },
  {
    name: 'purge',
    prepare(scene, before) {
      const ids = [...new Set(someOf(scene.random, [...before.items.keys()], 10))];
      return {
        args: ['purge', ...ids, '--apply'],
        check(after) {
          const rows = after.history.filter((entry) => ids.some((id) => entry.startsWith(`${id} `)));
          return rows.length === 0 ? gone(after, ids) : 'the history of a purged item is left';
        },
      };
    },
  },
  {
    name: 'reindex',
    prepare(scene) {
      const db = new DatabaseSync(scene.db);
      db.exec("update meta set value = 'another' where key = 'tokenizer_version'");
      db.close();
      return { args: ['doctor', '--fix'], check: () => 'a new index has changed items', isQuiet: true };
    },
  },
  {
    name: 'export',
    prepare(scene, before) {
      const output = path.join(scene.folder, 'export.jsonl');
      const old = fs.existsSync(output) ? fs.readFileSync(output, 'utf8') : undefined;
      return {
        args: ['export', '--output', output],
        check: () => 'an export has changed items',
        isQuiet: true,
        look() {
          const now = fs.existsSync(output) ? fs.readFileSync(output, 'utf8') : undefined;
          const lines = now?.split('\n').length ?? 0;
          if (now !== old && lines !== before.items.size + 1)
            fail(`the export is neither old nor new: ${lines - 1} lines`);
        },
      };
    },
  },
  {
    name: 'backup',
    prepare(scene) {
      const output = path.join(scene.folder, 'backup.db');
      return {
        args: ['backup', '--output', output, '--overwrite'],
        check: () => 'a backup has changed items',
        isQuiet: true,
        look() {
          if (fs.existsSync(output)) readState(output);
        },
      };
    },
  },
];

/** Kills `count` calls, one after another, on one database that is kept throughout. */
export async function kills(folder: string, random: Random, count: number): Promise<KillCounts> {
  const scene: Scene = {
    db: path.join(folder, 'kills.db'),
    folder,
    random,
    serial: 0,
    paces: new Map(WORKS.map(({ name }) => [name, new Pace()])),
  };
  await must(['init'], { db: scene.db });
  const seed = Array.from({ length: 300 }, (_, at) =>
    JSON.stringify({ id: `seed-${at}`, type: 'project', content: `种子 ${at} seed of the store` }),
  );
  await must(['import', '--input', '-'], { db: scene.db, input: seed.join('\n') });
  const counts: KillCounts = { kills: 0, acknowledged: 0, doneUnasked: 0 };
  while (counts.kills < count) {
    const work = random.pick(WORKS);
    await killOne(scene, work, counts).catch((error: unknown) => {
      throw new Error(
        `after ${counts.kills} kills, in ${work.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    if (readState(scene.db).items.size < 100)
      await must(['import', '--input', '-'], { db: scene.db, input: seed.join('\n') });
  }
  if (count >= ENOUGH_KILLS && counts.acknowledged + counts.doneUnasked === 0)
    fail('no kill came after any work was done');
  return counts;
}

async function killOne(scene: Scene, work: Work, counts: KillCounts): Promise<void> {
  const { db, random } = scene;
  const prepared = await work.prepare(scene, readState(db));
  const before = readState(db);
  const pace = scene.paces.get(work.name) ?? new Pace();
  const startedAt = performance.now();
  const outcome = await run(prepared.args, {
    db,
    killAfterMs: pace.killAfterMs(random),
    input: prepared.input,
  });
  const tookMs = performance.now() - startedAt;
  if (outcome.code !== null && outcome.code !== 0) fail('a call failed by itself', outcome);
  const isAcknowledged = outcome.answer?.['ok'] === true;
  const after = readState(db);
  const isUnchanged = isSameState(after, before);
  if (outcome.code === 0) pace.ended(tookMs);
  else {
    pace.wasKilled(isAcknowledged || !isUnchanged);
    counts.kills += 1;
    if (isAcknowledged) counts.acknowledged += 1;
    else if (!isUnchanged) counts.doneUnasked += 1;
  }
  if (!isUnchanged || (isAcknowledged && prepared.isQuiet === undefined)) {
    const verdict = prepared.check(after, before, outcome);
    if (verdict !== true) fail(`neither all nor nothing: ${String(verdict)}`, outcome);
  }
  prepared.look?.();
}

/** Rows added to those of the Python tool's database, so that its migration takes a while. */
const MORE_ROWS = 400;

/** Kills the first call on a database of the Python tool: what is left is that database or the migrated one, with every
 * row, and the next call continues. */
export async function migrationKills(
  folder: string,
  random: Random,
  count: number,
): Promise<{ kills: number; migrated: number }> {
  const db = path.join(folder, 'python.db');
  const pace = new Pace();
  const counts = { kills: 0, migrated: 0 };
  while (counts.kills < count) {
    for (const name of fs.readdirSync(folder)) if (name.startsWith('python.db')) fs.rmSync(path.join(folder, name));
    const rows = fillPythonDatabase(db);
    const startedAt = performance.now();
    const outcome = await run(['list', '--limit', '1'], {
      db,
      killAfterMs: pace.killAfterMs(random),
    });
    const isMigrated = versionOf(db) > 0;
    if (outcome.code === null) {
      pace.wasKilled(isMigrated);
      counts.kills += 1;
      if (isMigrated) counts.migrated += 1;
    } else pace.ended(performance.now() - startedAt);
    if (isMigrated && readState(db).items.size !== rows) fail('a migration was left half done', outcome);
    const { total } = await must(['list', '--limit', '1'], { db });
    if (total !== rows) fail(`${String(total)} of ${rows} rows are left after a migration`, outcome);
    readState(db);
  }
  if (count >= ENOUGH_KILLS && counts.migrated === 0) fail('no kill came after a migration');
  return counts;
}

function fillPythonDatabase(file: string): number {
  makePythonDatabase(file);
  const db = new DatabaseSync(file);
  const insert = db.prepare(
    "insert into memory_items (id, type, key, content, created_at, updated_at) values (?, 'run', ?, ?, '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00')",
  );
  db.exec('begin');
  for (let at = 0; at < MORE_ROWS; at += 1) insert.run(`more-${at}`, `k${at}`, `旧的记忆 ${at} of the old tool`);
  db.exec('commit');
  const rows = Number(db.prepare('select count(*) as n from memory_items').get()?.['n']);
  db.close();
  return rows;
}

function versionOf(file: string): number {
  const db = new DatabaseSync(file);
  try {
    return Number(db.prepare('pragma user_version').get()?.['user_version']);
  } finally {
    db.close();
  }
}
