import { messageOf } from '../core/errors.ts';
import type { DatabaseSync } from 'node:sqlite';
import { sentence, type Text } from '../core/sentence.ts';
import { pythonTriggers } from './python-database.ts';
import { check, REPAIR, restoreBackupHint, SALVAGE, type Check } from './check-file.ts';
import { indexState, type IndexTokenizer } from './fts-index.ts';
import { indexProblem, type ShowProgress } from './index-check.ts';
import { checkItems } from './item-checks.ts';
import { text } from './rows.ts';
import { areMadeByWrites, isLaterIndex } from './later-indexes.ts';
import { missingParts } from './migrations.ts';
import { isPurgeUnfinished } from './purge.ts';
import { checkTimes } from './stored-times.ts';
import { Statements } from './statement.ts';
import { isCorruption } from './sqlite-errors.ts';
import type { OpenDatabase } from './transaction.ts';

export interface CheckOptions {
  readonly tokenizer: IndexTokenizer;
  readonly progress: ShowProgress;
}

/** What can be repaired: an index of the tables (`lookups`), a search index that is too damaged to be dropped
 * (`damaged_index`), missing or foreign parts of the schema, a search index that is not that of the items, the form of
 * times, and a purge that was not finished. */
export type Repair = 'lookups' | 'damaged_index' | 'schema' | 'index' | 'time_forms' | 'purge';

/** The result of a check, and what repairs it. */
export interface Finding {
  readonly check: Check;
  readonly repair?: Repair;
}

/** Runs the checks of an open database that its state allows: those behind damage, or a missing table, come when that is
 * repaired. Changes nothing. */
export function checkDatabase({ db, file }: OpenDatabase, options: CheckOptions): Finding[] {
  const problems = integrityProblems(db);
  const integrity = checkIntegrity(db, problems, file.path);
  if (integrity.check.status === 'error') return [integrity];
  const schema = checkSchema(db);
  // the remaining checks read every table
  if (missingParts(db, 'table').length > 0) return [integrity, schema];
  const { times, forms } = checkTimes(db);
  return [
    integrity,
    schema,
    checkIndex(db, options, problems.ofIndex),
    { check: times },
    found(forms, 'time_forms'),
    ...checkItems(db, file.path).map((one) => ({ check: one })),
    checkPurge(db),
  ];
}

/** A finding, to be repaired unless the check found nothing. */
function found(one: Check, repair: Repair): Finding {
  return one.status === 'ok' ? { check: one } : { check: one, repair };
}

/** Checks that every table and index of the schema exists. Throws SQLite's error when our memory_items itself does not:
 * the file may belong to another program. */
function checkSchema(db: DatabaseSync): Finding {
  db.prepare('select seq from memory_items limit 0').all();
  const triggers = pythonTriggers(db);
  if (triggers.length > 0)
    return found(
      check(
        'schema',
        'error',
        `the Python memtool has used this database since it was migrated, and its triggers (${triggers.join(', ')}) refuse every write`,
        sentence`${REPAIR} removes them; also remove the Python memtool from every hook and configuration that starts it`,
      ),
      'schema',
    );
  const missing = [...missingParts(db, 'table'), ...missingParts(db, 'index')];
  if (missing.length === 0) return { check: check('schema', 'ok', 'every table and index exists') };
  if (missing.every(isLaterIndex) && areMadeByWrites(db)) {
    const message = `every table exists; the next write creates the indexes that an earlier memtool did not have: ${missing.join(', ')}`;
    return { check: check('schema', 'ok', message) };
  }
  return found(check('schema', 'warning', `missing: ${missing.join(', ')}`, REPAIR), 'schema');
}

/** Checks that the program has the dictionary by which Chinese text is segmented. */
export function checkDictionary(tokenizer: IndexTokenizer): Check {
  return tokenizer.hasDictionary
    ? check('dictionary', 'ok', 'the Chinese dictionary is installed')
    : check(
        'dictionary',
        'warning',
        'the Chinese dictionary (jieba.bin) is missing from the installation: Chinese text is not split into words',
        'reinstall memtool; the next write then rebuilds the index',
      );
}

