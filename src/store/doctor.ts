import { isMemtoolError, MemtoolError, messageOf } from '../core/errors.ts';
import type { DatabaseSync } from 'node:sqlite';
import { AGAIN, sentence, shellWord } from '../core/sentence.ts';
import { ancestorTriggers } from './ancestor.ts';
import { copyBeforeFix, removeCopy } from './backup.ts';
import { check, NAMED_ITEMS, REPAIR, restoreBackupHint, SALVAGE, type Check } from './check-file.ts';
import { indexState, rebuildIndex, replaceDamagedIndex, type IndexTokenizer } from './fts-index.ts';
import { indexProblem, type ShowProgress } from './index-check.ts';
import { checkItems } from './item-checks.ts';
import { number, text } from './rows.ts';
import { areMadeByWrites, isLaterIndex } from './later-indexes.ts';
import { missingParts } from './migrations.ts';
import { finishPurge, isPurgeUnfinished } from './purge.ts';
import { TABLES } from './schema.ts';
import { checkTimes } from './stored-times.ts';
import { Statements } from './statement.ts';
import { isBusy, isConstraint, isCorruption } from './sqlite-errors.ts';
import { transaction, type OpenDatabase } from './transaction.ts';

interface CheckOptions {
  readonly tokenizer: IndexTokenizer;
  readonly progress: ShowProgress;
}

/** How the checks of a database are made. */
interface Examination extends CheckOptions {
  readonly path: string;
  /** True to repair, inside the caller's transaction. */
  readonly fix: boolean;
  /** True if the search index was too damaged to be rebuilt, and has been replaced by an empty one. */
  readonly wasReplaced: boolean;
}

/** Runs every check of an open database. */
export function checkDatabase({ db, file }: OpenDatabase, options: CheckOptions): Check[] {
  return examine(db, { ...options, path: file.path, fix: false, wasReplaced: false });
}

/** Runs every check of an open database, and repairs what can be repaired, all in one transaction; only a purge is
 * finished after it, and a search index that is too damaged is replaced by an empty one before it. With `isCopied`, the
 * database is copied before anything in it is changed: `backup` is the path of the copy. An error leaves no copy, unless
 * something has been changed. */
export function repairDatabase(
  database: OpenDatabase,
  options: CheckOptions & { readonly isCopied: boolean },
): { readonly checks: readonly Check[]; readonly backup: string | undefined } {
  const { db, file } = database;
  let backup: string | undefined;
  let wasReplaced = false;
  let isRepaired = false;
  const copyOnce = (): void => {
    if (options.isCopied) backup ??= copyBeforeFix(file);
  };
  const replaceIndex = (): void => {
    transaction(database, copyOnce);
    replaceDamagedIndex(file);
    wasReplaced = true;
  };
  const repair = (): Check[] =>
    transaction(database, () => {
      copyOnce();
      return examine(db, { ...options, path: file.path, fix: true, wasReplaced });
    });
  try {
    if (isIndexBroken(db, integrityProblems(db))) replaceIndex();
    let checks: Check[];
    try {
      checks = repair();
    } catch (error) {
      if (wasReplaced || !isCorruption(error)) throw error;
      replaceIndex();
      checks = repair();
    }
    isRepaired = true;
    if (checks.some(({ name, status }) => name === 'purge' && status !== 'ok')) {
      finishPurge(database);
      const done = check('purge', 'ok', 'a purge was not finished; the file has been rewritten');
      checks = checks.map((one) => (one.name === 'purge' ? done : one));
    }
    return { checks, backup };
  } catch (error) {
    if (backup === undefined) throw error;
    if (isRepaired) throw naming(error, backup);
    if (wasReplaced) throw incomplete(error, file.path, backup);
    removeCopy(backup);
    throw error;
  }
}

/** The error of a purge that could not be finished after a repair, with the copy that was made before that. */
function naming(error: unknown, backup: string): unknown {
  if (!isMemtoolError(error)) return error;
  const { code, message, told, retryable, context, cause } = error;
  const hint = told.hint ?? '';
  return new MemtoolError(code, message, { hint, retryable, context: { ...context, backup }, cause });
}

/** The DB_ERROR for a repair that has replaced the search index by an empty one, and then failed. */
function incomplete(error: unknown, path: string, backup: string): MemtoolError {
  const message = `the damaged search index has been removed, but not rebuilt: ${messageOf(error)}: ${path}`;
  return new MemtoolError('DB_ERROR', message, {
    hint: sentence`${AGAIN} when the cause is gone; searches scan the texts until then; a copy as it was before is in ${shellWord(backup)}`,
    retryable: isBusy(error),
    context: { db: path, backup },
    cause: error,
  });
}

/** Checks that every table and index of the schema exists. Throws SQLite's error when our memory_items itself does not:
 * the file may belong to another program. */
