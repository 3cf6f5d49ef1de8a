import type { Memory } from '../core/memory.ts';
import { MemtoolError } from '../core/errors.ts';
import { command, either, flag, sentence } from '../core/sentence.ts';
import type { InputOf } from '../core/params.ts';
import { characterCount } from '../core/text.ts';
import { isInstant } from '../core/time.ts';
import { snippet } from '../search/snippet.ts';
import type { Position } from '../store/list-items.ts';
import { SORTS } from '../store/sort-values.ts';
import type { Context } from './context.ts';
import { emptyHint } from './empty-hint.ts';
import { defineOperation, type Result } from './operation.ts';
import { COUNT_AS_OLDEST, unknownAges, withFields } from './present.ts';
import {
  fieldsParam,
  FILTER_PARAMS,
  filtersOf,
  MAX_LIMIT,
  STALE_ITEMS,
  TIME_OR_AGE,
  WHOLE_DAY,
} from './shared-params.ts';

const PARAMS = {
  ...FILTER_PARAMS,
  since: {
    ...FILTER_PARAMS.since,
    description: `Only items updated (with --deleted: deleted) at this time or later (${TIME_OR_AGE}).`,
  },
  until: {
    ...FILTER_PARAMS.until,
    description: `Only items updated (with --deleted: deleted) at this time or earlier (${TIME_OR_AGE}; ${WHOLE_DAY}).`,
  },
  deleted: {
    kind: 'flag',
    description: 'List the deleted items instead of the stored ones, the most recently deleted first.',
  },
  sort_by: {
    kind: 'choice',
    choices: SORTS,
    default: 'updated',
    description:
      'Order: updated (newest first), confidence, recency (fresh for its layer), or mixed (0.6 confidence + 0.4 recency).',
  },
  exclude_stale: { kind: 'flag', description: `Leave out ${STALE_ITEMS}.` },
  limit: { kind: 'int', min: 1, max: MAX_LIMIT, default: 50, description: 'At most this many items.' },
  cursor: { kind: 'text', maxChars: 8192, description: 'Continue after the page that returned this next_cursor.' },
  fields: fieldsParam('snippet', 'chars', 'deleted_at'),
} as const;
type Input = InputOf<typeof PARAMS>;

export const list = defineOperation({
  name: 'list',
  summary: 'List memories by filters, page by page.',
  prints:
    'items (with --deleted, each with deleted_at), total (how many pass the filters), next_cursor (null on the last page); hint when nothing was found.',
  notes: [
    'All filters must hold. Values must match exactly, including case.',
    'A deleted item is listed as it was when it was deleted, until it is restored or purged.',
  ],
  examples: [
    { command: 'memtool list --type run --task-id login --limit 20', note: 'the newest items of a task' },
    {
      command: 'memtool list --sort-by mixed --exclude-stale --fields id,key,snippet,chars',
      note: 'an overview: the start and length of each item',
    },
    {
      command: 'memtool list --since 7d --fields id,key,snippet',
      note: 'what was written in the last seven days',
    },
    {
      command: 'memtool list --deleted --fields id,key,deleted_at,snippet',
      note: 'what memtool restore can bring back',
    },
  ],
  access: 'read',
  instead: { query: sentence`find items by their text with: ${command('search', ['WORDS'])}` },
  params: PARAMS,
  run(context, input) {
    refuseMisfits(input);
    const { nowMs, after } =
      input.cursor === undefined ? { nowMs: context.nowMs, after: undefined } : readCursor(input.cursor, input);
    const page = { input, nowMs, after };
    return context.store.snapshot(() => (input.deleted ? deletedPage(context, page) : storedPage(context, page)));
  },
});

interface Page {
  readonly input: Input;
  /** The time of the first page. */
  readonly nowMs: number;
  /** Where the page before ended. */
  readonly after: Position | undefined;
}

/** Throws PARAM_ERROR for parameters that are only about stored items, or only about deleted ones. */
function refuseMisfits(input: Input): void {
  if (!input.deleted) {
    if (input.fields?.includes('deleted_at') !== true) return;
    throw new MemtoolError('PARAM_ERROR', 'a stored item has no deleted_at', {
      hint: sentence`add --deleted to list deleted items, or leave out the field deleted_at`,
    });
  }
  const misfit = input.exclude_stale ? 'exclude_stale' : input.sort_by === 'updated' ? undefined : 'sort_by';
  if (misfit === undefined) return;
  throw new MemtoolError('PARAM_ERROR', sentence`${flag(misfit)} cannot be combined with --deleted`, {
    hint: 'leave it out: deleted items are listed by the time of their deletion',
  });
}

