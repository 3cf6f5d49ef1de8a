import { contentLength } from './fts-statistics.ts';
import type { ConfidenceLevel, MemoryType } from '../core/memory.ts';
import { number, text, toRankFields, toTags, type RankFields } from './rows.ts';
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
}

/** Yields the fields by which items are scored, one by one in the order of `seqs`; missing items are skipped. Of a
 * content, these are the first `mostChars` characters and the length in terms. */
export function* scoredTexts(
  statements: Statements,
  seqs: readonly number[],
  mostChars: number,
): Generator<ScoredText> {
  // substr() counts the characters of a text, which takes as long as reading it
  const rows = statements.iterateArrays(
    `
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight, m.key, m.tags_json, m.source,
        case when octet_length(m.content) <= :chars then m.content else substr(m.content, 1, :chars) end,
        (select sz from memory_fts_docsize where id = m.seq)
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`,
    { seqs: JSON.stringify(seqs), chars: mostChars },
  );
  for (const row of rows) {
    const tags = row[7];
    yield {
      seq: Number(row[0]),
      // the table's CHECKs admit no other types
      fields: {
        id: String(row[1]),
        type: row[2] as MemoryType,
        updated_at: String(row[3]),
        confidence_level: row[4] as ConfidenceLevel,
        weight: Number(row[5]),
      },
      key: String(row[6] ?? ''),
      tags: tags === '[]' ? '' : toTags(String(tags)).join(' '),
      source: String(row[8] ?? ''),
      content: String(row[9]),
      length: contentLength(row[10]),
    };
  }
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

/** Yields items one by one in the order of `seqs`, with one read of each row. Without `reads` the texts, which take
 * most of the time, are ''. */
export function* indexedItems(statements: Statements, seqs: readonly number[], reads: boolean): Generator<IndexedItem> {
  const rows = statements
    .read(`
      select m.seq, m.id, m.type, m.updated_at, m.confidence_level, m.weight,
        case when :reads then m.content_search else '' end as content_search,
        case when :reads and m.content_search = '' then m.content else '' end as content
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`)
    .iterate({ seqs: JSON.stringify(seqs), reads: Number(reads) });
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
