import { MemtoolError } from '../core/errors.ts';
import { command, either, sentence, type Text } from '../core/sentence.ts';
import { FIELD_PARAMS, newMemory, type Memory, type MemoryPatch } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { formatTimestamp, parseTimestamp, readableTime } from '../core/time.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { noContent, readContent } from './content-input.ts';
import { findSame } from './same-content.ts';
import type { Context } from './context.ts';
import { notFound } from './not-found.ts';
import { defineOperation } from './operation.ts';
import { openPartWarnings, publicContent } from './public-content.ts';
import { warningsOf } from './present.ts';
import { otherLayerWarnings, otherTaskHint, otherTaskWarnings, sameKeyWarnings } from './same-key.ts';
import { differing, unwrittenWarnings } from './dedupe-warnings.ts';
import { SECRET_PARAMS, SecretCheck } from './secret-check.ts';
import { MAX_PATH_CHARS } from './shared-params.ts';
import { changesTags, checkTagChange, TAG_CHANGE_PARAMS, tagsAfter } from './tag-change.ts';

/** The fields that may be empty. */
const CLEARABLE = ['task_id', 'step_id', 'key', 'tags', 'source', 'verified_by'] as const;

const PARAMS = {
  id: { ...FIELD_PARAMS.id, description: 'Update this item; it must exist.' },
  type: { ...FIELD_PARAMS.type, description: 'Layer: project, feature or run. Required to create.' },
  key: FIELD_PARAMS.key,
  task_id: FIELD_PARAMS.task_id,
  step_id: FIELD_PARAMS.step_id,
  content: {
    kind: 'text',
    format: 'content',
    maxChars: Number.MAX_SAFE_INTEGER,
    description: 'The text itself; - reads stdin.',
  },
  file: {
    kind: 'text',
    format: 'path',
    maxChars: MAX_PATH_CHARS,
    description: 'Read the text from this file; - reads stdin.',
  },
  tag: FIELD_PARAMS.tags,
  ...TAG_CHANGE_PARAMS,
  source: FIELD_PARAMS.source,
  weight: FIELD_PARAMS.weight,
  confidence: { ...FIELD_PARAMS.confidence_level, aliases: ['confidence-level'] },
  verified_by: FIELD_PARAMS.verified_by,
  clear: {
    kind: 'texts',
    separator: 'comma',
    maxChars: 64,
    choices: CLEARABLE,
    aliases: ['unset'],
    description: 'Empty these fields of the stored item, separated by commas.',
  },
  if_version: {
    kind: 'int',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Write only if this is the stored version (0: only if there is none); otherwise fail with CONFLICT.',
  },
  new: { kind: 'flag', description: 'Insert a new item even if one with this key exists.' },
  dedupe: {
    kind: 'flag',
    description:
      'Insert nothing if an item of the same type, task and step has exactly this content, apart from line breaks at its end (and all of the given tags); the answer then names that item, with the action duplicate.',
  },
  ...SECRET_PARAMS,
} as const;
type Input = InputOf<typeof PARAMS>;

