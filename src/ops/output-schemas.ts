import * as z from 'zod';
import { CONFIDENCE_LEVELS, MEMORY_TYPES, type Memory } from '../core/memory.ts';
import { ERRORS, type ErrorCode } from '../core/errors.ts';
import { CHANGES } from '../store/history.ts';

const time = z.string().describe('UTC, YYYY-MM-DDTHH:MM:SS.sssZ.');
const count = z.int().min(0);
const name = z.string().nullable();
const warnings = z.array(z.string()).describe('What the caller should know although the call succeeded.');

const fields = {
  id: z.string().describe('A ULID for items created by memtool; any string for imported ones.'),
  type: z.enum(MEMORY_TYPES),
  task_id: name,
  step_id: name,
  key: name,
  content: z.string(),
  tags: z.array(z.string()),
  source: name,
  weight: z.number().min(0).max(10),
  version: z.int().min(1),
  created_at: time,
  updated_at: time,
  confidence_level: z.enum(CONFIDENCE_LEVELS),
  verified_by: name,
};

/** Schema of a stored item. */
export const Item = z.strictObject(fields) satisfies z.ZodType<Memory>;

/** Fields of an item in a list: `--fields` may omit any of them. */
const listed = { ...z.strictObject(fields).partial().shape };
const hint = z
  .string()
  .optional()
  .describe('What to try when nothing was found or contents were left out, and what the results lack.');
const omittedHint = z.string().optional().describe('The sizes of what was left out, and how to read it.');
const omitted_ids = z
  .array(z.string())
  .optional()
  .describe('With --max-chars: items left out because their content did not fit.');

const Check = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'error']),
  message: z.string(),
  fix: z.string().nullable(),
});
const Explain = z.strictObject({
  sort_by: z.string(),
  lexical: z.number().optional(),
  prior: z.number().optional(),
  mixed: z.number().optional(),
  confidence: z.number().optional(),
  recency: z.number().optional(),
  weight: z.number().optional(),
  lexical_parts: z
    .strictObject({
      words: z.number(),
      bigrams: z.number(),
      characters: z.number(),
      pieces: z.number(),
      proximity: z.number(),
      phrases: z.number(),
      agreement: z.number(),
    })
    .optional(),
  matched: z.record(z.string(), z.array(z.string())).optional(),
});
const Version = z.strictObject({
  version: z.int(),
  changed_at: time,
  change: z.enum(CHANGES),
  ...z.strictObject(fields).omit({ id: true, version: true }).shape,
});
/** Value of a field of an item. */
const fieldValue = z.union([z.string(), z.number(), z.array(z.string()), z.null()]);
const Candidate = z.strictObject({
  id: z.string(),
  type: z.enum(MEMORY_TYPES),
  key: name,
  age_days: z.number(),
  decay: z.number(),
});
const address = { id: z.string(), version: z.int().min(1), type: z.enum(MEMORY_TYPES), key: name };
const written = { ...address, warnings: warnings.optional() };

