import { MemtoolError } from '../core/errors.ts';
import { command, either, sentence } from '../core/sentence.ts';
import { MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { counted, jsonText } from '../core/text.ts';
import type { HistoryEntry } from '../store/history.ts';
import type { Context } from './context.ts';
import { refusalOf } from './import-line.ts';
import { entryFields } from './history.ts';
import { defineOperation, Lines, type Result } from './operation.ts';
import { restoreBackupHint, SALVAGE } from '../store/check-file.ts';
import { salvage, tolerating, type SalvageReport } from '../store/salvage.ts';
import { refuseExisting, writeWhole } from './output-file.ts';
import { warningsOf } from './present.ts';
import { mayHoldSecrets, SECRET_PARAMS, SecretCheck } from './secret-check.ts';
import { FILTER_PARAMS, filtersOf, MAX_PATH_CHARS } from './shared-params.ts';

const PARAMS = {
  output: {
    kind: 'text',
    format: 'path',
    maxChars: MAX_PATH_CHARS,
    default: '-',
    description: 'The file to write; - is stdout.',
  },
  ...FILTER_PARAMS,
  history: { kind: 'flag', description: 'Add the versions of each item, newest first, as history.' },
  salvage: {
    kind: 'flag',
    description:
      'From a damaged file, write every item that can be read. If some cannot, the file is written all the same, but the call ends with DB_ERROR, which says how many. Needs --output FILE.',
  },
  ...SECRET_PARAMS,
} as const;
type Input = InputOf<typeof PARAMS>;

/** Names of stdout, where the lines must not meet the answer that follows a file. */
const STDOUT_NAMES: ReadonlySet<string> = new Set(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

export const exportItems = defineOperation({
  name: 'export',
  summary: 'Write memories as JSON Lines, for backup, git and other machines.',
  prints: sentence`output (absolute path), count, filters (those that were given); warnings if there are any.${either(' To stdout: only the lines.', '')}`,
  notes: [
    'One item per line, the 14 fields in order, sorted by id, so that two exports diff well. A file is written beside its target, then renamed: a failed export leaves the old file intact, a successful one replaces it.',
    either('stdout has no place for warnings: use --output FILE to be warned about secrets, or --secrets refuse.', ''),
    'Deleted items and (without --history) old versions are not exported.',
  ],
  examples: [
    { command: 'memtool export --output memories.jsonl', note: 'a backup' },
    { command: 'memtool export --type project > project.jsonl', note: 'one layer, to stdout' },
  ],
  isLong: true,
  isDestructive: true,
  isIdempotent: true,
  writesFile: true,
  access: 'read',
  remedyOf: (input) => (input.salvage ? 'salvage' : undefined),
  params: PARAMS,
  async run(context, given) {
    const input = STDOUT_NAMES.has(given.output) ? { ...given, output: '-' } : given;
    if (input.salvage && input.output === '-') {
      throw new MemtoolError(
        'PARAM_ERROR',
        '--salvage needs --output FILE: on stdout it could not report what is missing',
        {
          hint: SALVAGE,
        },
      );
    }
    // what can be read of a damaged file must not replace an earlier export, which may be whole
    if (input.salvage) refuseExisting(input.output);
    const { store } = context;
    // all reads from here to the last line are of one state of the database
    const state = store.holdState();
    const secrets = new SecretCheck(input);
    // stdout has no place for warnings: secrets are searched for only to redact or refuse them
    const isLookedFor = input.output !== '-' || input.redact === true || input.secrets === 'refuse';
    const cleaned = isLookedFor ? await cleanedItems(context, input, secrets) : new Map<string, Exported>();
    if (input.output === '-') return new Lines(exportLines(context, input, { state, cleaned }));
    return toFile(context, input, { state, cleaned }, secrets);
  },
});

/** Writes the lines to the output file and returns the result. */
function toFile(context: Context, input: Input, source: LineSource, secrets: SecretCheck): Result {
  const { store } = context;
  const progress = context.progress('export', input.salvage ? undefined : store.count(filtersOf(input, context.nowMs)));
  let [count, unreadable, refused, isComplete] = [0, 0, 0, true];
  const problems: string[] = [];
  const lines = exportLines(context, input, {
    ...source,
    report: {
      onUnreadable() {
        unreadable += 1;
      },
      onIncomplete() {
        isComplete = false;
      },
    },
    onItem({ memory, versions = [] }) {
      count += 1;
      progress.advance();
      const problem = [memory, ...versions.map((entry) => entry.memory)]
        .map(refusalOf)
        .find((one) => one !== undefined);
      if (problem === undefined) return;
      refused += 1;
      if (problems.length < NAMED_ITEMS) problems.push(`${memory.id} (${problem})`);
    },
  });
  try {
    const output = writeWhole(input.output, withLineEnds(lines), store.path);
    const {
      output: _output,
      history: _history,
      salvage: _salvage,
      redact: _redact,
      secrets: _secrets,
      ...filters
    } = input;
    const warnings = [...secrets.warnings(), ...refusedWarnings(refused, problems)];
    if (unreadable > 0 || !isComplete)
      throw notWhole(store.path, { output, count, unreadable, isComplete, filters, ...warningsOf(store, warnings) });
    return { output, count, filters, ...warningsOf(store, warnings) };
  } finally {
    progress.stop();
  }
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** Most items that are named in the warning about items that an import would refuse. */
const NAMED_ITEMS = 5;

function refusedWarnings(items: number, named: readonly string[]): string[] {
  if (items === 0) return [];
  const more = items > named.length ? `, and ${items - named.length} more` : '';
  return [`an import would refuse ${items} of these items: ${named.join('; ')}${more}`];
}

/** What a salvage has written. */
interface Salvaged {
  readonly output: string;
  readonly count: number;
  /** The number of items that exist, but cannot be read. */
  readonly unreadable: number;
  /** False if there may be others that nothing lists. */
  readonly isComplete: boolean;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly warnings?: Result['warnings'];
}

/** The DB_ERROR of a salvage whose file does not have every item: a script must not take it for a backup. */
function notWhole(db: string, { output, count, unreadable, isComplete, ...more }: Salvaged): MemtoolError {
  // what cannot be read has no fields to be compared with the filters
  const whatever = Object.keys(more.filters).length > 0 ? ', of whatever kind,' : '';
  const missing = [
    ...(unreadable > 0 ? [`${counted(unreadable, 'stored item')}${whatever} could not be read`] : []),
    ...(isComplete ? [] : ['there may be others, since the table of items and its indexes are damaged']),
  ];
  return new MemtoolError('DB_ERROR', `only ${counted(count, 'item')} saved in ${output}: ${missing.join('; ')}`, {
    hint:
      count === 0
        ? restoreBackupHint(db)
        : sentence`make a new database of what is saved with: ${command('init', { db: 'NEW.db' })}, then: ${command('import', { db: 'NEW.db', input: output })}; or ${restoreBackupHint(db)}`,
    context: { db, output, count, unreadable, ...more },
  });
}

/** An item as it is exported. */
interface Exported {
  readonly memory: Memory;
  /** Its versions, newest first; undefined unless requested. */
  readonly versions: readonly HistoryEntry[] | undefined;
}

/** Returns, by id, the exported items in which secrets are replaced. They are few: the other items are not kept in
 * memory and do not wait for the asynchronous rules. */
async function cleanedItems(context: Context, input: Input, secrets: SecretCheck): Promise<Map<string, Exported>> {
  const cleaned = new Map<string, Exported>();
  for (const memory of itemsOf(context, input)) {
    const { versions } = exported(context, input, memory);
    if (![memory, ...(versions ?? []).map((entry) => entry.memory)].some(mayHoldSecrets)) continue;
    const item = await secrets.clean(memory, memory.id);
    const entries =
      versions &&
      (await Promise.all(
        versions.map(async (entry) => ({ ...entry, memory: await secrets.clean(entry.memory, memory.id) })),
      ));
    const isChanged = item !== memory || entries?.some((entry, at) => entry.memory !== versions?.[at]?.memory) === true;
    if (isChanged) cleaned.set(memory.id, { memory: item, versions: entries });
  }
  return cleaned;
}

const SILENT: SalvageReport = { onUnreadable() {}, onIncomplete() {} };

/** The items to export, sorted by id; with --salvage, those that can be read in a damaged file. */
function itemsOf({ store, nowMs }: Context, input: Input, report = SILENT): Generator<Memory> {
  const filters = filtersOf(input, nowMs);
  return input.salvage ? salvage(store, filters, report) : store.iterate(filters, 'id');
}

function exported({ store }: Context, input: Input, memory: Memory): Exported {
  if (!input.history) return { memory, versions: undefined };
  const versions = input.salvage ? (tolerating(() => store.history(memory.id)) ?? []) : store.history(memory.id);
  return { memory, versions };
}

interface LineSource {
  /** The state of the database that is exported, released after the last line. */
  readonly state: Disposable;
  /** Items in which secrets were replaced, by id. */
  readonly cleaned: ReadonlyMap<string, Exported>;
  readonly report?: SalvageReport;
  readonly onItem?: (item: Exported) => void;
}

/** The lines of an export, without line ends. */
function* exportLines(
  context: Context,
  input: Input,
  { state, cleaned, report, onItem }: LineSource,
): Generator<string> {
  try {
    for (const stored of itemsOf(context, input, report)) {
      const { memory, versions } = cleaned.get(stored.id) ?? exported(context, input, stored);
      onItem?.({ memory, versions });
      const line = { ...toLine(memory), ...(versions && { history: versions.map(entryFields) }) };
      yield jsonText(line, sentence`the versions of item ${stored.id} are too large for one line: leave out --history`);
    }
    // before the file is renamed to its target
    context.ensureOneState();
  } finally {
    state[Symbol.dispose]();
  }
}

/** The 14 fields in their fixed order. */
function toLine(memory: Memory): Record<string, unknown> {
  return Object.fromEntries(MEMORY_FIELDS.map((field) => [field, memory[field]]));
}
