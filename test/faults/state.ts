/** Reads the contents of a database file using only SQLite, and checks that they are consistent. */
import { DatabaseSync } from 'node:sqlite';
import { fail } from './program.ts';

export interface State {
  /** Version and content by id. */
  readonly items: ReadonlyMap<string, string>;
  /** `id version change` of every entry, sorted. */
  readonly history: readonly string[];
}

/** Reads a database after checking that it is sound: SQLite's integrity check (which includes FTS5's), exactly one
 * index row for each item, a history entry for each version. Throws if it is not. */
export function readState(file: string): State {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    const integrity = db.prepare('pragma integrity_check').all();
    if (integrity.length !== 1 || integrity[0]?.['integrity_check'] !== 'ok')
      fail(`integrity_check of ${file}: ${JSON.stringify(integrity)}`);
    const all = (sql: string): Record<string, unknown>[] => db.prepare(sql).all();
    const halves = all(`
      select 'item without index row' as what, seq from memory_items where seq not in (select id from memory_fts_docsize)
      union all select 'index row without item', id from memory_fts_docsize where id not in (select seq from memory_items)
      union all select 'item without history', seq from memory_items m
        where not exists (select 1 from memory_history h where h.item_id = m.id and h.version = m.version)
      union all select 'gap in the history', max(seq) from memory_history where change <> 'delete'
        group by item_id having count(distinct version) <> max(version) - min(version) + 1`);
    if (halves.length > 0) fail(`${file}: ${JSON.stringify(halves.slice(0, 5))}`);
    return {
      items: new Map(
        all('select id, version, content from memory_items').map(({ id, version, content }) => [
          String(id),
          `${String(version)} ${String(content)}`,
        ]),
      ),
      history: all('select item_id, version, change from memory_history')
        .map(({ item_id, version, change }) => `${String(item_id)} ${String(version)} ${String(change)}`)
        .toSorted(),
    };
  } finally {
    db.close();
  }
}

export function isSameState(a: State, b: State): boolean {
  return (
    a.items.size === b.items.size &&
    [...a.items].every(([id, value]) => b.items.get(id) === value) &&
    a.history.length === b.history.length &&
    a.history.every((entry, at) => entry === b.history[at])
  );
}