function storedPage({ store }: Context, { input, nowMs, after }: Page): Result {
  const filters = filtersOf(input, nowMs);
  // a tag usually selects few items, so these are looked up once
  const seqs = filters.tags === undefined ? undefined : store.scopeOf(filters).seqs;
  const rows = store.list({ filters, seqs, sort: input.sort_by, nowMs, limit: input.limit + 1, after });
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  const hint = rows.length === 0 ? emptyHint(store, filters) : undefined;
  const memories = shown.flatMap(({ seq }) => store.bySeq(seq) ?? []);
  return {
    items: memories.map((memory) => listed({ ...memory }, input.fields)),
    ...unknownAges(memories, COUNT_AS_OLDEST),
    total: seqs?.length ?? store.count(filters),
    next_cursor: rows.length > shown.length && last !== undefined ? writeCursor(input, nowMs, last.position) : null,
    ...(hint !== undefined && { hint }),
  };
}

function deletedPage({ store }: Context, { input, nowMs, after }: Page): Result {
  const filters = filtersOf(input, nowMs);
  const rows = store.deleted({
    filters,
    limit: input.limit + 1,
    after: after && { deleted_at: after.updated, id: after.id },
  });
  const shown = rows.slice(0, input.limit);
  const last = shown.at(-1);
  return {
    items: shown.flatMap(({ seq, deleted_at }) => {
      const memory = store.versionInRow(seq);
      return memory === undefined ? [] : [listed({ ...memory, deleted_at }, input.fields)];
    }),
    total: store.countDeleted(filters),
    next_cursor:
      rows.length > shown.length && last !== undefined
        ? writeCursor(input, nowMs, { value: 0, updated: last.deleted_at, id: last.id })
        : null,
    ...(rows.length === 0 && after === undefined && { hint: NOTHING_DELETED }),
  };
}

const NOTHING_DELETED = sentence`no deleted item passes these filters; what was purged is gone; see what is stored with: ${command('list')}`;

/** Returns an item of a page: its fields, or the requested ones, which may include a snippet of its content and its
 * length. */
function listed(memory: Memory & { readonly deleted_at?: string }, fields: Input['fields']): Record<string, unknown> {
  const { content } = memory;
  return withFields({ ...memory }, fields, {
    snippet: () => snippet([], content),
    chars: () => characterCount(content),
  });
}

/** Digest of the filters and the order that a cursor belongs to: with others it would point elsewhere. FNV-1a, 32
 * bits. */
function callOf(input: Input): string {
  const { cursor: _cursor, limit: _limit, fields: _fields, ...call } = input;
  const text = JSON.stringify(Object.entries(call).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return (digest >>> 0).toString(36);
}

/** Encodes a cursor. It keeps the time of the first page, so that scores do not change between pages. */
function writeCursor(input: Input, nowMs: number, position: Position): string {
  return Buffer.from(JSON.stringify([callOf(input), nowMs, position.value, position.updated, position.id])).toString(
    'base64url',
  );
}

function readCursor(cursor: string, input: Input): { nowMs: number; after: Position } {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    throw new MemtoolError('PARAM_ERROR', 'cursor was not issued by memtool', {
      hint: sentence`start again without --cursor`,
      cause: error,
    });
  }
  const [call, nowMs, value, updated, id] = Array.isArray(parts) ? parts : [];
  if (!isInstant(nowMs) || typeof value !== 'number' || typeof updated !== 'string' || typeof id !== 'string') {
    throw new MemtoolError('PARAM_ERROR', 'cursor was not issued by memtool', {
      hint: sentence`start again without --cursor`,
    });
  }
  if (call !== callOf(input)) {
    throw new MemtoolError('PARAM_ERROR', 'cursor belongs to a list with other filters or another order', {
      hint: sentence`repeat the ${either('flags', 'arguments')} of the first page, or start again without --cursor`,
    });
  }
  return { nowMs, after: { value, updated, id } };
}
