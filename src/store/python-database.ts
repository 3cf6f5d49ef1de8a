import type { DatabaseSync } from 'node:sqlite';
import {
  CONFIDENCE_LEVELS,
  DEFAULT_CONFIDENCE,
  DEFAULT_WEIGHT,
  MAX_VERSION,
  MEMORY_TYPES,
  type MemoryType,
} from '../core/memory.ts';
import { MemtoolError } from '../core/errors.ts';
import { shellWord } from '../core/sentence.ts';
import { formatTimestamp, parseTimestamp } from '../core/time.ts';
import { dropIndex } from './fts-index.ts';
import { number, text, textOrNull, type Row } from './rows.ts';
import { Statements } from './statement.ts';
import { partsOfSchema, TABLES } from './schema.ts';

/** The tables of the Python tool that are migrated. */
const PYTHON_TABLES = ['memory_items', 'memory_history'] as const;

/** Migrates the tables of the Python tool of the same name (see docs/storage.md) to the current schema, inside the
 * caller's transaction, in which foreign keys are off. Keeps every item and every history row; columns that the Python
 * tool had itself abandoned remain only in the backup copy. SQLite does not enforce the types of those tables, so every
 * value is converted to the type of its column here. Throws DB_ERROR if something of the user's own has a name that the
 * schema needs. */
export function migratePythonDatabase(db: DatabaseSync, file: string): void {
  dropAll(db, 'trigger', PYTHON_TABLES);
  dropIndex(db);
  const hasHistory =
    db.prepare("select 1 from sqlite_master where type = 'table' and name = 'memory_history'").get() !== undefined;
  db.exec('alter table memory_items rename to python_items');
  if (hasHistory) db.exec('alter table memory_history rename to python_history');
  // they have the same names as ours
  dropAll(db, 'index', ['python_items', 'python_history']);
  refuseTakenNames(db, file);
  db.exec(TABLES);
  copyItems(db);
  if (hasHistory) copyHistory(db);
  // the Python tool does not record the change that made the current version
  db.exec(`
    insert into memory_history (item_id, version, changed_at, change)
    select id, version, updated_at, case when version > 1 then 'update' else 'insert' end from memory_items`);
  db.exec('drop table python_items');
  if (hasHistory) db.exec('drop table python_history');
}

/** Throws DB_ERROR if a name that the schema needs is taken: what has it is not the Python tool's, so it is neither
 * changed nor used. */
function refuseTakenNames(db: DatabaseSync, file: string): void {
  const names = JSON.stringify(partsOfSchema().map(({ name }) => name));
  const taken = db
    .prepare('select type, name from sqlite_master where lower(name) in (select value from json_each(:names))')
    .get({ names });
  if (taken === undefined) return;
  const [type, name] = [text(taken, 'type'), text(taken, 'name')];
  throw new MemtoolError(
    'DB_ERROR',
    `the database cannot be migrated: ${name}, a name that memtool needs, is that of a ${type} of your own: ${file}`,
    {
      hint:
        type === 'table'
          ? `rename the table, and run the command again: sqlite3 ${shellWord(file)} 'alter table ${name} rename to my_${name}'`
          : `drop or rename the ${type} with sqlite3, and run the command again`,
      context: { db: file },
    },
  );
}

/** The triggers that the Python tool makes on memory_items whenever it opens a database. They write columns that
 * memory_fts does not have now. */
export function pythonTriggers(db: DatabaseSync): string[] {
  return db
    .prepare(`
      select name from sqlite_master
      where type = 'trigger' and tbl_name = 'memory_items' and name in ('memory_ai', 'memory_ad', 'memory_au')`)
    .all()
    .map((row) => text(row, 'name'));
}

/** Drops the triggers or indexes of some tables. */
function dropAll(db: DatabaseSync, kind: 'trigger' | 'index', tables: readonly string[]): void {
  const rows = db
    .prepare(
      `select name from sqlite_master
      where type = :kind and tbl_name in (select value from json_each(:tables)) and sql is not null`,
    )
    .all({ kind, tables: JSON.stringify(tables) });
  for (const { name } of rows) db.exec(`drop ${kind} "${String(name).replaceAll('"', '""')}"`);
}

