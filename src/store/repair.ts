import { isMemtoolError, MemtoolError, messageOf } from '../core/errors.ts';
import type { DatabaseSync } from 'node:sqlite';
import { AGAIN, sentence, shellWord } from '../core/sentence.ts';
import { pythonTriggers } from './python-database.ts';
import { copyBeforeFix, removeCopy } from './backup.ts';
import type { Check } from './check-file.ts';
import { checkDatabase, saveHint, type CheckOptions, type Finding, type Repair } from './doctor.ts';
import { freePages, rebuildIndex, replaceDamagedIndex } from './fts-index.ts';
import { missingParts } from './migrations.ts';
import { finishPurge } from './purge.ts';
import { counted } from '../core/text.ts';
import { number } from './rows.ts';
import { TABLES } from './schema.ts';
import { hasOtherForms, rewriteTimes } from './stored-times.ts';
import { isBusy, isConstraint, isCorruption } from './sqlite-errors.ts';
import { transaction, type OpenDatabase } from './transaction.ts';

/** A repair inside the caller's transaction. What it changes is read again there, since another process may have written
 * after the check. */
interface Work {
  /** False if there is nothing to do any more. */
  readonly isNeeded?: (db: DatabaseSync) => boolean;
  /** Makes it, and returns what to say of it; undefined if the rows do not allow it. `problem` is what the check said. */
  readonly make: (db: DatabaseSync, options: CheckOptions, problem: string) => string | undefined;
}

/** The repairs that are made together in one transaction. */
const TOGETHER: Readonly<Partial<Record<Repair, Work>>> = {
  lookups: { make: reindex },
  schema: { isNeeded: isIncomplete, make: completeSchema },
  index: { make: rebuild },
  time_forms: { isNeeded: hasOtherForms, make: rewriteTimes },
};

/** What a repair of a database has come to. */
interface Outcome {
  readonly checks: readonly Check[];
  /** The path of the copy that was made before anything was changed; undefined if only a purge was finished, which the
   * copy would undo, or if there was nothing to repair. */
  readonly backup: string | undefined;
}

/** Repairs what `findings`, those of `checkDatabase`, name, and checks the database again, until nothing is left that can
 * be repaired: behind damage, the check may find more. Checks hold no lock; each repair is one transaction. An error
 * leaves no copy unless something has been changed, and names it then. */
export function repairDatabase(database: OpenDatabase, options: CheckOptions, findings: readonly Finding[]): Outcome {
  const attempt = new Attempt(database, options);
  try {
    return attempt.run(findings);
  } catch (error) {
    throw attempt.errorOf(error);
  }
}

/** A repair of a database, and what has been done of it. */
class Attempt {
  readonly #database: OpenDatabase;
  readonly #options: CheckOptions;
  /** The repairs that have been tried: none is tried twice. */
  readonly #tried = new Set<Repair>();
  /** Those that have changed something, with what to say of it. */
  readonly #done = new Map<Repair, string>();
  #backup: string | undefined;

  constructor(database: OpenDatabase, options: CheckOptions) {
    this.#database = database;
    this.#options = options;
  }

