import type { DatabaseSync } from 'node:sqlite';
import type { MemoryStore } from './memory-store.ts';
import { text } from './rows.ts';
import { prepareWrite } from './statement.ts';

/** Ids of items that were deleted before an instant (in the stored form) and not restored since. */
export function deletedBefore(db: DatabaseSync, time: string): string[] {
  const rows = db
    .prepare(`
    select item_id as id from memory_history h
    where change = 'delete' and not exists (select 1 from memory_items m where m.id = h.item_id)
    group by item_id having max(changed_at) < :time
    order by item_id`)
    .all({ time });
  return rows.map((row) => text(row, 'id'));
}

/** Removes what `select` names from items, history and index in one transaction, then from the rest of the file: the index is merged, so
 * that no old segment keeps a term, and the file is rewritten without free pages. Returns the ids. */
export function purgeIds(store: MemoryStore, select: () => string[]): string[] {
  const { db } = store;
  const ids = store.write(() => {
    const selected = select();
    for (const id of selected) {
      store.removeTraceless(id);
      prepareWrite(db, 'delete from memory_history where item_id = :id').run({ id });
    }
    return selected;
  });
  if (ids.length === 0) return ids;
  if (store.indexState() !== 'unavailable') db.exec("insert into memory_fts (memory_fts) values ('optimize')");
  db.exec('vacuum');
  db.exec('pragma wal_checkpoint(truncate)');
  return ids;
}
