import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchExpression, segmentFtsQuery, spanExpression, termExpression } from '../../src/search/fts-query.ts';
import { normalForm, wordOfStem, wordStem } from '../../src/search/words.ts';
import { baseForm, irregularForms, otherStems, usualStem } from '../../src/search/irregular-forms.ts';
import { analyseQuery, visibleTerms } from '../../src/search/query.ts';
import { jaccard, mostOverlap } from '../../src/search/recommend.ts';
import { matchSpans, MAY_CHANGE_LENGTH, snippet, type Span } from '../../src/search/snippet.ts';
import { createTokenizer, normalise } from '../../src/search/tokenizer.ts';
import { NO_VARIANTS } from '../../src/search/variants.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

/** The spans of a query in a text. */
function spansOf(query: string, text: string): Span[] {
  const analysed = analyseQuery(tokenizer, query);
  return matchSpans(visibleTerms(analysed), text, analysed.variants);
}

describe('terms', () => {
  test.each([
    ['关注心理健康状况', ['关注', '心理', '健康', '状况', '健康状况']],
    ['AFC冠军 5G网络', ['afc', '冠军', '5g', '网络']],
    ['Don’t PANIC', ['don', 't', 'panic']],
    ['ＡＢＣ１２３', ['abc', '123', 'abc123']],
    [
      'getUserById XMLHttpRequest sha256Sum',
      [
        'get',
        'user',
        'by',
        'id',
        'getuserbyid',
        'xml',
        'http',
        'request',
        'xmlhttprequest',
        'sha',
        '256',
        'sum',
        'sha256sum',
      ],
    ],
    ['user_id v2.10.0 3f786850e387550fdab8', ['user', 'id', 'v2', '10', '0', '3f786850e387550fdab8']],
    ['C++ 与 c#', ['c', '与', 'c', 'cplusplus', 'csharp']],
    ['用C++写', ['用', 'c', '写', 'cplusplus']],
    ['Jäger Ja\u0308ger', ['jager', 'jager']],
    ['crème brûlée Ł ø ế', ['creme', 'brulee', 'l', 'o', 'e']],
    ['Straße STRAẞE Ærø ÆRØ Þór Œuvre', ['strasse', 'strasse', 'aero', 'aero', 'thor', 'oeuvre']],
    ['Æ 3 × 4 ÷ 2', ['ae', '3', '4', '2']],
    ['ΚΑΛΗΜΕΡΑ καλημέρα ἄλφα', ['καλημερα', 'καλημερα', 'αλφα']],
    ['Ёлка ЕЛКА йод', ['елка', 'елка', 'йод']],
    ['מַיִם מים كِتَابٌ كتـــاب أمن إدارة', ['מים', 'מים', 'كتاب', 'كتاب', 'امن', 'ادارة']],
    ['हिन्दी में', ['हिन्दी', 'में']],
    ['ọ̀rẹ́ j̈ Й', ['ore', 'j', 'й'.normalize('NFKC')]],
    ['2026-07-06T02:45:46.491Z', ['2026', '07', '06', '02', '45', '46', '491']],
    ['20260706T024546Z 9Z T12', ['20260706', '024546', '9z', 't12']],
    ['6T02 123456789T02 06T0245467 1234567890Z', ['6t02', '123456789t02', '06t0245467', '1234567890z']],
    ['sha256a 12a 12ab b12', ['sha', '256a', 'sha256a', '12a', '12', 'ab', '12ab', 'b12']],
    ['HTTP2Server getB1 JSON5x', ['http2', 'server', 'http2server', 'get', 'b1', 'getb1', 'json5x']],
    ['DeadBeef 3F786850 abc1234', ['dead', 'beef', 'deadbeef', '3f786850', 'abc1234']],
    ['x\u0300y\u036fz \u0301 жи\u0301', ['xyz', '\u0301', 'жи']],
    ['F# f++ xC++ x.c#', ['f', 'f', 'x', 'c', 'xc', 'x', 'c', 'fsharp', 'csharp']],
    ['встреча с Дмитрием', ['встреча', 'с', 'дмитрием']],
    ['オフライン', ['オフ', 'フラ', 'ライ', 'イン']],
    ['백업설정', ['백업', '업설', '설정']],
    ['deploy 🟥 x', ['deploy', '🟥', 'x']],
    ['第3步 idx-qk7后30条', ['第', '3', '步', 'idx', 'qk7', '后', '30', '条']],
    ['@ & % * "" --', []],
  ])('of %j are %j', (text, expected) => {
    expect(tokenizer.terms(text)).toEqual(expected);
  });
  test('are the words that FTS5 extracts from the index text', () => {
    // FTS5's ascii tokenizer: words are runs of ASCII letters, digits and non-ASCII characters
    const fts5Words = (text: string): string[] =>
      text.replaceAll(/[A-Z]+/g, (upper) => upper.toLowerCase()).match(/[a-z0-9\u0080-\u{10FFFF}]+/gu) ?? [];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string(),
          fc.constantFrom('C++ 中文混排 foo_bar', 'naïve café'),
          fc
            .array(fc.constantFrom('get', 'User', 'ID', 'v', 'F', '1', '42', 'T', 'Z', 'c++', 'C#', 'x', '_', ' '))
            .map((pieces) => pieces.join('')),
        ),
        (text) => {
          fc.pre(text.isWellFormed() && tokenizer.terms(text).length > 0);
          expect(fts5Words(tokenizer.indexText(text).terms || text)).toEqual(
            tokenizer.terms(text).map((term) => term.toLowerCase()),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
  test('without a dictionary are all stretches of one to four Han characters', () => {
    const bare = createTokenizer(() => undefined);
    expect(bare.terms('plain words')).toEqual(['plain', 'words']);
    expect(bare.isProvisional).toBe(false);
    expect(bare.terms('数据库连接 用𠮷')).toEqual(
      '数 数据 数据库 数据库连 据 据库 据库连 据库连接 库 库连 库连接 连 连接 接 用 用𠮷 𠮷'.split(' '),
    );
    expect(bare.isProvisional).toBe(true);
    expect(bare.hasDictionary).toBe(false);
    expect(tokenizer.hasDictionary).toBe(true);
    tokenizer.terms('数据库');
    expect(tokenizer.isProvisional).toBe(false);
  });
  test('do not load the dictionary if there is no Han text', () => {
    const withoutDictionary = createTokenizer(() => {
      throw new Error('the dictionary was loaded');
    });
    expect(withoutDictionary.terms('word オフ 백업 Jäger 🟥')).toHaveLength(5);
    expect(withoutDictionary.indexText('plain English')).toEqual({ terms: '', grams: '' });
  });
});

describe('queries', () => {
  test('quote every term', () => {
    expect(matchExpression(['and', 'or'], 'any')).toBe('"and" OR "or"');
    expect(matchExpression(['a"b', 'c'], 'all')).toBe('"a""b" AND "c"');
    expect(termExpression(['go', 'went'])).toBe('("go" OR "went")');
    expect(termExpression(['数据'])).toBe('{key tags source content} : ("数据")'); // no pair formed by two words
    expect(termExpression(['数据库'])).toBe('("数据库")');
    expect(spanExpression('数据库')).toBe('grams : "数据 据库"');
    expect(spanExpression('网')).toBe('grams : "网" *'); // every character begins a gram
    expect(spanExpression('𠮷')).toBe('grams : "𠮷" *');
  });
  test.each([
    ['什么是熔断？它解决什么问题？', ['熔断', '它', '解决', '问题']],
    ['hashCode() 有什么用？', ['hash', 'code', 'hashcod', '用']],
    ['When did Caroline go to the support group?', ['carolin', 'go', 'support', 'group']],
    ['how to be', ['how', 'to', 'be']],
    ['是什么', ['是', '什么']],
    ['哪一种', ['哪', '一种']],
    ['哪一種是', ['哪', '一种', '是']],
    ['C++ vs c#', ['c', 'vs', 'c++', 'c#']],
    ['2026-07-06T02:45', ['2026', '07', '06', '02', '45']],
    ['getUserById', ['get', 'user', 'id', 'getuserbyid']],
    ['isOn', ['ison']],
    ['什么时候上线', ['上线']],
    ['wHO codes, WHO', ['code', 'who']],
    ['redis redis', ['redi']],
  ])('%j search for %j', (query, terms) => {
    const found = analyseQuery(tokenizer, query).terms.map(({ term }) => term);
    expect(found).toEqual(terms);
  });
  test('find the irregular forms of a word, whichever of them is given', () => {
    for (const word of ['run', 'ran', 'running'])
      expect(analyseQuery(tokenizer, word).terms[0]).toMatchObject({
        term: 'run',
        forms: expect.arrayContaining(['ran']),
      });
  });
  test.each([
    ['数据库 超时', ['数据库', '超时']],
    [' 登录  keycloak 登录 ', ['登录']],
    ['数据库超时', ['数据库', '超时']],
    ['检查点的删除', ['检查点', '删除']],
    ['怎么 回滚', []], // a question
    ['数据库怎么超时', []],
    ['数据库超时?', []],
    ['登录，keycloak 超时', ['登录', '超时']],
    ['连接池最大连接数 超时', []],
    ['日志采集延迟告警', []],
    ['锁 超时', ['超时']],
    ['redis 检查点删除', ['检查点', '删除']],
    ['日志采集 检查点删除', ['日志采集', '检查点删除']], // too many to be names
    ['数据库 张三丰', ['数据库', '张三丰']],
    ['用keycloak 登录', ['登录']],
    ['order service', []],
  ])('of %j that are a few names have the Chinese words %j', (query, keywords) => {
    expect(analyseQuery(tokenizer, query).keywords).toEqual(keywords);
  });
  test('take words before a number for its labels, but not before another notation', () => {
    const parts = (query: string) =>
      analyseQuery(tokenizer, query).terms.flatMap(({ term, isPart }) => (isPart ? [term] : []));
    expect(['error 409', 'error 409.5', 'error 409ms', 'port 5432:80', 'HTTP status code: 404'].map(parts)).toEqual([
      ['error'],
      [],
      [],
      [],
      ['http', 'statu', 'code'],
    ]);
  });
  test('abbreviate hashes, but neither numbers nor words', () => {
    const forms = (query: string) => analyseQuery(tokenizer, query).terms.flatMap((term) => term.forms);
    expect(forms('effaced1')).toEqual(['effaced1', '0xeffaced1', 'effaced']);
    expect(forms('9d41e07b2c4f5a6d1122')).toEqual([
      '9d41e07b2c4f5a6d1122',
      ...[7, 8, 9, 10, 11, 12].map((length) => '9d41e07b2c4f5a6d1122'.slice(0, length)),
    ]);
    expect([forms('123456789012345678').length, forms('feedface').length]).toEqual([1, 2]);
  });
  test('have Chinese phrases from four characters on', () => {
    const phrases = (query: string) => analyseQuery(tokenizer, query).phrases.map(({ term }) => term);
    expect([phrases('下单失败'), phrases('下单慢')]).toEqual([['下单失败'], []]);
  });
  test('require once what they repeat', () => {
    expect(analyseQuery(tokenizer, 'status '.repeat(2000)).wanted).toEqual([[['statu']]]);
  });
  test('treat capitalised words of an English question as names, except for the first', () => {
    const names = (query: string): string[] =>
      analyseQuery(tokenizer, query)
        .terms.filter(({ isName }) => isName)
        .map(({ term }) => term);
    expect(names('Where did Melanie paint?')).toEqual(['melani']);
    expect(names('Redis 的 AOF')).toEqual([]);
    expect(names('melanie and Melanie')).toEqual(['melani']);
    for (const first of ['Melanie, melanie', ' Melanie paints', '"Melanie" paints', '- Melanie paints'])
      expect([first, names(first)]).toEqual([first, []]);
  });
  test.each([
    ['upgrade to v2.1.0', 'v2', ['v2', '2']],
    ['upgrade to 2.1.0', '2', ['2', 'v2']],
    ['v2 of it', 'v2', ['v2']],
    ['2 of it. 1', '2', ['2']],
    ['part2.1', 'part2', ['part2']],
    ['2a.1', '2a', ['2a']],
  ])('in %j, the forms of %s are %j', (query, term, forms) => {
    expect(analyseQuery(tokenizer, query).terms.find((one) => one.term === term)?.forms).toEqual(forms);
  });
  test.each([
    ['熔断是什么意思', ['熔断', '意思'], ['熔断', '意思'], '熔断意思'],
    ['锁在哪里实现', ['锁', '实现'], ['实现'], '锁实现'],
    ['数据库 and 索引', ['数据库', '索引'], ['数据', '据库', '索引'], '数据库索引'],
    ['是什么', ['是什么'], ['是什', '什么'], '是什么'],
    ['redis', [], [], ''],
    ['著名的显著差异', ['着名', '显着差异'], ['着名', '显着', '着差', '差异'], '着名显着差异'],
    ['寫著差異', ['写', '差异'], ['差异'], '写差异'],
  ])('count the pairs and characters of %s between its question phrases', (query, spans, bigrams, characters) => {
    expect(analyseQuery(tokenizer, query)).toMatchObject({ spans, bigrams, characters: Array.from(characters) });
  });
  test.each([
    ['账单比对', ['比对']],
    ['钱到账', ['钱到', '到账']],
    ['对数据库', []], // a word of several characters
    ['数据库对', []],
    ['锁在表', []], // no part of verbs
    ['把对', []],
    ['什么是锁', []],
  ])('in %s may have lost a part of the words %j', (query, expected) => {
    expect(analyseQuery(tokenizer, query).severed.pairs).toEqual(expected);
  });
  test.each([
    ['从节点', ['从节点']],
    [' “对账单” 怎么导出', ['对账单']],
    ['從節點 延迟', ['从节点']],
    ['MySQL 从节点 延迟', ['从节点']],
    ['MySQL 从节点', []], // spaces beside Latin words mean nothing
    ['Redis 的持久化', []],
    ['的持久化', []],
    ['数据库的', []],
    ['怎么部署', []], // a question
    ['主节点', []], // not split
    ['从节点复制延迟', []], // longer than a word
    ['从节点，延迟', []],
  ])('in %s stop words split the words %j', (query, expected) => {
    expect(analyseQuery(tokenizer, query).severed.words).toEqual(expected);
  });
  test('of more than 200 terms are cut in the middle', () => {
    const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `k${1000 + at}`);
    const whole = analyseQuery(tokenizer, words(200).join(' '));
    expect([whole.isCut, whole.terms.length, whole.words.length, whole.wanted.length]).toEqual([false, 200, 200, 200]);
    const cut = analyseQuery(tokenizer, words(201).join(' '));
    const kept = words(201).filter((word) => word !== 'k1060');
    expect([cut.isCut, cut.terms.map(({ term }) => term), cut.words, cut.wanted.flat(2)]).toEqual([
      true,
      kept,
      kept,
      kept,
    ]);
  });
  test('in the FTS5 language keep their operators and have their Chinese words segmented', () => {
    expect(segmentFtsQuery(tokenizer, 'key:contract AND (用户身份 OR pool*)')).toBe(
      'key:contract AND ("用户" "身份" OR pool*)',
    );
    expect(segmentFtsQuery(tokenizer, '"数据库 索引" NOT x')).toBe('"数据 据库 数据库 索引" NOT x');
    expect(segmentFtsQuery(tokenizer, '数据库* OR NEAR(数据库 索引, 3)')).toBe(
      '"数据 据库 数据库"* OR NEAR("数据 据库 数据库" "索引", 3)',
    );
  });
});

test('upper and lower case are equal, with and without diacritics', () => {
  const letter = fc.constantFrom(...Array.from('éÉɛƐɔƆøØłŁñÑừỪğĞđĐŋŊßẞæÆœŒþÞıİħĦ'));
  const mark = fc.constantFrom('', '\u0300', '\u0301', '\u0302', '\u0323');
  fc.assert(
    fc.property(fc.array(fc.tuple(letter, mark), { minLength: 1, maxLength: 8 }), (pieces) => {
      const word = pieces.map((piece) => piece.join('')).join('');
      expect(tokenizer.terms(word.toUpperCase())).toEqual(tokenizer.terms(word.toLowerCase()));
    }),
  );
});

test('normalising twice is normalising once', () => {
  const piece = fc.constantFrom(
    'e',
    'ọ',
    '\u0301',
    '\u0300',
    'é',
    '각',
    'ᄀ',
    'ᅡ',
    'ｶﾞ',
    'ﬁ',
    '…',
    '資',
    'İ',
    'И',
    'Æ',
    'ß',
    'ё',
    'ά',
    'أ',
    'א',
    '\u05b8',
    '\u0651',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = normalise(pieces.join(''));
      expect(normalise(once)).toBe(once);
    }),
    { examples: [[['ᄀ', '\u0651', 'ᅡ']]] },
  );
});

