import { age, oneLine } from '../../core/display.ts';
import type { Memory } from '../../core/memory.ts';
import { lineColumns } from '../columns.ts';
import { fits, indented, preview, table } from './layout.ts';
import { shownId } from './values.ts';

/** An item of an answer: all fields of a memory, or only the requested ones. */
export type Item = Partial<Memory> & {
  readonly deleted_at?: string;
  readonly score?: number | null;
  readonly snippet?: string;
  /** Ids of copies that share the place of the item. */
  readonly duplicates?: readonly string[];
  readonly reasons?: readonly string[];
  readonly explain?: Record<string, unknown>;
};

/** Width of a line in columns below which lists omit the confidence and show contents under the rows: there is no room
 * next to an id of 26 characters. */
const NARROW = 100;
const TITLES = ['ID', 'TYPE', 'KEY', 'TASK/STEP', 'CONFIDENCE'];

function titles([first]: readonly Item[]): string[] {
  return [...TITLES, first?.deleted_at === undefined ? 'UPDATED' : 'DELETED'];
}

interface ItemTableOptions {
  readonly nowMs: number;
  readonly isScored?: boolean;
  /** The lines under each item. */
  readonly below: (item: Item) => readonly string[];
}

/** Items with the columns that all lists share. */
export function itemTable(items: readonly Item[], { nowMs, isScored = false, below }: ItemTableOptions): string {
  const head = [...titles(items), ...(isScored ? ['SCORE'] : [])];
  const rows = items.map((item) => [...row(item, nowMs), ...(isScored ? [score(item.score)] : [])]);
  const lines = items.map(below);
  const at = TITLES.indexOf('CONFIDENCE');
  const [lessHead, lessRows] = [head.toSpliced(at, 1), rows.map((cells) => cells.toSpliced(at, 1))];
  const isShortened = lineColumns() < NARROW && fits(lessHead, lessRows);
  return isShortened ? table(lessHead, lessRows, lines) : table(head, rows, lines);
}

/** Items with the beginnings of their contents, in a column if there is room. */
export function listed(items: readonly Item[], nowMs: number): string {
  const head = [...titles(items), 'CONTENT'];
  const rows = items.map((item) => [...row(item, nowMs), preview(contentOf(item))]);
  if (lineColumns() >= NARROW && fits(head, rows)) return table(head, rows);
  return itemTable(items, { nowMs, below: (item) => [indented(preview(contentOf(item), 4))] });
}

function contentOf({ content, snippet }: Item): string {
  return content ?? snippet ?? '';
}

function row(item: Item, nowMs: number): string[] {
  const time = item.deleted_at ?? item.updated_at;
  return [
    shownId(item.id ?? ''),
    item.type ?? '',
    oneLine(item.key ?? '-'),
    oneLine([item.task_id, item.step_id].filter(Boolean).join('/')) || '-',
    item.confidence_level ?? '',
    time === undefined ? '' : age(time, nowMs),
  ];
}

function score(value: number | null | undefined): string {
  return typeof value === 'number' ? value.toPrecision(3) : '-';
}
