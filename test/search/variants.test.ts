import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simplify, variantsOf, type HanForms } from '../../src/search/variants.ts';
import { dictionary, tokenizer } from '../helpers/tokenizer.ts';

const forms = (): HanForms => dictionary;

/** Characters of both scripts, including Simplified ones that several Traditional ones share, mixed with others. */
const TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from('后後里裡裏髮發发臺台乾干著着甚什於于資料库庫连連')),
      fc.string({ maxLength: 2 }),
    ),
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
    // characters that Simplified Chinese uses too, in a part of their words
    ['乾隆寫著名著，甚至覆核', '干隆写着名着，什至复核'],
    ['数据库 cache 東京', '数据库 cache 东京'],
    ['𠀀龘', '𠀀龘'],
    ['', ''],
  ])('of %s are those of %s', (text, simple) => {
    expect(simplify(text, forms)).toBe(simple);
  });
  test('of a query are recognised in compatibility forms', () => {
    expect(tokenizer.normal('\uf900')).toBe('岂');
    expect(tokenizer.variants('\uf900').fold('豈')).toBe('岂');
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
    ['資料庫', ['資料庫', '资料庫', '資料库', '资料库']],
    ['资料库', ['资料库', '資料库', '资料庫', '資料庫']],
    ['deploy-库', ['deploy-库', 'deploy-庫']],
    ['后台', ['后台', '後台', '后檯', '後檯', '后臺', '後臺', '后颱', '後颱']],
    ['配置', ['配置']],
  ])('of the name %s are looked up in each spelling, its own first: %j', (name, expected) => {
    expect(variantsOf(name, forms).spellings(name)).toEqual(expected);
  });
  test('of a name of four characters with two forms each are looked up in all 16 spellings', () => {
    const spellings = variantsOf('资库连门', forms).spellings('资库连门');
    expect(new Set(spellings).size).toBe(16);
    for (const spelling of ['资库连门', '資庫連門', '資库連门', '资庫连門']) expect(spellings).toContain(spelling);
  });
  test('of a long name are looked up in at most 16 spellings, which differ in its first characters', () => {
    const name = '资料库发展里台与资料库';
    const spellings = variantsOf(name, forms).spellings(name);
    expect(spellings[0]).toBe(name);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.length).toBeGreaterThan(8);
    expect(spellings.length).toBeLessThanOrEqual(16);
    for (const spelling of spellings) expect(simplify(spelling, forms)).toBe(name);
    expect(spellings).toContain('資料庫發展里台与资料库');
  });
  test.each([
    ['后', '雨停之後', true],
    ['後', '皇后', true],
    ['後', '雨停之後', false],
    ['后', '皇后', false],
    ['後', '電腦', false],
    ['后後', '皇后之後', false],
    ['后', '後天', true],
    ['什么', '甚至', false],
    ['著名', '看着', false],
    ['复核', '覆盖', false],
    ['復核', '复核', true],
    ['發', '头髮', true],
    ['deploy', '後', false],
  ])('of the query %s are distinguished from other forms in %s', (query, text, isOther) => {
    expect(variantsOf(query, forms).factor(['', text]) < 1).toBe(isOther);
  });
});
