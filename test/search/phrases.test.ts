import { describe, expect, test } from 'vitest';
import type { Phrase } from '../../src/search/phrase.ts';
import { numeralsOf, valueOf } from '../../src/search/han-numbers.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { createTokenizer } from '../../src/search/tokenizer.ts';

const tokenizer = createTokenizer(() => undefined);
const phrases = (query: string): readonly Phrase[] => analyseQuery(tokenizer, query).phrases;
/** The phrases of a query as parts of a longer text, which is not itself a phrase. */
const parts = (query: string): string[] => phrases(`${query}${' and more'.repeat(20)}`).map(({ term }) => term);

describe('what belongs together in a query', () => {
  test.each([
    ['a number and a unit', ['4MB', '4 MB', '4-mb', '4_MB'], ['4 mb']],
    ['a large number and a unit', ['1234567 kb'], ['1234567 kb', '1 234 567']],
    [
      'a number and a Chinese unit',
      ['1.5 秒', '20毫秒', '3 分钟', '5天'],
      ['1 5', '1 5 秒', '20 毫秒', '3 分钟', '5 天'],
    ],
    ['a number with separators', ['65,535', '1_200_000', '12,400.5'], ['1 200 000', '400 5', '65 535']],
    [
      'a number that may have some',
      ['65535', '1234567890 of 5432', '12345678901', '10.1234'],
      ['10 1234', '65 535', '1 234 567 890', '5 432'],
    ],
    ['a date', ['2026-04-05', '2026/4/5', '2026年4月5日'], ['2026 04 05', '2026 4 5', '2026 年 4 月 5 日']],
    ['a date without signs', ['20260405', '20261340'], ['2026 04 05', '20 261 340']],
    ['a day', ['4月5日', '12 月 31 号', '3月'], ['4 月 5 日', '12 月 31 号', '3 月']],
    [
      'a day in English',
      ['April 5th', '5 apr', 'the 1st of May', '3 may', 'March'],
      ['april 5th', '5 apr', '1st of may', 'march'],
    ],
    [
      'a month',
      ['2026年4月', '2026-04', 'Sept. 2026', 'may, 2026'],
      ['2026 04', '2026 年 4 月', 'sept 2026', 'may 2026'],
    ],
    ['bits and bytes', ['2b', '2 gib', '2tb', '2 kbps', '2Gbps'], ['2 b', '2 gib', '2 tb', '2 kbps', '2 gbps']],
    [
      'durations',
      ['5s', '5 ms', '5us', '5ns', '5 sec', '5 secs', '5min', '5mins', '5 hr', '5hrs', '5m', '5h', '5d', '5w', '5k'],
      '5 s,5 ms,5 us,5 ns,5 sec,5 secs,5 min,5 mins'.split(','),
    ],
    [
      'rates and lengths',
      ['3px', '3pt', '3 em', '3rem', '3hz', '3 khz', '3qps', '3 tps', '3rps', '3fps'],
      '3 px,3 pt,3 em,3 rem,3 hz,3 khz,3 qps,3 tps'.split(','),
    ],
    ['a word and a number', ['jdk8', 'JDK 8', 'jdk_8'], ['jdk 8']],
    ['a word and a version', ['ip v6', 'IPv6', 'utf-8', 'jdk123'], ['utf 8', 'ip v6', 'ipv 6', 'jdk 123']],
    ['a name', ['see cart.pool_size', 'a/b', 'x:=1', 'me@corp'], ['cart pool size', 'a b', 'x 1', 'me corp']],
    ['hyphened words', ['end-to-end', 'well-known'], ['end to end', 'well known']],
    ['a version', ['v2.1.0', '3.4'], ['2 1 0', '3 4']],
    ['a decimal number', ['8.1', '4mb.2', 'x2.1'], ['8 1', '4mb 2', 'x2 1']],
    ['a word and a version', ['jdk1.8', 'TLSv1.3'], ['jdk1 8', 'tlsv1 3', 'jdk 1 8', 'tls v1 3']],
    ['a name with a version', ['Python-3.11.4', 'HTTP/2'], ['python 3 11 4', 'http 2']],
    ['a decimal number and a unit', ['1.5 GB', '0.25ms'], ['1 5', '0 25ms', '1 5 gb', '0 25 ms']],
    [
      'quoted text',
      ['"on conflict"', '“two words”', '「甲 乙」', '『c d』', '`e f`', '"single"', '"is it"'],
      ['on conflict', 'two words', '甲 乙', 'c d', 'e f'],
    ],
  ])('%s: %j', (_what, queries, expected) => {
    expect(parts(queries.join(', '))).toEqual(expected);
  });
  test.each([
    ['a unit in another word', '4mbx x4mb'],
    ['a unit after a letter', 'a4mb b5'],
    ['a number that is too long', '12345678901 kb jdk1234'],
    ['a stop word', 'in 2 of 3 at 5'],
    ['one letter and a number', 'x 1 y 2'],
    ['a word inside another one', 'xjdk8x 5jdk8'],
    ['words without separators', 'one two three'],
  ])('is not %s: %s', (_what, query) => {
    expect(parts(query)).toEqual([]);
  });
  test.each([
    ['database is locked', ['database is locked']],
    ['数据库 连接', ['数据库 连接']],
    ['single', []],
    ['is it', []],
    [' C++ ', ['c++']],
    ['/^(a+)+$/', ['/^(a+)+$/']],
    [`${'x'.repeat(77)} yz`, [`${'x'.repeat(77)} yz`]],
    [`${'x'.repeat(78)} yz`, []],
    ['a b c d e f g h i j k l', ['a b c d e f g h i j k l']],
    ['a b c d e f g h i j k l m', []],
  ])('is a short query as a whole: %s', (query, expected) => {
    expect(phrases(query).map(({ term }) => term)).toEqual(expected);
  });
});

