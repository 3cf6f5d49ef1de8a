import { age, oneLine, safe } from '../../core/display.ts';
import { MEMORY_FIELDS, type Memory } from '../../core/memory.ts';
import { fieldTable } from './field-table.ts';
import { paint, preview, table } from './layout.ts';

/** Lines at the start of a diff that name the versions. */
const HEADER_LINES = 2;

type Version = Partial<Memory> & { readonly changed_at?: string; readonly change?: string };

interface HistoryResult {
  readonly versions?: readonly Version[];
  /** The number of all entries, if it was limited. */
  readonly total?: number;
  readonly changed?: Record<string, { from: unknown; to: unknown }>;
  readonly diff?: string;
}

/** The versions of an item as a table, or the difference between two of them. */
export function history(result: HistoryResult, { nowMs }: { readonly nowMs: number }): string {
  const { versions = [], total, changed = {}, diff } = result;
  if (diff !== undefined) return difference(diff, changed);
  const count = total === undefined ? [] : [paint('dim', `${versions.length} of ${total}`)];
  return [versionTable(versions, nowMs), ...count].join('\n');
}

function versionTable(versions: readonly Version[], nowMs: number): string {
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
    .map((line, at) => (at < HEADER_LINES ? line : painted(line)));
  const shown = [...names, ...(diff === '' ? [] : lines)];
  return shown.length === 0 ? 'no difference' : shown.join('\n');
}

/** A line of a diff after its header: a removed line may look like that header too (`--- `). */
function painted(line: string): string {
  if (line.startsWith('+')) return paint('green', line);
  if (line.startsWith('-')) return paint('red', line);
  return line.startsWith('@@') ? paint('cyan', line) : line;
}
