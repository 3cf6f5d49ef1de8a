import { command, sentence, type Sentence } from '../core/sentence.ts';
import { FIELD_PARAMS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { DAY_MS, formatTimestamp, isStoredTime, parseTimestamp } from '../core/time.ts';
import { decayOf, HALF_LIFE_DAYS, STALE_THRESHOLD } from '../search/recency.ts';
import type { Context } from './context.ts';
import { MAX_LIMIT } from './shared-params.ts';
import { defineOperation } from './operation.ts';
import { unknownAges, warningsOf } from './present.ts';

const PARAMS = {
  type: { ...FIELD_PARAMS.type, description: 'Only items of this layer.' },
  older_than_days: {
    kind: 'number',
    min: 0,
    max: 100_000,
    description: 'Only items updated at least this many days ago.',
  },
  stale_threshold: {
    kind: 'number',
    min: 0,
    max: 1,
    description: `Only items whose decay is at most this; ${STALE_THRESHOLD} when no criterion is given.`,
  },
  limit: {
    kind: 'int',
    min: 1,
    max: 100_000,
    default: 1000,
    description: 'At most this many items, the oldest first.',
  },
  apply: { kind: 'flag', description: 'Delete them; without it they are only listed.' },
} as const;
type Input = InputOf<typeof PARAMS>;

interface Candidate {
  readonly id: string;
  readonly type: Memory['type'];
  readonly key: string | null;
  readonly age_days: number;
  readonly decay: number;
}

export const cleanup = defineOperation({
  name: 'cleanup',
  summary: 'List or delete memories that have grown old.',
  prints:
    'applied, candidates (id, type, key, age_days, decay), count (of them), by_type, truncated (more would qualify), deleted; hint with --apply: how to undo it.',
  notes: [
    'A dry run unless --apply is given; both select the same items. All criteria given must hold. Items of unknown age are never candidates.',
    sentence`Deleted items stay in the history until purged. List them with: ${command('list', { deleted: true })}; bring them back with: ${command('restore', ['ID', '…'])}`,
  ],
  examples: [
    { command: 'memtool cleanup --type run --older-than-days 60', note: 'list what would be deleted' },
    { command: 'memtool cleanup --type run --older-than-days 60 --apply', note: 'delete it' },
  ],
  isDestructive: true,
  isIdempotent: true,
  access: 'write',
  instead: { dry_run: 'leave out --dry-run: nothing is deleted without --apply' },
  accessFor: (input) => (input.apply ? 'write' : 'read'),
  params: PARAMS,
  run(context, input) {
    const { store, nowMs } = context;
    if (!input.apply) {
      const found = select(context, input);
      return { ...report(found, false, 0), ...unknownAges(found.ofUnknownAge, NOT_CLEANED) };
    }
    const deletedAt = formatTimestamp(nowMs);
    const selected = store.write(() => {
      const found = select(context, input);
      for (const { id } of found.candidates) store.remove(id, deletedAt);
      return found;
    });
    const ids = selected.candidates.map(({ id }) => id);
    return {
      ...report(selected, true, ids.length),
      ...warningsOf(store, unknownAges(selected.ofUnknownAge, NOT_CLEANED).warnings),
      ...(ids.length > 0 && { hint: undoHint(ids, deletedAt) }),
    };
  },
});

/** Most ids in a command of the hint. */
const NAMED_IDS = 20;

/** Returns how to bring back what was just deleted. */
function undoHint(ids: readonly string[], deletedAt: string): Sentence {
  if (ids.length <= NAMED_IDS) return sentence`undo with: ${command('restore', ids)}`;
  const list = command('list', { deleted: true, since: deletedAt, until: deletedAt, fields: ['id'], limit: MAX_LIMIT });
  const more = ids.length > MAX_LIMIT ? `, ${MAX_LIMIT} at a time: restore these, then list again` : '';
  return sentence`undo with: ${command('restore', ['ID', '…'])}; these ids are listed by: ${list}${more}`;
}

const NOT_CLEANED = 'so that they are never cleaned up';

interface Selection {
  readonly candidates: readonly Candidate[];
  /** Those that can be no candidates. They come first in the order of ages. */
  readonly ofUnknownAge: readonly Pick<Memory, 'id' | 'updated_at'>[];
  readonly truncated: boolean;
}

function select({ store, nowMs }: Context, input: Input): Selection {
  // --type is not a criterion of age: on its own it leaves the default threshold in force
  const threshold = input.stale_threshold ?? (input.older_than_days === undefined ? STALE_THRESHOLD : 1);
  const candidates: Candidate[] = [];
  const ofUnknownAge: Pick<Memory, 'id' | 'updated_at'>[] = [];
  const leastAgeDays = Math.max(input.older_than_days ?? 0, ageOfDecay(threshold, input.type));
  for (const item of store.iterateAges({ type: input.type })) {
    const updatedAtMs = parseTimestamp(item.updated_at);
    const decay = decayOf(item, nowMs);
    if (updatedAtMs === undefined || decay === undefined) {
      ofUnknownAge.push(item);
      continue;
    }
    const ageDays = Math.max(0, nowMs - updatedAtMs) / DAY_MS;
    // all further items are younger; times in another format, stored by another program, are not sorted by age
    if (isStoredTime(item.updated_at) && ageDays < leastAgeDays - ROUNDING_DAYS) break;
    if (decay > threshold || ageDays < (input.older_than_days ?? 0)) continue;
    if (candidates.length === input.limit) return { candidates, ofUnknownAge, truncated: true };
    candidates.push({ id: item.id, type: item.type, key: item.key, age_days: round(ageDays), decay: round(decay) });
  }
  return { candidates, ofUnknownAge, truncated: false };
}

/** Margin in days, larger than any rounding error of times and logarithms. */
const ROUNDING_DAYS = 1;

/** Most half-lives for which a decay can be distinguished from 0 and from other decays: after 1,075 a double is 0. */
const MOST_HALF_LIVES = 1000;

/** Returns the least age in days at which an item of the layer, or of any layer if undefined, can have decayed to
 * `decay`. */
function ageOfDecay(decay: number, type: Memory['type'] | undefined): number {
  const halfLife = type === undefined ? Math.min(...Object.values(HALF_LIFE_DAYS)) : HALF_LIFE_DAYS[type];
  return halfLife * Math.min(MOST_HALF_LIVES, Math.log2(1 / decay));
}

function report(selection: Selection, applied: boolean, deleted: number) {
  const byType: Record<string, number> = {};
  for (const { type } of selection.candidates) byType[type] = (byType[type] ?? 0) + 1;
  return {
    applied,
    candidates: selection.candidates,
    count: selection.candidates.length,
    by_type: byType,
    truncated: selection.truncated,
    deleted,
  };
}

/** Rounds to six decimal places: enough to compare, short to read. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
