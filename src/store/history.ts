import type { Memory } from '../core/memory.ts';
import type { Statements } from './statement.ts';
import { FIELD_COLUMNS, number, text, toMemory, toParameters, type Row } from './rows.ts';

export const CHANGES = ['insert', 'update', 'delete', 'import', 'restore'] as const;
export type Change = (typeof CHANGES)[number];

/** One entry of an item's history. `memory` is the item as it was in that version (for a deletion: when it was
 * deleted). */
export interface HistoryEntry {
  readonly version: number;
  readonly changed_at: string;
  readonly change: Change;
  readonly memory: Memory;
}

// The fields of the newest version are only in memory_items; its row here has none (type is null) until the version is
// replaced. Example of an item that was put, updated, and deleted:
//
//   version  change  type  content
//   1        insert  run   one       filled in when version 2 replaced it
//   2        update  run   two       filled in when the item was deleted; null before
//   2        delete  null  null      never filled in: the row above holds what was deleted
const COLUMNS = FIELD_COLUMNS.join(', ');

const ARCHIVE = `
update memory_history
set (${COLUMNS}) = (select ${COLUMNS} from memory_items where id = :id)
where item_id = :id and version = :version and type is null and change <> 'delete'`;

const INSERT_ARCHIVED = `
insert into memory_history (item_id, version, changed_at, change, ${COLUMNS})
select id, version, updated_at, 'insert', ${COLUMNS} from memory_items where id = :id`;

/** Copies the stored fields of an item into the history entry of its version, before they are replaced or deleted. */
export function archive(statements: Statements, id: string, version: number): void {
  const { changes } = statements.write(ARCHIVE).run({ id, version });
  // a row that another program inserted has no entry yet
  if (Number(changes) === 0) statements.write(INSERT_ARCHIVED).run({ id });
}

const NOTE = `
insert into memory_history (item_id, version, changed_at, change) values (:id, :version, :changedAt, :change)`;

/** Records that a version was made (its fields stay in memory_items until it is replaced), or that the item was
 * deleted. */
export function note(
  statements: Statements,
  entry: { id: string; version: number; changedAt: string; change: Change },
): void {
  statements.write(NOTE).run(entry);
}

const NOTE_WHOLE = `
insert into memory_history (item_id, version, changed_at, change, ${COLUMNS})
values (:item_id, :version, :changed_at, :change, ${FIELD_COLUMNS.map((column) => `:${column}`).join(', ')})`;

/** Adds an entry with its fields, as an import with history does. */
export function noteWhole(statements: Statements, entry: HistoryEntry): void {
  const { id, ...parameters } = toParameters(entry.memory);
  const { version, changed_at, change } = entry;
  statements.write(NOTE_WHOLE).run({ ...parameters, item_id: id ?? '', version, changed_at, change });
}

/** True for a row whose fields are known. They are unknown if another program has replaced the item. */
const IS_KNOWN = `(h.type is not null
  or h.version = (select m.version from memory_items m where m.id = h.item_id)
  or exists (select 1 from memory_history o where o.item_id = h.item_id and o.version = h.version and o.type is not null))`;

const HISTORY = `
select item_id as id, version, changed_at, change, ${COLUMNS} from memory_history h
where item_id = :id and ${IS_KNOWN} order by seq desc limit :rows`;

/** The history of an item, newest first, at most `limit` entries; empty when the id was never used. If another program
 * wrote the current version, it has no entry: the item itself then serves as one. */
export function historyOf(
  statements: Statements,
  id: string,
  current: Memory | undefined,
  limit?: number,
): HistoryEntry[] {
  // one row more, since the fields of a deleted version are in the row after that of its deletion
  const rows = statements.read(HISTORY).all({ id, rows: limit === undefined ? -1 : limit + 1 });
  const fieldsByVersion = new Map<number, Memory>();
  for (const row of rows) {
    if (row['type'] !== null) fieldsByVersion.set(number(row, 'version'), toMemory(row));
  }
  if (current !== undefined) fieldsByVersion.set(current.version, current);
  const entries = rows.flatMap((row) => {
    const memory = fieldsByVersion.get(number(row, 'version'));
    return memory === undefined ? [] : [toEntry(row, memory)];
  });
  if (current === undefined || entries.some(({ version }) => version === current.version))
    return entries.slice(0, limit);
  const own = {
    version: current.version,
    changed_at: current.updated_at,
    change: current.version > 1 ? ('update' as const) : ('insert' as const),
    memory: current,
  };
  return [own, ...entries].slice(0, limit);
}

/** How many entries the history of an item has. */
export function historyLength(statements: Statements, id: string): number {
  const row = statements
    .read(`
      select (select count(*) from memory_history h where h.item_id = :id and ${IS_KNOWN}) + (
        select count(*) from memory_items m where m.id = :id and not exists (
          select 1 from memory_history h where h.item_id = m.id and h.version = m.version)) as entries`)
    .get({ id });
  return row === undefined ? 0 : number(row, 'entries');
}

/** The item as it was in an earlier version, read in one query; without `version`, in the last one whose fields the
 * history holds. Undefined when there is no such version, or it is the current one. */
export function earlierVersion(statements: Statements, id: string, version: number | undefined): Memory | undefined {
  const row = statements
    .read(`
      select item_id as id, version, ${COLUMNS} from memory_history
      where item_id = :id and (:version is null or version = :version) and type is not null
      order by seq desc limit 1`)
    .get({ id, version: version ?? null });
  return row && toMemory(row);
}

function toEntry(row: Row, memory: Memory): HistoryEntry {
  return {
    version: number(row, 'version'),
    changed_at: text(row, 'changed_at'),
    // the table's CHECK admits nothing else
    change: text(row, 'change') as Change,
    memory,
  };
}

/** Highest version that an id ever had, 0 when it was never used. */
export function lastVersion(statements: Statements, id: string): number {
  const row = statements.read('select max(version) as version from memory_history where item_id = :id').get({ id });
  return row === undefined ? 0 : number(row, 'version');
}
