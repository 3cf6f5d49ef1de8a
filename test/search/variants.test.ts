import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Dictionary } from '../../src/search/jieba/dictionary.ts';
import { simplify, variantsOf } from '../../src/search/variants.ts';

const bytes = fs.readFileSync(path.join(import.meta.dirname, '../../dist/jieba.bin'));
const dictionary = new Dictionary({ bytes: Uint8Array.from(bytes) });
const forms = (): Dictionary => dictionary;

/** Characters of both scripts, including Simplified ones that several Traditional ones share, mixed with others. */
const TEXT = fc
  .array(
    fc.oneof(fc.constantFrom(...Array.from('后後里裡裏髮發发臺台乾干於于資料库庫连連')), fc.string({ maxLength: 2 })),
  )
  .map((pieces) => pieces.join(''));

describe('Traditional characters', () => {
  test.each([
    ['資料庫連線逾時', '资料库连线逾时'],
    ['臺灣的臺北', '台湾的台北'],
    ['頭髮與發現', '头发与发现'],
    ['雨停之後的皇后', '雨停之后的皇后'],
    ['關於這裡', '关于这里'],
    ['薴', '苎'], // via another Traditional one
    ['乾隆', '乾隆'], // written the same way in Simplified Chinese
    ['数据库 cache 東京', '数据库 cache 东京'],
    ['𠀀龘', '𠀀龘'],
    ['', ''],
  ])('of %s are those of %s', (text, simple) => {
    expect(simplify(text, forms)).toBe(simple);
  });
  test('do not load the dictionary if there is no Han text', () => {
    const none = (): never => {
      throw new Error('the dictionary was loaded');
    };
    expect(simplify('naïve オフ 백업 🟥', none)).toBe('naïve オフ 백업 🟥');
    expect(variantsOf('naïve オフ 백업 🟥', none).fold('後')).toBe('後');
  });
  test('keep the length of a text when folded, and folding again changes nothing', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const simple = simplify(text, forms);
        expect(simple).toHaveLength(text.length);
        expect(simplify(simple, forms)).toBe(simple);
      }),
    );
  });
  test('of a query are folded in texts as in the query', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (query, text) => {
        const variants = variantsOf(query, forms);
        expect(variants.fold(query)).toBe(simplify(query, forms));
        // characters that are not in the query stay unchanged
        const folded = variants.fold(text);
        expect(simplify(folded, forms)).toBe(simplify(text, forms));
        for (const [at, character] of Array.from({ length: text.length }, (_, one) => text.charAt(one)).entries())
          if (!simplify(query, forms).includes(simplify(character, forms))) expect(folded.charAt(at)).toBe(character);
      }),
    );
  });
  test.each([
    ['后', '雨停之後', true],
    ['後', '皇后', true],
    ['後', '雨停之後', false],
    ['后', '皇后', false],
    ['後', '電腦', false],
    ['后後', '皇后之後', false],
  ])('of the query %s are distinguished from other forms in %s', (query, text, isOther) => {
    expect(variantsOf(query, forms).factor(['', text]) < 1).toBe(isOther);
  });
});
