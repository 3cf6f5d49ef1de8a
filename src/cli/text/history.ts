import { age, oneLine, safe } from '../../core/display.ts';
import { MEMORY_FIELDS, type Memory } from '../../core/memory.ts';
import { fieldTable } from './field-table.ts';
import { paint, preview, table } from './layout.ts';

type Version = Partial<Memory> & { readonly changed_at?: string; readonly change?: string };

/** The versions of an item as a table, or the difference between two of them. */
export function history(
  result: { versions?: Version[]; changed?: Record<string, { from: unknown; to: unknown }>; diff?: string },
  { nowMs }: { readonly nowMs: number },
): string {
  if (result.diff !== undefined) return difference(result.diff, result.changed ?? {});
  const { versions = [] } = result;
  const areWhole = versions.every((entry) => MEMORY_FIELDS.every((field) => field === 'id' || field in entry));
  if (!areWhole) return fieldTable(versions, { nowMs });
  const rows = versions.map((entry) => [
    String(entry.version ?? ''),
    entry.change ?? '',
    entry.changed_at === undefined ? '' : age(entry.changed_at, nowMs),
    entry.confidence_level ?? '',
    oneLine(entry.key ?? '-'),
    preview(entry.content ?? ''),
  ]);
  return table(['VERSION', 'CHANGE', 'WHEN', 'CONFIDENCE', 'KEY', 'CONTENT'], rows);
}

function difference(diff: string, changed: Record<string, { from: unknown; to: unknown }>): string {
  const names = Object.entries(changed).map(
    ([name, { from, to }]) => `${name}: ${oneLine(JSON.stringify(from))} → ${oneLine(JSON.stringify(to))}`,
  );
  const lines = safe(diff.trimEnd())
    .split('\n')
    .map((line) => {
      if (line.startsWith('+') && !line.startsWith('+++')) return paint('green', line);
      if (line.startsWith('-') && !line.startsWith('---')) return paint('red', line);
      return line.startsWith('@@') ? paint('cyan', line) : line;
    });
  const shown = [...names, ...(diff === '' ? [] : lines)];
  return shown.length === 0 ? 'no difference' : shown.join('\n');
}
