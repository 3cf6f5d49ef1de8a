import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import { copyDatabase, type Copy } from '../store/backup.ts';
import { defineOperation } from './operation.ts';
import { buildWhole } from './output-file.ts';
import { MAX_PATH_CHARS } from './shared-params.ts';

export const backup = defineOperation({
  name: 'backup',
  summary: 'Write a consistent, verified copy of the whole database while other processes keep writing.',
  prints: 'output (absolute path), items, bytes.',
  notes: [
    'The copy is a complete database: every item, version and deletion, and the search index; use it with --db. It is checked page by page before it gets its name, and only its owner can read it (mode 0600).',
    'An existing file is replaced only with --overwrite, and only by a complete copy.',
  ],
  examples: [
    { command: 'memtool backup --output memtool-2026-01-31.db', note: 'a copy' },
    { command: 'memtool backup --output /backups/memtool.db --overwrite', note: 'every night, to the same file' },
  ],
  isLong: true,
  isDestructive: true,
  isIdempotent: true,
  writesFile: true,
  access: 'read',
  params: {
    output: {
      kind: 'text',
      format: 'path',
      maxChars: MAX_PATH_CHARS,
      required: true,
      description: 'The file to write.',
    },
    overwrite: { kind: 'flag', description: 'Replace the file if it exists.' },
  },
  run({ store }, input) {
    if (input.output === '-') {
      throw new MemtoolError('PARAM_ERROR', 'a backup is a database, which cannot be written to stdout', {
        hint: sentence`name a file, or write JSON lines with: ${command('export', { output: '-' })}`,
      });
    }
    let copy: Copy = { items: 0, bytes: 0 };
    const output = buildWhole(
      input.output,
      (temporary) => {
        copy = copyDatabase(store.path, temporary);
      },
      { forbidden: store.path, overwrite: input.overwrite === true },
    );
    return { output, ...copy };
  },
});
