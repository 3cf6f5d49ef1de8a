import type { DatabaseSync } from 'node:sqlite';
import { command, sentence } from '../core/sentence.ts';
import { formatTimestamp, parseTimestamp } from '../core/time.ts';
import { counted } from '../core/text.ts';
import { check, NAMED_ITEMS, REPAIR, type Check } from './check-file.ts';
import { text } from './rows.ts';

const COLUMNS = ['created_at', 'updated_at'] as const;

/** In SQL, true for a value that is not a time in the stored form. */
const isOther = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '+0 days') is not ${column}`;

const OTHERS = `
select id, created_at, updated_at from memory_items where ${COLUMNS.map(isOther).join(' or ')}`;

type Times = Readonly<Record<'id' | (typeof COLUMNS)[number], string>>;

/** The items with a time that is not in the stored form: those whose times can be read, with these in that form, and the
 * ids of the others. */
function otherTimes(db: DatabaseSync): { readonly valid: readonly Times[]; readonly unreadable: readonly string[] } {
  const unreadable: string[] = [];
  const valid: Times[] = [];
  for (const row of db.prepare(OTHERS).iterate()) {
    const id = text(row, 'id');
    const [created, updated] = COLUMNS.map((column) => parseTimestamp(text(row, column)));
    if (created === undefined || updated === undefined) unreadable.push(id);
    else valid.push({ id, created_at: formatTimestamp(created), updated_at: formatTimestamp(updated) });
  }
  return { valid, unreadable };
}

/** Checks that all times of items can be read, and that they are in the stored form, in which they sort as text. */
export function checkTimes(db: DatabaseSync): { readonly times: Check; readonly forms: Check } {
  const { valid, unreadable } = otherTimes(db);
  const ids = valid.slice(0, NAMED_ITEMS).map(({ id }) => id);
  return {
    times:
      unreadable.length === 0
        ? check('times', 'ok', 'all times can be read')
        : check(
            'times',
            'warning',
            `some items have a created_at or updated_at that is not a time; those with such an updated_at sort last: ${unreadable.slice(0, NAMED_ITEMS).join(', ')}`,
            // every put writes the times; removing a tag that is not there changes no field
            sentence`write each of them again without a change: ${command('put', { id: 'ID', remove_tag: ['no-such-tag'] })}`,
          ),
    forms:
      valid.length === 0
        ? check('time_forms', 'ok', 'all times have the same form')
        : check(
            'time_forms',
            'warning',
            `some items have valid times in another form than memtool writes, so that they may sort last, and --since and --until may leave them out: ${ids.join(', ')}`,
            sentence`${REPAIR} writes them as YYYY-MM-DDTHH:MM:SS.sssZ`,
          ),
  };
}

/** True if some items have valid times in another form. */
export function hasOtherForms(db: DatabaseSync): boolean {
  return otherTimes(db).valid.length > 0;
}

/** Writes valid times of another form, as another program writes them, in the stored form, to the millisecond; the
 * version does not change. Returns what it did. */
export function rewriteTimes(db: DatabaseSync): string {
  const update = db.prepare(
    'update memory_items set created_at = :created_at, updated_at = :updated_at where id = :id',
  );
  const { valid } = otherTimes(db);
  for (const one of valid) update.run(one);
  return `times of ${counted(valid.length, 'item')} were in another form and have been rewritten`;
}
