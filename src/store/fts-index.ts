import type { DatabaseSync } from 'node:sqlite';
import type { Memory } from '../core/memory.ts';
import { hasFilters, whereOf, type Filters, type SqlParameters } from './filters.ts';
import { number, text, textOrNull, toRankFields, toTags, type RankFields, type Row } from './rows.ts';
import { Statements } from './statement.ts';
import { connectForWriting } from './connect.ts';
import type { OpenFile } from './open-file.ts';
import { damage, isCorruption } from './sqlite-errors.ts';
import { transaction, vacuum, type OpenDatabase } from './transaction.ts';
import { INDEX, INDEX_WEIGHTS, META_PROVISIONAL, META_TOKENIZER } from './schema.ts';

/** The tokenizer as the store needs it; the implementation in `search/` is injected. */
export interface IndexTokenizer {
  readonly version: string;
  /** True when the Chinese dictionary is available. */
  readonly hasDictionary: boolean;
  /** True once text that needs the dictionary has been segmented without it. */
  readonly isProvisional: boolean;
  /** What to index for a text: `terms` ('' when the text itself is to be indexed), and `grams`, the pairs of
   * neighbouring Han characters and of neighbouring parts of identifiers. */
  indexText(text: string): { readonly terms: string; readonly grams: string };
}

/** Looks up one word, which reads a page of every segment: detects a damaged index at the cost of a search. */
export function isIndexReadable(db: DatabaseSync): boolean {
  try {
    db.prepare("select rowid from memory_fts where memory_fts match 'a' limit 1").get();
    return true;
  } catch (error) {
    if (isCorruption(error)) return false;
    throw error;
  }
}

/** - ready: FTS5 is available and the index was made by this tokenizer;
 * - outdated: made by another tokenizer, or never filled;
 * - missing: FTS5 is available, but there is no index, or another program's table has its name;
 * - unavailable: this SQLite has no FTS5. */
export type IndexState = 'ready' | 'outdated' | 'missing' | 'unavailable';

/** What goes into the index for one item, column by column. */
export interface IndexedText {
  readonly key: string;
  readonly tags: string;
  readonly source: string;
  /** The value of content_search, '' when content itself is indexed. */
  readonly contentSearch: string;
  readonly grams: string;
}

export function indexState(statements: Statements, tokenizerVersion: string): IndexState {
  const row = statements
    .read(`
      select
        exists (select 1 from pragma_module_list where name = 'fts5') as has_module,
        exists (select 1 from sqlite_master where name = 'memory_fts' and sql like '%fts5%contentless_delete%') as has_table,
        (select value from meta where key = :key) as version`)
    .get({ key: META_TOKENIZER });
  if (row?.['has_module'] !== 1) return 'unavailable';
  if (row['has_table'] !== 1) return 'missing';
  return row['version'] === tokenizerVersion ? 'ready' : 'outdated';
}

/** Version of the tokenizer that made the index, null when none is recorded. */
export function storedTokenizerVersion(db: DatabaseSync): string | null {
  const row = db.prepare('select value from meta where key = :key').get({ key: META_TOKENIZER });
  return row === undefined ? null : textOrNull(row, 'value');
}

export function indexedText(
  tokenizer: IndexTokenizer,
  memory: Pick<Memory, 'key' | 'tags' | 'source' | 'content'>,
): IndexedText {
  const texts = { key: memory.key ?? '', tags: memory.tags.join(' '), source: memory.source ?? '' };
  const [key, tags, source, content] = [
    tokenizer.indexText(texts.key),
    tokenizer.indexText(texts.tags),
    tokenizer.indexText(texts.source),
    tokenizer.indexText(memory.content),
  ];
  return {
    key: key.terms || texts.key,
    tags: tags.terms || texts.tags,
    source: source.terms || texts.source,
    contentSearch: content.terms,
    grams: [key, tags, source, content].flatMap(({ grams }) => (grams === '' ? [] : [grams])).join(' '),
  };
}

const INSERT = `
insert into memory_fts (rowid, key, tags, source, content, grams)
values (:rowid, :key, :tags, :source, :content, :grams)`;

