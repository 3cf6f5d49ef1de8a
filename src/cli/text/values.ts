import { oneLine } from '../../core/display.ts';

/** A value as shown within a line: a string verbatim, anything else as JSON. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An id at the beginning of a row: in quotes, as for a shell, if it could pass for other words of memtool. */
export function shownId(id: string): string {
  const text = oneLine(id);
  return /\s|:$/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}

/** A value of an answer on one line; counts are exact. */
export function shownField(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : isRecord(value) ? parts(value, rounded) : JSON.stringify(value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type NumberText = (value: number) => string;

function significant(value: number): string {
  return value.toPrecision(4);
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : significant(value);
}

/** Names and values on one line. */
export function parts(values: Readonly<Record<string, unknown>>, number: NumberText = significant): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${shownPart(value, number)}`)
    .join('  ');
}

function shownPart(value: unknown, number: NumberText): string {
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return value.join(', ');
  return isRecord(value) ? `(${parts(value, number)})` : String(value);
}
