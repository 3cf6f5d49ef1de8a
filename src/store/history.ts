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

/** The row of the stored version, whose fields are in memory_items; null if another program wrote that version. Another
 * program may also have set a version back, and so left an older row of the same number without fields. */
const CURRENT_ROW = `
select max(c.seq) from memory_history c join memory_items m on m.id = c.item_id and m.version = c.version
where m.id = :id and c.type is null and c.change <> 'delete'`;

const ARCHIVE = `
update memory_history set (${COLUMNS}) = (select ${COLUMNS} from memory_items where id = :id)
where seq = (${CURRENT_ROW})`;

/** What another program did to an item, as far as can be told: it made it, or a later version. */
const FOREIGN_CHANGE = `iif(version > 1, 'update', 'insert')`;

const INSERT_ARCHIVED = `
insert into memory_history (item_id, version, changed_at, change, ${COLUMNS})
select id, version, updated_at, ${FOREIGN_CHANGE}, ${COLUMNS} from memory_items where id = :id`;

/** Copies the stored fields of an item into the history entry of its version, before they are replaced or deleted. */
export function archive(statements: Statements, id: string): void {
  const { changes } = statements.write(ARCHIVE).run({ id });
  // a version that another program wrote has no entry yet
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

/** The entries of an item whose fields are known; those of another program's changes may be lost. `o` is the row that
 * holds the fields of a deleted version. */
const ENTRIES = `
from memory_history h
left join memory_history o on h.change = 'delete' and h.type is null and o.seq = (
  select max(p.seq) from memory_history p
  where p.item_id = h.item_id and p.version = h.version and p.seq < h.seq and p.type is not null)
where h.item_id = :id and (h.type is not null or o.type is not null or h.seq = (${CURRENT_ROW}))`;

/** One entry of an item, by its row. */
const ENTRY = `
select h.item_id as id, h.version, h.changed_at, h.change,
  ${FIELD_COLUMNS.map((column) => `iif(h.type is null, o.${column}, h.${column}) as ${column}`).join(', ')}
${ENTRIES} and h.seq = :seq`;

/** The rows of an item, newest first: read from the index alone, without their contents. */
const ROWS = 'select seq from memory_history where item_id = :id order by seq desc';

/** An entry for the stored version if another program wrote it. */
const OWN = `
select version, updated_at as changed_at, ${FOREIGN_CHANGE} as change, null as type from memory_items
where id = :id and (${CURRENT_ROW}) is null`;

/** The history of an item, newest first, at most `limit` entries; empty when the id was never used. If another program
 * wrote the current version, it has no entry: the item itself then serves as one. */
export function historyOf(
  statements: Statements,
  id: string,
  current: Memory | undefined,
  limit?: number,
): HistoryEntry[] {
  const rows = statements.read(OWN).all({ id });
  // one by one, so that no more contents are read than are returned
  for (const { seq } of statements.read(ROWS).all({ id })) {
    if (limit !== undefined && rows.length >= limit) break;
    const row = statements.read(ENTRY).get({ id, seq: seq ?? null });
    if (row !== undefined) rows.push(row);
  }
  return rows.slice(0, limit).flatMap((row) => {
    const memory = row['type'] === null ? current : toMemory(row);
    // the versions differ if another process has just written
    return memory?.version === number(row, 'version') ? [toEntry(row, memory)] : [];
  });
}

/** How many entries the history of an item has. */
export function historyLength(statements: Statements, id: string): number {
  const row = statements
    .read(`select (select count(*) ${ENTRIES}) + (select count(*) from (${OWN})) as entries`)
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
  const row = statements
    .read(`
      select max(
        coalesce((select max(version) from memory_history where item_id = :id), 0),
        coalesce((select version from memory_items where id = :id), 0)) as version`)
    .get({ id });
  return row === undefined ? 0 : number(row, 'version');
}
