import { age, oneLine } from '../../core/display.ts';
import type { Memory } from '../../core/memory.ts';
import { cut, table, terminalColumns } from './layout.ts';

/** An item of an answer: all fields of a memory, or only the requested ones. */
export type Item = Partial<Memory> & {
  readonly deleted_at?: string;
  readonly score?: number | null;
  readonly snippet?: string;
  readonly reasons?: readonly string[];
  readonly explain?: Record<string, unknown>;
};

/** Terminal width in columns below which lists omit the confidence and show contents under the rows: there is no room
 * next to an id of 26 characters. */
const NARROW = 100;

function isNarrow(): boolean {
  return terminalColumns() < NARROW;
}

/** The cells of the columns that all lists share. */
export function row(item: Item, nowMs: number): string[] {
  const time = item.deleted_at ?? item.updated_at;
  return [
    oneLine(item.id ?? ''),
    item.type ?? '',
    oneLine(item.key ?? '-'),
    oneLine([item.task_id, item.step_id].filter(Boolean).join('/')) || '-',
    ...(isNarrow() ? [] : [item.confidence_level ?? '']),
    time === undefined ? '' : age(time, nowMs),
  ];
}

export function titles([first]: readonly Item[]): string[] {
  const time = first?.deleted_at === undefined ? 'UPDATED' : 'DELETED';
  return ['ID', 'TYPE', 'KEY', 'TASK/STEP', ...(isNarrow() ? [] : ['CONFIDENCE']), time];
}

/** Items with their contents, truncated to the width of the terminal. */
export function listed(items: readonly Item[], nowMs: number): string {
  const rows = items.map((item) => row(item, nowMs));
  const contents = items.map((item) => oneLine(item.content ?? item.snippet ?? ''));
  if (!isNarrow())
    return table(
      [...titles(items), 'CONTENT'],
      rows.map((cells, at) => [...cells, contents[at] ?? '']),
    );
  return withBelow(
    table(titles(items), rows),
    contents.map((content) => [`    ${cut(content, terminalColumns() - 4)}`]),
  );
}

/** A table with extra lines under its rows. */
export function withBelow(shown: string, below: readonly (readonly string[])[]): string {
  const [title = '', ...rows] = shown.split('\n');
  return [title, ...rows.flatMap((line, at) => [line, ...(below[at] ?? [])])].join('\n');
}