/** The columns of a table as SQL, whatever the table holds and also if it lacks them. */
interface Columns {
  /** Text columns with their names: a blob is read as UTF-8, a missing column is null. */
  readonly texts: (...names: readonly string[]) => string;
  /** `version`, an integer from 1 to `MAX_VERSION`. */
  readonly version: string;
  /** `weight`, a number from 0 to 10. */
  readonly weight: string;
}

function columnsOf(db: DatabaseSync, table: string): Columns {
  const rows = db.prepare(`pragma table_info(${table})`).all();
  const known = new Set(rows.map((row) => text(row, 'name')));
  const raw = (name: string): string => (known.has(name) ? name : 'null');
  return {
    texts: (...names) => names.map((name) => `cast(${raw(name)} as text) as ${name}`).join(', '),
    version: `coalesce(max(1, min(${MAX_VERSION}, cast(${raw('version')} as integer))), 1) as version`,
    weight: `case when typeof(${raw('weight')}) in ('integer', 'real') then max(0.0, min(10.0, ${raw('weight')}))
      else ${DEFAULT_WEIGHT} end as weight`,
  };
}

function copyItems(db: DatabaseSync): void {
  const statements = new Statements(db);
  const insert = statements.write(`
    insert into memory_items (id, type, task_id, step_id, key, tags_json, source, weight, version, created_at, updated_at,
      confidence_level, verified_by, content)
    values (:id, :type, :task_id, :step_id, :key, :tags_json, :source, :weight, :version, :created_at, :updated_at,
      :confidence_level, :verified_by, :content)`);
  const isUsed = statements.read(`
    select 1 from memory_items where id = :id union all select 1 from python_items where id = :id`);
  const isTaken = statements.read('select 1 from memory_items where id = :id');
  const columns = columnsOf(db, 'python_items');
  const rows = db.prepare(`
    select rowid as place, ${columns.version}, ${columns.weight},
      ${columns.texts('id', 'type', 'task_id', 'step_id', 'key', 'source', 'created_at', 'updated_at', 'verified_by')},
      ${columns.texts('content', 'tags_json', 'confidence_level')}
    from python_items order by rowid`);
  for (const row of rows.iterate()) {
    let id = textOrNull(row, 'id') ?? '';
    // a primary key of text may be null, and blobs may become equal texts
    if (id === '' || isTaken.get({ id }) !== undefined) {
      const named = `row-${number(row, 'place')}`;
      id = named;
      for (let n = 2; isUsed.get({ id }) !== undefined; n += 1) id = `${named}-${n}`;
    }
    insert.run({
      id,
      type: toType(textOrNull(row, 'type')),
      task_id: nameOrNull(row, 'task_id'),
      step_id: nameOrNull(row, 'step_id'),
      key: nameOrNull(row, 'key'),
      source: nameOrNull(row, 'source'),
      version: number(row, 'version'),
      created_at: canonical(text(row, 'created_at')),
      updated_at: canonical(text(row, 'updated_at')),
      verified_by: nameOrNull(row, 'verified_by'),
      content: text(row, 'content'),
      ...sharedFields(row),
    });
  }
}

/** The columns that the Python tool has in both its items and its history, as they are stored now. */
function sharedFields(row: Row) {
  const level = textOrNull(row, 'confidence_level')?.trim().toLowerCase();
  return {
    tags_json: toTagsJson(textOrNull(row, 'tags_json') ?? '[]'),
    weight: number(row, 'weight'),
    confidence_level: CONFIDENCE_LEVELS.find((known) => known === level) ?? DEFAULT_CONFIDENCE,
  };
}

/** the Python tool's own default, for an item without a layer. */
function toType(type: string | null): MemoryType {
  return MEMORY_TYPES.find((known) => known === type) ?? 'feature';
}

/** Tags as they are stored now: in NFC, trimmed, each once. Text that is not a list of tags becomes a tag itself: the
 * next write would replace what cannot be read. */