/** Adds the index row of an item. FTS5 has no upsert: remove the row of a replaced item first. */
export function addToIndex(statements: Statements, seq: number, indexed: IndexedText, content: string): void {
  statements.write(INSERT).run({
    rowid: BigInt(seq), // a JS number is bound as REAL, and FTS5 cannot look up a rowid by a REAL
    key: indexed.key,
    tags: indexed.tags,
    source: indexed.source,
    content: indexed.contentSearch || content,
    grams: indexed.grams,
  });
}

export function removeFromIndex(statements: Statements, seq: number): void {
  statements.write('delete from memory_fts where rowid = :rowid').run({ rowid: BigInt(seq) });
}

/** The index, and the tables in which FTS5 or an older FTS keeps it, as a list in SQL. */
const INDEX_TABLES = ['', '_data', '_idx', '_content', '_docsize', '_config', '_segments', '_segdir', '_stat']
  .map((suffix) => `'memory_fts${suffix}'`)
  .join(', ');

/** Drops the index whatever its state, and anything else that has a name of the index. A virtual table whose own tables
 * are missing, or that this SQLite does not know, cannot be dropped; once it is no longer in the schema, its tables are
 * ordinary ones. */
export function dropIndex(db: DatabaseSync): void {
  setDefensive(db, false);
  try {
    // a virtual table has no pages of its own
    removeFromSchema(db, `name in (${INDEX_TABLES}) and rootpage = 0`);
  } finally {
    setDefensive(db, true);
  }
  for (const row of db.prepare(`select type, name from sqlite_schema where name in (${INDEX_TABLES})`).all())
    db.exec(`drop ${text(row, 'type')} if exists ${text(row, 'name')}`);
}

/** Removes entries from the schema of a connection that is not defensive, without touching their pages. */
function removeFromSchema(db: DatabaseSync, condition: string): void {
  db.exec('pragma writable_schema = on');
  db.exec(`delete from sqlite_schema where ${condition}`);
  db.exec('pragma writable_schema = reset');
}

/** Allows or forbids to write the schema as a table. Node.js 24.0 to 24.11 lack the method, and allow it. */
function setDefensive(db: DatabaseSync, isActive: boolean): void {
  if ('enableDefensive' in db) db.enableDefensive(isActive);
}

/** What belongs into the index for a row of memory_items that has at least key, tags_json, source and content. */
export function indexedRow(tokenizer: IndexTokenizer, row: Row): IndexedText {
  return indexedText(tokenizer, {
    key: textOrNull(row, 'key'),
    tags: toTags(textOrNull(row, 'tags_json')),
    source: textOrNull(row, 'source'),
    content: text(row, 'content'),
  });
}

const NEXT_ROW = `
select seq, key, tags_json, source, content, content_search from memory_items where seq > :after order by seq limit 1`;

/** Drops the index, rebuilds it from memory_items row by row, and updates content_search. Call it inside a transaction.
 * Calls `onRow` after each row. Throws when the rows of a damaged table are out of order, which could go on without
 * end, or when some are not reached. */
export function rebuildIndex(db: DatabaseSync, tokenizer: IndexTokenizer, onRow: () => void = () => {}): void {
  dropIndex(db);
  db.exec(INDEX);
  const statements = new Statements(db);
  const next = statements.read(NEXT_ROW);
  let [after, rows] = [0, 0];
  for (let row = next.get({ after }); row !== undefined; row = next.get({ after })) {
    const seq = number(row, 'seq');
    if (seq <= after) throw damage(`row ${seq} of memory_items comes after row ${after}`);
    after = seq;
    rows += 1;
    const content = text(row, 'content');
    const indexed = indexedRow(tokenizer, row);
    if (indexed.contentSearch !== text(row, 'content_search')) {
      statements
        .write('update memory_items set content_search = :content_search where seq = :seq')
        .run({ content_search: indexed.contentSearch, seq });
    }
    addToIndex(statements, seq, indexed, content);
    onRow();
  }
  const { count } = statements.read('select count(*) as count from memory_items').get() ?? {};
  if (count !== rows) throw damage(`memory_items has ${String(count)} rows, and ${rows} of them were met`);
  setMeta(statements, META_TOKENIZER, tokenizer.version);
  statements.write('delete from meta where key = :key').run({ key: META_PROVISIONAL });
  noteProvisional(statements, tokenizer);
}

