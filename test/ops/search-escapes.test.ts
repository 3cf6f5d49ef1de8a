import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayBeEscaped } from '../../src/search/escapes.ts';
import { analyseQuery, visibleTerms } from '../../src/search/query.ts';
import { matchSpans } from '../../src/search/snippet.ts';
import { normalise } from '../../src/search/tokenizer.ts';
import { keys, storeOf } from '../helpers/store.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

const OTHERS = { o1: 'nothing of this', o2: '与此无关的说明' };

describe('words are found behind and between escapes', () => {
  test.each([
    [
      'colours of a compiler',
      'x.c:3:5: \u001b[01;31m\u001b[Kerror: \u001b[m\u001b[Kfoo undeclared',
      ['error', 'foo', 'undeclared'],
    ],
    [
      'colours of a test runner',
      '\u001b[32mpassed\u001b[0m 3 \u001b[38;5;208mwarn\u001b(B\u001b[m',
      ['passed', 'warn'],
    ],
    ['a colour within a word', 'con\u001b[31mnect\u001b[0mion refused', ['connection', 'refused']],
    ['colours in Chinese', '数据\u001b[31m库连\u001b[0m接失败', ['数据库', '连接', '失败']],
    ['colours as JSON has them', String.raw`\u001b[31merror\u001b[0m: refused`, ['error', 'refused']],
    ['colours as shells have them', String.raw`\033[31merror\x1b[0mlater \e[1mbold`, ['error', 'bold']],
    [
      'line breaks and tabs in JSON',
      String.raw`{"msg":"failed\nerror: timeout\tpanic\r\nretry"}`,
      ['error', 'panic', 'retry'],
    ],
    ['numbers behind them', String.raw`at\n2026-04-05\t8080`, ['2026-04-05', '8080']],
    ['identifiers behind them', String.raw`done\ngetUserById`, ['getUserById', 'user']],
    ['paths that look so', String.raw`C:\new\table\runner`, ['new', 'table', 'runner', String.raw`C:\new`]],
    ['a URL', 'GET /api?next=%2Flogin%2Ferror%20page', ['login', 'error', 'page', '%2Flogin']],
    ['Chinese in a URL', '/wiki/%E6%95%B0%E6%8D%AE%E5%BA%93', ['数据库']],
    ['Chinese in JSON', String.raw`{"原因":"\u6570\u636e\u5e93\u8fde\u63a5"}`, ['数据库', '连接']],
    ['signs in JSON of Go', String.raw`\u003cdiv\u003elogin\u0026logout`, ['div', 'login', 'logout']],
    ['paths alone', '"%2Flogin%2Ferror" and %20page (%2F2025/report) a%2024', ['login', 'error', 'page', '2025', '24']],
    [
      'patterns of SQL with a number',
      "path LIKE '%404%' or day like \"%2024-05%\" or like('%%201%%', %40), “%2023%”, p=%2022%, '%207'",
      ['404', '2024', '201', '2023', '2022', '207'],
    ],
    ['what is no escape', String.raw`%05d of 50%, %zz, \u12 and \q`, ['05d', '50', 'zz']],
  ])('%s', async (_what, content, queries) => {
    using store = await storeOf({ it: content, ...OTHERS });
    for (const query of queries)
      for (const engine of ['fts', 'like'])
        for (const match of ['any', 'all'])
          expect([query, engine, match, keys(await store.run('search', { query, engine, match }))]).toEqual([
            query,
            engine,
            match,
            ['it'],
          ]);
  });
  test('a line of a log as JSON has it finds the log, and a pasted piece of JSON the line', async () => {
    using store = await storeOf({ plain: 'request failed\nerror: timeout', json: String.raw`failed\nerror: timeout` });
    for (const query of ['failed\nerror: timeout', String.raw`failed\nerror: timeout`])
      expect(keys(await store.run('search', { query, match: 'all' })).toSorted()).toEqual(['json', 'plain']);
  });
});

test.each([
  ['\u001b[31merror\u001b[0m: refused', 'error', ['error']],
  [String.raw`failed\nerror: x`, 'error', ['error']],
  ['next=%2Flogin%2Fpage', 'login', ['login']],
  [String.raw`x \u6570\u636e y`, '数据', [String.raw`\u6570\u636e`]],
])('matches in %j are marked where they are: %s', (text, query, expected) => {
  const { variants, ...analysed } = analyseQuery(tokenizer, query);
  const spans = matchSpans(visibleTerms({ ...analysed, variants }), text, variants);
  expect(spans.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

test('a text without escapes stays as it is, and one with some has none afterwards', () => {
  const piece = fc.constantFrom('a', '0', 'n', ' ', '\\', '%', '2F', '%2F', '\\n', '\\u6570', '\u001b[31m', 'ü', '数');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      // a letter that is an escape without its mark
      fc.pre(!text.replaceAll('\u001b[31m', '').includes('\\ü'));
      if (!mayBeEscaped(text)) expect(normalise(text)).toBe(text.normalize('NFKC').replaceAll('ü', 'u'));
      const once = normalise(text);
      expect(once.includes('\u001b[31m') || once.includes('\\u6570')).toBe(false);
      // before a number, and behind no letter, %2F may be no escape; bytes that are no UTF-8 (%aa) stay, as do those beside
      // them
      if (!/%a[a0-9]/.test(once)) expect(once).not.toMatch(/%2F(?!\d)/);
      expect(normalise(once)).toBe(once);
    }),
  );
});
