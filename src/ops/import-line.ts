import { quote } from '../core/errors.ts';
import { FIELD_PARAMS, MAX_CONTENT_BYTES, MAX_VERSION, MEMORY_FIELDS, type Memory } from '../core/memory.ts';
import { normalise, problemWith, type Param } from '../core/params.ts';
import { withoutPrivate } from '../core/private-text.ts';
import { utf8Bytes } from '../core/text.ts';
import { MAX_TIME_CHARS } from './shared-params.ts';
import { CHANGES, type Change, type HistoryEntry } from '../store/history.ts';

/** An item as a line of a file gives it, with only the fields that are present. */
export type PartialMemory = Partial<Memory>;

/** A version before that of the line; its id is the item's. */
type EarlierVersion = Omit<HistoryEntry, 'memory'> & { readonly memory: Omit<Memory, 'id'> };

export interface ParsedLine {
  readonly item: PartialMemory;
  /** The versions before this one, oldest first, and how and when this one was made. Absent if the line has no
   * history. */
  readonly history?:
    | { readonly earlier: readonly EarlierVersion[]; readonly change: Change; readonly changedAt: string }
    | undefined;
  /** Fields that memtool does not know. */
  readonly unknown: readonly string[];
  /** True if private parts were dropped from a content. */
  readonly hasPrivate: boolean;
}

/** The problem with a line. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem';
}

const TIME: Param = { kind: 'text', format: 'timestamp', maxChars: MAX_TIME_CHARS, description: '' };
const VERSION: Param = { kind: 'int', min: 1, max: MAX_VERSION, description: '' };
const CONTENT: Param = { kind: 'text', format: 'content', maxChars: Number.MAX_SAFE_INTEGER, description: '' };
const FIELD_RULES: Readonly<Record<keyof Memory, Param>> = {
  ...FIELD_PARAMS,
  content: CONTENT,
  version: VERSION,
  created_at: TIME,
  updated_at: TIME,
};
const NULLABLE: ReadonlySet<string> = new Set(['task_id', 'step_id', 'key', 'source', 'verified_by']);
/** Fields that a line may omit; null, which other tools write instead, counts as omitted. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'tags',
  'weight',
  'version',
  'created_at',
  'updated_at',
  'confidence_level',
]);

/** Reads the value of one line of a JSONL file. Throws a LineProblem that names the field and never quotes content. Of a
 * JSON key that occurs twice, the last one counts. */
export function parseLine(value: unknown): ParsedLine {
  const object = toObject(value);
  const item = toItem(object);
  if (item.type === undefined) throw new LineProblem('type is required');
  if (item.content === undefined) throw new LineProblem('content is required');
  const history = object['history'];
  const unknown = [
    ...Object.keys(object).filter((name) => name !== 'history' && !isField(name)),
    ...(Array.isArray(history) ? unknownOfEntries(history) : []),
  ];
  const hasPrivate = holdsPrivate(object) || (Array.isArray(history) && history.some(holdsPrivate));
  return { item, unknown, hasPrivate, ...(history !== undefined && { history: toHistory(history, item) }) };
}

/** The fields of versions that memtool does not know, each once, as `history.NAME`. */
function unknownOfEntries(entries: readonly unknown[]): string[] {
  const names = entries.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.keys(entry) : []));
  return [...new Set(names)]
    .filter((name) => name !== 'changed_at' && name !== 'change' && !isField(name))
    .map((name) => `history.${name}`);
}

/** Returns why an import would refuse an item or one of its versions; undefined if it would not. */
export function refusalOf(memory: Memory): string | undefined {
  try {
    toItem({ ...memory });
    return undefined;
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    return error.message;
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new LineProblem('not a JSON object');
  return value as Readonly<Record<string, unknown>>;
}

function isField(name: string): name is keyof Memory {
  return MEMORY_FIELDS.some((field) => field === name);
}

function toItem(object: Readonly<Record<string, unknown>>): PartialMemory {
  const item: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    if (isField(name) && !(value === null && OPTIONAL.has(name))) item[name] = toField(name, value);
  }
  return item;
}

function toField(name: keyof Memory, value: unknown): unknown {
  // the Python tool also writes '' for a missing value
  if ((value === null || value === '') && NULLABLE.has(name)) return null;
  if (name === 'tags' && Array.isArray(value)) return toTags(value);
  const param = FIELD_RULES[name];
  const problem = problemWith(param, value);
  if (problem !== undefined)
    throw new LineProblem(`${name} ${problem}${name === 'content' ? '' : `, got ${quote(value)}`}`);
  if (name === 'content' && utf8Bytes(String(value)) > MAX_CONTENT_BYTES)
    throw new LineProblem('content is larger than 16 MiB');
  if (name === 'content') return publicContent(String(value));
  return normalise(param, value);
}

/** True if the content of a line or of a version has private parts. */
function holdsPrivate(value: unknown): boolean {
  const content = (value as { readonly content?: unknown } | null)?.content;
  return typeof content === 'string' && withoutPrivate(content).dropped > 0;
}

/** Returns a content without its private parts. Throws LineProblem if nothing else is left. */
function publicContent(content: string): string {
  const { text } = withoutPrivate(content);
  if (text === '') throw new LineProblem('content consists only of <private> parts');
  return text;
}

function toTags(value: readonly unknown[]): string[] {
  const given = value.filter((tag) => typeof tag !== 'string' || tag.trim() !== ''); // empty tags are ignored
  if (given.length === 0) return [];
  const problem = problemWith(FIELD_PARAMS.tags, given);
  if (problem !== undefined) throw new LineProblem(`tags ${problem}`);
  return normalise(FIELD_PARAMS.tags, given) as string[];
}

function toHistory(value: unknown, item: PartialMemory): ParsedLine['history'] {
  if (!Array.isArray(value)) throw new LineProblem('history must be a list');
  const entries = value.map((entry) => toEntry(toObject(entry))).toReversed();
  const current = entries.at(-1);
  if (current === undefined) return undefined;
  if (current.version !== item.version || current.change === 'delete') {
    throw new LineProblem("history must begin with the item's own version");
  }
  return { earlier: entries.slice(0, -1), change: current.change, changedAt: current.changed_at };
}

function toEntry(object: Readonly<Record<string, unknown>>): EarlierVersion {
  const { changed_at, change, ...rest } = object;
  const { id: _id, ...fields } = toItem(rest);
  const missing = MEMORY_FIELDS.find((field) => field !== 'id' && fields[field] === undefined);
  if (missing !== undefined) throw new LineProblem(`history: ${missing} is required`);
  const known = CHANGES.find((one) => one === change);
  if (known === undefined) throw new LineProblem(`history: change must be one of ${CHANGES.join(', ')}`);
  const problem = problemWith(TIME, changed_at);
  if (problem !== undefined) throw new LineProblem(`history: changed_at ${problem}`);
  // all fields except the id were checked above
  const memory = fields as Omit<Memory, 'id'>;
  return { version: memory.version, changed_at: String(normalise(TIME, changed_at)), change: known, memory };
}
