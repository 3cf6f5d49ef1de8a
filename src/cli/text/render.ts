import { counted } from '../../core/text.ts';
import { age, oneLine, safe } from '../../core/display.ts';
import type { MemtoolError } from '../../core/errors.ts';
import type { Result } from '../../ops/operation.ts';
import { fieldTable } from './field-table.ts';
import { areChosen, leftOut, recommend, search, type RenderContext } from './found.ts';
import { history } from './history.ts';
import { indentedJson } from './indented-json.ts';
import { listed, type Item } from './item-table.ts';
import { bytes, indented, isUncut, pairs, paint, table } from './layout.ts';
import { plain, shownField, shownId } from './values.ts';

type Renderer = (result: never, context: RenderContext) => string;

/** A result in human-readable form. An operation without its own renderer prints its fields, one per line. */
export function renderText(operation: string, result: Result, context: RenderContext): string {
  const renderer = RENDERERS[operation];
  // each renderer takes the output of its own operation, which a test checks against its schema
  const body = renderer === undefined ? fields(result) : renderer(result as never, context);
  const { hint, warning, warnings } = result;
  const notes = [
    ...(typeof warning === 'string' ? [warning] : []),
    ...(Array.isArray(warnings) ? warnings.map(String) : []),
  ];
  return [
    body,
    ...notes.map((note) => `${paint('yellow', 'warning:')} ${safe(note)}`),
    ...(typeof hint === 'string' ? [`${paint('cyan', 'hint:')} ${safe(hint)}`] : []),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** An error in human-readable form, for stderr. */
export function renderError(error: MemtoolError): string {
  const lines = [`error: ${safe(error.message)}`];
  const { checks, backup, errors } = error.context;
  if (Array.isArray(checks)) lines.push(doctor({ checks, ...(typeof backup === 'string' && { backup }) }));
  if (Array.isArray(errors)) lines.push(...errors.map(badLine));
  if (error.hint !== undefined) lines.push(`hint: ${safe(error.hint)}`);
  return lines.join('\n');
}

const RENDERERS: Readonly<Record<string, Renderer>> = {
  put: written,
  restore: (one: Written | { items: Written[] }) => ('items' in one ? one.items : [one]).map(written).join('\n'),
  get: got,
  list,
  search,
  recommend,
  delete: ({ deleted, ids }: { deleted: number; ids: string[] }) =>
    `deleted ${deleted}: ${ids.map(oneLine).join(', ')}`,
  history,
  cleanup,
  purge: ({ applied, ids }: { applied: boolean; ids: string[] }) =>
    `${applied ? 'purged' : 'would purge (add --apply)'} ${ids.length}${ids.length > 0 ? ':' : ''} ${ids.map(oneLine).join(', ')}`.trimEnd(),
  backup: ({ items, bytes: size, output }: { items: number; bytes: number; output: string }) =>
    `copied ${items} items (${bytes(size)}, verified) to ${oneLine(output)}`,
  export: ({ count, output }: { count: number; output: string }) => `exported ${count} items to ${oneLine(output)}`,
  import: imported,
  stats,
  doctor,
};

/** The fields of an answer, without what is printed below every answer. */
function fields({ hint: _hint, warning: _warning, warnings: _warnings, ...result }: Result): string {
  return pairs(Object.entries(result).map(([name, value]) => [name, shownField(value)]));
}

type Written = Parameters<typeof written>[0];

function written({
  action = 'restored', // absent among several
  id,
  version,
  type,
  key,
  restored_version: restored,
  private_chars: dropped,
}: {
  action?: string;
  id: string;
  version: number;
  type: string;
  key: string | null;
  restored_version?: number;
  private_chars?: number;
}): string {
  const what = `${type}${key === null ? '' : ` ${oneLine(key)}`}`;
  const past = restored === undefined ? '' : ` (as it was in version ${restored})`;
  const less = dropped === undefined ? '' : ` (without <private> parts: ${counted(dropped, 'character')})`;
  return `${paint('green', action)} ${what}: ${paint('bold', oneLine(id))} version ${version}${past}${less}`;
}

function list(
  { items, total, next_cursor: next }: { items: Item[]; total: number; next_cursor: string | null },
  context: RenderContext,
): string {
  if (items.length === 0) return 'nothing found';
  const shown = areChosen(items) ? fieldTable(items, context) : listed(items, context.nowMs);
  const more = next === null ? '' : `; more: --cursor ${next}`;
  return `${shown}\n${paint('dim', `${items.length} of ${total}${more}`)}`;
}

function got(
  result: { item?: Item; items?: Item[]; missing?: string[]; omitted_ids?: string[] },
  context: RenderContext,
): string {
  const { item, items = item === undefined ? [] : [item], missing = [], omitted_ids: omitted } = result;
  return [
    ...items.map((one) => whole(one, context)),
    ...(missing.length === 0 ? [] : [`not found: ${missing.map(oneLine).join(', ')}`]),
    ...leftOut(omitted),
  ].join('\n\n');
}

/** One item: its fields, then its content, wrapped; content that is one JSON object or array is indented. */
function whole(item: Item, context: RenderContext): string {
  const { content, ...rest } = item;
  const shown = Object.entries(rest).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const head = pairs(
    shown.map(([name, value]) => [
      name,
      typeof value === 'string' && name.endsWith('_at')
        ? `${oneLine(value)} (${age(value, context.nowMs)})`
        : oneLine(Array.isArray(value) ? value.join(', ') : plain(value)),
    ]),
  );
  if (content === undefined) return head;
  const body = indented(safe(indentedJson(content) ?? content)).trimEnd();
  return head === '' ? body : `${head}\n\n${body}`;
}

interface CleanupResult {
  readonly applied: boolean;
  readonly candidates: readonly {
    readonly id: string;
    readonly type: string;
    readonly key: string | null;
    readonly age_days: number;
    readonly decay: number;
  }[];
  readonly deleted: number;
  readonly truncated: boolean;
}

function cleanup({ applied, candidates, deleted, truncated }: CleanupResult): string {
  if (candidates.length === 0) return 'nothing to clean up';
  const rows = candidates.map(({ id, type, key, age_days: days, decay }) => [
    shownId(id),
    type,
    oneLine(key ?? '-'),
    days.toFixed(1),
    decay.toFixed(3),
  ]);
  const said = applied ? `deleted ${deleted}` : `would delete ${candidates.length}; add --apply to do it`;
  return `${table(['ID', 'TYPE', 'KEY', 'AGE (DAYS)', 'DECAY'], rows)}\n${said}${truncated ? ' (more would qualify; raise --limit)' : ''}`;
}

function imported(
  result: Record<string, unknown> & { dry_run: boolean; errors: readonly { line: number; message: string }[] },
): string {
  const outcomes = ['inserted', 'updated', 'unchanged', 'skipped', 'invalid'].map(
    (name) => `${name} ${String(result[name])}`,
  );
  return [`${result.dry_run ? 'would import: ' : ''}${outcomes.join(', ')}`, ...result.errors.map(badLine)].join('\n');
}

function badLine({ line, message }: { readonly line: number; readonly message: string }): string {
  return `  line ${line}: ${safe(message)}`;
}

interface StatsResult {
  readonly db: string;
  readonly total: number;
  readonly by_type: Record<string, number>;
  readonly by_confidence: Record<string, number>;
  readonly by_age: Record<string, number>;
  readonly history: { readonly versions: number; readonly deleted_items: number };
  readonly size: { readonly database: number; readonly content: number; readonly index: number | null };
  readonly schema_version: number;
  readonly tokenizer_version: string | null;
  readonly index: string;
}

function stats(result: StatsResult): string {
  return pairs([
    ['database', oneLine(result.db)],
    ['items', String(result.total)],
    ['layers', counts(result.by_type)],
    ['confidence', counts(result.by_confidence)],
    ['age', ages(result.by_age)],
    [
      'history',
      `${counted(result.history.versions, 'version')}, ${counted(result.history.deleted_items, 'deleted item')}`,
    ],
    [
      'size',
      `${bytes(result.size.database)} (content ${bytes(result.size.content)}, index ${result.size.index === null ? 'unknown' : bytes(result.size.index)})`,
    ],
    [
      'index',
      `${result.index}, tokenizer ${oneLine(result.tokenizer_version ?? 'none')}, schema ${result.schema_version}`,
    ],
  ]);
}

function counts(by: Record<string, number>): string {
  return Object.entries(by)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

/** The numbers of items by age. Each name has the number of days that is the end of its range, and the next begins
 * there. */
function ages(by: Record<string, number>): string {
  let from = '';
  const ranges = Object.entries(by).map(([name, count]) => {
    const to = /\d+/.exec(name)?.[0];
    const range = to === undefined ? name : from === '' ? `up to ${to} day` : `${from} to ${to} days`;
    from = to ?? '';
    return `${range} ${count}`;
  });
  return ranges.join(', ');
}

function doctor({
  checks,
  backup,
}: {
  checks: readonly { name: string; status: string; message: string; fix: string | null }[];
  backup?: string;
}): string {
  const styles = { ok: 'green', warning: 'yellow', error: 'red' } as const;
  const head = ['CHECK', 'STATUS', 'MESSAGE'];
  const rowsWith = (shown: (message: string) => string): string[][] =>
    checks.map(({ name, status, message }) => [
      name,
      paint(styles[status as keyof typeof styles], status),
      status === 'ok' ? shown(message) : '',
    ]);
  const rows = rowsWith(oneLine);
  const isShort = isUncut(head, rows);
  // problems and their fixes are shown in full, and so is everything else where a row has no room for it
  const below = checks.map(({ status, message, fix }) => [
    ...(status === 'ok' && isShort ? [] : [indented(safe(message))]),
    ...(status === 'ok' || fix === null ? [] : [indented(safe(`→ ${fix}`))]),
  ]);
  const shown = table(head, isShort ? rows : rowsWith(() => ''), below);
  return backup === undefined ? shown : `${shown}\ncopied to ${oneLine(backup)} before anything was repaired`;
}