function setMeta(statements: Statements, key: string, value: string): void {
  statements.write('insert or replace into meta (key, value) values (:key, :value)').run({ key, value });
}

/** Records in the database that the index holds texts segmented without the dictionary, if so: the next write of a
 * program that has the dictionary rebuilds the index. */
export function noteProvisional(statements: Statements, tokenizer: IndexTokenizer): void {
  if (tokenizer.isProvisional) setMeta(statements, META_PROVISIONAL, tokenizer.version);
}

/** True when the index holds texts that were segmented without the dictionary. */
export function isIndexProvisional(statements: Statements): boolean {
  return statements.read('select 1 from meta where key = :key').get({ key: META_PROVISIONAL }) !== undefined;
}

/** Replaces an index that is too damaged to be dropped by an empty one, which then counts as outdated; `freePages`
 * frees the pages of the old one. */
export function replaceDamagedIndex(file: OpenFile): void {
  onNewConnection(file, (database) => {
    const { db } = database;
    setDefensive(db, false);
    transaction(database, () => {
      removeFromSchema(db, `tbl_name in (${INDEX_TABLES})`);
      db.exec(INDEX);
      disownIndex(new Statements(db));
    });
  });
}

/** Rewrites the file, whose pages an index that has been replaced still takes up. */
export function freePages(file: OpenFile): void {
  onNewConnection(file, vacuum);
}

/** Works on a separate connection, since one that has met damage can no longer write. */
function onNewConnection(file: OpenFile, work: (database: OpenDatabase) => void): void {
  const db = connectForWriting(file.path);
  try {
    work({ db, file });
  } finally {
    db.close();
  }
}

/** Marks the index as not made by any tokenizer. A write without FTS5 does this, so that the next write with FTS5
 * rebuilds the index. */
export function disownIndex(statements: Statements): void {
  statements.write('delete from meta where key = :key').run({ key: META_TOKENIZER });
}

/** A match by its row id; nothing of the item is read until it is scored. */
export interface Candidate {
  readonly seq: number;
  /** BM25, higher is better. */
  readonly bm25: number;
}

const BM25 = `bm25(memory_fts, ${Object.values(INDEX_WEIGHTS).join(', ')})`;

/** A match with the fields from which its prior is computed. */
export interface RankedMatch {
  readonly seq: number;
  readonly fields: RankFields;
}

/** Which items a search may find. */
export interface Scope {
  readonly filters: Filters;
  /** The row ids of the items that pass the filters, when they are few enough to be listed. */
  readonly seqs?: readonly number[] | undefined;
}

/** The `from` and `where` clauses for the matches in a scope: from the index alone if that determines what is in scope.
 * The scope's own rows, else `rows`, limit the matches if given. */
function matchesIn(
  { filters, seqs }: Scope,
  rows?: readonly number[],
): { from: string; where: string; parameters: SqlParameters } {
  const isIndexEnough = seqs !== undefined || !hasFilters(filters);
  const { sql, parameters } = isIndexEnough ? { sql: 'true', parameters: {} } : whereOf(filters);
  const from = isIndexEnough ? 'memory_fts' : 'memory_fts join memory_items m on m.seq = memory_fts.rowid';
  const listed = seqs ?? rows;
  if (listed === undefined) return { from, where: sql, parameters };
  return {
    from,
    // the + makes SQLite test the rows for each match: without it FTS5 would start over for each row
    where: `memory_fts.rowid >= :from_seq and +memory_fts.rowid in (select value from json_each(:seqs)) and ${sql}`,
    // a JS number is bound as REAL, which FTS5 does not use as a lower bound
    parameters: { ...parameters, seqs: JSON.stringify(listed), from_seq: BigInt(lowest(listed)) },
  };
}

function lowest(seqs: readonly number[]): number {
  return seqs.reduce((least, seq) => Math.min(least, seq), Number.MAX_SAFE_INTEGER);
}

export interface BestMatches {
  readonly candidates: readonly Candidate[];
  /** Number of matches that were ranked. */
  readonly total: number;
}

