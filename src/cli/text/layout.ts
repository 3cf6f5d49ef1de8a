import { styleText } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from '../../core/display.ts';
import { lineColumns } from '../columns.ts';

type Style = Parameters<typeof styleText>[0];

const COLUMN_GAP = '  ';
const INDENT = ' '.repeat(4);
/** The title of the column that is never cut: a cut id is of no use. */
const WHOLE = 'ID';
/** Column widths in a table that is too wide for the line: what the last column keeps if it can, and what any column
 * keeps at least, if its cells need as much. */
const LAST_COLUMN = 18;
const LEAST_COLUMN = 10;
/** Width of the preview of a content where a line has no end, in columns: about two lines of a terminal. */
const PREVIEW = 160;

/** Colours a text if stdout is a terminal that supports colour: never under NO_COLOR, and never in a pipe, whatever
 * FORCE_COLOR is. */
export function paint(style: Style, text: string): string {
  const isWanted = process.stdout.isTTY && !process.env['NO_COLOR'];
  return isWanted ? styleText(style, text, { stream: process.stdout }) : text;
}

/** Truncates a line to a width in columns, marked with `…`; wide characters count as two. */
function cut(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  const kept = sliceAnsi(text, 0, columns - 1);
  // sliceAnsi keeps a wide character that straddles the end
  return `${stringWidth(kept) < columns ? kept : sliceAnsi(text, 0, columns - 2)}…`;
}

/** The beginning of a content, on one line, with room for `indent` columns before it. */
export function preview(content: string, indent = 0): string {
  const columns = lineColumns();
  return cut(oneLine(content), Number.isFinite(columns) ? columns - indent : PREVIEW);
}

/** A text in the columns after the first four, wrapped at the end of the line, also in Chinese. Its line breaks stay. */
export function indented(text: string): string {
  const columns = lineColumns() - INDENT.length;
  const lines = Number.isFinite(columns) ? text.split('\n').flatMap((line) => wrapped(line, columns)) : [text];
  // every kind of line break that a reader may know
  return lines.join('\n').replaceAll(/^(?=.)/gm, INDENT);
}

/** A line in parts of at most `columns`, without the spaces at which it was divided. */
function wrapped(line: string, columns: number): string[] {
  const [first = '', ...rest] = wrapAnsi(line, columns, { hard: true, trim: false }).split('\n');
  // the space between two words that each fill a line gets a line of its own
  return [first, ...rest.map((part) => part.replace(/^ /, '')).filter((part) => part !== '')];
}

/** Rows with aligned columns under a header, and further lines under each row. If they do not fit into the line, the
 * widest columns shrink first; the last one takes the rest of the line. Where there is no room for that either, each
 * cell gets a line of its own. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  below: readonly (readonly string[])[] = [],
): string {
  if (!fits(head, rows)) return records(head, rows, below);
  const limit = lineColumns();
  const natural = naturalWidths(head, rows);
  const rest = Math.min(natural.at(-1) ?? 0, LAST_COLUMN) + gaps(head);
  const widths = narrowed(head, natural.slice(0, -1), limit - rest);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === cells.length - 1 ? cell : pad(cut(cell, widths[at] ?? 0), widths[at] ?? 0)))
      .join(COLUMN_GAP)
      .trimEnd();
  return [
    paint('bold', cut(line(head), limit)),
    ...rows.flatMap((row, at) => [cut(line(row), limit), ...(below[at] ?? [])]),
  ].join('\n');
}

/** True if every column of a table keeps its least width in the line, and ids are whole. */
export function fits(head: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const least = naturalWidths(head, rows).map((width, at) => leastWidth(head[at], width));
  return sum(least) + gaps(head) <= lineColumns();
}

/** True if every cell of a table has room in the line. */
export function isUncut(head: readonly string[], rows: readonly (readonly string[])[]): boolean {
  return sum(naturalWidths(head, rows)) + gaps(head) <= lineColumns();
}

function leastWidth(title: string | undefined, natural: number): number {
  return title === WHOLE ? natural : Math.min(natural, LEAST_COLUMN);
}

function naturalWidths(head: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return head.map((title, at) =>
    rows.reduce((most, row) => Math.max(most, stringWidth(row[at] ?? '')), stringWidth(title)),
  );
}

function gaps({ length }: readonly string[]): number {
  return COLUMN_GAP.length * (length - 1);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

/** Rows as names and values, with an empty line between two rows. Nothing is cut: a terminal breaks long values
 * itself, so that they can still be copied. */
function records(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  below: readonly (readonly string[])[],
): string {
  return rows
    .map((row, at) => {
      const named = head.map((title, column) => [title, row[column] ?? ''] as const);
      return [pairs(named.filter(([, cell]) => cell !== '')), ...(below[at] ?? [])].join('\n');
    })
    .join('\n\n');
}

/** Caps widths at the largest bound with which they fit into `room` together, but not below their least. */
function narrowed(head: readonly string[], widths: readonly number[], room: number): number[] {
  let bound = Math.max(LEAST_COLUMN, ...widths);
  const bounded = (): number[] =>
    widths.map((width, at) => Math.max(leastWidth(head[at], width), Math.min(width, bound)));
  while (bound > LEAST_COLUMN && sum(bounded()) > room) bound -= 1;
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
