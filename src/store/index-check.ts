import type { DatabaseSync } from 'node:sqlite';
import { counted } from '../core/text.ts';
import { NAMED_ITEMS } from './check-file.ts';
import {
  indexedRow,
  indexState,
  isIndexProvisional,
  isIndexReadable,
  storedTokenizerVersion,
  type IndexTokenizer,
} from './fts-index.ts';
import { columnLengths } from './fts-statistics.ts';
import { number, text, type Row } from './rows.ts';
import { INDEX_COLUMNS } from './schema.ts';
import { Statements } from './statement.ts';

/** Shows the progress of work on `total` rows. */
export type ShowProgress = (label: 'check' | 'rebuild', total: number) => { advance(): void; stop(): void };

interface Options {
  readonly tokenizer: IndexTokenizer;
  readonly progress: ShowProgress;
}

/** What is wrong with the index; undefined when nothing is found. `problems` are those that SQLite has found in it. */
export function indexProblem(db: DatabaseSync, options: Options, problems: readonly string[]): string | undefined {
  const { tokenizer } = options;
  const state = indexState(new Statements(db), tokenizer.version);
  if (state === 'unavailable') return 'this SQLite has no FTS5';
  if (state === 'missing') return 'the search index is missing';
  if (state === 'outdated') {
    return `the search index was built by tokenizer ${storedTokenizerVersion(db) ?? 'unknown'}, but this memtool has ${tokenizer.version}`;
  }
  if (isIndexProvisional(new Statements(db)) && tokenizer.hasDictionary)
    return 'the search index contains texts that were segmented without the Chinese dictionary';
  if (problems.length > 0 || !isIndexReadable(db))
    return `the search index is damaged: ${problems[0] ?? 'it cannot be read'}`;
  return rowProblem(db) ?? (tokenizer.hasDictionary ? textProblem(db, options) : undefined);
}

/** Compares the row ids of the index with those of the table, since FTS5 itself cannot compare a contentless index. */
function rowProblem(db: DatabaseSync): string | undefined {
  const row = db
    .prepare(`
      select
        (select count(*) from memory_items where seq not in (select id from memory_fts_docsize)) as missing,
        (select count(*) from memory_fts_docsize where id not in (select seq from memory_items)) as ghosts`)
    .get();
  const [missing, ghosts] = [number(row ?? {}, 'missing'), number(row ?? {}, 'ghosts')];
  if (missing + ghosts === 0) return undefined;
  return `the search index is out of sync: it lacks ${counted(missing, 'item')} and has ${counted(ghosts, 'row')} without an item`;
}

/** Tokenizes every item again and compares its terms with content_search, and their number with what the index holds:
 * all that can be told without the texts, which the index does not keep. An English text in which another program has
 * only replaced words by as many others is not noticed. */
function textProblem(db: DatabaseSync, { tokenizer, progress }: Options): string | undefined {
  const shown = progress(
    'check',
    number(db.prepare('select count(*) as total from memory_items').get() ?? {}, 'total'),
  );
  const rows = db
    .prepare(`
      select m.id, m.key, m.tags_json, m.source, m.content, m.content_search, d.sz
      from memory_items m join memory_fts_docsize d on d.id = m.seq order by m.seq`)
    .iterate();
  const changed: string[] = [];
  let total = 0;
  try {
    for (const row of rows) {
      shown.advance();
      if (isInStep(row, tokenizer)) continue;
      total += 1;
      if (changed.length < NAMED_ITEMS) changed.push(text(row, 'id'));
    }
  } finally {
    shown.stop();
  }
  if (total === 0) return undefined;
  return `the search index does not have the present text of ${counted(total, 'item')}, which another program has changed: ${changed.join(', ')}${total > changed.length ? ', …' : ''}`;
}

function isInStep(row: Row, tokenizer: IndexTokenizer): boolean {
  const indexed = indexedRow(tokenizer, row);
  if (indexed.contentSearch !== text(row, 'content_search')) return false;
  const texts = { ...indexed, content: indexed.contentSearch || text(row, 'content') };
  const lengths = columnLengths(row['sz']);
  return INDEX_COLUMNS.every((column, at) => words(texts[column]) === lengths[at]);
}

/** What FTS5's tokenizer `ascii` takes for a word. */
const WORD = /[A-Za-z0-9\u0080-\uffff]+/g;

function words(terms: string): number {
  return terms.match(WORD)?.length ?? 0;
}
