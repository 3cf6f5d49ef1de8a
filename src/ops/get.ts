import { MemtoolError } from '../core/errors.ts';
import { both, command, joined, sentence, type Sentence } from '../core/sentence.ts';
import { FIELD_PARAMS, type Memory } from '../core/memory.ts';
import type { InputOf } from '../core/params.ts';
import { characterCount } from '../core/text.ts';
import { deletedHint } from './deleted-hint.ts';
import { emptyHint } from './empty-hint.ts';
import { hasFilters, type Filters } from '../store/filters.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { notFound } from './not-found.ts';
import { defineOperation } from './operation.ts';
import { ContentBudget, withFields } from './present.ts';
import { fieldsParam, IDS_PARAM, MAX_CHARS_PARAM } from './shared-params.ts';

const PARAMS = {
  id: { ...IDS_PARAM, description: 'The id of an item; several may be given.' },
  type: FIELD_PARAMS.type,
  key: { ...FIELD_PARAMS.key, description: 'Instead of an id, with --type: the newest item with this key.' },
  task_id: FIELD_PARAMS.task_id,
  step_id: FIELD_PARAMS.step_id,
  fields: fieldsParam('chars'),
  max_chars: MAX_CHARS_PARAM,
} as const;
type Input = InputOf<typeof PARAMS>;

export const get = defineOperation({
  name: 'get',
  summary: 'Read whole memories, by id or key.',
  prints:
    'item (its 14 fields), and a hint if other items have the key too. With several ids or --max-chars instead: items (in the order of the ids), missing (ids that do not exist), omitted_ids, and a hint if there are any.',
  notes: [
    'Without an id, --type and --key are required; --task-id and --step-id match anything when they are not given. The newest match wins.',
  ],
  examples: [
    { command: 'memtool get 01J9XB2V6QK7Z4T8M3N5P0R1SC', note: 'by id' },
    { command: 'memtool get 01J9XB2V6QK7Z4T8M3N5P0R1SC 01J9XB3W --max-chars 20000', note: 'several, limited in total' },
    { command: 'memtool get --type feature --key contract --task-id login', note: 'by key' },
  ],
  access: 'read',
  params: PARAMS,
  run({ store }, input) {
    const { id, fields, max_chars } = input;
    const ids = [...new Set(id)];
    if (ids.length <= 1 && max_chars === undefined)
      return store.snapshot(() => {
        const memory = find(store, input);
        const hint = ids.length === 0 ? otherItemsHint(store, input, memory) : undefined;
        return { item: present(memory, fields), ...(hint !== undefined && { hint }) };
      });
    if (ids.length > 0) refuseKey(input);
    return store.snapshot(() => {
      const budget = ContentBudget.for(input);
      const found = ids.length === 0 ? [find(store, input)] : [...store.each(ids)];
      const [first] = ids;
      if (found.length === 0 && first !== undefined) throw notFound(store, first);
      const foundIds = new Set(found.map((memory) => memory.id));
      const items = found.filter((memory) => budget.admits(memory)).map((memory) => present(memory, fields));
      const byItsKey = ids.length === 0 ? found[0] : undefined;
      const hint = both(budget.hint(), byItsKey && otherItemsHint(store, input, byItsKey));
      return {
        items,
        missing: ids.filter((one) => !foundIds.has(one)),
        omitted_ids: budget.omittedIds,
        ...(hint !== undefined && { hint }),
      };
    });
  },
});

function present(memory: Memory, fields: Input['fields']): Record<string, unknown> {
  // the number of characters is not one of the 14 fields
  return withFields({ ...memory }, fields, { chars: () => characterCount(memory.content) });
}

/** Returns a hint that a key without a task and a step names other items too, of which this is the newest. */
function otherItemsHint(store: MemoryStore, input: Input, { type, key }: Memory): Sentence | undefined {
  if (input.task_id !== undefined || input.step_id !== undefined || key === null) return undefined;
  const others = store.count({ type, key }) - 1;
  return others === 0
    ? undefined
    : sentence`the newest of ${others + 1} items with this type and key, in whatever task and step: ${command('list', { type, key })}`;
}

function byKey({ type, key, task_id, step_id }: Input): Filters {
  return { type, key, task_id, step_id };
}

function refuseKey(input: Input): void {
  if (!hasFilters(byKey(input))) return;
  throw new MemtoolError('PARAM_ERROR', sentence`give either an id or --type and --key, not both`, {
    hint: command('get', [input.id?.[0] ?? 'ID']),
  });
}

function deletedKeyHint(store: MemoryStore, filters: Filters): Sentence | undefined {
  const deleted = deletedHint(store, filters);
  return deleted && sentence`no stored item has it, but ${deleted}`;
}

/** Returns a hint for a key that another layer has, with the same task and step. */
function otherLayerHint(store: MemoryStore, { type: _type, ...filters }: Filters): Sentence | undefined {
  const [item] = store.newest(filters, 1);
  return item && sentence`the ${item.type} layer has this key: ${command('get', [item.id])}`;
}

function find(store: MemoryStore, input: Input): Memory {
  const { id: [id] = [], type, key } = input;
  if (id !== undefined) {
    refuseKey(input);
    const memory = store.get(id);
    if (memory === undefined) throw notFound(store, id);
    return memory;
  }
  if (type === undefined || key === undefined) {
    throw new MemtoolError('PARAM_ERROR', sentence`give an id, or --type and --key`, {
      hint: sentence`${command('get', ['ID'])}, or: ${command('get', { type: 'project', key: 'glossary' })}`,
    });
  }
  const filters = byKey(input);
  const [memory] = store.newest(filters, 1);
  if (memory === undefined) {
    const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const elsewhere = [deletedKeyHint(store, filters), otherLayerHint(store, filters)].filter(
      (hint) => hint !== undefined,
    );
    throw new MemtoolError('NOT_FOUND', `no ${type} item with this key`, {
      hint:
        elsewhere.length > 0
          ? joined(elsewhere, '; ')
          : (emptyHint(store, filters) ?? sentence`see what is stored with: ${command('list', { type })}`),
      context: { query },
    });
  }
  return memory;
}
