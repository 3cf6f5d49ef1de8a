import { age, oneLine } from '../../core/display.ts';
import type { Memory } from '../../core/memory.ts';
import { cut, table, terminalColumns } from './layout.ts';

/** An item of an answer: all fields of a memory, or those that were asked for. */
export type Item = Partial<Memory> & {
  readonly score?: number | null;
  readonly snippet?: string;
  readonly reasons?: readonly string[];
  readonly explain?: Record<string, unknown>;
};

/** Columns of a terminal below which lists do without the confidence, and show contents under the rows: beside an id of
 * 26 characters there is no room. */
const NARROW = 100;

function isNarrow(): boolean {
  return terminalColumns() < NARROW;
}

/** The columns that lists share. */
export function row(item: Item, nowMs: number): string[] {
  return [
    oneLine(item.id ?? ''),
    item.type ?? '',
    oneLine(item.key ?? '-'),
    oneLine([item.task_id, item.step_id].filter(Boolean).join('/')) || '-',
    ...(isNarrow() ? [] : [item.confidence_level ?? '']),
    item.updated_at === undefined ? '' : age(item.updated_at, nowMs),
  ];
}

export function titles(): string[] {
  return ['ID', 'TYPE', 'KEY', 'TASK/STEP', ...(isNarrow() ? [] : ['CONFIDENCE']), 'UPDATED'];
}

/** Items with their contents, as far as the lines are long. */
export function listed(items: readonly Item[], nowMs: number): string {
  const rows = items.map((item) => row(item, nowMs));
  const contents = items.map((item) => oneLine(item.content ?? item.snippet ?? ''));
  if (!isNarrow())
    return table(
      [...titles(), 'CONTENT'],
      rows.map((cells, at) => [...cells, contents[at] ?? '']),
    );
  return withBelow(
    table(titles(), rows),
    contents.map((content) => [`    ${cut(content, terminalColumns() - 4)}`]),
  );
}

/** A table with more lines under its rows. */
export function withBelow(shown: string, below: readonly (readonly string[])[]): string {
  const [title = '', ...rows] = shown.split('\n');
  return [title, ...rows.flatMap((line, at) => [line, ...(below[at] ?? [])])].join('\n');
}