function toTagsJson(json: string): string {
  const tags = listOfTags(json) ?? [json];
  const names = tags.map((tag) => tag.normalize('NFC').trim()).filter((tag) => tag !== '');
  return JSON.stringify([...new Set(names)]);
}

/** Returns the tags of a JSON text; undefined if it is anything else. A number is taken as it is written, with all its
 * digits. */
function listOfTags(json: string): readonly string[] | undefined {
  try {
    const tags: unknown = JSON.parse(json, (_name, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? context?.source : value,
    );
    if (tags === null) return [];
    return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') ? tags : undefined;
  } catch {
    return undefined;
  }
}

/** Copies the Python tool's history. Its rows hold a version as it was until `changed_at`; ours record when a version was
 * made. Fields that it did not keep (type, key and the like) come from the item; the type of a deleted item is taken to
 * be feature, as in the Python tool's own import. The Python tool did not record deletions either: an item counts as deleted
 * when its last known version was replaced. Its import also set versions back, so that their numbers repeat: each row
 * then gets the next number, and the current version one above all of them. */
function copyHistory(db: DatabaseSync): void {
  const statements = new Statements(db);
  const insert = statements.write(`
    insert into memory_history (item_id, version, changed_at, change, type, task_id, step_id, key, tags_json, source, weight,
      created_at, updated_at, confidence_level, verified_by, content)
    values (:item_id, :version, :changed_at, :change, :type, :task_id, :step_id, :key, :tags_json, :source, :weight,
      :created_at, :updated_at, :confidence_level, :verified_by, :content)`);
  const note = statements.write(`
    insert into memory_history (item_id, version, changed_at, change) values (:item_id, :version, :changed_at, 'delete')`);
  const raise = statements.write(
    'update memory_items set version = :version + 1 where id = :item_id and version <= :version',
  );
  const columns = columnsOf(db, 'python_history');
  const rows = db.prepare(`
    select h.*, i.type, i.task_id, i.step_id, i.key, i.source, i.created_at,
      lag(h.changed_at) over (partition by h.item_id order by h.place) as made_at,
      i.id is null and h.place = max(h.place) over (partition by h.item_id) as is_end
    from (
      select rowid as place, ${columns.version}, ${columns.weight},
        ${columns.texts('item_id', 'content', 'tags_json', 'confidence_level', 'changed_at', 'change_type')}
      from python_history) h
    left join memory_items i on i.id = h.item_id
    order by h.item_id, h.place`);
  let last = { item_id: '', version: 0 };
  for (const row of rows.iterate()) {
    const itemId = text(row, 'item_id');
    if (itemId !== last.item_id) {
      raise.run(last);
      last = { item_id: itemId, version: 0 };
    }
    const version = Math.max(number(row, 'version'), last.version + 1);
    last = { item_id: itemId, version };
    const replacedAt = canonical(text(row, 'changed_at'));
    const madeAt = canonical(textOrNull(row, 'made_at') ?? textOrNull(row, 'created_at') ?? replacedAt);
    insert.run({
      item_id: itemId,
      version,
      changed_at: madeAt,
      change: version > 1 ? 'update' : 'insert',
      type: textOrNull(row, 'type') ?? 'feature',
      task_id: nameOrNull(row, 'task_id'),
      step_id: nameOrNull(row, 'step_id'),
      key: nameOrNull(row, 'key'),
      source: nameOrNull(row, 'source'),
      created_at: canonical(textOrNull(row, 'created_at') ?? madeAt),
      updated_at: madeAt,
      verified_by: null,
      content: text(row, 'content'),
      ...sharedFields(row),
    });
    if (textOrNull(row, 'change_type') === 'delete' || number(row, 'is_end') === 1)
      note.run({ item_id: itemId, version, changed_at: replacedAt });
  }
  raise.run(last);
}

/** A time in the stored form; a time that cannot be parsed is kept verbatim, and doctor reports it. */
function canonical(time: string): string {
  const ms = parseTimestamp(time);
  return ms === undefined ? time : formatTimestamp(ms);
}

/** A name in NFC, the form in which names are looked up; null for an empty name. */
function nameOrNull(row: Row, column: string): string | null {
  return textOrNull(row, column)?.normalize('NFC') || null;
}
