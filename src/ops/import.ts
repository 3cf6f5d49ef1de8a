import { isMemtoolError, MemtoolError, quote } from '../core/errors.ts';
import { command, either, sentence } from '../core/sentence.ts';
import { newMemory, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { formatTimestamp } from '../core/time.ts';
import { lastRow, sharedKeys } from '../store/find-item.ts';
import type { IndexedText } from '../store/fts-index.ts';
import { ImportStage } from '../store/import-stage.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { Context } from './context.ts';
import { LineProblem, parseLine, type ParsedLine, type PartialMemory } from './import-line.ts';
import { findStored, isNewer, isOtherText, isSame, isWhole } from './import-merge.ts';
import type { HistoryEntry } from '../store/history.ts';
import { mergeWarnings, readWarnings, sharedKeyWarnings, type Merged } from './import-warnings.ts';
import { jsonLines } from './json-lines.ts';
import { openSource, sourceName } from './line-source.ts';
import { defineOperation } from './operation.ts';
import { SECRET_PARAMS, SecretCheck } from './secret-check.ts';
import { MAX_PATH_CHARS } from './shared-params.ts';

/** Longest line, in bytes: close to the longest string that V8 can hold. A content needs at most 96 MiB, with every
 * character escaped; the rest is for versions. */
const MAX_LINE_BYTES = 500 * 1024 * 1024;
/** Most bad lines that are reported one by one; the others are only counted. */
const NAMED_PROBLEMS = 20;

const PARAMS = {
  input: {
    kind: 'text',
    format: 'path',
    maxChars: MAX_PATH_CHARS,
    aliases: ['file'],
    description: 'The JSONL file to read; - reads stdin, the default where something is piped.',
  },
  on_conflict: {
    kind: 'choice',
    choices: ['newer', 'overwrite', 'skip', 'error'],
    default: 'newer',
    description:
      'When a line differs from the stored item: newer keeps the newer one, overwrite takes the line, skip keeps the stored item, error refuses the import.',
  },
  dry_run: { kind: 'flag', description: 'Only report what would happen.' },
  skip_invalid: { kind: 'flag', description: 'Skip invalid lines, and import the others.' },
  ...SECRET_PARAMS,
} as const;
type Input = InputOf<typeof PARAMS>;

/** Most logical keys that a warning names; the others are counted. */
const NAMED_KEYS = 5;

type Counted = 'inserted' | 'updated' | 'unchanged' | 'skipped';
interface Problem {
  readonly line: number;
  readonly message: string;
}

export const importItems = defineOperation({
  name: 'import',
  summary: 'Import memories from JSON Lines: an export, or a file of the Python memtool.',
  prints:
    'inserted, updated, unchanged, skipped, invalid, dry_run, errors (the first 20 invalid lines), warnings (such as unknown fields and dropped <private> parts).',
  notes: [
    'All lines are checked first, then written in one transaction: all or nothing, unless --skip-invalid. A line is matched by id; a line without one, by type, key, task and step. If two machines have each made an item with the same key, both are kept, and a warning names them.',
    'newer compares version, then updated_at; a line that is neither newer nor older, such as one that was only edited, is skipped with a warning. A version number never decreases. A line of an export with history brings the versions that this database lacks, after the last one that it knows. Times may have any RFC 3339 offset; without one they are UTC.',
    either(
      'Without --input, the first byte of a piped stdin must arrive within 3 seconds: a stdin that is open and never sends anything does not hold up the caller. --input - waits for as long as the sender takes.',
      '',
    ),
  ],
  examples: [
    { command: 'memtool import --input memories.jsonl', note: "a backup, or another machine's memories" },
    { command: 'memtool import --input memories.jsonl --dry-run', note: 'see what it would do' },
    {
      command: 'ssh HOST memtool export | memtool import --input -',
      note: 'straight from another machine; - waits for it to send',
    },
  ],
  isLong: true,
  isDestructive: true,
  isIdempotent: true,
  access: 'write',
  params: PARAMS,
  async run(context, input) {
    using stage = new ImportStage();
    const read = await stageLines(context, input, stage);
    if (read.invalid > 0 && !input.skip_invalid) throw invalidFile(input, read);
    const work = () => apply(context, input, stage, read.valid);
    context.store.expectManyWrites();
    const { counts, merged, shared } = input.dry_run ? context.store.rehearse(work) : context.store.write(work);
    return {
      ...counts,
      invalid: read.invalid,
      dry_run: input.dry_run === true,
      errors: read.problems,
      warnings: [
        ...readWarnings(read),
        ...mergeWarnings(merged),
        ...sharedKeyWarnings(shared),
        ...read.secrets.warnings(),
        ...context.store.warnings,
      ],
    };
  },
});

interface ReadFile {
  valid: number;
  invalid: number;
  readonly problems: Problem[];
  readonly unknown: Map<string, number>;
  /** Number of lines from which private parts were dropped. */
  withPrivate: number;
  readonly secrets: SecretCheck;
}

/** Checks every line and stages the valid ones. The database is neither locked nor changed. */
async function stageLines(context: Context, input: Input, stage: ImportStage): Promise<ReadFile> {
  const read: ReadFile = {
    valid: 0,
    invalid: 0,
    problems: [],
    unknown: new Map(),
    withPrivate: 0,
    secrets: new SecretCheck(input),
  };
  const source = openSource(context, input.input, (file) => command('import', { input: file }));
  const progress = context.progress('check', source.bytes);
  try {
    for await (const line of jsonLines(
      source.chunks((bytes) => progress.advance(bytes)),
      MAX_LINE_BYTES,
    )) {
      try {
        if ('problem' in line) throw new LineProblem(line.problem);
        const parsed = await withoutSecrets(parseLine(line.value), read.secrets, `line ${line.number}`);
        for (const name of parsed.unknown) read.unknown.set(name, (read.unknown.get(name) ?? 0) + 1);
        stage.add({
          line: line.number,
          parsed: JSON.stringify(parsed),
          indexed: termsAhead(context.store, parsed.item),
        });
        read.valid += 1;
        if (parsed.hasPrivate) read.withPrivate += 1;
      } catch (error) {
        if (!(error instanceof LineProblem)) throw error;
        read.invalid += 1;
        if (read.problems.length < NAMED_PROBLEMS) read.problems.push({ line: line.number, message: error.message });
      }
    }
  } finally {
    progress.stop();
    source.close();
  }
  stage.finish();
  return read;
}

/** Tokenizes a line's text before the lock is taken. Returns null if the stored item already equals the line, or
 * supplies a part of the text. */
function termsAhead(store: MemoryStore, item: PartialMemory): string | null {
  const stored = findStored(store, item);
  if (stored !== undefined && (isSame(stored, item) || !isWhole(item))) return null;
  return JSON.stringify(store.tokenize(newMemory({ ...item, id: '' }, '')));
}

interface Applied {
  readonly counts: Record<Counted, number>;
  readonly merged: Merged;
  /** Logical keys that an imported item shares with another. */
  readonly shared: ReturnType<typeof sharedKeys>;
}

/** Writes the staged lines to the database, inside the caller's transaction. */
function apply(context: Context, input: Input, stage: ImportStage, total: number): Applied {
  const counts: Record<Counted, number> = { inserted: 0, updated: 0, unchanged: 0, skipped: 0 };
  const merged: Merged = { undecided: [], diverged: [], parallel: [], revived: [] };
  const before = lastRow(context.store.db);
  const progress = context.progress('import', total);
  const now = formatTimestamp(context.nowMs);
  try {
    for (const { line, parsed, indexed } of stage.lines()) {
      // both were written by stageLines
      const { item, history } = JSON.parse(parsed) as ParsedLine;
      const terms = indexed === null ? undefined : (JSON.parse(indexed) as IndexedText);
      const stored = findStored(context.store, item);
      const action = stored === undefined ? 'inserted' : decide(stored, item, input, line);
      counts[action] += 1;
      noteMerge(context.store, merged, input, { line, item, stored, action });
      writeLine(context, { line, item, history, stored, action, terms, now });
      progress.advance();
    }
  } finally {
    progress.stop();
  }
  return { counts, merged, shared: sharedKeys(context.store.db, before, NAMED_KEYS) };
}

interface LineToWrite {
  readonly line: number;
  readonly item: PartialMemory;
  readonly history: ParsedLine['history'];
  readonly stored: Memory | undefined;
  readonly action: Counted;
  readonly terms: IndexedText | undefined;
  readonly now: string;
}

/** Notes what is unexpected about a line, before it is written. */
function noteMerge(
  store: MemoryStore,
  merged: Merged,
  { on_conflict }: Input,
  { line, item, stored, action }: Pick<LineToWrite, 'line' | 'item' | 'stored' | 'action'>,
): void {
  if (stored !== undefined && on_conflict === 'newer') {
    if (action === 'skipped' && isNewer(item, stored) === undefined) merged.undecided.push(line);
    if (action === 'updated' && (item.updated_at ?? stored.updated_at) < stored.updated_at) merged.diverged.push(line);
    if (action === 'updated' && item.version === stored.version && isOtherText(stored, item))
      merged.parallel.push(line);
  }
  if (action === 'inserted' && store.lastVersion(item.id ?? '') > 0) merged.revived.push(line);
}

function writeLine(context: Context, line: LineToWrite): void {
  const { store } = context;
  const { item, history, stored, action, terms, now } = line;
  if (action === 'inserted') {
    const memory = newMemory({ ...item, id: item.id ?? context.newId() }, now);
    const lastVersion = store.lastVersion(memory.id);
    const made =
      lastVersion === 0 && history !== undefined
        ? { change: history.change, changedAt: history.changedAt }
        : { change: 'import' as const, changedAt: now };
    // a deleted item's id continues its version numbers, so that they never decrease
    const version = Math.max(memory.version, lastVersion + 1);
    store.insert({
      ...made,
      memory: { ...memory, version },
      indexed: terms,
      earlier: versionsAfter(lastVersion, history, { ...memory, version }),
    });
  } else if (action === 'updated' && stored !== undefined) {
    const lastVersion = store.lastVersion(stored.id);
    const version = Math.max(item.version ?? 0, lastVersion + 1);
    store.replace({
      memory: { ...stored, ...item, id: stored.id, version, updated_at: item.updated_at ?? now },
      change: 'import',
      changedAt: now,
      // fields that the line omits come from the stored item
      indexed: isWhole(item) ? terms : undefined,
      earlier: versionsAfter(lastVersion, history, { id: stored.id, version }),
    });
  }
}

/** The versions of a line's history that this database does not have yet: those between the last that it knows and the
 * one to be written, in the order of their numbers. All of them if it knows none. */
function versionsAfter(
  known: number,
  history: ParsedLine['history'],
  { id, version }: Pick<Memory, 'id' | 'version'>,
): HistoryEntry[] {
  let last = known;
  const isNext = ({ version: own, change }: Pick<HistoryEntry, 'version' | 'change'>): boolean =>
    own < version && (own > last || (own === last && own > known && change === 'delete'));
  const found: HistoryEntry[] = [];
  for (const entry of history?.earlier ?? []) {
    if (known > 0 && !isNext(entry)) continue;
    last = entry.version;
    found.push({ ...entry, memory: { ...entry.memory, id } });
  }
  return found;
}

function decide(stored: Memory, item: PartialMemory, input: Input, line: number): Counted {
  if (isSame(stored, item)) return 'unchanged';
  switch (input.on_conflict) {
    case 'overwrite':
      // a version number that an earlier overwrite raised is not a difference
      return isSame(stored, { ...item, version: Math.max(stored.version, item.version ?? 0) })
        ? 'unchanged'
        : 'updated';
    case 'skip':
      return 'skipped';
    case 'newer':
      return isNewer(item, stored) ? 'updated' : 'skipped';
    case 'error':
      throw new MemtoolError(
        'PARAM_ERROR',
        `line ${line} of ${sourceName(input.input)}: the stored item with id ${quote(stored.id)} differs; nothing was imported`,
        {
          hint: sentence`use --on-conflict newer, overwrite or skip`,
          context: { line, id: stored.id },
        },
      );
  }
}

function invalidFile(input: Input, read: ReadFile): MemtoolError {
  const [first] = read.problems;
  const more = read.invalid > 1 ? ` (and ${read.invalid - 1} more invalid lines)` : '';
  return new MemtoolError(
    'PARAM_ERROR',
    `line ${first?.line} of ${sourceName(input.input)}: ${first?.message}${more}; nothing was imported`,
    {
      hint: sentence`correct the lines, or import the valid ones with --skip-invalid`,
      context: { line: first?.line, invalid: read.invalid, errors: read.problems },
    },
  );
}

/** The fields that identify an item without an id, together with its layer. */
const ADDRESS = ['key', 'task_id', 'step_id'] as const;

/** Returns a line with its secrets replaced if requested. Throws LineProblem if they are refused or cannot be
 * replaced. */
async function withoutSecrets(parsed: ParsedLine, secrets: SecretCheck, place: string): Promise<ParsedLine> {
  try {
    const item = await secrets.clean(parsed.item, place);
    const isKnownByKey = item.id === undefined && item.key !== undefined && item.key !== null;
    if (isKnownByKey && ADDRESS.some((field) => item[field] !== parsed.item[field])) {
      // after the replacement, two such lines could become one item
      throw new LineProblem(
        'without an id the line is matched by key, task and step, so a secret in these cannot be replaced',
      );
    }
    if (parsed.history === undefined) return { ...parsed, item };
    const earlier = await Promise.all(
      parsed.history.earlier.map(async (entry) => ({ ...entry, memory: await secrets.clean(entry.memory, place) })),
    );
    return { ...parsed, item, history: { ...parsed.history, earlier } };
  } catch (error) {
    if (isMemtoolError(error)) throw new LineProblem(error.message, { cause: error });
    throw error;
  }
}
