import { messageOf } from '../core/errors.ts';
import type { DatabaseSync } from 'node:sqlite';
import { command, sentence, type Text } from '../core/sentence.ts';
import { ancestorTriggers } from './ancestor.ts';
import { check, NAMED_ITEMS, REPAIR, restoreBackupHint, SALVAGE, type Check } from './check-file.ts';
import { indexState, rebuildIndex, replaceDamagedIndex, type IndexTokenizer } from './fts-index.ts';
import { indexProblem, type ShowProgress } from './index-check.ts';
import { number, text } from './rows.ts';
import { areMadeByWrites, isLaterIndex } from './later-indexes.ts';
import { missingParts } from './migrations.ts';
import { finishPurge, isPurgeUnfinished } from './purge.ts';
import { TABLES } from './schema.ts';
import { checkTimes } from './stored-times.ts';
import { Statements } from './statement.ts';
import { isCorruption } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

interface CheckOptions {
  readonly file: string;
  readonly tokenizer: IndexTokenizer;
  readonly fix: boolean;
  readonly progress: ShowProgress;
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
  transaction(db, () => db.exec(TABLES));
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

/** Runs every check of an open database. With `fix` the connection must be able to write. */
export function checkDatabase(db: DatabaseSync, options: CheckOptions): Check[] {
  let problems = integrityProblems(db);
  const isIndexBroken = problems.ofFile.length > 0 && isDataSound(db);
  if (isIndexBroken && !options.fix) {
    return [
      check(
        'integrity',
        'error',
        `the search index is damaged, but the memories are intact: ${problems.ofFile[0]}`,
        sentence`${REPAIR} rebuilds the index`,
      ),
    ];
  }
  if (isIndexBroken) {
    replaceDamagedIndex(options.file);
    problems = integrityProblems(db);
  }
  if (problems.ofFile.length > 0) {
    return [
      check(
        'integrity',
        'error',
        `the file is damaged: ${problems.ofFile[0]}`,
        sentence`save what can be read with: ${SALVAGE}; or ${restoreBackupHint(options.file)}`,
      ),
    ];
  }
  const first = [
    check(
      'integrity',
      'ok',
      isIndexBroken ? 'the search index was damaged and has been removed; the file is intact' : 'the file is intact',
    ),
    checkSchema(db, options.fix),
  ];
  // the remaining checks read every table
  if (missingParts(db, 'table').length > 0) return first;
  return [
    ...first,
    checkIndex(db, options, problems.ofIndex),
    ...checkTimes(db, options.fix, NAMED_ITEMS),
    ...ITEM_CHECKS.map((one) => checkItems(db, one, options.file)),
    checkPurge(db, options.fix),
  ];
}

/** The problems that SQLite finds in the file, and those in the FTS5 index, which is derived and can be rebuilt. */
function integrityProblems(db: DatabaseSync): { ofFile: string[]; ofIndex: string[] } {
  const found: string[] = [];
  try {
    for (const row of db.prepare('pragma quick_check(100)').iterate()) found.push(text(row, 'quick_check'));
  } catch (error) {
    // the check stops at a page that it cannot read; what it found before is still valid
    if (!isCorruption(error)) throw error;
    if (found.length === 0) found.push(messageOf(error));
  }
  const problems = found.filter((problem) => problem !== 'ok');
  return { ofFile: problems.filter((problem) => !isOfIndex(problem)), ofIndex: problems.filter(isOfIndex) };
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

function isOfIndex(problem: string): boolean {
  return problem.includes('FTS5 table') || problem.includes('memory_fts');
}

function checkIndex(db: DatabaseSync, options: CheckOptions, problems: readonly string[]): Check {
  const problem = indexProblem(db, options, problems);
  if (problem === undefined) return check('index', 'ok', 'every item is in the search index');
  if (indexState(new Statements(db), options.tokenizer.version) === 'unavailable') {
    return check('index', 'warning', problem, 'searches scan the texts instead; use a Node.js whose SQLite has FTS5');
  }
  if (!options.fix) return check('index', 'warning', problem, REPAIR);
  const items = number(db.prepare('select count(*) as total from memory_items').get() ?? {}, 'total');
  const progress = options.progress('rebuild', items);
  const rebuild = (): void => transaction(db, () => rebuildIndex(db, options.tokenizer, () => progress.advance()));
  try {
    rebuild();
  } catch (error) {
    if (!isCorruption(error)) throw error;
    replaceDamagedIndex(options.file);
    rebuild();
  } finally {
    progress.stop();
  }
  return check('index', 'ok', `${problem}; it has been rebuilt for ${items} items`);
}

/** A check of single items. */
interface ItemCheck {
  readonly name: string;
  /** Selects the ids of the items that have the problem. */
  readonly sql: string;
  /** The message when there are none. */
  readonly sound: string;
  readonly status: 'warning' | 'error';
  /** The message when there are some, before their ids. */
  readonly problem: string;
  readonly fix: Text | null | ((file: string) => Text);
}

const ITEM_CHECKS: readonly ItemCheck[] = [
  {
    // possible in databases of the Python memtool
    name: 'contents',
    sql: 'select id from memory_items where octet_length(content) = 0',
    sound: 'every item has content',
    status: 'warning',
    problem: 'some items have no content, so that an import of their export would refuse them',
    fix: sentence`add content with: ${command('put', { id: 'ID', content: 'TEXT' })}, or delete them`,
  },
  {
    name: 'tags',
    sql: "select id from memory_items where not json_valid(tags_json) or json_type(tags_json) <> 'array'",
    sound: 'all tags can be read',
    status: 'warning',
    problem: 'the tags of some items are not a JSON array and are ignored',
    fix: sentence`set them again with: ${command('put', { id: 'ID', tag: '…' })}`,
  },
  {
    // no write can have made these: they come from a damaged page that SQLite takes to be sound
    name: 'versions',
    sql: `select id from memory_items where version not between 1 and ${Number.MAX_SAFE_INTEGER}`,
    sound: 'every version is in range',
    status: 'error',
    problem: 'some items have a version out of range, which only damage can cause',
    fix: (file) => sentence`save the others with: ${SALVAGE}; or ${restoreBackupHint(file)}`,
  },
  {
    name: 'weights',
    sql: 'select id from memory_items where weight not between 0 and 10',
    sound: 'every weight is in range',
    status: 'error',
    problem: 'another program or damage has set the weight of some items out of range',
    fix: sentence`set it again with: ${command('put', { id: 'ID', weight: 1 })}`,
  },
  {
    name: 'logical_keys',
    // the oldest and the newest id of a group, as they sort
    sql: `select min(id) || ' / ' || max(id) || iif(count(*) > 2, ' / …', '') as id
      from memory_items where key is not null group by type, key, task_id, step_id having count(*) > 1`,
    sound: 'no two items have the same type, key, task and step',
    status: 'warning',
    problem: 'some items share type, key, task and step; get and put use the newest',
    fix: sentence`see them with: ${command('list', { key: 'KEY' })}, and delete those that are not needed`,
  },
  {
    name: 'history',
    sql: 'select id from memory_items m where not exists (select 1 from memory_history h where h.item_id = m.id and h.version = m.version)',
    sound: 'every item has its history',
    status: 'warning',
    problem: 'some items were written by another program and have no history entry for their version',
    fix: null,
  },
];

function checkItems(db: DatabaseSync, { name, sql, sound, status, problem, fix }: ItemCheck, file: string): Check {
  const rows = db.prepare(`${sql} limit ${NAMED_ITEMS}`).all();
  return rows.length === 0
    ? check(name, 'ok', sound)
    : check(
        name,
        status,
        `${problem}: ${rows.map((row) => text(row, 'id')).join(', ')}`,
        typeof fix === 'function' ? fix(file) : fix,
      );
}

/** Checks for a purge that removed items but could not rewrite the file: its free pages still hold their text. */
function checkPurge(db: DatabaseSync, fix: boolean): Check {
  if (!isPurgeUnfinished(db)) return check('purge', 'ok', 'every purge has finished');
  if (!fix)
    return check('purge', 'warning', 'a purge was not finished: free pages may still hold what was removed', REPAIR);
  finishPurge(db);
  return check('purge', 'ok', 'a purge was not finished; the file has been rewritten');
}
