import { contentLength } from './fts-statistics.ts';
import { text, textOrNull, toTags } from './rows.ts';
import type { Statements } from './statement.ts';

/** The texts of an item by which it is scored. */
export interface ScoredText {
  readonly key: string;
  readonly tags: string;
  readonly source: string;
  readonly content: string;
  /** Number of terms of the whole content. */
  readonly length: number;
}

/** The texts of items that are scored, one by one in the order of `seqs`: of a content, its first `mostChars` characters and its length in terms. */
export function* scoredTexts(
  statements: Statements,
  seqs: readonly number[],
  mostChars: number,
): Generator<ScoredText> {
  // substr() counts the characters of a text, which takes as long as reading it
  const rows = statements
    .read(`
      select m.key, m.tags_json, m.source,
        case when octet_length(m.content) <= :chars then m.content else substr(m.content, 1, :chars) end as content,
        (select sz from memory_fts_docsize where id = m.seq) as sizes
      from json_each(:seqs) wanted cross join memory_items m on m.seq = wanted.value`)
    .iterate({ seqs: JSON.stringify(seqs), chars: mostChars });
  for (const row of rows) {
    yield {
      key: text(row, 'key'),
      tags: row['tags_json'] === '[]' ? '' : toTags(textOrNull(row, 'tags_json')).join(' '),
      source: text(row, 'source'),
      content: text(row, 'content'),
      length: contentLength(row['sizes']),
    };
  }
}
