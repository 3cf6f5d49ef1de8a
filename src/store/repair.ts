import { isMemtoolError, MemtoolError, messageOf } from '../core/errors.ts';
import type { DatabaseSync } from 'node:sqlite';
import { AGAIN, sentence, shellWord } from '../core/sentence.ts';
import { ancestorTriggers } from './ancestor.ts';
import { copyBeforeFix, removeCopy } from './backup.ts';
import type { Check } from './check-file.ts';
import { checkDatabase, damagedFile, type CheckOptions, type Finding, type Repair } from './doctor.ts';
import { freePages, rebuildIndex, replaceDamagedIndex } from './fts-index.ts';
import { missingParts } from './migrations.ts';
import { finishPurge } from './purge.ts';
import { counted } from '../core/text.ts';
import { number } from './rows.ts';
import { TABLES } from './schema.ts';
import { rewriteTimes } from './stored-times.ts';
import { isBusy, isConstraint, isCorruption } from './sqlite-errors.ts';
import { transaction, type OpenDatabase } from './transaction.ts';

/** Makes a repair inside the caller's transaction, and returns what to say of it. `problem` is what the check has said;
 * what is changed has to be read again, since another process may have written after the check. */
type MakeRepair = (db: DatabaseSync, options: CheckOptions, problem: string) => string;

/** The repairs that are made together in one transaction. */
const IN_TRANSACTION: Readonly<Partial<Record<Repair, MakeRepair>>> = {
  lookups: reindex,
  schema: completeSchema,
  index: rebuild,
  time_forms: rewriteTimes,
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
  /** The repairs that have been made, each with what to say of it. None is made twice. */
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

  /** What can be repaired and has not been, with the message of its check. */
  #leftOf(findings: readonly Finding[]): Map<Repair, string> {
    return new Map(
      findings.flatMap(({ repair, check }) =>
        repair === undefined || this.#done.has(repair) ? [] : [[repair, check.message]],
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
    finishPurge(this.#database);
    this.#done.set('purge', 'a purge was not finished; the file has been rewritten');
  }

  #makeTogether(left: ReadonlyMap<Repair, string>): void {
    const repairs = [...left].flatMap(([repair, problem]) => {
      const make = IN_TRANSACTION[repair];
      return make === undefined ? [] : [{ repair, problem, make }];
    });
    if (repairs.length === 0) return;
    const made = transaction(this.#database, () => {
      this.#copyOnce();
      return repairs.map(
        ({ repair, problem, make }) => [repair, make(this.#database.db, this.#options, problem)] as const,
      );
    });
    for (const [repair, message] of made) this.#done.set(repair, message);
  }

  #replaceIndex(): void {
    transaction(this.#database, () => {
      this.#copyOnce();
    });
    replaceDamagedIndex(this.#database.file);
    this.#done.set('damaged_index', 'the search index was damaged and has been removed; the file is intact');
    freePages(this.#database.file);
  }

  /** Copies the database before its first change, inside the caller's transaction. */
  #copyOnce(): void {
    this.#backup ??= copyBeforeFix(this.#database.file);
  }

  /** A finding after the last repair. */
  #told({ check, repair }: Finding): Check {
    // the repair has not helped
    if (repair === 'lookups' || repair === 'damaged_index') return damagedFile(check.message, this.#database.file.path);
    if (check.status !== 'ok') return check;
    const made = [...this.#done].flatMap(([name, message]) => (checkOf(name) === check.name ? [message] : []));
    return made.length === 0 ? check : { ...check, message: made.join('; ') };
  }

  /** The error of an attempt that has failed: it names the copy if something has been changed, else there is none. */
  errorOf(error: unknown): unknown {
    const backup = this.#backup;
    if (backup === undefined) return error;
    if (this.#done.size === 0) {
      removeCopy(backup);
      return error;
    }
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

/** Builds all indexes of the tables again, unless their rows do not allow it (two items with the same id): the next
 * check finds them damaged then. */
function reindex(db: DatabaseSync): string {
  try {
    db.exec('reindex');
  } catch (error) {
    if (!isConstraint(error)) throw error;
  }
  return 'an index of the tables was damaged and has been built again; the file is intact';
}

/** Creates what is missing of the schema, and drops the triggers of the Python memtool. */
function completeSchema(db: DatabaseSync): string {
  const triggers = ancestorTriggers(db);
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