test('a text of ordinary Chinese and English keeps the position of each character when normalised', () => {
  const ordinary = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (character) => !MAY_CHANGE_LENGTH.test(character),
  );
  expect(ordinary.length).toBeGreaterThan(20_000);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ordinary), { maxLength: 40 }), (characters) => {
      expect(normalise(characters.join(''))).toBe(characters.map(normalise).join(''));
    }),
  );
  expect(ordinary.filter((character) => normalise(character).length !== 1)).toEqual([]);
});

describe('snippets', () => {
  test('mark whole terms only', () => {
    const marks = matchSpans(['上海', '学院'], '上海海关学院', NO_VARIANTS).map(({ start, end }) =>
      '上海海关学院'.slice(start, end),
    );
    expect(marks).toEqual(['上海', '学院']);
  });
  test('mark an identifier whole, once, with the terms that match in it', () => {
    const text = 'call getUserById(id), no users';
    const spans = matchSpans(['user', 'id', 'getuserbyid'], text, NO_VARIANTS);
    expect(spans.map(({ terms, start, end }) => [text.slice(start, end), terms.toSorted()])).toEqual([
      ['getUserById', ['getuserbyid', 'id', 'user']],
      ['id', ['id']],
      ['users', ['user']],
    ]);
    const far = `${'x '.repeat(1000)}getUserById`;
    expect(matchSpans(['user'], far, NO_VARIANTS)).toEqual([{ terms: ['user'], start: 2000, end: 2011 }]);
  });
  test.each([
    [['数据', '数据库', '库表'], '建数据库表', ['数据库表']],
    [['users', 'user', 'used'], 'user used it', ['user', 'used']],
    [['库', 'pool'], 'pool 库', ['pool', '库']],
    [['pool', '库'], 'pool 库', ['pool', '库']],
    [['3f2a'], 'fix 3f2a9c1d4e5b', ['3f2a9c1d4e5b']], // nothing matches whole
    [['3f2a'], '3f2a, 3f2a9c1d4e5b', ['3f2a']],
    [['co'], 'code', []], // too short for a prefix
    [['cod'], 'codes', ['codes']],
  ])('mark %j in %s as %j', (terms, text, expected) => {
    expect(matchSpans(terms, text, NO_VARIANTS).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
  });
  const fill = (count: number): string => 'abcdefghi '.repeat(count);
  test.each([
    ['the whole of a short text', 'word', 'x  a\n\n\tword ', 'x a word'],
    ['160 characters', 'word', 'x'.repeat(160), 'x'.repeat(160)],
    ['the start, if nothing matches', 'word', fill(30), `${fill(15)}abcdefghi…`],
    ['the start, if the match is near', 'word', `${fill(4)}word ${fill(30)}`, `${fill(4)}word ${fill(11).trim()}…`],
    ['a quarter before the match', 'word', `${fill(5)}word ${fill(30)}`, `…${fill(4)}word ${fill(11).trim()}…`],
    ['a whole word at its start', 'word', `${fill(5)} word ${fill(30)}`, `…${fill(3)}word ${fill(11).trim()}…`],
    ['the end, if the match is there', 'word', `${fill(30)}word ${fill(3)}`, `…${fill(12)}word ${fill(3).trim()}`],
    ['the first match', 'word', `word ${fill(30)}word`, `word ${fill(15).trim()}…`],
    [
      'the most terms',
      'word other',
      `word word ${fill(30)}word other ${fill(30)}`,
      `…${fill(4)}word other ${fill(11).trim()}…`,
    ],
    [
      'a long word cut at the end',
      'none',
      `${'a '.repeat(59)}${'x'.repeat(99)}`,
      `${'a '.repeat(59)}${'x'.repeat(42)}…`,
    ],
    ['no part of a shorter word', 'none', `${'a '.repeat(60)}${'x'.repeat(99)}`, `${'a '.repeat(59)}a…`],
    [
      'a long word cut at the start',
      'word',
      `${'a '.repeat(40)}${'x'.repeat(61)} ${fill(11)}bbb word`,
      `…${'x'.repeat(41)} ${fill(11)}bbb word`,
    ],
    [
      'no part of a shorter word at the start',
      'word',
      `${'a '.repeat(40)}${'x'.repeat(60)} ${fill(11)}bbbb word`,
      `…${fill(11)}bbbb word`,
    ],
  ])('show %s', (_what, query, text, expected) => {
    expect(snippet(query.split(' '), text)).toBe(expected);
  });
  test('count only the terms that will be visible', () => {
    const text = `${fill(5)}one ${fill(12)}two ${fill(30)}one and two ${fill(20)}`;
    expect(snippet(['one', 'two'], text)).toContain('one and two');
  });
  test('show the terms with the greatest total weight', () => {
    const text = `common again ${fill(30)}rare ${fill(30)}`;
    const terms = ['common', 'again', 'rare'];
    expect(snippet(terms, text)).toMatch(/^common again/);
    expect(snippet(terms, text, { weights: new Map([['rare', 2.5]]) })).toContain('rare');
    expect(snippet(terms, text, { weights: new Map([['rare', 1.5]]) })).toMatch(/^common again/);
    const light = new Map(Object.entries({ common: 0.2, again: 0.2 }));
    expect(snippet(terms, text, { weights: light })).toContain('rare');
  });
  test('match inflected English words', () => {
    expect(matchSpans(['running'], 'he runs; RUN!', NO_VARIANTS).flatMap(({ terms }) => terms)).toEqual(['run', 'run']);
  });
  test.each([
    ['naive', 'a nai\u0308ve plan', 'nai\u0308ve'],
    ['error', '前面…… ＥＲＲＯＲ 后面', 'ＥＲＲＯＲ'],
    ['id', '… getUserById()', 'getUserById'],
    ['数据库', '①②③…，数据库㍻', '数据库'],
    ['平成', '…㍻ 元年', '㍻'],
    ['平', '…㍻ 元年', '㍻'],
    ['成', '…㍻元年', '㍻'],
    ['ガ', '…ｶﾞ', 'ｶﾞ'],
    ['数据', '…数据库', '数据'],
    ['word', '…a word', 'word'],
    ['x', 'İİİ x', 'x'],
    ['数据库', `${'사용자 설정'.normalize('NFD')} 数据库`, '数据库'],
    ['数据库', 'ｻｰﾊﾞｰﾃﾞｰﾀ 数据库', '数据库'],
    ['数据库', 'ẹ\u0301。ẹ\u0301数据库', '数据库'],
    ['数据库', 'e\u0301ﬁ数据库', '数据库'],
    ['e', 'x e\u0301 ﬁ', 'e\u0301'],
  ])('mark %s at its position in the original text: %s', (term, text, expected) => {
    expect(matchSpans([term], text, NO_VARIANTS).map(({ start, end }) => text.slice(start, end))).toEqual([expected]);
  });
  test('mark spans in order, within the text, without overlap, for any text', () => {
    const piece = fc.constantFrom(
      '数据',
      '库',
      '資',
      'Foo',
      'bar',
      '…',
      '①',
      '㍻',
      '，',
      ' ',
      'İ',
      'ﬁ',
      '🟥',
      'ﾊﾞ',
      'e\u0301',
      'ẹ\u0301',
      '한'.normalize('NFD'),
    );
    const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, texts, (text, query) => {
        let end = 0;
        for (const span of spansOf(query, text)) {
          expect(span.start).toBeGreaterThanOrEqual(end);
          expect(span.end).toBeGreaterThan(span.start);
          expect(tokenizer.normal(text.slice(span.start, span.end)).toLowerCase()).toContain(
            span.terms.find((term) => /^\p{Script=Han}+$/u.test(term)) ?? '',
          );
          end = span.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });
  test('show the window with the most terms, and mark where the text continues', () => {
    const text = `${'filler words '.repeat(40)}the signing certificate expires on 12 May. ${'more filler '.repeat(40)}`;
    const shown = snippet(['certificate', 'expires'], text);
    expect(shown).toContain('signing certificate expires');
    expect(shown).toMatch(/^….*…$/);
    expect(shown.length).toBeLessThanOrEqual(162);
  });
  test('are well-formed for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ unit: 'binary' }), (text, query) => {
        fc.pre(text.isWellFormed());
        expect(snippet(visibleTerms(analyseQuery(tokenizer, query)), text).isWellFormed()).toBe(true);
      }),
    );
    const piece = fc.constantFrom('🟥🟥🟥', '𠀀', ' ', 'x', '\u{10ffff}', '数据', 'word ');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 120, maxLength: 200 }), (pieces) => {
        expect(snippet(['word', '数据'], pieces.join('')).isWellFormed()).toBe(true);
        expect(snippet(['none'], pieces.join('')).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('the upper bound of the overlap of a text with a context', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '数据库',
      '迁移',
      ' ',
      ' ',
      'deadlock',
      'Deadlocks',
      'getUserById',
      'user_id',
      'v2.10',
      'C++',
      '、',
      '\n',
      'ＡＢＣ',
      'e\u0301',
      '😀',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ maxLength: 12 }),
  );
  const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(''));
  test('is never less than the actual overlap', () => {
    fc.assert(
      fc.property(text, text, (content, context) => {
        const { terms } = tokenizer.indexText(content);
        const isCut = terms !== '';
        const own = new Set(isCut ? terms.split(' ') : tokenizer.terms(content));
        const wanted = new Set(tokenizer.terms(context));
        expect(mostOverlap(wanted, isCut ? terms : content, isCut)).toBeGreaterThanOrEqual(jaccard(wanted, own));
      }),
      { numRuns: 2000 },
    );
  });
  test.each([true, false])('does not count the beginning of a word at the end of what is read (%s)', (isTokenized) => {
    const wanted = new Set(['repeated']);
    // one of these texts ends within a word, wherever the reading stops
    for (let lead = 1; lead < 10; lead += 1) {
      const content = `${'x'.repeat(lead)} ${'repeated '.repeat(100)}`.trim();
      expect(mostOverlap(wanted, content, isTokenized)).toBe(jaccard(wanted, new Set(content.split(' '))));
    }
  });
  test('is far less than 1 for a long text that shares a word', () => {
    const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    expect(mostOverlap(new Set(['word7', 'other']), long, true)).toBeLessThan(0.05);
    expect(mostOverlap(new Set(['word7', 'other']), long, false)).toBeLessThan(0.05);
  });
});

