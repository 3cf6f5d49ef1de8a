import { MemtoolError } from '../core/errors.ts';
import { FIELD_PARAMS } from '../core/memory.ts';
import type { ChoiceParam, TextParam } from '../core/params.ts';
import type { Result } from '../ops/operation.ts';
import { count, notes, quotedRemarks, requested, warned } from './recalled.ts';
import { defineTool, operationOf, paramOf, pick, renamed, without, type Arguments, type JsonSchema } from './tool.ts';

/** The error for an unknown field lists the valid ones. */
const FREE_FIELDS = { choices: undefined, description: 'Such as content.' } as const;

/** Maximum and default number of search results. Source: the tools of claudecode-oepnclaw-mem, whose names and shapes
 * are adopted here. */
const SEARCH_LIMIT = { max: 20, default: 5 } as const;
/** Maximum and default number of recommended items. */
const RECOMMEND_LIMIT = { max: 20, default: 6 } as const;
const LIST_LIMIT = { max: 100, default: 20 } as const;
const HISTORY_LIMIT = { max: 100, default: 10 } as const;
/** Characters of content in one answer, unless a client requests more: of English or code at most 10,000 tokens, above
 * which clients warn about a long answer. Chinese takes more: 20,000 tokens mixed with code and English, 33,000 to 38,000
 * as prose (o200k_base, texts of the sets in docs/ranking.md). */
const ANSWER_CHARS = { default: 40_000 } as const;

/** The fields that a client gets of an item that it did not request by id: the main ones, and in place of the content a
 * snippet and the size (added below). */
const SHORT_FIELDS = ['id', 'type', 'task_id', 'step_id', 'key', 'tags', 'source', 'updated_at', 'confidence_level'];
const FOUND_FIELDS = [...SHORT_FIELDS, 'score', 'snippet', 'chars'];
/** The fields of an item in a list. */
export const LISTED_FIELDS: readonly string[] = [...SHORT_FIELDS, 'snippet', 'chars'];
const RECOMMENDED_FIELDS = [...SHORT_FIELDS, 'score', 'reasons', 'snippet', 'chars'];
const VERSION_FIELDS = ['version', 'changed_at', 'change', 'key', 'tags', 'source', 'confidence_level', 'chars'];

const CATEGORIES = ['preference', 'fact', 'decision', 'entity', 'other'] as const;
const CATEGORY: ChoiceParam = { kind: 'choice', choices: CATEGORIES, description: '' };

const FORGOTTEN_ID: TextParam = { ...FIELD_PARAMS.id, required: true, description: '' };

/** For the tools that find notes by their tags. */
const CATEGORY_IS_TAG = { category: 'a category is a tag: use tag' };

/** The layer of a note that is stored without one. */
const DEFAULT_TYPE = 'project';

const [SEARCH, GET, PUT, LIST, RECOMMEND, DELETE, RESTORE, HISTORY] = [
  operationOf('search'),
  operationOf('get'),
  operationOf('put'),
  operationOf('list'),
  operationOf('recommend'),
  operationOf('delete'),
  operationOf('restore'),
  operationOf('history'),
];

const FILTERS = ['type', 'task_id', 'step_id', 'key', 'tag', 'since'];

const memorySearch = defineTool(SEARCH, {
  name: 'memory_search',
  title: 'Search memories',
  description: [
    'Find notes by any text: a question, an error message, an identifier, Chinese or English. Use it before you edit unfamiliar code, when a test fails, and when the user refers to earlier work. Returns snippets, best first; whole notes: memory_get.',
  ],
  params: pick(SEARCH, ['query', 'limit', ...FILTERS, 'match', 'sort_by', 'fields', 'max_chars'], {
    query: { required: true },
    limit: SEARCH_LIMIT,
    fields: FREE_FIELDS,
    max_chars: ANSWER_CHARS,
  }),
  instead: CATEGORY_IS_TAG,
  toInput: withFieldsOf(FOUND_FIELDS),
  toResult: ({ items, ...rest }) => ({ results: items, ...rest }),
  toOutput: (output) => without(['explain', 'explain_id'], renamed('items', 'results')(output)),
  toNotes: ({ results, total, total_exact: isExact, truncated, omitted_ids: omitted, hint, warning }, { fields }) => ({
    ...notes(
      results,
      [
        truncated === true
          ? `${count(results)} of ${isExact === true ? String(total) : `more than ${Number(total) - 1}`} matches are shown`
          : undefined,
        warned(warning),
      ],
      quotedRemarks({ omitted, hint }),
    ),
    ...requested(fields),
  }),
});

