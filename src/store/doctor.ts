import type { DatabaseSync } from 'node:sqlite';
import { check, FIX_COMMAND, type Check } from './check-file.ts';
import {
  indexState,
  isIndexProvisional,
  isIndexReadable,
  rebuildIndex,
  replaceDamagedIndex,
  storedTokenizerVersion,
  type IndexTokenizer,
} from './fts-index.ts';
import { number, text } from './rows.ts';
import { areMadeByWrites, isLaterIndex } from './later-indexes.ts';
import { missingParts } from './migrations.ts';
import { finishPurge, isPurgeUnfinished } from './purge.ts';
import { TABLES } from './schema.ts';
import { Statements } from './statement.ts';
import { isCorruption } from './sqlite-errors.ts';
import { transaction } from './transaction.ts';

interface CheckOptions {
  readonly file: string;
  readonly tokenizer: IndexTokenizer;
  readonly fix: boolean;
  readonly progress: (total: number) => { advance(): void; stop(): void };
}

/** Whether every table and index of the schema is there. Throws SQLite's error where the items themselves are not: the
 * file may be anybody's. */
function checkSchema(db: DatabaseSync, fix: boolean): Check {
  db.prepare('select 1 from memory_items limit 0').all();
  const missing = [...missingParts(db, 'table'), ...missingParts(db, 'index')];
  if (missing.length === 0) return check('schema', 'ok', 'every table and index is there');
  const message = `missing: ${missing.join(', ')}`;
  if (!fix && missing.every(isLaterIndex) && areMadeByWrites(db))
    return check(
      'schema',
      'ok',
      `every table is there; the next write makes what an earlier memtool did not: ${missing.join(', ')}`,
    );
  if (!fix) return check('schema', 'warning', message, FIX_COMMAND);
  transaction(db, () => db.exec(TABLES));
  return check('schema', 'ok', `${message}; made anew`);
}

/** Whether the program has the dictionary by which Chinese text is cut. */
export function checkDictionary(tokenizer: IndexTokenizer): Check {
  return tokenizer.hasDictionary
    ? check('dictionary', 'ok', 'the Chinese dictionary is there')
    : check(
        'dictionary',
        'warning',
        'the Chinese dictionary (jieba.bin) is missing from the installation: Chinese text is cut into stretches instead of words',
        'install memtool again; the next write then mends the index',
      );
}

/** Everything that can be asked of an open database. With `fix` the connection must be able to write. */
export function checkDatabase(db: DatabaseSync, options: CheckOptions): Check[] {
  let problems = integrityProblems(db);
  const isIndexBroken = problems.ofFile.length > 0 && isDataSound(db);
  if (isIndexBroken && !options.fix) {
    return [
      check(
        'integrity',
        'error',
        `the search index is damaged, the memories are sound: ${problems.ofFile[0]}`,
        `${FIX_COMMAND} makes the index anew`,
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
        'save what can be read with: memtool export --salvage --output memories.jsonl, or restore a backup',
      ),
    ];
  }
  const first = [
    check(
      'integrity',
      'ok',
      isIndexBroken ? 'the search index was damaged and has been taken out; the file is sound' : 'the file is sound',
    ),
    checkSchema(db, options.fix),
  ];
  // what follows asks every table
  if (missingParts(db, 'table').length > 0) return first;
  return [
    ...first,
    checkIndex(db, options, problems.ofIndex),
    ...ITEM_CHECKS.map((one) => checkItems(db, one)),
    checkPurge(db, options.fix),
  ];
}

/** What SQLite finds wrong; it also asks FTS5 about its index, which is derived and can be made anew. */
function integrityProblems(db: DatabaseSync): { ofFile: string[]; ofIndex: string[] } {
  const found: string[] = [];
  try {
    for (const row of db.prepare('pragma quick_check(100)').iterate()) found.push(text(row, 'quick_check'));
  } catch (error) {
    // the check itself stops at a page that it cannot read; what it found before still counts
    if (!isCorruption(error)) throw error;
    if (found.length === 0) found.push(error instanceof Error ? error.message : String(error));
  }
  const problems = found.filter((problem) => problem !== 'ok');
  return { ofFile: problems.filter((problem) => !isOfIndex(problem)), ofIndex: problems.filter(isOfIndex) };
}

/** True when the tables that hold the memories are sound, so that the damage lies in the index, which can be made anew,
 * or in pages that nothing uses. */
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
  const problem = indexProblem(db, options.tokenizer, problems);
  if (problem === undefined) return check('index', 'ok', 'every item is in the search index');
  if (indexState(db, options.tokenizer.version) === 'unavailable') {
    return check('index', 'warning', problem, 'searches scan the texts instead; use a Node.js whose SQLite has FTS5');
  }
  if (!options.fix) return check('index', 'warning', problem, FIX_COMMAND);
  const items = number(db.prepare('select count(*) as total from memory_items').get() ?? {}, 'total');
  const progress = options.progress(items);
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
  return check('index', 'ok', `${problem}; it has been made anew for ${items} items`);
}

