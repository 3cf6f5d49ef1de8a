import { expect, test } from 'vitest';
import { ftsPrefixes, ftsSyntaxError, ftsWords, segmentFtsQuery, termExpression } from '../../src/search/fts-query.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

test.each([
  ['content:用户身份', 'content:"用户" content:"身份"'],
  ['key_2 : 用户身份', 'key_2 : "用户" key_2 : "身份"'],
  ['{key content} : 用户身份', '{key content} : "用户" {key content} : "身份"'],
  ['"key" :用户身份', '"key" :"用户" "key" :"身份"'],
  // what excludes columns excludes the pairs of characters too
  ['- content : 用户身份', '-{content grams} : "用户" -{content grams} : "身份"'],
  ['-"content":用户身份', '-{"content" grams} :"用户" -{"content" grams} :"身份"'],
  ['-{key tags} : 用户身份', '-{key tags grams} : "用户" -{key tags grams} : "身份"'],
  ['-{} : foo', '-{} : foo'],
  ['"a -content: b" 用户', '"a -content: b" "用户"'],
  ['key:a 用户身份', 'key:a "用户" "身份"'],
  [`key:用户身份 ${'AND b '.repeat(50)}`, `key:"用户" key:"身份" ${'AND b '.repeat(50)}`],
  ['key:用户 content:用户身份', 'key:"用户" content:"用户" content:"身份"'],
  [`content:a ${'AND b '.repeat(50)}AND key:用户身份`, `content:a ${'AND b '.repeat(50)}AND key:"用户" key:"身份"`],
])('each word of %s is searched for in its column', (query, expected) => {
  expect(segmentFtsQuery(tokenizer, query)).toBe(expected);
});

test.each([
  ['^用户身份', '^"用户 身份"'],
  ['^ 用户身份', '^ "用户 身份"'],
  ['pool + 用户身份', 'pool + "用户 身份"'],
  ['用户身份 + pool', '"用户 身份" + pool'],
  ['用户身份+pool', '"用户 身份"+pool'],
  ['"say ""用户身份"""', '"say 用户 身份"'],
  ['用户身份 *', '"用户 身份" *'],
  ['жук*', '"жук"*'],
  ['a + b AND 用户身份', 'a + b AND "用户" "身份"'],
  ['用户身份 AND a + b', '"用户" "身份" AND a + b'],
  ['NEAR (用户身份 pool, 3)', 'NEAR ("用户 身份" pool, 3)'],
  ['NEAR(用户身份)', 'NEAR("用户 身份")'],
  ['用户身份 AND NEAR(a b) AND 用户身份', '"用户" "身份" AND NEAR(a b) AND "用户" "身份"'],
])('the words of %s are in a row only where they are joined', (query, expected) => {
  expect(segmentFtsQuery(tokenizer, query)).toBe(expected);
});

test.each([
  ['getUserById', '"get" "user" "by" "id" "getuserbyid"'],
  ['getUser*', '"get user"*'],
  ['user*', 'user*'],
  ['AND OR NOT NEAR', 'AND OR NOT NEAR'],
  ['资料 資料', '"资料" "资料"'],
])('%s becomes the terms of the index', (query, expected) => {
  expect(segmentFtsQuery(tokenizer, query)).toBe(expected);
});

test.each([
  ['a AND (b OR c) NOT d', 'a b c d'],
  ['key:a {key tags} : b -content : c "tags" : d', 'a b c d'],
  ['"a AND b" "say ""hi"""', 'a AND b say "hi"'],
  ['NEAR(a b, 5) AND NEAR("c 1, 2)" d)', 'a b c 1, 2) d'],
  ['^a + b deploy* 用户身份', 'a b deploy 用户身份'],
  ['and or near', 'and or near'],
  ['', ''],
])('the words of %s are %s', (query, words) => {
  expect(ftsWords(query)).toBe(words);
});

test.each([
  ['NEAR(用户身份 NEAR(用户身份 pool)', 'NEAR("用户 身份" NEAR("用户 身份" pool)'],
  ['NEAR(用户身份', 'NEAR("用户" "身份"'],
  ['NEAR(a) 用户身份 NEAR(用户身份)', 'NEAR(a) "用户" "身份" NEAR("用户 身份")'],
])('a NEAR group reaches to the next parenthesis: %s', (query, expected) => {
  expect(segmentFtsQuery(tokenizer, query)).toBe(expected);
});

test.each([
  ['deploy', []],
  ['deploy*', ['deploy']],
  ['DEPLOY *', ['deploy']],
  ['"Roll back" * AND ＡＢＣ* OR other', ['roll back', 'abc']],
  ['key: 用户*', ['用户']],
])('the prefixes of %s are %j', (query, expected) => {
  expect([...ftsPrefixes(query)]).toEqual(expected);
});

test.each([
  [['カ'], '("カ" *)'], // begins the pairs that the index has
  [['한'], '("한" *)'],
  [['カナ'], '("カナ")'],
  [['a'], '("a")'],
  [['网'], '{key tags source content} : ("网")'],
  [['𠮷野'], '{key tags source content} : ("𠮷野")'],
  [['网络', 'net'], '{key tags source content} : ("网络" OR "net")'],
  [['🟥'], '("🟥")'],
])('the forms %j are looked up by %s', (forms, expected) => {
  expect(termExpression(forms)).toBe(expected);
});

test.each(['fts5: parser stack overflow', 'fts5: syntax error near ""'])(
  'an error without a place (%s) is at the end of the query',
  (message) => {
    const error = ftsSyntaxError('𠮷 OR (b', new Error(message), () => message);
    expect(error).toMatchObject({ code: 'PARAM_ERROR', context: { position: 8 } });
    expect(error.message).toContain(message);
  },
);

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
