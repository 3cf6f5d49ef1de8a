import { MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import type { HistoryEntry } from '../store/history.ts';
import type { Context } from './context.ts';
import { present } from './history.ts';
import { defineOperation, Lines } from './operation.ts';
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
  ...SECRET_PARAMS,
} as const;
type Input = InputOf<typeof PARAMS>;

export const exportItems = defineOperation({
  name: 'export',
  summary: 'Write memories as JSON Lines, for backup, git and other machines.',
  prints:
    'output (absolute path), count, filters (those that were given); warnings where there are any. To stdout: nothing but the lines.',
  notes: [
    'One item a line, the 14 fields in order, sorted by id, so that two exports compare well. A file is written beside its target and renamed: a failed export leaves the old file whole.',
    'Deleted items and (without --history) old versions are not part of it.',
  ],
  examples: [
    { command: 'memtool export --output memories.jsonl', note: 'a backup' },
    { command: 'memtool export --type project > project.jsonl', note: 'a part, to stdout' },
  ],
  isLong: true,
  access: 'read',
  params: PARAMS,
  async run(context, input) {
    const { store } = context;
    // one state of the database from here to the last line
    store.db.exec('begin');
    const secrets = new SecretCheck(input);
    const cleaned = await cleanedItems(context, input, secrets);
    if (input.output === '-') return new Lines(exportLines(context, input, cleaned));
    const progress = context.progress('export', store.count(filtersOf(input, context.nowMs)));
    let count = 0;
    function* counted(): Generator<string> {
      for (const line of exportLines(context, input, cleaned)) {
        count += 1;
        progress.advance();
        yield `${line}\n`;
      }
    }
    try {
      const output = writeWhole(input.output, counted(), store.path);
      const { output: _output, history: _history, redact: _redact, secrets: _secrets, ...filters } = input;
      return { output, count, filters, ...warningsOf(store, secrets.warnings()) };
    } finally {
      progress.stop();
    }
  },
});

/** An item as it is exported. */
interface Exported {
  readonly memory: Memory;
  /** Its versions, newest first; undefined where these are not asked for. */
  readonly versions: readonly HistoryEntry[] | undefined;
}

/** Those of the exported items that may hold secrets, cleaned, by id: few, so that the others need not wait for rules that are asked one text after
 * another. */
async function cleanedItems(context: Context, input: Input, secrets: SecretCheck): Promise<Map<string, Exported>> {
  const cleaned = new Map<string, Exported>();
  for (const memory of context.store.iterate(filtersOf(input, context.nowMs), 'id')) {
    const { versions } = exported(context, input, memory);
    if (![memory, ...(versions ?? []).map((entry) => entry.memory)].some(mayHoldSecrets)) continue;
    cleaned.set(memory.id, {
      memory: await secrets.clean(memory),
      versions:
        versions &&
        (await Promise.all(versions.map(async (entry) => ({ ...entry, memory: await secrets.clean(entry.memory) })))),
    });
  }
  return cleaned;
}

function exported({ store }: Context, input: Input, memory: Memory): Exported {
  return { memory, versions: input.history ? store.history(memory.id) : undefined };
}

/** The lines of an export, without line ends, inside the transaction that the caller has begun. */
function* exportLines(context: Context, input: Input, cleaned: ReadonlyMap<string, Exported>): Generator<string> {
  const { store } = context;
  try {
    for (const stored of store.iterate(filtersOf(input, context.nowMs), 'id')) {
      const { memory, versions } = cleaned.get(stored.id) ?? exported(context, input, stored);
      yield JSON.stringify({ ...toLine(memory), ...(versions && { history: versions.map(present) }) });
    }
  } finally {
    if (store.db.isTransaction) store.db.exec('rollback');
  }
}

/** The 14 fields in their fixed order. */
function toLine(memory: Memory): Record<string, unknown> {
  return Object.fromEntries(MEMORY_FIELDS.map((field) => [field, memory[field]]));
}
