import type { DatabaseSync } from 'node:sqlite';
import { command, sentence } from '../core/sentence.ts';
import { formatTimestamp, parseTimestamp } from '../core/time.ts';
import { check, REPAIR, type Check } from './check-file.ts';
import { text } from './rows.ts';

const COLUMNS = ['created_at', 'updated_at'] as const;

/** In SQL, true for a value that is not a time in the stored form. */
const isOther = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '+0 days') is not ${column}`;

const OTHERS = `
select id, created_at, updated_at from memory_items where ${COLUMNS.map(isOther).join(' or ')}`;

/** Checks that all times of items are in the stored form, in which they sort as text. With `fix`, valid times in another
 * form, as another program writes them, are written in it, to the millisecond, inside the caller's transaction; the
 * version does not change. `named` is the most ids that a message lists. */
export function checkTimes(db: DatabaseSync, fix: boolean, named: number): Check[] {
  const unreadable: string[] = [];
  const others: Record<'id' | (typeof COLUMNS)[number], string>[] = [];
  for (const row of db.prepare(OTHERS).iterate()) {
    const [created, updated] = COLUMNS.map((column) => parseTimestamp(text(row, column)));
    if (created === undefined || updated === undefined) unreadable.push(text(row, 'id'));
    else
      others.push({
        id: text(row, 'id'),
        created_at: formatTimestamp(created),
        updated_at: formatTimestamp(updated),
      });
  }
  return [
    unreadable.length === 0
      ? check('times', 'ok', 'all times can be read')
      : check(
          'times',
          'warning',
          `some items have a created_at or updated_at that is not a time; those with such an updated_at sort last: ${unreadable.slice(0, named).join(', ')}`,
          // every put writes the times; removing a tag that is not there changes no field
          sentence`write each of them again without a change: ${command('put', { id: 'ID', remove_tag: ['no-such-tag'] })}`,
        ),
    checkForms(db, others, fix, named),
  ];
}

function checkForms(
  db: DatabaseSync,
  others: readonly Record<'id' | (typeof COLUMNS)[number], string>[],
  fix: boolean,
  named: number,
): Check {
  if (others.length === 0) return check('time_forms', 'ok', 'all times have the same form');
  const ids = others
    .slice(0, named)
    .map(({ id }) => id)
    .join(', ');
  if (!fix)
    return check(
      'time_forms',
      'warning',
      `some items have valid times in another form than memtool writes, so that they may sort last, and --since and --until may leave them out: ${ids}`,
      sentence`${REPAIR} writes them as YYYY-MM-DDTHH:MM:SS.sssZ`,
    );
  const update = db.prepare(
    'update memory_items set created_at = :created_at, updated_at = :updated_at where id = :id',
  );
  for (const one of others) update.run(one);
  return check('time_forms', 'ok', `times of ${others.length} items were in another form and have been rewritten`);
}