export const put = defineOperation({
  name: 'put',
  summary: 'Write a memory: insert it, or update the one with this id or key.',
  prints:
    'action (inserted, updated, or with --dedupe duplicate), id, version, type, key; private_chars (how many characters were dropped as <private> parts); warnings if there are any.',
  notes: [
    'With --id, the item must exist. Without it, --type and --key update the newest item of the same type, key, task and step, or insert one if there is none. Without a key, or with --new, a new item is inserted.',
    'An update replaces the fields that are given, empties those named by --clear, and keeps the others. --tag replaces all tags; --add-tag and --remove-tag change single ones, decided in the transaction that writes. Every write adds 1 to the version; older versions stay in the history.',
    'The text comes from exactly one of --content, --file and a piped stdin. put waits at most 3 seconds for an open stdin that sends nothing; --file - waits for a slow sender. In a script that is itself read from stdin, add </dev/null to a put that changes only other fields: it would take the rest of the script as the content.',
    'What a content has between <private> and </private> is dropped before anything is stored (not in key, tags or other fields); a part that is not closed extends to the end.',
    'put warns about what looks like a key or token (rules of secretlint), naming the field and the rule, never the value. If --redact changes the key, task or step of a put without --id or --if-version, a new item is inserted.',
    'Keys that agents share: project glossary, invariants, boundaries; feature goal_scope, contract, business_rules, scenarios, risk_notes; run reproduction, stacktrace, logs_excerpt, diff_summary, context_requests.',
  ],
  examples: [
    {
      command:
        "memtool put --type feature --task-id login --key contract <<'EOF'\nPOST /api/login returns 401 on a wrong password.\nEOF",
      note: 'from stdin: the shell does not change the text',
    },
    {
      command: 'memtool put --type run --task-id login --step-id s1 --key stacktrace --file trace.txt',
      note: 'from a file',
    },
    {
      command: "memtool put --type project --key glossary --content '灰度: staged rollout' --tag zh",
      note: 'short text',
    },
    { command: 'memtool put --id 01J9 --if-version 3 --confidence high', note: 'compare and set' },
  ],
  access: 'write',
  instead: { stdin: sentence`leave it out: a piped stdin is the content if there is no --content or --file` },
  params: PARAMS,
  async run(context, given) {
    checkCombination(given);
    const read = await readContent(context, given, { isOptional: fieldCount(given, patchOf(given, undefined)) > 0 });
    const publicText = publicContent(read.content);
    const secrets = new SecretCheck(given);
    const { content, tags, ...texts } = await secrets.clean(textsOf(given, publicText?.text));
    const { tags: added } = await secrets.clean({ ...(given.add_tag && { tags: given.add_tag }) });
    const input: Input = { ...given, ...texts, ...(tags && { tag: tags }), ...(added && { add_tag: added }) };
    const patch = patchOf(input, content);
    if (fieldCount(input, patch) === 0) {
      throw new MemtoolError('PARAM_ERROR', 'nothing to write: no content and no field was given', {
        hint: sentence`give ${either('--content, --file, a piped stdin', 'text')}, or a field such as --tag`,
      });
    }
    const { store } = context;
    const find = findFor(context, { given, input, patch });
    store.tokenize(merge(context, input, patch, input.dedupe ? undefined : find())); // before the lock is taken
    const { unwritten, ...written } = store.write(() => {
      const found = find();
      return found !== undefined && input.dedupe
        ? { ...outcome('duplicate', found), unwritten: differing(patch, found) }
        : { ...write(context, input, patch, found), unwritten: {} };
    });
    return {
      ...written,
      ...(publicText !== undefined && publicText.dropped > 0 && { private_chars: publicText.dropped }),
      ...warningsOf(store, [
        ...read.warnings,
        ...(read.isUnnamed && content !== undefined ? replacedWarnings(given, patch, written) : []),
        ...openPartWarnings(publicText),
        ...secrets.warnings(),
        ...unwrittenWarnings(written.id, unwritten),
        ...keyWarnings(store, input, patch, written),
      ]),
    };
  },
});

/** The fields that identify an item besides its id. */
const ADDRESS = ['type', 'key', 'task_id', 'step_id'] as const;

/** A put that was to change other fields of an item takes a stdin that holds something else, such as the rest of the
 * script, as the new content, so the caller is told, and how to undo it. */
function replacedWarnings(
  input: Input,
  patch: MemoryPatch,
  { id, version, action }: { readonly id: string; readonly version: number; readonly action: string },
): Text[] {
  const isTagged = [input.add_tag, input.remove_tag, input.clear].some((change) => change !== undefined);
  const isOtherChange = input.id === undefined ? isTagged : fieldCount(input, patch) > 1;
  if (action !== 'updated' || !isOtherChange) return [];
  const undo = command('restore', { version: version - 1 }, [id]);
  return [
    sentence`the content was replaced by the text on stdin; if that was not meant, add </dev/null to the put, and undo it with: ${undo}`,
  ];
}