test.each([
  ['2026-11-20', ['2026 11 20', '2026 年 11 月 20', '20261120', 'november 20 2026'], 13],
  ['2026-04-05', ['2026 04 05', '2026 4 5', '2026 年 4 月 5', '2026 年 04 月 05', '20260405', 'april 5 2026'], 17],
  ['2026-05-05', ['2026 05 05', '2026 5 5', '2026 年 5 月 5', '2026 年 05 月 05', '20260505', 'may 5 2026'], 11],
  ['12月31日', ['12 月 31', '十二 二月 月三 三十 十一', 'december 31', 'december 31 st 31st'], 12],
  ['4月5日', ['4 月 5', '4 月 05', '04 月 5', '04 月 05', '四月 月五', 'april 5', 'april 5th', 'april 05'], 17],
  ['Sept 2nd', ['9 月 2', '9 月 02', '09 月 2', '09 月 02', '九月 月二', 'september 2', 'september 2nd'], 23],
  ['Jan 2026', ['2026 01', '2026 年 1', '2026 年 01', 'january 2026', 'jan 2026'], 5],
])('the date %s is looked up in each notation once: %j', (query, first, count) => {
  const [date] = phrases(query).filter(({ compound }) => compound !== undefined);
  const ways = date?.ways.map((way) => way.join(' ')) ?? [];
  expect(ways.slice(0, first.length)).toEqual(first);
  expect([ways.length, new Set(ways).size]).toEqual([count, count]);
});

test('of many phrases, eight are taken, each once, those at the end of a long query first', () => {
  const names = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `name.part${String.fromCharCode(97 + first + at)}`);
  const terms = (query: string): string[] => phrases(query).map(({ term }) => term);
  expect(terms([...names(0, 5), ...names(0, 10)].join(' '))).toEqual(names(0, 8).map((name) => name.replace('.', ' ')));
  expect(terms(`first.name ${'filler '.repeat(100)} middle.name ${'filler '.repeat(100)} last.name`)).toEqual([
    'last name',
    'first name',
  ]);
});

