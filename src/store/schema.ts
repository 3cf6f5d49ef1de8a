/** Version of the schema below, kept in `PRAGMA user_version`. */
export const SCHEMA_VERSION = 1;

/** Key of the row of `meta` that names the tokenizer of the index. */
export const META_TOKENIZER = 'tokenizer_version';

/** Key of the row of `meta` that exists while the index holds texts segmented without the Chinese dictionary. */
export const META_PROVISIONAL = 'provisional_index';

/** Key of the row of `meta` that exists while a purge has removed items but not yet rewritten the file. */
export const META_UNFINISHED_PURGE = 'unfinished_purge';

/** Indexes, by name, that a database of this schema may lack because it was made before they were added. They only
 * affect speed (later-indexes.ts). */
export const LATER_INDEXES = {
  // the items of a layer by update time, with the columns that score sorts, the staleness filter and counts read of
  // every item
  memory_items_layer: 'memory_items (type, updated_sort desc, id, confidence_level)',
  memory_items_tags: "memory_items (tags_json) where tags_json <> '[]'",
  // the deletions, the most recent first
  memory_history_deletions: "memory_history (changed_at desc, item_id, version) where change = 'delete'",
} as const;
export const MAKE_LATER_INDEXES = [
  ...Object.entries(LATER_INDEXES).map(([name, on]) => `create index if not exists ${name} on ${on};`),
  // replaced by memory_items_layer
  'drop index if exists memory_items_rank;',
].join('\n');

/** The whole current schema except the search index, which is created separately since FTS5 may be absent. */
export const TABLES = `
-- One row per item. seq is the rowid, shared with the index; the large columns come last, so that reading the others
-- does not walk through them.
create table if not exists memory_items (
  seq integer primary key,
  id text not null unique,
  type text not null check (type in ('project', 'feature', 'run')),
  task_id text,
  step_id text,
  key text,
  tags_json text not null default '[]',
  source text,
  weight real not null default 1,
  version integer not null default 1,
  created_at text not null,
  updated_at text not null,
  confidence_level text not null default 'medium' check (confidence_level in ('high', 'medium', 'low')),
  verified_by text,
  -- updated_at if it looks like a time in the stored form, else '', which sorts last
  updated_sort text generated always as (
    case when updated_at glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z' then updated_at else '' end
  ) virtual,
  content text not null,
  -- the terms of content as indexed, separated by spaces; '' if FTS5 splits content itself the same way
  content_search text not null default ''
) strict;
create index if not exists memory_items_updated on memory_items (updated_sort desc, id);
create index if not exists memory_items_type_key on memory_items (type, key);
create index if not exists memory_items_task_step on memory_items (task_id, step_id);

-- One row per version of an item, and one for its deletion. The fields of the newest version are only in memory_items
-- (type is null here until the version is replaced), so that nothing is stored twice.
create table if not exists memory_history (
  seq integer primary key,
  item_id text not null,
  version integer not null,
  changed_at text not null,
  change text not null check (change in ('insert', 'update', 'delete', 'import', 'restore')),
  type text,
  task_id text,
  step_id text,
  key text,
  tags_json text,
  source text,
  weight real,
  created_at text,
  updated_at text,
  confidence_level text,
  verified_by text,
  content text
) strict;
create index if not exists memory_history_item on memory_history (item_id, version);
${MAKE_LATER_INDEXES}

-- Facts about the file: tokenizer_version, provisional_index, unfinished_purge.
create table if not exists meta (
  key text primary key,
  value text not null
) strict, without rowid;
`;

/** The tables and indexes that `TABLES` creates. */
export function partsOfSchema(): { readonly type: string; readonly name: string }[] {
  const parts = TABLES.matchAll(/create (table|index) if not exists (\w+)/g);
  return [...parts].map(([, type = '', name = '']) => ({ type, name }));
}

/** Columns of the index in order, with the BM25 weight of each when candidates are chosen: a match in the key says most
 * about a memory. Range 0 to 10; the final score has its own weights (search/score.ts). `grams` holds pairs of
 * neighbouring Han characters and of neighbouring parts of identifiers. The longest column comes first, because FTS5 needs two more bytes to mark a match in any
 * other: measured, a tenth of the index. */
export const INDEX_WEIGHTS = { content: 1, grams: 1, key: 3, tags: 2, source: 1 } as const;
export const INDEX_COLUMNS = Object.keys(INDEX_WEIGHTS) as (keyof typeof INDEX_WEIGHTS)[];

/** The index: only terms, no third copy of the text. Its tokenizer treats runs of ASCII letters, digits and non-ASCII
 * characters as words (our terms are separated by spaces), lower-cases ASCII and stems English. */
export const INDEX = `
create virtual table if not exists memory_fts using fts5 (
  ${INDEX_COLUMNS.join(', ')},
  content = '', contentless_delete = 1, tokenize = 'porter ascii'
)`;

/** Page size of a new database, in bytes. Items are too long for SQLite's default pages of 4,096 to hold them well:
 * measured, the file is a sixth smaller. */
export const PAGE_SIZE = 8192;
