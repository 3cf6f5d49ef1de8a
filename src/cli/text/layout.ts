import { styleText } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

type Style = Parameters<typeof styleText>[0];

/** Columns assumed for a pipe and for a terminal of unknown width. */
const DEFAULT_COLUMNS = 100;
const COLUMN_GAP = '  ';
/** Column widths: the maximum of the first column (an id has 26 characters), and what the last and any other column
 * keep at least in a table that is too wide for the line, if their cells need as much. */
const FIRST_COLUMN = 36;
const LAST_COLUMN = 18;
const LEAST_COLUMN = 10;

export function terminalColumns(): number {
  return process.stdout.columns || DEFAULT_COLUMNS;
}

/** Colours a text if stdout is a terminal that supports colour: never under NO_COLOR, and never in a pipe, whatever
 * FORCE_COLOR is. */
export function paint(style: Style, text: string): string {
  const isWanted = process.stdout.isTTY && !process.env['NO_COLOR'];
  return isWanted ? styleText(style, text, { stream: process.stdout }) : text;
}

/** Truncates a line to a width in columns, marked with `…`; wide characters count as two. */
export function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const kept = sliceAnsi(text, 0, columns - 1);
  // sliceAnsi keeps a wide character that straddles the end
  return `${stringWidth(kept) < columns ? kept : sliceAnsi(text, 0, columns - 2)}…`;
}

/** Wraps text, also Chinese, at a width in columns, keeping its line breaks. */
export function wrap(text: string, columns: number): string {
  return wrapAnsi(text, columns, { hard: true, trim: false });
}

/** Rows with aligned columns under a header. If they do not fit into the line, the widest columns shrink first; the
 * last one takes the rest of the line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const limit = terminalColumns();
  const natural = head.map((title, at) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[at] ?? ''))),
  );
  const rest = Math.min(natural.at(-1) ?? 0, LAST_COLUMN) + COLUMN_GAP.length * (head.length - 1);
  const [first = 0, ...others] = natural.slice(0, -1);
  const name = Math.min(first, FIRST_COLUMN);
  const widths = [name, ...narrowed(others, limit - rest - name)];
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === cells.length - 1 ? cell : pad(cut(cell, widths[at] ?? 0), widths[at] ?? 0)))
      .join(COLUMN_GAP)
      .trimEnd();
  return [paint('bold', cut(line(head), limit)), ...rows.map((row) => cut(line(row), limit))].join('\n');
}

/** Caps widths at the largest bound with which they fit into `room` together, but not below `LEAST_COLUMN`. */
function narrowed(widths: readonly number[], room: number): number[] {
  let bound = Math.max(LEAST_COLUMN, ...widths);
  const bounded = (): number[] => widths.map((width) => Math.min(width, bound));
  while (bound > LEAST_COLUMN && bounded().reduce((sum, width) => sum + width, 0) > room) bound -= 1;
  return bounded();
}

/** Names and values, one pair per line, with the values aligned. */
export function pairs(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...entries.map(([name]) => stringWidth(name)));
  return entries.map(([name, value]) => `${paint('dim', pad(name, width))}${COLUMN_GAP}${value}`).join('\n');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** A number of bytes in human-readable form, from B to GiB. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const power = Math.min(3, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][power]}`;
}
