import { MemtoolError } from '../core/errors.ts';
import { defineOperation, Lines } from './operation.ts';
import { answer, SEARCH_PARAMS } from './search-answer.ts';
import { answerLines } from './search-batch.ts';

export const search = defineOperation({
  name: 'search',
  summary: 'Find memories by their text, best first.',
  prints:
    'fts5 (whether the index answered), items (each with score, snippet, chars, and duplicates where copies of it under other tasks or steps share its place), total, total_exact, truncated; omitted_ids with --max-chars; explain_id with --explain-id (id, status not_stored, filtered, not_matched or ranked, filters, rank); warning (FTS_UNAVAILABLE: the texts were scanned; DICTIONARY_MISSING; QUERY_CUT: of a very long query the first and last words were looked for); hint when nothing was found.',
  notes: [
    'The query is text, not syntax: no character needs quoting. Key, tags, source and content are searched; a match in the key weighs more. A trailing * is just a character; prefixes need --syntax fts.',
    'Nothing found is no error: items is empty and the exit code is 0.',
  ],
  examples: [
    { command: 'memtool search "数据库 索引" --limit 5', note: 'Chinese' },
    { command: 'memtool search getUserById --type feature --fields id,key,snippet', note: 'an identifier, few tokens' },
    { command: 'memtool search "don\'t panic (yet): C++ *"', note: 'any characters' },
  ],
  access: 'read',
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
