import type { ChoiceParam, NumberParam, TextListParam, TextParam } from './params.ts';

export const MEMORY_TYPES = ['project', 'feature', 'run'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** Longest id, in characters. */
const MAX_ID_CHARS = 128;
/** Longest key, task_id, step_id, source, verified_by or tag, in characters. */
export const MAX_NAME_CHARS = 512;
/** Most tags per item, and per filter. */
const MAX_TAGS = 100;
/** Largest content, in bytes of UTF-8: 16 MiB. */
export const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** Default weight of an item; the range is 0 to 10. */
export const DEFAULT_WEIGHT = 1;

/** Greatest version that is taken over from elsewhere: half of the safe integers, so that as many further writes still
 * get valid version numbers. */
export const MAX_VERSION = Math.floor(Number.MAX_SAFE_INTEGER / 2);
export const DEFAULT_CONFIDENCE: ConfidenceLevel = 'medium';

/** An item: one row of memory_items as every command shows it. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Memory {
  readonly id: string;
  readonly type: MemoryType;
  readonly task_id: string | null;
  readonly step_id: string | null;
  readonly key: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly source: string | null;
  readonly weight: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly confidence_level: ConfidenceLevel;
  readonly verified_by: string | null;
}

/** The 14 fields in the order in which they are always printed. */
export const MEMORY_FIELDS = [
  'id',
  'type',
  'task_id',
  'step_id',
  'key',
  'content',
  'tags',
  'source',
  'weight',
  'version',
  'created_at',
  'updated_at',
  'confidence_level',
  'verified_by',
] as const satisfies readonly (keyof Memory)[];

/** The fields that a caller may set. The store sets the rest (id, version, times). */
export type MemoryPatch = Partial<
  Pick<
    Memory,
    | 'type'
    | 'task_id'
    | 'step_id'
    | 'key'
    | 'content'
    | 'tags'
    | 'source'
    | 'weight'
    | 'confidence_level'
    | 'verified_by'
  >
>;

/** The address of a memory that is kept up to date: absent parts are null. */
export type LogicalKey = Pick<Memory, 'type' | 'task_id' | 'step_id'> & { readonly key: string };

function name(description: string, extra: Partial<TextParam> = {}): TextParam {
  return { kind: 'text', format: 'name', maxChars: MAX_NAME_CHARS, description, ...extra };
}

/** The rules for the fields of an item, defined once: put, the filters and import all check against them. */
export const FIELD_PARAMS = {
  id: { kind: 'text', format: 'id', maxChars: MAX_ID_CHARS, description: 'The id of an item.' },
  type: { kind: 'choice', choices: MEMORY_TYPES, description: 'Layer: project, feature or run.' },
  task_id: name('The task (requirement, bug fix) that the memory belongs to.'),
  step_id: name('The step of the task that the memory belongs to.'),
  key: name('The name of the memory within its layer, such as glossary or stacktrace.'),
  tags: {
    kind: 'texts',
    maxItems: MAX_TAGS,
    separator: 'comma',
    maxChars: MAX_NAME_CHARS,
    aliases: ['tags'],
    description: 'A tag; repeat the flag or separate tags with commas.',
  },
  source: name('Where the memory comes from, such as PRD, manual, log.'),
  weight: { kind: 'number', min: 0, max: 10, description: 'How much the memory counts in rankings.' },
  confidence_level: { kind: 'choice', choices: CONFIDENCE_LEVELS, description: 'How reliable the memory is.' },
  verified_by: name('Who or what confirmed the memory.'),
} as const satisfies Record<string, TextParam | TextListParam | NumberParam | ChoiceParam>;

/** A new item from the given fields at an instant (in the stored form), with defaults for the rest. Throws without a
 * type or a content. */
export function newMemory(given: Partial<Memory> & Pick<Memory, 'id'>, now: string): Memory {
  const { type, content } = given;
  if (type === undefined || content === undefined) throw new Error('a new item needs a type and a content');
  const created_at = given.created_at ?? given.updated_at ?? now;
  return {
    id: given.id,
    type,
    task_id: given.task_id ?? null,
    step_id: given.step_id ?? null,
    key: given.key ?? null,
    content,
    tags: given.tags ?? [],
    source: given.source ?? null,
    weight: given.weight ?? DEFAULT_WEIGHT,
    version: given.version ?? 1,
    created_at,
    updated_at: given.updated_at ?? created_at,
    confidence_level: given.confidence_level ?? DEFAULT_CONFIDENCE,
    verified_by: given.verified_by ?? null,
  };
}
