/** Version of the schema below, kept in `PRAGMA user_version`. */
export const SCHEMA_VERSION = 1;

/** The row that names the tokenizer of the index in `meta`. */
export const META_TOKENIZER = 'tokenizer_version';

/** The row of `meta` that is there while the index holds texts that were cut without the Chinese dictionary. */
export const META_PROVISIONAL = 'provisional_index';

/** The row of `meta` that is there while a purge has removed items and not yet rewritten the file. */
export const META_UNFINISHED_PURGE = 'unfinished_purge';

/** Indexes that a database of this schema may lack, since it was made before they were thought of, by name. Nothing
 * depends on them but time (later-indexes.ts). */
export const LATER_INDEXES = {
  // the items of a layer in the order of their updates, with what sorts by score, staleness and counts look at of every
  // one
  memory_items_layer: 'memory_items (type, updated_sort desc, id, confidence_level)',
  memory_items_tags: "memory_items (tags_json) where tags_json <> '[]'",
} as const;
export const MAKE_LATER_INDEXES = [
  ...Object.entries(LATER_INDEXES).map(([name, on]) => `create index if not exists ${name} on ${on};`),
  // what memory_items_layer has taken the place of
  'drop index if exists memory_items_rank;',
].join('\n');

/** The whole current schema but for the index, which is made apart since FTS5 may be absent. */
export const TABLES = `
-- One row an item. seq is the rowid, shared with the index; the large columns come last, so that reading the others does not walk through them.
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
  -- updated_at where it is a time of the stored form, else '', so that broken times sort last
  updated_sort text generated always as (
    case when updated_at glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*Z' then updated_at else '' end
  ) virtual,
  content text not null,
  -- the terms of content as indexed, with spaces between; '' where FTS5 cuts content itself the same way
  content_search text not null default ''
) strict;
create index if not exists memory_items_updated on memory_items (updated_sort desc, id);
create index if not exists memory_items_type_key on memory_items (type, key);
create index if not exists memory_items_task_step on memory_items (task_id, step_id);
${MAKE_LATER_INDEXES}

-- One row a version of an item, and one for its deletion. The fields of the newest version stand in memory_items alone
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

-- What the file knows of itself: tokenizer_version, provisional_index, unfinished_purge.
create table if not exists meta (
  key text primary key,
  value text not null
) strict, without rowid;
`;

/** Columns of the index, in their order, with the BM25 weight of each when candidates are chosen: a match in the key
 * says most about a memory. Range 0 to 10; the final score has weights of its own (search/score.ts). `grams` holds
 * pairs of neighbouring Han characters. The longest column comes first, because FTS5 marks a match in any other with
 * two bytes more: measured, a tenth of the index. */
export const INDEX_WEIGHTS = { content: 1, grams: 1, key: 3, tags: 2, source: 1 } as const;
export const INDEX_COLUMNS = Object.keys(INDEX_WEIGHTS) as (keyof typeof INDEX_WEIGHTS)[];

/** The index: terms only, no third copy of the text. Its tokenizer takes runs of ASCII letters and digits, and
 * everything beyond ASCII, as words (our terms come with spaces between), lowers ASCII and stems English. */
export const INDEX = `
create virtual table if not exists memory_fts using fts5 (
  ${INDEX_COLUMNS.join(', ')},
  content = '', contentless_delete = 1, tokenize = 'porter ascii'
)`;

/** Page size of a new database, in bytes. Items are longer than a page of SQLite's default of 4,096 can hold well:
 * measured, the file is a sixth smaller. */
export const PAGE_SIZE = 8192;
