import { MemtoolError } from '../core/errors.ts';
import { command, sentence } from '../core/sentence.ts';
import type { InputOf } from '../core/params.ts';
import { timeOf } from '../core/time.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { deletedBefore, purgeIds } from '../store/purge.ts';
import { notFound } from './not-found.ts';
import { FILTER_FLAG_HINTS } from './ids.ts';
import { defineOperation } from './operation.ts';
import { warningsOf } from './present.ts';
import { IDS_PARAM, MAX_TIME_CHARS, TIME_OR_AGE } from './shared-params.ts';

const PARAMS = {
  id: { ...IDS_PARAM, description: 'Id of an item, deleted or not; several may be given.' },
  deleted_before: {
    kind: 'text',
    format: 'timestamp',
    maxChars: MAX_TIME_CHARS,
    orAge: true,
    description: `All items that were deleted before this time (${TIME_OR_AGE}); not together with ids.`,
  },
  apply: { kind: 'flag', description: 'Remove them for good; without it they are only listed.' },
} as const;
type Input = InputOf<typeof PARAMS>;

export const purge = defineOperation({
  name: 'purge',
  summary: 'Remove memories and their history for good.',
  prints: 'applied, purged (how many items), ids.',
  notes: [
    'A dry run unless --apply is given. This cannot be undone: rows, history and index entries are removed, and the file is rewritten without free pages. Earlier backups and exports still hold them, and so do the copies FILE.before-migration and FILE.before-fix beside the database.',
    sentence`See what was deleted with: ${command('list', { deleted: true })}. What it does not list, because another program removed it from the database, can only be purged by its id.`,
  ],
  examples: [
    { command: 'memtool purge 01J9XB2V6QK7Z4T8M3N5P0R1SC --apply', note: 'a secret that was stored by mistake' },
    { command: 'memtool purge --deleted-before 2026-01-01', note: 'list which long-deleted items would be purged' },
  ],
  isDestructive: true,
  isIdempotent: true,
  access: 'write',
  instead: { ...FILTER_FLAG_HINTS, dry_run: 'leave out --dry-run: nothing is purged without --apply' },
  accessFor: (input) => (input.apply ? 'write' : 'read'),
  params: PARAMS,
  run({ store, nowMs }, input) {
    if (input.id === undefined && input.deleted_before === undefined) {
      throw new MemtoolError('PARAM_ERROR', sentence`nothing to purge was named: give ids, or --deleted-before`, {
        hint: sentence`${command('purge', ['ID'], { apply: true })}; find the ids of deleted items with: ${command('list', { deleted: true })}`,
      });
    }
    if (input.id !== undefined && input.deleted_before !== undefined) {
      throw new MemtoolError(
        'PARAM_ERROR',
        sentence`give either ids or --deleted-before: it is not clear whether both must hold`,
        {
          hint: sentence`purge the ids alone: ${command('purge', input.id)}`,
        },
      );
    }
    if (!input.apply) {
      const ids = select(store, input, nowMs);
      return { applied: false, purged: 0, ids };
    }
    const ids = purgeIds(store, () => select(store, input, nowMs));
    return { applied: true, purged: ids.length, ids, ...warningsOf(store) };
  },
});

function select(store: MemoryStore, { id, deleted_before }: Input, nowMs: number): string[] {
  if (deleted_before !== undefined) return deletedBefore(store.db, timeOf(deleted_before, nowMs));
  const named = [...new Set(id)];
  for (const one of named) {
    if (store.get(one) === undefined && store.lastVersion(one) === 0) throw notFound(store, one);
  }
  return named;
}
