import { age, oneLine } from '../../core/display.ts';
import { preview, table } from './layout.ts';
import { plain, shownId } from './values.ts';

/** The fields that may hold any text. */
const STORED_TEXTS = new Set(['content', 'snippet', 'key', 'task_id', 'step_id', 'tags', 'source', 'verified_by']);

interface FieldTableOptions {
  readonly nowMs: number;
  /** Further lines under each row. */
  readonly below?: readonly (readonly string[])[];
}

/** A table of exactly the requested fields, one row per entry. */
export function fieldTable(
  entries: readonly Readonly<Record<string, unknown>>[],
  { nowMs, below }: FieldTableOptions,
): string {
  const names = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  // in the first column, a stored text could pass for a hint
  const shown = (cells: readonly string[]): string[] =>
    cells.map((text, at) => (at === 0 && STORED_TEXTS.has(names[0] ?? '') ? `    ${text}` : text));
  return table(
    shown(names.map((name) => name.toUpperCase())),
    entries.map((entry) => shown(names.map((name) => cell(name, entry[name], nowMs)))),
    below,
  );
}

function cell(name: string, value: unknown, nowMs: number): string {
  if (value === null || value === undefined) return '-';
  if (name === 'score' && typeof value === 'number') return value.toPrecision(3);
  if (typeof value === 'string' && name.endsWith('_at')) return age(value, nowMs);
  if ((name === 'content' || name === 'snippet') && typeof value === 'string') return preview(value) || '-';
  if (name === 'id' && typeof value === 'string') return shownId(value);
  return oneLine(Array.isArray(value) ? value.join(', ') : plain(value)) || '-';
}
