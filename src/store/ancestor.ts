import type { DatabaseSync } from 'node:sqlite';
import { CONFIDENCE_LEVELS, DEFAULT_CONFIDENCE, DEFAULT_WEIGHT } from '../core/memory.ts';
import { formatTimestamp, parseTimestamp } from '../core/time.ts';
import { number, text, textOrNull, type Row } from './rows.ts';
import { Statements } from './statement.ts';
import { TABLES } from './schema.ts';

/** Migrates the tables of the Python tool of the same name (see docs/storage.md) to the current schema, inside the
 * caller's transaction. Keeps every item and every history row; columns that the Python tool had itself abandoned
 * remain only in the backup copy. */
export function migrateAncestor(db: DatabaseSync): void {
  for (const { name } of db
    .prepare("select name from sqlite_master where type = 'trigger' and tbl_name like 'memory_%'")
    .all()) {
    db.exec(`drop trigger "${String(name).replaceAll('"', '""')}"`);
  }
  db.exec('drop table if exists memory_fts');
  const hasHistory =
    db.prepare("select 1 from sqlite_master where type = 'table' and name = 'memory_history'").get() !== undefined;
  db.exec('alter table memory_items rename to ancestor_items');
  if (hasHistory) db.exec('alter table memory_history rename to ancestor_history');
  dropIndexesOf(db);
  db.exec(TABLES);
  copyItems(db);
  if (hasHistory) copyHistory(db);
  // the ancestor does not record the change that made the current version
  db.exec(`
    insert into memory_history (item_id, version, changed_at, change)
    select id, version, updated_at, case when version > 1 then 'update' else 'insert' end from memory_items`);
  db.exec('drop table ancestor_items');
  if (hasHistory) db.exec('drop table ancestor_history');
}

/** Drops the ancestor's indexes: they have the same names as ours. */
function dropIndexesOf(db: DatabaseSync): void {
  const indexes = db
    .prepare("select name from sqlite_master where type = 'index' and tbl_name like 'ancestor_%' and sql is not null")
    .all();
  for (const { name } of indexes) db.exec(`drop index "${String(name).replaceAll('"', '""')}"`);
}

function copyItems(db: DatabaseSync): void {
  const insert = new Statements(db).write(`
    insert into memory_items (id, type, task_id, step_id, key, tags_json, source, weight, version, created_at, updated_at,
      confidence_level, verified_by, content)
    values (:id, :type, :task_id, :step_id, :key, :tags_json, :source, :weight, :version, :created_at, :updated_at,
      :confidence_level, :verified_by, :content)`);
  for (const row of db.prepare('select * from ancestor_items order by rowid').iterate()) {
    insert.run({
      id: text(row, 'id'),
      type: text(row, 'type'),
      task_id: nameOrNull(row, 'task_id'),
      step_id: nameOrNull(row, 'step_id'),
      key: nameOrNull(row, 'key'),
      source: nameOrNull(row, 'source'),
      version: number(row, 'version') || 1,
      created_at: canonical(text(row, 'created_at')),
      updated_at: canonical(text(row, 'updated_at')),
      verified_by: nameOrNull(row, 'verified_by'),
      content: text(row, 'content'),
      ...sharedFields(row),
    });
  }
}

/** The columns that the ancestor has in both its items and its history, as they are stored now. */
function sharedFields(row: Row) {
  const level = textOrNull(row, 'confidence_level');
  const weight = row['weight'];
  return {
    tags_json: textOrNull(row, 'tags_json') ?? '[]',
    weight: typeof weight === 'number' ? Math.min(10, Math.max(0, weight)) : DEFAULT_WEIGHT,
    confidence_level: CONFIDENCE_LEVELS.some((known) => known === level) ? level : DEFAULT_CONFIDENCE,
  };
}

/** Copies the ancestor's history. Its rows hold a version as it was until `changed_at`; ours record when a version was
 * made. Fields that it did not keep (type, key and the like) come from the item; the type of a deleted item is taken to
 * be feature, as in the ancestor's own import. */
function copyHistory(db: DatabaseSync): void {
  const insert = new Statements(db).write(`
    insert into memory_history (item_id, version, changed_at, change, type, task_id, step_id, key, tags_json, source, weight,
      created_at, updated_at, confidence_level, verified_by, content)
    values (:item_id, :version, :changed_at, :change, :type, :task_id, :step_id, :key, :tags_json, :source, :weight,
      :created_at, :updated_at, :confidence_level, :verified_by, :content)`);
  const note = new Statements(db).write(`
    insert into memory_history (item_id, version, changed_at, change) values (:item_id, :version, :changed_at, 'delete')`);
  const rows = db.prepare(`
    select h.*, i.type, i.task_id, i.step_id, i.key, i.source, i.created_at,
      lag(h.changed_at) over (partition by h.item_id order by h.version, h.id) as made_at
    from ancestor_history h left join memory_items i on i.id = h.item_id
    order by h.item_id, h.version, h.id`);
  for (const row of rows.iterate()) {
    const replacedAt = canonical(text(row, 'changed_at'));
    const madeAt = canonical(textOrNull(row, 'made_at') ?? textOrNull(row, 'created_at') ?? replacedAt);
    insert.run({
      item_id: text(row, 'item_id'),
      version: number(row, 'version') || 1,
      changed_at: madeAt,
      change: number(row, 'version') > 1 ? 'update' : 'insert',
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
    if (textOrNull(row, 'change_type') === 'delete') {
      note.run({ item_id: text(row, 'item_id'), version: number(row, 'version') || 1, changed_at: replacedAt });
    }
  }
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