/** Warns of other items that a key may mean: with --id, a call may give an item the logical key of another; a new item
 * may have the key of one in another layer, or under a task. */
function keyWarnings(
  store: MemoryStore,
  input: Input,
  patch: MemoryPatch,
  { id, action }: { readonly id: string; readonly action: string },
): Text[] {
  const isMoved = input.id !== undefined && ADDRESS.some((name) => name in patch);
  const isNamed = action === 'inserted' && input.key !== undefined;
  const after = isMoved || isNamed ? store.get(id) : undefined;
  if (after === undefined) return [];
  return isMoved
    ? sameKeyWarnings(store, after)
    : [...otherLayerWarnings(store, after), ...otherTaskWarnings(store, after)];
}

function checkCombination(input: Input): void {
  if (input.new && input.id !== undefined)
    refuse(sentence`--new and --id cannot be combined`, sentence`leave out --id: memtool makes the id of a new item`);
  if (input.new && input.if_version !== undefined)
    refuse(sentence`--new and --if-version cannot be combined`, 'leave one out');
  if (
    input.dedupe &&
    (input.id !== undefined || input.key !== undefined || input.new || input.if_version !== undefined)
  )
    refuse(
      sentence`--dedupe is for items without a key`,
      sentence`leave out --id, --key, --new and --if-version; a put with a key updates the existing item anyway`,
    );
  checkCleared(input);
  checkTagChange(input);
  if (input.id !== undefined) return;
  if (input.type === undefined)
    refuse(sentence`--type is required`, sentence`use --type project, feature or run, or --id to update a stored item`);
  if (input.if_version !== undefined && input.key === undefined)
    refuse(sentence`--if-version needs --id, or --type and --key`, 'name the item');
}

function checkCleared({ clear, ...input }: Input): void {
  if (clear === undefined) return;
  if (input.new || input.dedupe)
    refuse(sentence`--clear is for stored items`, sentence`leave out --new and --dedupe, or --clear`);
  const part = ADDRESS.find((field) => clear.includes(field));
  if (input.id === undefined && part !== undefined)
    refuse(
      sentence`${part} can be cleared only with --id`,
      'without it, type, key, task and step say which item is meant',
    );
  const given = CLEARABLE.find(
    (field) => clear.includes(field) && input[field === 'tags' ? 'tag' : field] !== undefined,
  );
  if (given !== undefined) refuse(`${given} is both given and cleared`, 'leave one out');
}

function refuse(message: Text, hint: Text): never {
  throw new MemtoolError('PARAM_ERROR', message, { hint });
}

/** Returns the free texts that a call gives. */
function textsOf(input: Input, content: string | undefined) {
  const { key, task_id, step_id, tag: tags, source, verified_by } = input;
  const texts = { content, key, task_id, step_id, tags, source, verified_by };
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)) as Partial<{
    [Name in keyof typeof texts]: NonNullable<(typeof texts)[Name]>;
  }>;
}

/** Returns the fields that the call sets or clears. With --id, type, key, task and step are fields to replace; otherwise
 * they identify the item. */
function patchOf(input: Input, content: string | undefined): MemoryPatch {
  const given = {
    type: input.id === undefined ? undefined : input.type,
    key: input.id === undefined ? undefined : input.key,
    task_id: input.id === undefined ? undefined : input.task_id,
    step_id: input.id === undefined ? undefined : input.step_id,
    content,
    tags: input.tag,
    source: input.source,
    weight: input.weight,
    confidence_level: input.confidence,
    verified_by: input.verified_by,
  };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries((input.clear ?? []).map((field) => [field, field === 'tags' ? [] : null])),
  };
}

/** Returns the number of fields that a call sets, clears or changes. */
function fieldCount(input: Input, patch: MemoryPatch): number {
  return Object.keys(patch).length + (changesTags(input) && patch.tags === undefined ? 1 : 0);
}

/** Returns a function that looks up the item that a call changes (with --dedupe, repeats); undefined means that one is
 * to be inserted. An item whose key, task or step was redacted is always inserted, unless --if-version is given:
 * redaction may make two of them equal, and one item must not replace another because of that. */