const memoryGet = defineTool(GET, {
  name: 'memory_get',
  title: 'Read memories',
  description: ['Read whole notes, by one or more ids, or by key (type: project by default).'],
  params: pick(GET, ['id', 'type', 'key', 'task_id', 'step_id', 'max_chars'], {
    max_chars: ANSWER_CHARS,
  }),
  // a note that was stored without a type is found without one
  toInput: (args) => (args['id'] === undefined && args['key'] !== undefined ? { type: DEFAULT_TYPE, ...args } : args),
  toOutput: ({ anyOf }) => (anyOf as readonly JsonSchema[])[1] ?? {},
  toNotes: ({ items, missing, omitted_ids: omitted, hint }) =>
    notes(items, [], quotedRemarks({ omitted, missing, hint })),
});

const memoryStore = defineTool(PUT, {
  name: 'memory_store',
  title: 'Store a memory',
  description: [
    'Keep what a later session needs: a decision and its reason, the cause of a failure, a user preference, a fact that was hard to find. One thing per note, understandable by itself. The same text is kept once (action: duplicate); the same key is updated.',
  ],
  params: {
    text: { ...paramOf(PUT, 'content'), description: 'The text of the note, in Markdown.' },
    category: CATEGORY,
    ...pick(
      PUT,
      ['type', 'key', 'task_id', 'step_id', 'tag', 'source', 'confidence', 'id', 'if_version', 'clear', 'redact'],
      {
        type: { description: 'project (default) lasts, run fades in weeks.' },
        id: { description: 'Update this note.' },
        if_version: { description: 'Only if it has this version.' },
        clear: { choices: undefined, description: 'Fields to empty.' },
        redact: { description: 'Mask secrets.' },
      },
    ),
  },
  names: { content: 'text' },
  problemWith: ({ text, id, key, category, clear }) => {
    if (text === undefined && id === undefined)
      return badArgument(
        'text',
        'text is required',
        'give the note as text; leave it out only when id names a stored note',
      );
    if (clear !== undefined && id === undefined && key === undefined)
      return badArgument('clear', 'clear is for stored notes', 'name the note by id or key');
    if (category !== undefined && Array.isArray(clear) && clear.includes('tags'))
      return badArgument('clear', 'category is a tag, and clear empties the tags', 'to replace all tags, give tag');
    return undefined;
  },
  toInput: ({ text, category, ...args }) => {
    const isAddressed = ['id', 'key', 'if_version'].some((name) => args[name] !== undefined);
    return {
      ...args,
      ...(text !== undefined && { content: text }),
      ...(args['id'] === undefined && args['type'] === undefined && { type: DEFAULT_TYPE }),
      ...(category !== undefined && tagsFor(category, args['tag'])),
      ...(!isAddressed && { dedupe: true }),
    };
  },
  toResult: ({ action, ...rest }) => ({ action: action === 'inserted' ? 'stored' : action, ...rest }),
  toOutput: (output) => {
    const properties = output['properties'] as JsonSchema;
    return {
      ...output,
      properties: { ...properties, action: { type: 'string', enum: ['stored', 'updated', 'duplicate'] } },
    };
  },
});

function badArgument(parameter: string, message: string, hint: string): MemtoolError {
  return new MemtoolError('PARAM_ERROR', message, { hint, context: { parameter } });
}

/** The tags of a note of a category: the first of the given ones. Without these, it takes the place of the note's other
 * category, and the tags that the caller has not seen stay. */
function tagsFor(category: unknown, tags: unknown): Arguments {
  return Array.isArray(tags)
    ? { tag: [...new Set([category, ...tags])] }
    : { add_tag: [category], remove_tag: CATEGORIES.filter((one) => one !== category) };
}

const memoryList = defineTool(LIST, {
  name: 'memory_list',
  title: 'List memories',
  description: ['List notes, newest first, by layer, task, key or tag. Returns the start of each.'],
  params: pick(LIST, [...FILTERS, 'until', 'deleted', 'sort_by', 'limit', 'cursor'], {
    limit: LIST_LIMIT,
  }),
  instead: CATEGORY_IS_TAG,
  toInput: (args) => withFieldsOf([...LISTED_FIELDS, ...(args['deleted'] === true ? ['deleted_at'] : [])])(args),
  toNotes: ({ items, total, next_cursor: next, hint }) =>
    notes(
      items,
      [
        `${count(items)} of ${String(total)} notes`,
        typeof next === 'string' ? `more with cursor ${JSON.stringify(next)}` : undefined,
      ],
      quotedRemarks({ hint }),
    ),
});

const memoryRecommend = defineTool(RECOMMEND, {
  name: 'memory_recommend',
  title: 'Recommend memories',
  description: [
    'Suggest notes for the work at hand, by relevance, confidence and age. Use it at the start of a task, with the task as context.',
  ],
  params: pick(RECOMMEND, ['context', 'task_id', 'tag', 'key_prefix', 'type', 'limit', 'include_stale'], {
    limit: RECOMMEND_LIMIT,
  }),
  instead: CATEGORY_IS_TAG,
  toInput: withFieldsOf(RECOMMENDED_FIELDS),
  toOutput: (output) => without(['omitted_ids'], output),
  toNotes: ({ items, candidates, truncated, hint, warning }) =>
    notes(
      items,
      [
        truncated === true ? `${count(items)} of ${String(candidates)} candidates are shown` : undefined,
        warned(warning),
      ],
      quotedRemarks({ hint }),
    ),
});