/** Checks the file. */
function checkIntegrity(db: DatabaseSync, { ofFile, ofLookups }: Problems, path: string): Finding {
  if (ofFile.length > 0)
    return isDataSound(db)
      ? found(
          check(
            'integrity',
            'error',
            `the search index is damaged, but the memories are intact: ${ofFile[0]}`,
            sentence`${REPAIR} rebuilds the index`,
          ),
          'damaged_index',
        )
      : { check: check('integrity', 'error', `the file is damaged: ${ofFile[0]}`, saveHint(path)) };
  if (ofLookups.length > 0)
    return found(
      check(
        'integrity',
        'error',
        `an index of the tables is damaged, so that memories are not found by their ids or keys: ${ofLookups[0]}`,
        sentence`${REPAIR} builds it again`,
      ),
      'lookups',
    );
  return { check: check('integrity', 'ok', 'the file is intact') };
}

/** What to do about a file that cannot be repaired. */
export function saveHint(path: string): Text {
  return sentence`save what can be read with: ${SALVAGE}; or ${restoreBackupHint(path)}`;
}

/** The problems that SQLite finds in the file. */
interface Problems {
  /** Those that only a copy can cure. */
  readonly ofFile: readonly string[];
  /** Those of the indexes by which rows of the tables are looked up. */
  readonly ofLookups: readonly string[];
  /** Those of the search index. Both kinds of index are derived, and can be built again. */
  readonly ofIndex: readonly string[];
}

function integrityProblems(db: DatabaseSync): Problems {
  const messages: string[] = [];
  try {
    // quick_check would not compare the indexes with the tables
    for (const row of db.prepare('pragma integrity_check(100)').iterate()) messages.push(text(row, 'integrity_check'));
  } catch (error) {
    // the check stops at a page that it cannot read; what it found before is still valid
    if (!isCorruption(error)) throw error;
    if (messages.length === 0) messages.push(messageOf(error));
  }
  const problems = Object.groupBy(
    messages.filter((problem) => problem !== 'ok'),
    kindOf,
  );
  return { ofFile: problems.file ?? [], ofLookups: problems.lookup ?? [], ofIndex: problems.index ?? [] };
}

/** SQLite's messages for an index that does not agree with its table. */
const OF_LOOKUP =
  /^(?:row .* missing from index|row .* values differ from index|rowid not at end-of-record for row .* of index|non-unique entry in index|wrong # of entries in index) \S+$/;

function kindOf(problem: string): 'index' | 'lookup' | 'file' {
  if (problem.includes('FTS5 table') || problem.includes('memory_fts')) return 'index';
  return OF_LOOKUP.test(problem) ? 'lookup' : 'file';
}

/** True when the tables that hold the memories are sound, so that the damage is in the index, which can be rebuilt, or
 * in unused pages. */
function isDataSound(db: DatabaseSync): boolean {
  try {
    return ['memory_items', 'memory_history', 'meta'].every((table) => {
      const rows = db.prepare(`pragma quick_check('${table}')`).all();
      return rows.length === 1 && rows[0] !== undefined && text(rows[0], 'quick_check') === 'ok';
    });
  } catch (error) {
    if (isCorruption(error)) return false;
    throw error;
  }
}

function checkIndex(db: DatabaseSync, options: CheckOptions, problems: readonly string[]): Finding {
  const problem = indexProblem(db, options, problems);
  if (problem === undefined) return { check: check('index', 'ok', 'every item is in the search index') };
  if (indexState(new Statements(db), options.tokenizer.version) === 'unavailable') {
    const remedy = 'searches scan the texts instead; use a Node.js whose SQLite has FTS5';
    return { check: check('index', 'warning', problem, remedy) };
  }
  return found(check('index', 'warning', problem, REPAIR), 'index');
}

/** Checks for a purge that removed items but could not rewrite the file: its free pages still hold their text. */
function checkPurge(db: DatabaseSync): Finding {
  return isPurgeUnfinished(db)
    ? found(
        check('purge', 'warning', 'a purge was not finished: free pages may still hold what was removed', REPAIR),
        'purge',
      )
    : { check: check('purge', 'ok', 'every purge has finished') };
}