function findFor(
  context: Context,
  { given, input, patch }: { readonly given: Input; readonly input: Input; readonly patch: MemoryPatch },
): () => Memory | undefined {
  if (input.dedupe) {
    const memory = merge(context, input, patch, undefined);
    return () => findSame(context.store, memory);
  }
  const isMasked = input.id === undefined && ADDRESS.some((name) => given[name] !== input[name]);
  return isMasked && input.if_version === undefined ? () => undefined : target(context.store, input);
}

/** Returns a function that looks up the item by the id or the key of the call. */
function target(store: MemoryStore, input: Input): () => Memory | undefined {
  const { id, type, key } = input;
  if (id !== undefined) {
    return () => {
      const found = store.get(id);
      if (found === undefined) throw notFound(store, id);
      return found;
    };
  }
  if (key === undefined || type === undefined || input.new) return () => undefined;
  return () => store.findByLogicalKey({ type, key, task_id: input.task_id ?? null, step_id: input.step_id ?? null });
}

function write(context: Context, input: Input, patch: MemoryPatch, before: Memory | undefined) {
  if (input.if_version !== undefined && input.if_version !== (before?.version ?? 0))
    throw conflict(context.store, input, before);
  const memory = merge(context, input, patch, before);
  const changedAt = memory.updated_at;
  if (before === undefined) context.store.insert({ memory, change: 'insert', changedAt });
  else context.store.replace({ memory, change: 'update', changedAt });
  return outcome(before === undefined ? 'inserted' : 'updated', memory);
}

function outcome(action: 'inserted' | 'updated' | 'duplicate', { id, version, type, key }: Memory) {
  return { action, id, version, type, key };
}

/** Returns the item after the write: the stored fields overridden by the given ones, or a new item with the given
 * fields. */
function merge(context: Context, input: Input, patch: MemoryPatch, before: Memory | undefined): Memory {
  const now = formatTimestamp(context.nowMs);
  if (before !== undefined) {
    const created_at = readableTime(before.created_at, now);
    const tags = tagsAfter(patch.tags ?? before.tags, input);
    const version = context.store.lastVersion(before.id) + 1;
    const updated_at = input.id === undefined ? newestTime(context.store, before, now) : now;
    return { ...before, ...patch, tags, created_at, version, updated_at };
  }
  if (patch.content === undefined) throw noContent();
  const { type, key, task_id, step_id } = input;
  const address = { ...(type && { type }), key: key ?? null, task_id: task_id ?? null, step_id: step_id ?? null };
  const tags = tagsAfter(patch.tags ?? [], input);
  return newMemory({ ...address, ...patch, tags, id: context.newId() }, now);
}

/** The last time that can be stored, in milliseconds. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time of a write to the newest item of a key: now, or just after another item of that key which is ahead of now (a
 * clock was wrong), since get and the next put must find what is written here. */
function newestTime(store: MemoryStore, { id, type, key, task_id, step_id, updated_at }: Memory, now: string): string {
  if (key === null || updated_at <= now) return now; // the others are no newer
  const other = store.findByLogicalKey({ type, key, task_id, step_id }, id);
  const ms = other === undefined || other.updated_at < now ? undefined : parseTimestamp(other.updated_at);
  return ms === undefined || ms >= LATEST_MS ? now : formatTimestamp(ms + 1);
}

function conflict(store: MemoryStore, input: Input, before: Memory | undefined): MemtoolError {
  const current = before?.version ?? 0;
  const stored = before === undefined ? 'there is no such item' : `the stored version is ${current}`;
  return new MemtoolError('CONFLICT', sentence`--if-version ${input.if_version ?? ''}: ${stored}`, {
    hint:
      before === undefined
        ? (otherTaskHint(store, input) ?? sentence`write it without --if-version, or with --if-version 0`)
        : sentence`read it again with: ${command('get', [before.id])}, merge, and retry with --if-version ${current}`,
    context: { id: before?.id ?? null, expected_version: input.if_version, current_version: current },
  });
}
