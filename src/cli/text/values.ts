import { oneLine } from '../../core/display.ts';

/** A value as shown within a line: a string verbatim, anything else as JSON. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value of an answer on one line. */
export function shownField(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : isRecord(value) ? parts(value) : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names and values on one line. */
export function parts(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${shownPart(value)}`)
    .join('  ');
}

function shownPart(value: unknown): string {
  if (typeof value === 'number') return value.toPrecision(4);
  if (Array.isArray(value)) return value.join(', ');
  return isRecord(value) ? `(${parts(value)})` : String(value);
}

/** A count with its noun: `1 character`, `2 characters`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