describe('a text has a phrase', () => {
  test.each([
    ['cart.pool_size', 'cart.pool_size is 20', true],
    ['cart.pool_size', 'cart pool size', true],
    ['cart.pool_size', 'cart -> pool: size', false], // more than two signs between
    ['cart.pool_size', 'cart, pool; size', true],
    ['cart.pool_size', 'mycart.pool_size', false],
    ['cart.pool_size', 'cart.pool_sizes', false],
    ['cart.pool_size', 'cart的pool_size', false],
    ['v2.1.0', 'upgraded to 2.1.0', true],
    ['2.1.0', 'upgraded to v2.1.0', true],
    ['2.1.0', '12.1.0', false],
    ['2.1.0', '2.1.05', false],
    ['02 45', '2026-07-06t02:45:46z', true],
    ['02 45', '2026-07-06t02:45z', true],
    ['02 45', '20260706t02:45', true],
    ['02 45', '07-06t02:45t12', true],
    ['02:45', '2026-07-06t02:45:46z', true],
    ['2026-07-06', '2026-07-06t02:45:46z', true],
    ['02:45', 'at02:45', false],
    ['02 45', 'at02:45', false],
    ['02 45 x', '02:45 xt12', false],
    ['02 45', '6t02:45', false],
    ['02 45', '02:45zone', false],
    ['02 45', '02:45t1', false],
    ['part2.a', '06t02part2.a', false],
    ['a.b2', 'a.b2z', false],
    ['part2.3', '06tpart2.3', false],
    ['2.part3x', '2.part3xt12', false],
    ['jdk8', 'on jdk 8, still', true],
    ['jdk8', 'on jdk-8', true],
    ['jdk8', 'on jdk 81', false],
    ['"a.b', 'x "a.b y', true],
  ])('%s in %s: %j', (query, text, expected) => {
    const [first] = phrases(query);
    expect(first && first.count({ normal: text, lower: text }) > 0).toBe(expected);
  });
});

describe('a denial', () => {
  test.each([
    ['do not use axios', 'never use axios', true],
    ['do not use axios', 'axios is forbidden here', true],
    ['do not use axios', 'do not panic. we use axios', false],
    ['do not use axios', 'do not panic; we use axios', false],
    ['do not use axios', 'not the one who reviewed all these changes use axios', false],
    ['do not use axios', 'axios, as we have seen in the last weeks, is forbidden', false],
    ['do not use axios', 'a knot of axioms', false],
    ['never log it', 'it must not be logged', true],
    ['never log it', 'no local changes', false],
    ['axios is forbidden', 'do not use axios', true],
  ])('%s in %s: %j', (query, text, expected) => {
    const [denial] = phrases(query).filter(({ term }) => term.startsWith('not('));
    expect(denial && denial.count({ normal: text, lower: text }) > 0).toBe(expected);
  });
});

describe('Chinese numerals', () => {
  test('stand for every number up to 9,999, and back', () => {
    for (let value = 0; value <= 9999; value += 1)
      for (const numeral of numeralsOf(value)) expect([numeral, valueOf(numeral)]).toEqual([numeral, value]);
  });
  test.each([
    [2, ['二', '两']],
    [10, ['十']],
    [15, ['十五']],
    [20, ['二十']],
    [102, ['一百零二']],
    [110, ['一百一十']],
    [200, ['二百', '两百']],
    [1001, ['一千零一']],
    [2020, ['二千零二十', '两千零二十']],
  ])('%d is %j', (value, numerals) => {
    expect(numeralsOf(value)).toEqual(numerals);
  });
  test.each(['三四', '十百', '百', '千万', '两两', '三方'])('%s is no number', (text) => {
    expect(valueOf(text)).toBeUndefined();
  });
  test.each([
    ['重试3次 or 三十人', ['3 次', '三十人']],
    ['一台 2010年 第三次 三方 1.5 次', []],
  ])('in %s: %j', (query, expected) => {
    const kinds = phrases(query).filter(({ kind, compound }) => kind === 'exact' && compound !== undefined);
    expect(kinds.map(({ term }) => term)).toEqual(expected);
  });
});