/** The best `limit` matches by BM25, the newest first among equals; only among `rows` if given, which bounds the work
 * for words that very many items contain. `match` is an FTS5 MATCH expression; throws SQLite's error when it is
 * invalid. */
export function bestMatches(
  statements: Statements,
  match: string,
  scope: Scope,
  limit: number,
  rows?: readonly number[],
): BestMatches {
  const { from, where, parameters } = matchesIn(scope, rows);
  // counting the ranked matches takes a tenth of the time of a query that counts them
  const found = statements.iterateArrays(
    `
      with ranked as materialized (
        select memory_fts.rowid as seq, ${BM25} as bm25 from ${from}
        where memory_fts match :match and ${where})
      select seq, bm25, (select count(*) from ranked) from ranked
      order by bm25, seq desc limit :limit`,
    { ...parameters, match, limit },
  );
  let total = 0;
  const candidates: Candidate[] = [];
  for (const row of found) {
    // SQLite's bm25() is negative, and lower is better: the sign is changed here
    candidates.push({ seq: Number(row[0]), bm25: -Number(row[1]) });
    total = Number(row[2]);
  }
  return { candidates, total };
}

/** The newest matches with exactly this BM25, at most `limit`; otherwise like `bestMatches`. */
export function equalMatches(
  statements: Statements,
  match: string,
  scope: Scope,
  {
    bm25,
    limit,
    rows,
  }: {
    readonly bm25: number;
    readonly limit: number;
    readonly rows?: readonly number[] | undefined;
  },
): RankedMatch[] {
  const { from, where, parameters } = matchesIn(scope, rows);
  return statements
    .read(`
      with ranked as materialized (
        select memory_fts.rowid as seq, ${BM25} as bm25 from ${from}
        where memory_fts match :match and ${where})
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight
      from ranked cross join memory_items m on m.seq = ranked.seq
      where ranked.bm25 = :bm25 order by ranked.seq desc limit :limit`)
    .all({ ...parameters, match, limit, bm25: -bm25 })
    .map((row) => ({ seq: number(row, 'seq'), fields: toRankFields(row) }));
}

/** The rows of the newest `limit` matches. */
export function newestMatches(statements: Statements, match: string, scope: Scope, limit: number): number[] {
  const { from, where, parameters } = matchesIn(scope);
  return statements
    .read(`
      select memory_fts.rowid as seq from ${from}
      where memory_fts match :match and ${where} order by memory_fts.rowid desc limit :limit`)
    .all({ ...parameters, match, limit })
    .map((row) => number(row, 'seq'));
}

/** The row ids that match, descending, at most `limit`. */
export function newestRows(statements: Statements, match: string, limit: number): number[] {
  return rowIds(statements, 'order by rowid desc', { match, limit });
}

/** The row ids that match, ascending: all of them or, if they are more than `most`, the newest of them. FTS5 keeps them
 * in this order, and needs a fifth less time than for the other. */
export function rowsOrNewest(statements: Statements, match: string, most: number): number[] {
  const rows = rowIds(statements, '', { match, limit: most + 1 });
  return rows.length <= most ? rows : newestRows(statements, match, most).toReversed();
}

/** The ids of matching rows, read as one JSON text, since separate rows take ten times as long. */
function rowIds(
  statements: Statements,
  order: string,
  parameters: { readonly match: string; readonly limit: number },
): number[] {
  const row = statements
    .read(`
      select json_group_array(seq) as seqs from (
        select rowid as seq from memory_fts where memory_fts match :match ${order} limit :limit)`)
    .get(parameters);
  return row === undefined ? [] : (JSON.parse(text(row, 'seqs')) as number[]);
}

/** Number of matches in a scope, counted up to `most`. */
export function countMatches(statements: Statements, match: string, scope: Scope, most: number): number {
  const { from, where, parameters } = matchesIn(scope);
  const row = statements
    .read(`
      select count(*) as total from (
        select 1 from ${from} where memory_fts match :match and ${where} limit :most)`)
    .get({ ...parameters, match, most });
  return row === undefined ? 0 : number(row, 'total');
}
