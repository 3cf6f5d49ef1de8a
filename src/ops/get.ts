import { idArgument, MemtoolError } from '../core/errors.ts';
import { FIELD_PARAMS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { notFound } from './not-found.ts';
import { defineOperation } from './operation.ts';
import { withFields } from './present.ts';
import { fieldsParam, ID_PARAM } from './shared-params.ts';

const PARAMS = {
  id: { ...ID_PARAM, description: 'The id of the item.' },
  type: FIELD_PARAMS.type,
  key: { ...FIELD_PARAMS.key, description: 'With --type instead of an id: the newest item with this key.' },
  task_id: FIELD_PARAMS.task_id,
  step_id: FIELD_PARAMS.step_id,
  fields: fieldsParam(),
} as const;
type Input = InputOf<typeof PARAMS>;

export const get = defineOperation({
  name: 'get',
  summary: 'Read one memory, whole.',
  prints: 'item: its 14 fields.',
  notes: [
    'Without an id, --type and --key are required; --task-id and --step-id match anything when they are not given. The newest match wins.',
  ],
  examples: [
    { command: 'memtool get 01J9XB2V6QK7Z4T8M3N5P0R1SC', note: 'by id' },
    { command: 'memtool get --type feature --key contract --task-id login', note: 'by key' },
  ],
  access: 'read',
  params: PARAMS,
  run({ store }, input) {
    return { item: withFields({ ...find(store, input) }, input.fields) };
  },
});

function find(store: MemoryStore, input: Input): Memory {
  const { id, type, key, task_id, step_id } = input;
  const byKey = { type, key, task_id, step_id };
  if (id !== undefined) {
    if (Object.values(byKey).some((value) => value !== undefined)) {
      throw new MemtoolError('PARAM_ERROR', 'give either an id or --type and --key, not both', {
        hint: `memtool get ${idArgument(id)}`,
      });
    }
    const memory = store.get(id);
    if (memory === undefined) throw notFound(store, id);
    return memory;
  }
  if (type === undefined || key === undefined) {
    throw new MemtoolError('PARAM_ERROR', 'give an id, or --type and --key', {
      hint: 'memtool get ID, or: memtool get --type project --key glossary',
    });
  }
  const [newest] = store.list({ filters: byKey, sort: 'updated', nowMs: 0, limit: 1 });
  const memory = newest && store.bySeq(newest.seq);
  if (memory === undefined) {
    const query = Object.fromEntries(Object.entries(byKey).filter(([, value]) => value !== undefined));
    throw new MemtoolError('NOT_FOUND', `no ${type} item with this key`, {
      hint: `see what there is with: memtool list --type ${type}`,
      context: { query },
    });
  }
  return memory;
}
