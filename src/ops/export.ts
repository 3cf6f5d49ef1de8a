import { MemtoolError } from '../core/errors.ts';
import { MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { jsonText } from '../core/text.ts';
import type { HistoryEntry } from '../store/history.ts';
import type { Context } from './context.ts';
import { refusalOf } from './import-line.ts';
import { present } from './history.ts';
import { defineOperation, Lines, type Result } from './operation.ts';
import { salvage, tolerating } from '../store/salvage.ts';
import { writeWhole } from './output-file.ts';
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
  history: { kind: 'flag', description: 'Add to each item its versions, newest first, as history.' },
  salvage: {
    kind: 'flag',
    description: 'Of a damaged file, write every item that can be read, and say how many cannot. Needs --output FILE.',
  },
  ...SECRET_PARAMS,
} as const;
type Input = InputOf<typeof PARAMS>;

export const exportItems = defineOperation({
  name: 'export',
  summary: 'Write memories as JSON Lines, for backup, git and other machines.',
  prints:
    'output (absolute path), count, filters (those that were given); warnings where there are any. To stdout: nothing but the lines.',
  notes: [
    'One item a line, the 14 fields in order, sorted by id, so that two exports compare well. A file is written beside its target and renamed: a failed export leaves the old file whole, a successful one replaces it.',
    'On stdout there is no place for warnings: give --output to be warned of secrets, or --secrets refuse.',
    'Deleted items and (without --history) old versions are not part of it.',
  ],
  examples: [
    { command: 'memtool export --output memories.jsonl', note: 'a backup' },
    { command: 'memtool export --type project > project.jsonl', note: 'a part, to stdout' },
  ],
  isLong: true,
  isDestructive: true,
  isIdempotent: true,
  writesFile: true,
  access: 'read',
  isRemedy: (input) => input.salvage === true,
  params: PARAMS,
  async run(context, input) {
    if (input.salvage && input.output === '-') {
      throw new MemtoolError(
        'PARAM_ERROR',
        '--salvage needs --output FILE: on stdout it could not say what is missing',
        {
          hint: 'memtool export --salvage --output memories.jsonl',
        },
      );
    }
    const { store } = context;
    // one state of the database from here to the last line
    const state = store.holdState();
    const secrets = new SecretCheck(input);
    // warnings alone have no place among the lines on stdout
    const isLookedFor = input.output !== '-' || input.redact === true || input.secrets === 'refuse';
    const cleaned = isLookedFor ? await cleanedItems(context, input, secrets) : new Map<string, Exported>();
    if (input.output === '-') return new Lines(exportLines(context, input, { state, cleaned }));
    return toFile(context, input, { state, cleaned }, secrets);
  },
});

/** Writes the lines into the file that was named. */
function toFile(context: Context, input: Input, source: LineSource, secrets: SecretCheck): Result {
  const { store } = context;
  const progress = context.progress('export', input.salvage ? undefined : store.count(filtersOf(input, context.nowMs)));
  let [count, unreadable, refused] = [0, 0, 0];
  const problems: string[] = [];
  const lines = exportLines(context, input, {
    ...source,
    onUnreadable() {
      unreadable += 1;
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
    const warnings = [...secrets.warnings(), ...unreadableWarnings(unreadable), ...refusedWarnings(refused, problems)];
    return { output, count, filters, ...warningsOf(store, warnings) };
  } finally {
    progress.stop();
  }
}

function* withLineEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** How many of the items that an import would refuse are named. */
const NAMED_ITEMS = 5;

function refusedWarnings(items: number, named: readonly string[]): string[] {
  if (items === 0) return [];
  const more = items > named.length ? `, and ${items - named.length} more` : '';
  return [`an import would refuse ${items} of these items as they are: ${named.join('; ')}${more}`];
}

function unreadableWarnings(items: number): string[] {
  return items === 0 ? [] : [`${items} items that are there could not be read, and are not in the file`];
}

/** An item as it is exported. */
interface Exported {
  readonly memory: Memory;
  /** Its versions, newest first; undefined where these are not asked for. */
  readonly versions: readonly HistoryEntry[] | undefined;
}

/** Those of the exported items of which something is to be replaced, by id: few, so that the others need not wait for
 * rules that are asked one text after another, and are not kept. */
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

/** The items to export, by id; of a damaged file with --salvage those that can be read. */
function itemsOf({ store, nowMs }: Context, input: Input, onUnreadable = (): void => {}): Generator<Memory> {
  const filters = filtersOf(input, nowMs);
  return input.salvage ? salvage(store, filters, onUnreadable) : store.iterate(filters, 'id');
}

function exported({ store }: Context, input: Input, memory: Memory): Exported {
  if (!input.history) return { memory, versions: undefined };
  const versions = input.salvage ? (tolerating(() => store.history(memory.id)) ?? []) : store.history(memory.id);
  return { memory, versions };
}

interface LineSource {
  /** The state of the database that is exported, given up with the last line. */
  readonly state: Disposable;
  /** Items of which something was replaced, by id. */
  readonly cleaned: ReadonlyMap<string, Exported>;
  readonly onUnreadable?: () => void;
  readonly onItem?: (item: Exported) => void;
}

/** The lines of an export, without line ends. */
function* exportLines(
  context: Context,
  input: Input,
  { state, cleaned, onUnreadable, onItem }: LineSource,
): Generator<string> {
  try {
    for (const stored of itemsOf(context, input, onUnreadable)) {
      const { memory, versions } = cleaned.get(stored.id) ?? exported(context, input, stored);
      onItem?.({ memory, versions });
      const line = { ...toLine(memory), ...(versions && { history: versions.map(present) }) };
      yield jsonText(line, `its versions are too large for one line: leave out --history (item ${stored.id})`);
    }
    // before a file is given its name
    context.ensureOneState();
  } finally {
    state[Symbol.dispose]();
  }
}

/** The 14 fields in their fixed order. */
function toLine(memory: Memory): Record<string, unknown> {
  return Object.fromEntries(MEMORY_FIELDS.map((field) => [field, memory[field]]));
}