/** Output of each operation on success, without `ok`. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  init: z.strictObject({
    db: z.string(),
    created: z.boolean(),
    schema_version: z.int(),
    fts5: z.boolean(),
    journal_mode: z.string().nullable(),
    warnings: warnings.optional(),
  }),
  put: z.strictObject({
    action: z.enum(['inserted', 'updated', 'duplicate']),
    ...written,
    private_chars: z.int().min(1).optional().describe('Characters dropped as <private> parts, tags included.'),
  }),
  get: z.union([
    z.strictObject({
      item: z.strictObject({ ...listed, chars: count.optional() }),
      hint: z.string().optional().describe('Without an id: that other items have the key too.'),
    }),
    z.strictObject({
      items: z.array(z.strictObject({ ...listed, chars: count.optional() })),
      missing: z.array(z.string()).describe('Ids that do not exist.'),
      omitted_ids: z.array(z.string()).describe('Ids of items whose content did not fit into --max-chars.'),
      hint: omittedHint,
    }),
  ]),
  list: z.strictObject({
    items: z.array(
      z.strictObject({
        ...listed,
        snippet: z.string().optional(),
        chars: count.optional(),
        deleted_at: time.optional().describe('With --deleted.'),
      }),
    ),
    warnings: warnings.optional(),
    total: count,
    next_cursor: z.string().nullable(),
    hint,
  }),
  search: z.strictObject({
    fts5: z.boolean().describe('Whether the full-text index was asked; false if only the texts were scanned.'),
    warning: z.enum(['FTS_UNAVAILABLE', 'DICTIONARY_MISSING', 'QUERY_CUT']).optional(),
    warnings: warnings.optional(),
    items: z.array(
      z.strictObject({
        ...listed,
        score: z.number().nullable().optional(),
        snippet: z.string().optional(),
        chars: count.optional(),
        duplicates: z
          .array(z.string())
          .optional()
          .describe('Ids of copies (same type, key and content) that share this place.'),
        explain: Explain.optional(),
      }),
    ),
    total: count,
    total_exact: z.boolean(),
    truncated: z.boolean(),
    omitted_ids,
    explain_id: z
      .strictObject({
        id: z.string(),
        status: z.enum(['not_stored', 'filtered', 'not_matched', 'ranked']),
        filters: z.array(z.string()),
        rank: z.int().nullable(),
      })
      .optional(),
    hint,
  }),
  recommend: z.strictObject({
    warning: z.enum(['FTS_UNAVAILABLE', 'DICTIONARY_MISSING']).optional(),
    items: z.array(
      z.strictObject({
        ...listed,
        score: z.number().optional(),
        snippet: z.string().optional(),
        chars: count.optional(),
        reasons: z.array(z.enum(['context_match', 'high_confidence', 'recent', 'high_weight'])).optional(),
      }),
    ),
    candidates: count,
    truncated: z.boolean(),
    omitted_ids,
    hint,
  }),
  delete: z.strictObject({ deleted: count, ids: z.array(z.string()), warnings: warnings.optional() }),
  history: z.union([
    z.strictObject({
      id: z.string(),
      deleted: z.boolean(),
      total: count.optional(),
      versions: z.array(Version.partial().extend({ chars: count.optional() })),
      omitted_versions: z.array(z.int()).optional().describe('With --max-chars: versions that did not fit.'),
      hint: omittedHint,
    }),
    z.strictObject({
      id: z.string(),
      from: z.int(),
      to: z.int(),
      changed: z.record(z.string(), z.strictObject({ from: fieldValue, to: fieldValue })),
      diff: z.string(),
    }),
  ]),
  restore: z.union([
    z.strictObject({ action: z.literal('restored'), restored_version: z.int(), ...written }),
    z.strictObject({
      restored: count,
      items: z.array(z.strictObject({ ...address, restored_version: z.int() })),
      warnings: warnings.optional(),
    }),
  ]),
  cleanup: z.strictObject({
    applied: z.boolean(),
    candidates: z.array(Candidate),
    count,
    by_type: z.record(z.string(), count),
    truncated: z.boolean(),
    deleted: count,
    warnings: warnings.optional(),
    hint: z.string().optional().describe('With --apply: how to undo it.'),
  }),
  purge: z.strictObject({
    applied: z.boolean(),
    purged: count,
    ids: z.array(z.string()),
    warnings: warnings.optional(),
  }),
  export: z.strictObject({
    output: z.string(),
    count,
    filters: z.record(z.string(), z.unknown()),
    warnings: warnings.optional(),
  }),
  backup: z.strictObject({ output: z.string(), items: count, bytes: count }),
  import: z.strictObject({
    inserted: count,
    updated: count,
    unchanged: count,
    skipped: count,
    invalid: count,
    dry_run: z.boolean(),
    errors: z.array(z.strictObject({ line: z.int(), message: z.string() })),
    warnings,
  }),
  stats: z.strictObject({
    db: z.string(),
    total: count,
    by_type: z.record(z.string(), count),
    by_confidence: z.record(z.string(), count),
    by_age: z.record(z.string(), count),
    history: z.strictObject({ versions: count, deleted_items: count }),
    size: z.strictObject({ database: count, content: count, index: count.nullable() }),
    schema_version: z.int(),
    tokenizer_version: z.string().nullable(),
    index: z.enum(['ready', 'outdated', 'missing', 'unavailable']),
  }),
  doctor: z.strictObject({
    checks: z.array(Check),
    backup: z.string().optional().describe('The copy made before anything was repaired.'),
  }),
  eval: z.strictObject({
    queries: count,
    k: z.int(),
    recall: z.number(),
    mrr: z.number(),
    ndcg: z.number(),
    empty: count,
    latency_ms: z.strictObject({ mean: z.number(), p50: z.number(), p95: z.number(), p99: z.number() }),
    compared: z
      .strictObject({
        queries: count,
        recall: z.number(),
        mrr: z.number(),
        ndcg: z.number(),
        better: count,
        worse: count,
      })
      .optional(),
    warnings: warnings.optional(),
  }),
  schema: z.looseObject({}).describe('A JSON Schema document.'),
  mcp: z.string().describe('JSON-RPC messages, or the lines of --print-config.'),
  completion: z.string().describe('A script, not JSON.'),
};

/** Output of every failure. */
export const ErrorOutput = z.looseObject({
  ok: z.literal(false),
  error: z.enum(Object.keys(ERRORS) as ErrorCode[]),
  message: z.string(),
  hint: z.string().optional().describe('The remedy, as a command where one exists.'),
  retryable: z.boolean().describe('True when the same call may succeed a moment later.'),
});
