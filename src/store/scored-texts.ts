import type { SQLOutputValue } from 'node:sqlite';
import { contentLength } from './fts-statistics.ts';
import type { ConfidenceLevel, MemoryType } from '../core/memory.ts';
import { number, text, toRankFields, toTags, type RankFields } from './rows.ts';
import { SizedCache } from './sized-cache.ts';
import type { Statements } from './statement.ts';

/** The fields by which an item is scored. */
export interface ScoredText {
  readonly seq: number;
  readonly fields: RankFields;
  readonly key: string;
  readonly tags: string;
  readonly source: string;
  readonly content: string;
  /** Number of terms of the whole content. */
  readonly length: number;
  readonly outline: string;
}

/** What all copies of an item have in common, without its content: its type, its key and the size of its content. */
export function outlineOf(type: string, key: string, bytes: number): string {
  return `${type} ${bytes} ${key}`;
}

/** Most UTF-16 units of contents that are cached for later searches. Range 1 to 32 million; each takes up to two bytes,
 * and two more for the normalised form that scoring keeps beside it. */
const MOST_CACHED_CHARS = 8_000_000;

/** Texts with their whole contents, by row. */
export type TextCache = SizedCache<number, ScoredText>;

export function textCache(): TextCache {
  return new SizedCache(MOST_CACHED_CHARS, ({ content }) => content.length);
}

/** The SQL for the first `:chars` characters of a column. substr() counts the characters of a text, which takes as long
 * as reading it. */
function startOf(column: string): string {
  return `case when octet_length(${column}) <= :chars then ${column} else substr(${column}, 1, :chars) end`;
}

/** Yields the fields by which items are scored, one by one in the order of `seqs`; missing items are skipped. Of a
 * content, these are the first `mostChars` UTF-16 units and the length in terms. Whole contents are cached if there is a
 * cache, and yielded as the same objects again. */
export function* scoredTexts(
  statements: Statements,
  seqs: readonly number[],
  mostChars: number,
  cache?: TextCache,
): Generator<ScoredText> {
  const known = cache === undefined ? [] : seqs.map((seq) => cachedText(cache, seq, mostChars));
  const unknown = cache === undefined ? seqs : seqs.filter((_, at) => known[at] === undefined);
  const rows = statements.iterateArrays(
    `
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight, m.key, m.tags_json, m.source,
        ${startOf('m.content')},
        (select sz from memory_fts_docsize where id = m.seq), octet_length(m.content)
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`,
    { seqs: JSON.stringify(unknown), chars: mostChars },
  );
  let at = 0;
  for (const row of rows) {
    const read = toScoredText(row);
    for (; seqs[at] !== read.seq; at += 1) yield* cachedAt(known, at);
    at += 1;
    if (read.content.length < mostChars) cache?.add(read.seq, read);
    yield read;
  }
  for (; at < known.length; at += 1) yield* cachedAt(known, at);
}

/** Returns the text of a row if it is cached and its content has at most `mostChars` UTF-16 units. */
function cachedText(cache: TextCache, seq: number, mostChars: number): ScoredText | undefined {
  const cached = cache.get(seq);
  return cached !== undefined && cached.content.length <= mostChars ? cached : undefined;
}

/** Yields the text at an index if it is cached; what is not, and was not read, is missing. */
function* cachedAt(known: readonly (ScoredText | undefined)[], at: number): Generator<ScoredText> {
  const cached = known[at];
  if (cached !== undefined) yield cached;
}

function toScoredText(row: readonly SQLOutputValue[]): ScoredText {
  const type = row[2] as MemoryType; // the table's CHECKs admit no others
  const key = String(row[6] ?? '');
  const tags = row[7];
  return {
    seq: Number(row[0]),
    fields: {
      id: String(row[1]),
      type,
      updated_at: String(row[3]),
      confidence_level: row[4] as ConfidenceLevel,
      weight: Number(row[5]),
    },
    key,
    tags: tags === '[]' ? '' : toTags(String(tags)).join(' '),
    source: String(row[8] ?? ''),
    content: String(row[9]),
    length: contentLength(row[10]),
    outline: outlineOf(type, key, Number(row[11])),
  };
}

/** The outlines of items, in the order of `seqs`. */
export function outlines(statements: Statements, seqs: readonly number[]): string[] {
  const rows = statements.iterateArrays(
    `
      select m.type, m.key, octet_length(m.content)
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`,
    { seqs: JSON.stringify(seqs) },
  );
  return Array.from(rows, ([type, key, bytes]) => outlineOf(String(type), String(key ?? ''), Number(bytes)));
}

/** What `recommend` needs of an item. */
export interface IndexedItem {
  readonly seq: number;
  readonly fields: RankFields;
  /** The terms of its content as indexed, separated by spaces (usable only if the index is of this tokenizer); if
   * `isTokenized` is false, the content itself. */
  readonly text: string;
  readonly isTokenized: boolean;
}

/** Yields items one by one in the order of `seqs`, with one read of each row. Of their texts, these are the first
 * `mostChars` characters; 0 saves reading them, which takes most of the time. */
export function* indexedItems(
  statements: Statements,
  seqs: readonly number[],
  mostChars: number,
): Generator<IndexedItem> {
  const rows = statements
    .read(`
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight,
        case when :chars = 0 then '' else ${startOf('m.content_search')} end as content_search,
        case when :chars = 0 or m.content_search <> '' then '' else ${startOf('m.content')} end as content
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`)
    .iterate({ seqs: JSON.stringify(seqs), chars: mostChars });
  for (const row of rows) {
    const terms = text(row, 'content_search');
    const isTokenized = terms !== '';
    yield {
      seq: number(row, 'seq'),
      fields: toRankFields(row),
      text: isTokenized ? terms : text(row, 'content'),
      isTokenized,
    };
  }
}
