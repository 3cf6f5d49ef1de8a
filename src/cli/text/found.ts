import { oneLine, safe } from '../../core/display.ts';
import { MEMORY_FIELDS } from '../../core/memory.ts';
import { flagName } from '../../core/flag-name.ts';
import { fieldTable } from './field-table.ts';
import { itemTable, type Item } from './item-table.ts';
import { indented, paint, preview } from './layout.ts';
import type { Explanation } from '../../ops/explain-item.ts';
import { isRecord, parts, shownId } from './values.ts';

export interface RenderContext {
  readonly nowMs: number;
  /** Spans of the query's terms in a text; absent if nothing was searched. */
  readonly highlight?: ((text: string) => readonly { readonly start: number; readonly end: number }[]) | undefined;
}

/** True if the caller chose the fields to be shown: otherwise an item has all fields of a memory. */
export function areChosen([first]: readonly Item[]): boolean {
  return first !== undefined && !MEMORY_FIELDS.every((field) => field in first);
}

export function search(
  {
    items,
    total,
    total_exact: isExact,
    fts5,
    omitted_ids: omitted,
    explain_id: explained,
  }: {
    items: Item[];
    total: number;
    total_exact: boolean;
    fts5: boolean;
    omitted_ids?: string[];
    explain_id?: Explanation;
  },
  context: RenderContext,
): string {
  const reasonLines = explained === undefined ? '' : `\n${placeOf(explained)}`;
  if (items.length === 0) return `${leftOut(omitted)[0] ?? 'nothing found'}${reasonLines}`;
  const found = ranked(items, context, (item) => [indented(marked(oneLine(item.snippet ?? ''), context))]);
  const all = isExact ? String(total) : `more than ${total - 1}`;
  const copies = items.reduce((sum, { duplicates = [] }) => sum + duplicates.length, 0);
  const beside = copies === 0 ? '' : ` and ${copies === 1 ? '1 copy' : `${copies} copies`}`;
  const counts = `${items.length}${beside} of ${all}${fts5 ? '' : ', found by scanning'}`;
  return `${[found, paint('dim', counts), ...leftOut(omitted)].join('\n')}${reasonLines}`;
}

export function recommend(
  { items, candidates, omitted_ids: omitted }: { items: Item[]; candidates: number; omitted_ids?: string[] },
  context: RenderContext,
): string {
  if (items.length === 0) return leftOut(omitted)[0] ?? 'nothing to recommend';
  const found = ranked(items, context, (item) => [
    indented(preview(item.content ?? item.snippet ?? '', 4)),
    ...(item.reasons === undefined || item.reasons.length === 0
      ? []
      : [indented(paint('dim', item.reasons.join(', ')))]),
  ]);
  return [found, paint('dim', `${items.length} of ${candidates} candidates`), ...leftOut(omitted)].join('\n');
}

/** A table of scored items, with extra lines under each; a plain table of the fields if the caller chose them. */
function ranked(items: readonly Item[], context: RenderContext, below: (item: Item) => readonly string[]): string {
  if (!areChosen(items))
    return itemTable(items, { nowMs: context.nowMs, isScored: true, below: (item) => [...below(item), ...more(item)] });
  const fields = items.map(({ duplicates: _duplicates, explain: _explain, ...rest }) => rest);
  return fieldTable(fields, { ...context, below: items.map(more) });
}

/** What an item has beside its fields. */
function more({ duplicates = [], explain }: Item): string[] {
  return [
    ...(duplicates.length === 0 ? [] : [indented(paint('dim', `also: ${duplicates.map(oneLine).join(', ')}`))]),
    ...explanation(explain).map((line) => indented(paint('dim', safe(line)))),
  ];
}

/** The parts of a score: those of the whole on one line, and each group of the others on one of its own. Parts that are
 * nothing are left out of a group. */
function explanation(explain: Readonly<Record<string, unknown>> = {}): string[] {
  const whole = Object.entries(explain).filter(([, value]) => !isRecord(value));
  const groups = Object.entries(explain).filter(([, value]) => isRecord(value));
  return [
    ...(whole.length === 0 ? [] : [parts(Object.fromEntries(whole))]),
    ...groups.map(([name, group]) => {
      const some = Object.entries(group as object).filter(([, value]) => value !== 0);
      return `${name.replaceAll('_', ' ')}: ${parts(Object.fromEntries(some))}`;
    }),
  ];
}

/** Why an item is at its place, or at none. */
function placeOf({ id, status, filters, rank }: Explanation): string {
  const why = {
    not_stored: 'there is no such item',
    filtered: `left out by ${filters.map((name) => `--${flagName(name)}`).join(', ')}`,
    not_matched: 'nothing of the query is in it',
    ranked: rank === null ? 'it matches, but too low to be ranked' : `ranked ${rank}`,
  }[status];
  return `${shownId(id)}: ${why}`;
}

function marked(text: string, { highlight }: RenderContext): string {
  let result = '';
  let end = 0;
  for (const span of highlight?.(text) ?? []) {
    result += text.slice(end, span.start) + paint(['bold', 'yellow'], text.slice(span.start, span.end));
    end = span.end;
  }
  return result + text.slice(end);
}

/** The line about items that --max-chars left out, if there are any. */
export function leftOut(omitted: readonly string[] = []): string[] {
  return omitted.length === 0 ? [] : [`left out, too long for --max-chars: ${omitted.map(oneLine).join(', ')}`];
}
