import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHan, isWordUnit, runs, scriptOf } from '../../src/search/scripts.ts';

/** The Unicode properties that the table of scripts.ts represents. */
const BY_PROPERTIES =
  /(?<han>\p{Script=Han}{1,1024})|(?<syllables>[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]{1,1024})|(?<word>[[\p{L}\p{N}\p{M}]--[\p{Variation_Selector}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]{1,1024})|(?<pictograph>\p{Extended_Pictographic})/gv;

function runsByProperties(text: string): { script: string; text: string; start: number }[] {
  return [...text.matchAll(BY_PROPERTIES)].map(({ 0: found, index, groups }) => ({
    script: Object.entries(groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? '',
    text: found,
    start: index,
  }));
}

describe('scripts', () => {
  test('of every character agree with its Unicode properties', () => {
    const wrong: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10_ffff; codePoint += 1) {
      const expected = runsByProperties(String.fromCodePoint(codePoint))[0]?.script;
      if (scriptOf(codePoint) !== expected) wrong.push(`${codePoint.toString(16)} ${expected}`);
    }
    expect(wrong).toEqual([]);
  });
  test('split a text into the same runs as the properties', () => {
    const pieces = fc.constantFrom(
      '中文',
      'abc',
      'é',
      '12',
      'ー',
      'カナ',
      'あ',
      '한글',
      '🟥',
      '❤️',
      ' ',
      '。',
      '，',
      '\ud842',
      '𠮷',
      'Ω',
      '_',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((all) => all.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          expect(runs(text)).toEqual(runsByProperties(text));
          expect(hasHan(text)).toBe(/\p{Script=Han}/u.test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });
  test.each(['文', 'w', 'カ'])('split a run of %s after 1,024 characters', (character) => {
    expect(runs(character.repeat(2050)).map(({ text }) => text.length)).toEqual([1024, 1024, 2]);
  });
  test('do not count half of a surrogate pair as a letter', () => {
    expect(isWordUnit(0xd842)).toBe(false);
    expect(isWordUnit('é'.charCodeAt(0))).toBe(true);
  });
});
