import { expect, test } from 'vitest';
import { ftsSyntaxError } from '../../src/search/fts-query.ts';

test('locating a syntax error takes a bounded number of FTS5 queries, however often the token occurs', () => {
  let looks = 0;
  const query = '"a"* '.repeat(4000).concat('*');
  const error = ftsSyntaxError(query, new Error('fts5: syntax error near "*"'), (part) => {
    if (part !== query) looks += 1;
    return part === query ? 'fts5: syntax error near "*"' : undefined;
  });
  expect(looks).toBeLessThan(100);
  expect(error).toMatchObject({ code: 'PARAM_ERROR', context: { position: query.length } });
});
