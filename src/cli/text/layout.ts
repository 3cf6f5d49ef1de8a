import { styleText } from 'node:util';
import sliceAnsi from 'slice-ansi';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

type Style = Parameters<typeof styleText>[0];

/** Columns of a terminal that does not say how wide it is, and of a pipe. */
const DEFAULT_COLUMNS = 100;
const COLUMN_GAP = '  ';
const MINUTE_MS = 60_000;

export function terminalColumns(): number {
  return process.stdout.columns || DEFAULT_COLUMNS;
}

/** Colours a text where stdout is a terminal that wants colour (never under NO_COLOR). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

// Controls but tab and line feed, and the marks that turn the direction of text: they could hide or fake what a person reads.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Shows control characters of stored text instead of sending them to the terminal; the carriage return of CRLF is dropped. */
export function safe(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`);
}

/** Stored text on one line. */
export function oneLine(text: string): string {
  return safe(text).replaceAll(/\s+/g, ' ').trim();
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

const AGE_UNITS = [
  ['y', 525_600],
  ['mo', 43_800],
  ['d', 1440],
  ['h', 60],
  ['min', 1],
] as const;

/** How long ago a time was: `3d ago`, `just now`, `in the future`; the text itself when it is no time. */
export function age(time: string, nowMs: number): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return oneLine(time);
  const minutes = (nowMs - ms) / MINUTE_MS;
  if (minutes < -1) return 'in the future';
  const unit = AGE_UNITS.find(([, length]) => minutes >= length);
  return unit === undefined ? 'just now' : `${Math.floor(minutes / unit[1])}${unit[0]} ago`;
}

/** Bytes as people read them. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  const power = Math.min(3, Math.floor(Math.log2(count) / 10));
  return `${(count / 1024 ** power).toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB'][power]}`;
}
