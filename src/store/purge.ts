import type { DatabaseSync } from 'node:sqlite';
import { MemtoolError, messageOf } from '../core/errors.ts';
import { AGAIN, sentence } from '../core/sentence.ts';
import { IS_DELETED } from './deleted-items.ts';
import type { MemoryStore } from './memory-store.ts';
import { text } from './rows.ts';
import { REPAIR } from './check-file.ts';
import { META_UNFINISHED_PURGE } from './schema.ts';
import { Statements } from './statement.ts';
import { isBusy } from './sqlite-errors.ts';
import { emptyLog, transaction, vacuum, type OpenDatabase } from './transaction.ts';

/** Ids of items that are not stored and whose last deletion was before an instant (in the stored form). */
export function deletedBefore(db: DatabaseSync, time: string): string[] {
  const rows = db
    .prepare(`
      select d.item_id as id from memory_history d
      where d.change = 'delete' and d.changed_at < :time and ${IS_DELETED}
      order by d.item_id`)
    .all({ time });
  return rows.map((row) => text(row, 'id'));
}

/** Removes the items that `select` names from table, history and index in one transaction, which also merges the index,
 * so that no old segment keeps a term; then rewrites the file without its free pages. Returns the ids. Throws DB_ERROR
 * when the rewrite fails: the items are gone by then, and `finishPurge` (doctor --fix) does the rest. */
export function purgeIds(store: MemoryStore, select: () => string[]): string[] {
  const { db } = store;
  const statements = new Statements(db);
  const ids = store.write(() => {
    const selected = select();
    for (const id of selected) {
      store.removeRow(id);
      statements.write('delete from memory_history where item_id = :id').run({ id });
    }
    if (selected.length > 0) {
      if (store.indexState() !== 'unavailable') db.exec("insert into memory_fts (memory_fts) values ('optimize')");
      statements
        .write('insert or replace into meta (key, value) values (:key, :value)')
        .run({ key: META_UNFINISHED_PURGE, value: '1' });
    }
    return selected;
  });
  if (ids.length === 0) return ids;
  try {
    finishPurge(store);
  } catch (error) {
    throw new MemtoolError(
      'DB_ERROR',
      `the items are removed, but the file could not be rewritten and may still contain their text: ${messageOf(error)}`,
      {
        hint: sentence`finish it with: ${REPAIR}`,
        retryable: false,
        context: { db: store.path, ids },
        cause: error,
      },
    );
  }
  return ids;
}

/** True if a purge removed items but could not rewrite the file. */
export function isPurgeUnfinished(db: DatabaseSync): boolean {
  return db.prepare('select 1 from meta where key = :key').get({ key: META_UNFINISHED_PURGE }) !== undefined;
}

/** Rewrites the file, so that no free page holds what was removed, and empties the -wal file. */
export function finishPurge(database: OpenDatabase): void {
  const { db } = database;
  vacuum(database);
  try {
    emptyLog(database);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new MemtoolError('DB_ERROR', 'another process is still reading the old state', {
      hint: sentence`${AGAIN} when that process has ended`,
      retryable: true,
    });
  }
  transaction(database, () => {
    db.prepare('delete from meta where key = :key').run({ key: META_UNFINISHED_PURGE });
  });
}