const memoryForget = defineTool(DELETE, {
  name: 'memory_forget',
  title: 'Forget a memory',
  description: ['Delete a note that is wrong or unwanted, or with undo bring a deleted one back.'],
  params: { id: FORGOTTEN_ID, undo: { kind: 'flag', description: '' } },
  operationFor: ({ undo }) => (undo === true ? RESTORE : DELETE),
  toInput: ({ id }) => ({ id: [id] }),
  toResult: ({ deleted, version, warnings }, { id, undo }) => ({
    ...(undo === true ? { deleted: false, restored: true, id, version } : { deleted: deleted === 1, id }),
    ...(warnings !== undefined && { warnings }),
  }),
  toAnswer: ({ code, told: { hint }, context }, { id, undo }) => {
    if (undo !== true)
      return code === 'NOT_FOUND' ? { deleted: false, id, ...(hint !== undefined && { hint }) } : undefined;
    // restore refuses an item that is not deleted, since its caller must name a version
    return code === 'PARAM_ERROR' && context['id'] === id
      ? { deleted: false, restored: false, id, hint: 'the note is not deleted' }
      : undefined;
  },
  toOutput: (output) => {
    const { warnings } = output['properties'] as JsonSchema;
    return {
      ...output,
      properties: {
        deleted: { type: 'boolean' },
        restored: { type: 'boolean' },
        id: { type: 'string' },
        version: { type: 'integer' },
        hint: { type: 'string' },
        warnings,
      },
      required: ['deleted', 'id'],
    };
  },
});

const memoryHistory = defineTool(HISTORY, {
  name: 'memory_history',
  title: 'History of a memory',
  description: [
    'See the versions of a note, newest first, or with diff what changed between two. For old texts, request the field content.',
  ],
  params: pick(HISTORY, ['id', 'diff', 'limit', 'fields', 'max_chars'], {
    id: { required: true },
    diff: { description: 'Old and new version.' },
    limit: HISTORY_LIMIT,
    fields: FREE_FIELDS,
    max_chars: ANSWER_CHARS,
  }),
  // two of them have defaults, and a difference takes none of the three
  toInput: ({ limit, fields, max_chars, ...args }) =>
    args['diff'] === undefined ? withFieldsOf(VERSION_FIELDS)({ ...args, limit, fields, max_chars }) : args,
  toResult: (result, { max_chars: maxChars }) => withinChars(result, Number(maxChars)),
  toOutput: ({ anyOf, ...output }) => {
    const [versions, difference] = anyOf as readonly JsonSchema[];
    const properties = { ...(difference?.['properties'] as JsonSchema), hint: { type: 'string' } };
    return { ...output, anyOf: [versions, { ...difference, properties }] };
  },
  toNotes: ({ id, versions, total, omitted_versions: omitted, hint, changed, diff }, { fields }) => {
    if (Array.isArray(versions)) {
      const entries = versions.map((version: Arguments) => ({ id, ...version }));
      return {
        ...notes(entries, [`${count(versions)} of ${String(total)} versions`], quotedRemarks({ omitted, hint })),
        ...requested(fields),
      };
    }
    return notes([{ id, content: [...changes(changed), diff].join('\n') }], [], quotedRemarks({ hint }));
  },
});

/** Cuts the difference between two versions, which may be as long as both of them, and says so. */
function withinChars(result: Result, maxChars: number): Result {
  const { diff } = result;
  if (typeof diff !== 'string' || diff.length <= maxChars) return result;
  const shown = diff.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, ''); // no half of a character
  const hint = `only the beginning of the difference is shown; all of it: max_chars ${diff.length}`;
  return { ...result, diff: shown, hint };
}

/** The fields that differ between two versions, one per line. */
function changes(changed: unknown): string[] {
  return Object.entries(changed as Readonly<Record<string, { from: unknown; to: unknown }>>).map(
    ([field, { from, to }]) => `${field}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  );
}

/** The tools that an agent needs, in the order in which they are listed. */
export const DEFAULT_TOOLS = [
  memorySearch,
  memoryGet,
  memoryStore,
  memoryList,
  memoryRecommend,
  memoryForget,
  memoryHistory,
];

/** Requests these fields if a client names none. The first of them, which identifies a note, is always included. */
function withFieldsOf(usual: readonly string[]): (args: Arguments) => Arguments {
  return (args) => {
    const named = args['fields'];
    return { ...args, fields: Array.isArray(named) ? [...new Set([...usual.slice(0, 1), ...named])] : usual };
  };
}
