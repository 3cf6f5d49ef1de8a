import { command, sentence } from '../core/sentence.ts';
import { MemtoolError } from '../core/errors.ts';
import { defineOperation, Lines } from './operation.ts';
import { answer, SEARCH_PARAMS } from './search-answer.ts';
import { answerLines } from './search-batch.ts';

export const search = defineOperation({
  name: 'search',
  summary: 'Find memories by their text, best first.',
  prints:
    'fts5 (whether the index was asked; false if only the texts were scanned), items (each with score, snippet, chars, and duplicates: ids of its copies (the same type, key and content), if any), total, total_exact, truncated; omitted_ids with --max-chars; explain_id with --explain-id (id, status not_stored, filtered, not_matched or ranked, filters, rank); warning (FTS_UNAVAILABLE: the texts were scanned; DICTIONARY_MISSING: Chinese text is not split into words; QUERY_CUT: only the first and last words of a very long query were used); hint when nothing was found.',
  notes: [
    'The query is text, not syntax: no character needs quoting. Key, tags, source and content are searched; a match in the key weighs more. A trailing * is just a character; prefixes need --syntax fts.',
    'Common synonyms in Chinese and English match too (login timeout finds 登录超时), and translations of other words, and count less than the words themselves; not with --match all.',
    'Finding nothing is not an error: items is empty and the exit code is 0. If even the first result has only a small part of the query, hint says so: perhaps nothing stored answers it, and which words of it are in no item. hint also names words of the query that no item has, if similar ones were searched for instead.',
    'The names of tasks and steps are not searched; if the query names a task that has items which are not among the results, hint says so.',
  ],
  examples: [
    { command: 'memtool search "数据库 索引" --limit 5', note: 'Chinese' },
    { command: 'memtool search getUserById --type feature --fields id,key,snippet', note: 'identifier, short output' },
    { command: 'memtool search "don\'t panic (yet): C++ *"', note: 'any characters' },
  ],
  access: 'read',
  instead: {
    deleted: sentence`list deleted items with: ${command('list', { deleted: true })}`,
    ...Object.fromEntries(
      ['offset', 'page', 'cursor'].map((name) => [name, sentence`there are no pages: raise --limit`]),
    ),
  },
  params: SEARCH_PARAMS,
  run(context, input) {
    if (!input.batch) return answer(context, input);
    if (input.query !== undefined)
      throw new MemtoolError('PARAM_ERROR', '--batch takes its queries from stdin, not from the command line', {
        hint: 'leave out the query',
      });
    if (context.stdin === undefined)
      throw new MemtoolError('PARAM_ERROR', '--batch needs a stdin', { hint: 'pipe JSON lines to it' });
    return new Lines(answerLines(context, context.stdin, input));
  },
});
