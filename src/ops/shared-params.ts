import { FIELD_PARAMS, MEMORY_FIELDS } from '../core/memory.ts';
import type { Params, TextListParam, TextParam } from '../core/params.ts';
import { timeOf } from '../core/time.ts';
import { HALF_LIFE_DAYS, STALE_THRESHOLD, staleUntil } from '../search/recency.ts';
import type { Filters } from '../store/filters.ts';

/** Longest path of a file, in characters. Source: PATH_MAX of Linux. */
export const MAX_PATH_CHARS = 4096;
/** Longest time, in characters: with nanoseconds and an offset it has 35. */
export const MAX_TIME_CHARS = 40;
/** Most items in one answer. */
export const MAX_LIMIT = 1000;

const only = (what: string): { readonly description: string } => ({ description: `Only items ${what}.` });

const staleAges = Object.entries(HALF_LIFE_DAYS).map(
  ([type, days]) => `${Math.ceil(days * Math.log2(1 / STALE_THRESHOLD))} days (${type})`,
);

/** What stale items are, for a description. */
export const STALE_ITEMS = `items whose decay is ${STALE_THRESHOLD} or less: not updated for ${staleAges.join(', ')}`;

/** How a time is given that ends or begins a range. */
export const TIME_OR_AGE = 'RFC 3339, or how long ago in weeks, days, hours, minutes or seconds: 2w, 7d, 12h, 30m, 90s';

/** What a date without a time means as the end of a range. */
export const WHOLE_DAY = 'a date alone includes the whole day, in UTC unless it has an offset';

/** The filters of list, search and export: an item must pass all that are given. */
export const FILTER_PARAMS = {
  type: { ...FIELD_PARAMS.type, ...only('of this layer: project, feature or run') },
  task_id: { ...FIELD_PARAMS.task_id, ...only('of exactly this task') },
  step_id: { ...FIELD_PARAMS.step_id, ...only('of exactly this step') },
  key: { ...FIELD_PARAMS.key, ...only('with exactly this key') },
  tag: {
    ...FIELD_PARAMS.tags,
    ...only('that have this tag (exact, case-sensitive); several tags must all be present'),
  },
  since: {
    kind: 'text',
    format: 'timestamp',
    maxChars: MAX_TIME_CHARS,
    orAge: true,
    description: `Only items updated at this time or later (${TIME_OR_AGE}).`,
  },
  until: {
    kind: 'text',
    format: 'timestamp',
    maxChars: MAX_TIME_CHARS,
    endsDay: true,
    orAge: true,
    description: `Only items updated at this time or earlier (${TIME_OR_AGE}; ${WHOLE_DAY}).`,
  },
} as const satisfies Params;

/** Returns the parameter `--fields`, for an item to which a list adds the fields `added`. */
export function fieldsParam(...added: readonly string[]) {
  return {
    kind: 'texts',
    separator: 'comma',
    maxChars: 64,
    choices: [...MEMORY_FIELDS, ...added],
    description: 'Print only these fields of each item, separated by commas.',
  } as const satisfies TextListParam;
}

export const MAX_CHARS_PARAM = {
  kind: 'int',
  min: 1,
  max: 100_000_000,
  description: 'Print at most this many characters of content in total; items that do not fit are in omitted_ids.',
} as const;

/** The id of one item, positional or as --id. */
export const ID_PARAM = { ...FIELD_PARAMS.id, positional: true } as const satisfies TextParam;

export const IDS_PARAM = {
  kind: 'texts',
  separator: 'none',
  maxChars: FIELD_PARAMS.id.maxChars,
  positional: true,
} as const satisfies Omit<TextListParam, 'description'>;

interface FilterInput {
  readonly type?: Filters['type'];
  readonly task_id?: string | undefined;
  readonly step_id?: string | undefined;
  readonly key?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly exclude_stale?: boolean | undefined;
}

/** Returns the filters that an input requests; ages are resolved, and stale items determined, at `nowMs`. */
export function filtersOf(input: FilterInput, nowMs: number): Filters {
  return {
    type: input.type,
    task_id: input.task_id,
    step_id: input.step_id,
    key: input.key,
    tags: input.tag,
    since: input.since === undefined ? undefined : timeOf(input.since, nowMs),
    until: input.until === undefined ? undefined : timeOf(input.until, nowMs),
    fresh: input.exclude_stale === true ? { atMs: nowMs, staleUntil: staleUntil(nowMs) } : undefined,
  };
}
