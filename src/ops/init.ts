import { SCHEMA_VERSION } from '../store/schema.ts';
import { defineOperation } from './operation.ts';
import { warningsOf } from './present.ts';

export const init = defineOperation({
  name: 'init',
  summary: 'Create the database, or bring an existing one up to date.',
  prints:
    'db (absolute path), created, schema_version, fts5, journal_mode; warnings if there are any, such as where the copy of a migrated database is.',
  notes: [
    'Only init (and mcp --init) creates a database, and the folders above it that do not exist. A second run changes nothing, but rebuilds a missing or damaged search index.',
  ],
  examples: [{ command: 'memtool init --db ./memtool.db', note: 'a database in this folder' }],
  isIdempotent: true,
  access: 'create',
  params: {},
  run({ store, created }) {
    return {
      db: store.path,
      created,
      schema_version: SCHEMA_VERSION,
      fts5: store.indexState() !== 'unavailable',
      journal_mode: store.journalMode(),
      ...warningsOf(store),
    };
  },
});
