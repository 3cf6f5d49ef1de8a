import type { DatabaseSync } from 'node:sqlite';
import { command, sentence, type Text } from '../core/sentence.ts';
import { check, NAMED_ITEMS, restoreBackupHint, SALVAGE, type Check } from './check-file.ts';
import { text } from './rows.ts';

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

/** Checks the single items of a database. */
export function checkItems(db: DatabaseSync, file: string): Check[] {
  return ITEM_CHECKS.map((one) => checkItem(db, one, file));
}

function checkItem(db: DatabaseSync, { name, sql, sound, status, problem, fix }: ItemCheck, file: string): Check {
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
