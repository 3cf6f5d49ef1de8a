import { SCHEMA_VERSION } from '../store/schema.ts';
import { defineOperation } from './operation.ts';

export const init = defineOperation({
  name: 'init',
  summary: 'Create the database, or bring an existing one up to date.',
  prints: 'db (absolute path), created, schema_version, fts5, journal_mode.',
  notes: [
    'Only init creates a database (and mcp --init). A second run changes nothing. A missing or damaged search index is made again.',
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
    };
  },
});