  run(first: readonly Finding[]): Outcome {
    let findings = first;
    for (let left = this.#leftOf(findings); left.size > 0; left = this.#leftOf(findings)) {
      this.#make(left);
      findings = checkDatabase(this.#database, this.#options);
    }
    return { checks: findings.map((one) => this.#told(one)), backup: this.#backup };
  }

  /** What can be repaired and has not been tried, with the message of its check. */
  #leftOf(findings: readonly Finding[]): Map<Repair, string> {
    return new Map(
      findings.flatMap(({ repair, check }) =>
        repair === undefined || this.#tried.has(repair) ? [] : [[repair, check.message]],
      ),
    );
  }

  #make(left: ReadonlyMap<Repair, string>): void {
    if (left.has('damaged_index')) {
      this.#replaceIndex();
      return;
    }
    try {
      this.#makeTogether(left);
    } catch (error) {
      // damage of the index may appear only when it is dropped
      if (!isCorruption(error) || !left.has('index') || this.#done.has('damaged_index')) throw error;
      this.#replaceIndex();
      return;
    }
    if (!left.has('purge')) return;
    this.#tried.add('purge');
    finishPurge(this.#database);
    this.#done.set('purge', 'a purge was not finished; the file has been rewritten');
  }

  #makeTogether(left: ReadonlyMap<Repair, string>): void {
    const { db } = this.#database;
    const works = [...left].flatMap(([repair, problem]) => {
      const work = TOGETHER[repair];
      return work === undefined ? [] : [{ repair, problem, work }];
    });
    if (works.length === 0) return;
    const made = transaction(this.#database, () => {
      const needed = works.filter(({ work }) => work.isNeeded?.(db) ?? true);
      if (needed.length > 0) this.#copyOnce();
      return needed.map(({ repair, problem, work }) => [repair, work.make(db, this.#options, problem)] as const);
    });
    for (const { repair } of works) this.#tried.add(repair);
    for (const [repair, message] of made) if (message !== undefined) this.#done.set(repair, message);
    if (this.#done.size === 0) this.#removeCopy();
  }

  #replaceIndex(): void {
    transaction(this.#database, () => {
      this.#copyOnce();
    });
    replaceDamagedIndex(this.#database.file);
    this.#tried.add('damaged_index');
    this.#done.set('damaged_index', 'the search index was damaged and has been removed; the file is intact');
    freePages(this.#database.file);
  }

  /** Copies the database before its first change, inside the caller's transaction. */
  #copyOnce(): void {
    this.#backup ??= copyBeforeFix(this.#database.file);
  }

  #removeCopy(): void {
    if (this.#backup !== undefined) removeCopy(this.#backup);
    this.#backup = undefined;
  }

  /** A finding after the last repair. */
  #told({ check, repair }: Finding): Check {
    const made = [...this.#done].flatMap(([name, message]) => (checkOf(name) === check.name ? [message] : []));
    if (check.status === 'ok') return made.length === 0 ? check : { ...check, message: made.join('; ') };
    const message = [check.message, ...made].join('; ');
    // what a repair has not cured, it will not cure next time
    const isIncurable = repair === 'lookups' || repair === 'damaged_index';
    return { ...check, message, ...(isIncurable && { fix: saveHint(this.#database.file.path) }) };
  }

  /** The error of an attempt that has failed: it names the copy if something has been changed, else there is none. */
  errorOf(error: unknown): unknown {
    if (this.#done.size === 0) this.#removeCopy();
    const backup = this.#backup;
    if (backup === undefined) return error;
    const { path } = this.#database.file;
    const isIndexMissing = this.#done.has('damaged_index') && !this.#done.has('index');
    const what = isIndexMissing
      ? 'the damaged search index has been removed, but not rebuilt'
      : 'a part of the repair has been made, but not all of it';
    const meanwhile = isIndexMissing ? '; searches scan the texts until then' : '';
    return new MemtoolError('DB_ERROR', `${what}: ${messageOf(error)}: ${path}`, {
      hint: sentence`${AGAIN} when the cause is gone${meanwhile}; a copy as it was before is in ${shellWord(backup)}`,
      retryable: isBusy(error) || (isMemtoolError(error) && error.retryable),
      context: { db: path, backup },
      cause: error,
    });
  }
}

/** The name of the check whose problem a repair is for. */
function checkOf(repair: Repair): string {
  return repair === 'lookups' || repair === 'damaged_index' ? 'integrity' : repair;
}

/** Builds all indexes of the tables again, unless their rows do not allow it (two items with the same id). */
function reindex(db: DatabaseSync): string | undefined {
  try {
    db.exec('reindex');
  } catch (error) {
    if (!isConstraint(error)) throw error;
    return undefined;
  }
  return 'an index of the tables was damaged and has been built again; the file is intact';
}

function isIncomplete(db: DatabaseSync): boolean {
  return pythonTriggers(db).length + missingParts(db, 'table').length + missingParts(db, 'index').length > 0;
}

/** Creates what is missing of the schema, and drops the triggers of the Python memtool. */
function completeSchema(db: DatabaseSync): string {
  const triggers = pythonTriggers(db);
  for (const name of triggers) db.exec(`drop trigger ${name}`);
  const missing = [...missingParts(db, 'table'), ...missingParts(db, 'index')];
  db.exec(TABLES);
  return [
    ...(triggers.length > 0 ? [`triggers of the Python memtool: ${triggers.join(', ')}; removed`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}; recreated`] : []),
  ].join('; ');
}

function rebuild(db: DatabaseSync, { tokenizer, progress }: CheckOptions, problem: string): string {
  const items = number(db.prepare('select count(*) as total from memory_items').get() ?? {}, 'total');
  const shown = progress('rebuild', items);
  try {
    rebuildIndex(db, tokenizer, () => shown.advance());
  } finally {
    shown.stop();
  }
  return `${problem}; it has been rebuilt for ${counted(items, 'item')}`;
}
