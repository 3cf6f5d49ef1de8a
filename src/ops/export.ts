import { MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import type { Context } from './context.ts';
import { present } from './history.ts';
import { defineOperation, Lines } from './operation.ts';
import { writeWhole } from './output-file.ts';
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
} as const;
type Input = InputOf<typeof PARAMS>;

export const exportItems = defineOperation({
  name: 'export',
  summary: 'Write memories as JSON Lines, for backup, git and other machines.',
  prints: 'output (absolute path), count, filters (those that were given). To stdout: nothing but the lines.',
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
  run(context, input) {
    if (input.output === '-') return new Lines(exportLines(context, input));
    const progress = context.progress('export', context.store.count(filtersOf(input, context.nowMs)));
    let count = 0;
    function* counted(): Generator<string> {
      for (const line of exportLines(context, input)) {
        count += 1;
        progress.advance();
        yield `${line}\n`;
      }
    }
    try {
      const output = writeWhole(input.output, counted(), context.store.path);
      const { output: _output, history: _history, ...filters } = input;
      return { output, count, filters };
    } finally {
      progress.stop();
    }
  },
});

/** The lines of an export, without line ends, all of one state of the database. */
function* exportLines(context: Context, input: Input): Generator<string> {
  const { store } = context;
  store.db.exec('begin');
  try {
    for (const memory of store.iterate(filtersOf(input, context.nowMs), 'id')) {
      yield JSON.stringify(
        input.history ? { ...toLine(memory), history: store.history(memory.id).map(present) } : toLine(memory),
      );
    }
  } finally {
    if (store.db.isTransaction) store.db.exec('rollback');
  }
}

/** The 14 fields in their fixed order. */
function toLine(memory: Memory): Record<string, unknown> {
  return Object.fromEntries(MEMORY_FIELDS.map((field) => [field, memory[field]]));
}