/** What is wrong with the index, undefined when nothing is. Compares the ids of its rows with those of the table, since
 * an index without content cannot be compared by FTS5 itself. */
function indexProblem(db: DatabaseSync, tokenizer: IndexTokenizer, problems: readonly string[]): string | undefined {
  const state = indexState(db, tokenizer.version);
  if (state === 'unavailable') return 'this SQLite has no FTS5';
  if (state === 'missing') return 'the search index is missing';
  if (state === 'outdated') {
    return `the search index was made by tokenizer ${storedTokenizerVersion(db) ?? 'unknown'}, this one is ${tokenizer.version}`;
  }
  if (isIndexProvisional(new Statements(db)) && tokenizer.hasDictionary)
    return 'the search index holds texts that were cut without the Chinese dictionary';
  if (problems.length > 0 || !isIndexReadable(db))
    return `the search index is damaged: ${problems[0] ?? 'it cannot be read'}`;
  const row = db
    .prepare(`
      select
        (select count(*) from memory_items where seq not in (select id from memory_fts_docsize)) as missing,
        (select count(*) from memory_fts_docsize where id not in (select seq from memory_items)) as ghosts`)
    .get();
  const [missing, ghosts] = [number(row ?? {}, 'missing'), number(row ?? {}, 'ghosts')];
  if (missing + ghosts === 0) return undefined;
  return `the search index is out of step: ${missing} items are not in it, ${ghosts} of its rows have no item`;
}

/** How many of the items that a check finds are named. */
const NAMED_ITEMS = 20;

/** What may be wrong with single items. */
interface ItemCheck {
  readonly name: string;
  /** Selects the ids of those with which it is. */
  readonly sql: string;
  /** What is said where there are none. */
  readonly sound: string;
  readonly status: 'warning' | 'error';
  /** What is said of them, before their ids. */
  readonly problem: string;
  readonly fix: string | null;
}

const ITEM_CHECKS: readonly ItemCheck[] = [
  {
    // databases of the Python memtool may have such
    name: 'contents',
    sql: 'select id from memory_items where octet_length(content) = 0',
    sound: 'every item has a content',
    status: 'warning',
    problem: 'some items have no content, and an import of their export would refuse them',
    fix: 'give them one with: memtool put --id ID --content …, or delete them',
  },
  {
    name: 'tags',
    sql: "select id from memory_items where not json_valid(tags_json) or json_type(tags_json) <> 'array'",
    sound: 'all tags can be read',
    status: 'warning',
    problem: 'the tags of some items are broken JSON and read as none',
    fix: 'set them again with: memtool put --id ID --tag …',
  },
  {
    name: 'times',
    sql: "select id from memory_items where updated_sort = '' or unixepoch(created_at) is null",
    sound: 'all times can be read',
    status: 'warning',
    problem: 'some items have a created_at that is no time, or an updated_at, and then sort last',
    fix: 'write them again with: memtool put --id ID --content …',
  },
  {
    // no write can have made these: of a damaged page that SQLite takes for sound
    name: 'numbers',
    sql: `select id from memory_items where version not between 1 and ${Number.MAX_SAFE_INTEGER} or weight not between 0 and 10`,
    sound: 'every version and weight is possible',
    status: 'error',
    problem: 'some items have a version or a weight that cannot be',
    fix: 'save the others with: memtool export --salvage --output memories.jsonl, or restore a backup',
  },
  {
    name: 'logical_keys',
    sql: 'select min(id) as id from memory_items where key is not null group by type, key, task_id, step_id having count(*) > 1',
    sound: 'no two items have the same type, key, task and step',
    status: 'warning',
    problem: 'some items share type, key, task and step; get and put take the newest',
    fix: 'delete the ones that are not wanted',
  },
  {
    name: 'history',
    sql: 'select id from memory_items m where not exists (select 1 from memory_history h where h.item_id = m.id and h.version = m.version)',
    sound: 'every item has its history',
    status: 'warning',
    problem: 'some items were written by another program and have no entry for their version',
    fix: null,
  },
];

function checkItems(db: DatabaseSync, { name, sql, sound, status, problem, fix }: ItemCheck): Check {
  const rows = db.prepare(`${sql} limit ${NAMED_ITEMS}`).all();
  return rows.length === 0
    ? check(name, 'ok', sound)
    : check(name, status, `${problem}: ${rows.map((row) => text(row, 'id')).join(', ')}`, fix);
}

/** A purge that removed items and could not rewrite the file leaves their text in its free pages. */
function checkPurge(db: DatabaseSync, fix: boolean): Check {
  if (!isPurgeUnfinished(db)) return check('purge', 'ok', 'every purge was finished');
  if (!fix)
    return check(
      'purge',
      'warning',
      'a purge was not finished: free pages may still hold what was removed',
      FIX_COMMAND,
    );
  finishPurge(db);
  return check('purge', 'ok', 'a purge was not finished; the file has been rewritten');
}
