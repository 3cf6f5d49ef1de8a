import { CONFIDENCE_LEVELS, MEMORY_TYPES } from '../core/memory.ts';
import { DAY_MS, formatTimestamp } from '../core/time.ts';
import { SCHEMA_VERSION } from '../store/schema.ts';
import { countsBy, databaseSizes, versionCount } from '../store/statistics.ts';
import { storedTokenizerVersion } from '../store/fts-index.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { defineOperation } from './operation.ts';

/** Upper bounds of the ages by which items are counted, in days since the last update. */
const AGE_DAYS = [1, 7, 30, 180] as const;

export const stats = defineOperation({
  name: 'stats',
  summary: 'Count memories by layer, confidence and age, and measure the file.',
  prints:
    'db, total, by_type, by_confidence, by_age (each item in the first that it is within), history (versions, deleted_items), size (bytes of the database, the content and the index), schema_version, tokenizer_version, index.',
  examples: [{ command: 'memtool stats --format text', note: 'for people' }],
  access: 'read',
  params: {},
  run: ({ store, nowMs }) => store.snapshot(() => measure(store, nowMs)),
});

function measure(store: MemoryStore, nowMs: number) {
  const byAge: Record<string, number> = {};
  let newer = 0;
  for (const days of AGE_DAYS) {
    const within = store.count({ since: formatTimestamp(nowMs - days * DAY_MS) });
    byAge[`within_${days}_days`] = within - newer;
    newer = within;
  }
  const total = store.count({});
  byAge['older'] = total - newer;
  return {
    db: store.path,
    total,
    by_type: countsBy(store.db, 'type', MEMORY_TYPES),
    by_confidence: countsBy(store.db, 'confidence_level', CONFIDENCE_LEVELS),
    by_age: byAge,
    history: { versions: versionCount(store.db), deleted_items: store.countDeleted({}) },
    size: databaseSizes(store.db),
    schema_version: SCHEMA_VERSION,
    tokenizer_version: storedTokenizerVersion(store.db),
    index: store.indexState(),
  };
}