function checkSchema(db: DatabaseSync, fix: boolean): Check {
  db.prepare('select seq from memory_items limit 0').all();
  const triggers = ancestorTriggers(db);
  if (triggers.length > 0 && !fix)
    return check(
      'schema',
      'error',
      `the Python memtool has used this database since it was migrated, and its triggers (${triggers.join(', ')}) refuse every write`,
      sentence`${REPAIR} removes them; also remove the Python memtool from every hook and configuration that starts it`,
    );
  for (const name of triggers) db.exec(`drop trigger ${name}`);
  const missing = [...missingParts(db, 'table'), ...missingParts(db, 'index')];
  if (missing.length === 0) return check('schema', 'ok', 'every table and index exists');
  const message = `missing: ${missing.join(', ')}`;
  if (!fix && missing.every(isLaterIndex) && areMadeByWrites(db))
    return check(
      'schema',
      'ok',
      `every table exists; the next write creates the indexes that an earlier memtool did not have: ${missing.join(', ')}`,
    );
  if (!fix) return check('schema', 'warning', message, REPAIR);
  db.exec(TABLES);
  return check('schema', 'ok', `${message}; recreated`);
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

/** Runs every check of a database. */
function examine(db: DatabaseSync, options: Examination): Check[] {
  const before = integrityProblems(db);
  const isReindexed = options.fix && before.ofFile.length === 0 && before.ofLookups.length > 0 && reindex(db);
  // what was found first may have left no room for the rest
  const found = isReindexed ? integrityProblems(db) : before;
  const integrity = checkIntegrity(db, found, { ...options, isReindexed });
  if (integrity.status === 'error') return [integrity];
  const schema = checkSchema(db, options.fix);
  // the remaining checks read every table
  if (missingParts(db, 'table').length > 0) return [integrity, schema];
  return [
    integrity,
    schema,
    checkIndex(db, options, found.ofIndex),
    ...checkTimes(db, options.fix, NAMED_ITEMS),
    ...checkItems(db, options.path),
    checkPurge(db),
  ];
}

/** Checks the file. `isReindexed` is true if indexes that did not agree with their tables have been built again. */
function checkIntegrity(
  db: DatabaseSync,
  found: Problems,
  { path, fix, wasReplaced, isReindexed }: Examination & { readonly isReindexed: boolean },
): Check {
  if (isIndexBroken(db, found))
    return check(
      'integrity',
      'error',
      `the search index is damaged, but the memories are intact: ${found.ofFile[0]}`,
      sentence`${REPAIR} rebuilds the index`,
    );
  const { ofFile, ofLookups } = found;
  const [problem] = ofFile.length > 0 || fix ? [...ofFile, ...ofLookups] : [];
  if (problem !== undefined)
    return check(
      'integrity',
      'error',
      `the file is damaged: ${problem}`,
      sentence`save what can be read with: ${SALVAGE}; or ${restoreBackupHint(path)}`,
    );
  if (ofLookups.length > 0)
    return check(
      'integrity',
      'error',
      `an index of the tables is damaged, so that memories are not found by their ids or keys: ${ofLookups[0]}`,
      sentence`${REPAIR} builds it again`,
    );
  if (isReindexed)
    return check('integrity', 'ok', 'an index of the tables was damaged and has been built again; the file is intact');
  return check(
    'integrity',
    'ok',
    wasReplaced ? 'the search index was damaged and has been removed; the file is intact' : 'the file is intact',
  );
}

/** Builds all indexes of the tables again. Returns false if the rows do not allow it (two items with the same id). */
function reindex(db: DatabaseSync): boolean {
  try {
    db.exec('reindex');
    return true;
  } catch (error) {
    if (!isConstraint(error)) throw error;
    return false;
  }
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

/** True if the file is damaged in the search index, or in unused pages, but not in the tables that hold the memories. */
function isIndexBroken(db: DatabaseSync, { ofFile }: Problems): boolean {
  return ofFile.length > 0 && isDataSound(db);
}

function integrityProblems(db: DatabaseSync): Problems {
  const found: string[] = [];
  try {
    // quick_check would not compare the indexes with the tables
    for (const row of db.prepare('pragma integrity_check(100)').iterate()) found.push(text(row, 'integrity_check'));
  } catch (error) {
    // the check stops at a page that it cannot read; what it found before is still valid
    if (!isCorruption(error)) throw error;
    if (found.length === 0) found.push(messageOf(error));
  }
  const problems = Object.groupBy(
    found.filter((problem) => problem !== 'ok'),
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

function checkIndex(db: DatabaseSync, options: Examination, problems: readonly string[]): Check {
  const problem = indexProblem(db, options, problems);
  if (problem === undefined) return check('index', 'ok', 'every item is in the search index');
  if (indexState(new Statements(db), options.tokenizer.version) === 'unavailable') {
    return check('index', 'warning', problem, 'searches scan the texts instead; use a Node.js whose SQLite has FTS5');
  }
  if (!options.fix) return check('index', 'warning', problem, REPAIR);
  const items = number(db.prepare('select count(*) as total from memory_items').get() ?? {}, 'total');
  const progress = options.progress('rebuild', items);
  try {
    rebuildIndex(db, options.tokenizer, () => progress.advance());
  } finally {
    progress.stop();
  }
  return check('index', 'ok', `${problem}; it has been rebuilt for ${items} items`);
}

/** Checks for a purge that removed items but could not rewrite the file: its free pages still hold their text. */
function checkPurge(db: DatabaseSync): Check {
  return isPurgeUnfinished(db)
    ? check('purge', 'warning', 'a purge was not finished: free pages may still hold what was removed', REPAIR)
    : check('purge', 'ok', 'every purge has finished');
}
