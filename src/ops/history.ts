import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import { MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import { characterCount } from '../core/text.ts';
import type { HistoryEntry } from '../store/history.ts';
import { notFound } from './not-found.ts';
import { FILTER_FLAG_HINTS } from './ids.ts';
import { defineOperation } from './operation.ts';
import { ContentBudget, withFields } from './present.ts';
import { fieldsParam, ID_PARAM, MAX_CHARS_PARAM, MAX_LIMIT } from './shared-params.ts';

/** The fields of an entry: those of its version, and the length of the content. */
const ENTRY_FIELDS = [
  'version',
  'changed_at',
  'change',
  ...MEMORY_FIELDS.filter((field) => field !== 'id' && field !== 'version'),
  'chars',
];

export const history = defineOperation({
  name: 'history',
  summary: 'Show every version of a memory, or the difference between two.',
  prints:
    'id, deleted, versions (newest first: version, changed_at, change, then the fields of that version); with --limit, total (the number of entries); with --max-chars, omitted_versions, and a hint if there are any. With --diff: id, from, to, changed (fields other than content), diff (unified, of the content).',
  examples: [
    { command: 'memtool history 01J9XB2V6QK7Z4T8M3N5P0R1SC', note: 'all versions' },
    { command: 'memtool history 01J9XB2V6QK7Z4T8M3N5P0R1SC --fields version,changed_at,change', note: 'short output' },
    { command: 'memtool history 01J9XB2V6QK7Z4T8M3N5P0R1SC --diff 1 2', note: 'what changed' },
  ],
  access: 'read',
  instead: FILTER_FLAG_HINTS,
  params: {
    id: { ...ID_PARAM, description: 'The id of the item, deleted or not.' },
    diff: {
      kind: 'int-pair',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Two versions to compare: old, then new.',
    },
    limit: { kind: 'int', min: 1, max: MAX_LIMIT, description: 'At most this many entries, newest first.' },
    fields: {
      ...fieldsParam(),
      choices: ENTRY_FIELDS,
      description: 'Print only these fields of each version, separated by commas.',
    },
    max_chars: {
      ...MAX_CHARS_PARAM,
      description:
        'Print at most this many characters of content in total; versions that do not fit are in omitted_versions.',
    },
  },
  async run({ store }, input) {
    if (input.id === undefined)
      throw new MemtoolError('PARAM_ERROR', 'an id is required', { hint: command('history', ['ID']) });
    const { id, limit } = input;
    if (input.diff !== undefined && [limit, input.fields, input.max_chars].some((value) => value !== undefined))
      throw new MemtoolError('PARAM_ERROR', sentence`--diff cannot be combined with --limit, --fields or --max-chars`, {
        hint: 'leave them out: a difference has its own fields',
      });
    const { entries, total, deleted } = store.snapshot(() => ({
      entries: store.history(id, limit),
      total: store.historyLength(id),
      deleted: store.get(id) === undefined,
    }));
    if (entries.length === 0) throw notFound(store, input.id);
    if (input.diff !== undefined) return compare(input.id, entries, input.diff);
    const budget = ContentBudget.for(input);
    const versions = entries
      .filter(({ version, memory }) => budget.admits({ id: String(version), content: memory.content }))
      .map((entry) => chosen(entryFields(entry), input.fields));
    const hint = budget.hintForVersions();
    return {
      id: input.id,
      deleted,
      ...(input.limit !== undefined && { total }),
      versions,
      ...(input.max_chars !== undefined && { omitted_versions: budget.omittedIds.map(Number) }),
      ...(hint !== undefined && { hint }),
    };
  },
});

function chosen(entry: Record<string, unknown>, fields: readonly string[] | undefined): Record<string, unknown> {
  return withFields(entry, fields, { chars: () => characterCount(String(entry['content'])) });
}

/** Returns an entry as printed and exported. */
export function entryFields(entry: HistoryEntry): Record<string, unknown> {
  const { id: _id, version: _version, ...fields } = entry.memory;
  return { version: entry.version, changed_at: entry.changed_at, change: entry.change, ...fields };
}

async function compare(id: string, entries: readonly HistoryEntry[], [from, to]: readonly [number, number]) {
  const { contentDiff } = await import('./content-diff.ts');
  const [before, after] = [versionOf(id, entries, from), versionOf(id, entries, to)];
  return {
    id,
    from,
    to,
    changed: changedFields(before, after),
    diff: contentDiff({ from, to, before: before.content, after: after.content }),
  };
}

/** Most versions that the error for a missing one lists. Range 5 to 50. */
const LISTED_VERSIONS = 20;

/** Returns the item as it was in a version. Throws a NOT_FOUND that lists existing versions, the newest first. */
export function versionOf(id: string, entries: readonly HistoryEntry[], version: number): Memory {
  const found = entries.find((entry) => entry.version === version);
  if (found !== undefined) return found.memory;
  const versions = [...new Set(entries.map((entry) => entry.version))];
  throw new MemtoolError('NOT_FOUND', `item ${id} has no version ${version}`, {
    hint: `its versions: ${versions.slice(0, LISTED_VERSIONS).join(', ')}${versions.length > LISTED_VERSIONS ? ' …' : ''}`,
    context: { id, version },
  });
}

const COMPARED_FIELDS = [
  'type',
  'task_id',
  'step_id',
  'key',
  'tags',
  'source',
  'weight',
  'confidence_level',
  'verified_by',
] as const;

function changedFields(before: Memory, after: Memory): Record<string, { from: unknown; to: unknown }> {
  return Object.fromEntries(
    COMPARED_FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).map((field) => [
      field,
      { from: before[field], to: after[field] },
    ]),
  );
}
