import { styleText } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

type Style = Parameters<typeof styleText>[0];

/** Columns of a terminal that does not say how wide it is, and of a pipe. */
const DEFAULT_COLUMNS = 100;
const COLUMN_GAP = '  ';

export function terminalColumns(): number {
  return process.stdout.columns || DEFAULT_COLUMNS;
}

/** Colours a text where stdout is a terminal that wants colour (never under NO_COLOR). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Cuts a line to a width in columns; wide characters count two. */
export function cut(text: string, columns: number): string {
  return stringWidth(text) <= columns ? text : `${sliceAnsi(text, 0, columns - 1)}…`;
}

/** Wraps text at a width in columns, Chinese too, keeping its line breaks. */
export function wrap(text: string, columns: number): string {
  return wrapAnsi(text, columns, { hard: true, trim: false });
}

/** Rows with aligned columns under a head; the last column takes the rest of the line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === cells.length - 1 ? cell : pad(cell, widths[at] ?? 0)))
      .join(COLUMN_GAP)
      .trimEnd();
  const limit = terminalColumns();
  return [paint('bold', cut(line(head), limit)), ...rows.map((row) => cut(line(row), limit))].join('\n');
}

/** Names and values, one a line, the values aligned. */
export function pairs(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...entries.map(([name]) => stringWidth(name)));
  return entries.map(([name, value]) => `${paint('dim', pad(name, width))}${COLUMN_GAP}${value}`).join('\n');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Bytes as people read them. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const power = Math.min(3, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][power]}`;
}