describe('irregular forms', () => {
  test.each([
    ['go', ['went', 'gone', 'goes']],
    ['be', ['am', 'is', 'are', 'was', 'were', 'been', 'being']],
    ['lay', ['laid']],
    ['lie', ['lain', 'lied', 'lies', 'lying']],
  ])('of %s lead back to it', (base, forms) => {
    expect(irregularForms(base)).toEqual(forms);
    for (const form of forms) expect(baseForm(form)).toBe(base);
  });
  test.each(['go', 'wen', 'ent', 'one', 'e', 'a', '', ' ', ':', 'light', 'walked', '数据'])(
    'do not include %j',
    (word) => {
      expect(baseForm(word)).toBe(word);
    },
  );
  test.each(['deploi', 'statu', 'verifi', 'optim', 'expir'])('and words of one root are equal: %s', (usual) => {
    expect(otherStems(usual).length).toBeGreaterThan(0);
    for (const stem of [usual, ...otherStems(usual)]) {
      expect(wordStem(wordOfStem(stem))).toBe(stem);
      expect(normalForm(wordOfStem(stem))).toBe(usual);
      expect(usualStem(stem)).toBe(usual);
    }
  });
  test.each(['wen', 'went', '', 'constructor'])('do not exist for %j', (word) => {
    expect(irregularForms(word)).toEqual([]);
  });
});

test('the grams of a text are the pairs of its Han characters and the last character of every run that is split into pairs', () => {
  expect(tokenizer.indexText('数据库，锁 用C++写 한국어').grams).toBe('数据 据库 库 锁 用 写 어');
  expect(tokenizer.indexText('𠮷野家 カ カナ 金𠮷').grams).toBe('𠮷野 野家 家 ナ 金𠮷 𠮷');
  const long = `${'甲'.repeat(1023)}乙丙`;
  expect(tokenizer.indexText(long).grams.split(' ').slice(-3)).toEqual(['甲乙', '乙丙', '丙']);
  for (const length of [1024, 1025, 2048, 2049, 3000]) {
    const run = `${'甲'.repeat(length - 1)}乙`;
    const grams = [...Array.from({ length: length - 2 }, () => '甲甲'), '甲乙', '乙'];
    expect(tokenizer.indexText(run).grams).toBe(grams.join(' '));
    expect(tokenizer.indexText(`${run} ${run}，カナ`).grams).toBe([...grams, ...grams, 'ナ'].join(' '));
  }
});
