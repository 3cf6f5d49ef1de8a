import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchExpression, segmentFtsQuery, spanExpression, termExpression } from '../../src/search/fts-query.ts';
import { normalForm, wordOfStem, wordStem } from '../../src/search/words.ts';
import { baseForm, irregularForms, otherStems, usualStem } from '../../src/search/irregular-forms.ts';
import { analyseQuery, visibleTerms } from '../../src/search/query.ts';
import { Dictionary } from '../../src/search/jieba/dictionary.ts';
import { createSegmenter } from '../../src/search/jieba/segmenter.ts';
import { jaccard, mostOverlap } from '../../src/search/recommend.ts';
import { matchSpans, MAY_CHANGE_LENGTH, snippet, type Span } from '../../src/search/snippet.ts';
import { createTokenizer, normalise } from '../../src/search/tokenizer.ts';
import { NO_VARIANTS } from '../../src/search/variants.ts';

const bytes = fs.readFileSync(path.join(import.meta.dirname, '../../dist/jieba.bin'));
const segmenter = createSegmenter(new Dictionary({ bytes: Uint8Array.from(bytes) }));
const tokenizer = createTokenizer(() => segmenter);

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
    ['crème brûlée Ł ø ế', ['creme', 'brulee', 'ł', 'ø', 'e']],
    ['ọ̀rẹ́ j̈ Й', ['ore', 'j', 'й'.normalize('NFKC')]],
    ['2026-07-06T02:45:46.491Z', ['2026', '07', '06', '02', '45', '46', '491']],
    ['20260706T024546Z 9Z T12', ['20260706', '024546', '9z', 't12']],
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
        fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('C++ 中文混排 foo_bar', 'naïve café')),
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
  test('treat capitalised words of an English question as names, except for the first', () => {
    const names = (query: string): string[] =>
      analyseQuery(tokenizer, query)
        .terms.filter(({ isName }) => isName)
        .map(({ term }) => term);
    expect(names('Where did Melanie paint?')).toEqual(['melani']);
    expect(names('Redis 的 AOF')).toEqual([]);
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
  const letter = fc.constantFrom(...Array.from('éÉɛƐɔƆøØłŁñÑừỪğĞđĐŋŊ'));
  const mark = fc.constantFrom('', '\u0300', '\u0301', '\u0302', '\u0323');
  fc.assert(
    fc.property(fc.array(fc.tuple(letter, mark), { minLength: 1, maxLength: 8 }), (pieces) => {
      const word = pieces.map((piece) => piece.join('')).join('');
      expect(tokenizer.terms(word.toUpperCase())).toEqual(tokenizer.terms(word.toLowerCase()));
    }),
  );
});

test('normalising twice is normalising once', () => {
  const piece = fc.constantFrom('e', 'ọ', '\u0301', '\u0300', 'é', '각', 'ᄀ', 'ᅡ', 'ｶﾞ', 'ﬁ', '…', '資', 'İ', 'И', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = normalise(pieces.join(''));
      expect(normalise(once)).toBe(once);
    }),
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
  test('match inflected English words', () => {
    expect(matchSpans(['running'], 'he runs; RUN!', NO_VARIANTS).flatMap(({ terms }) => terms)).toEqual(['run', 'run']);
  });
  test.each([
    ['naive', 'a nai\u0308ve plan', 'nai\u0308ve'],
    ['error', '前面…… ＥＲＲＯＲ 后面', 'ＥＲＲＯＲ'],
    ['id', '… getUserById()', 'getUserById'],
    ['数据库', '①②③…，数据库㍻', '数据库'],
    ['平成', '…㍻ 元年', '㍻'],
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
  test('is far less than 1 for a long text that shares a word', () => {
    const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    expect(mostOverlap(new Set(['word7', 'other']), long, true)).toBeLessThan(0.05);
    expect(mostOverlap(new Set(['word7', 'other']), long, false)).toBeLessThan(0.05);
  });
});

describe('irregular forms', () => {
  test.each([
    ['go', ['went', 'gone']],
    ['be', ['am', 'is', 'are', 'was', 'were', 'been', 'being']],
    ['lay', ['laid']],
    ['lie', ['lay', 'lain', 'lied', 'lies', 'lying']],
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
  const long = `${'甲'.repeat(1023)}乙丙`;
  expect(tokenizer.indexText(long).grams.split(' ').slice(-3)).toEqual(['甲乙', '乙丙', '丙']);
});
