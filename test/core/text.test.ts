import { describe, expect, test } from 'vitest';
import { characterCount, decodeUtf8, jsonText, withoutBom } from '../../src/core/text.ts';

describe('decodeUtf8', () => {
  test.each([
    ['a stray byte', [0x6f, 0x6b, 0x20, 0xff, 0xfe], 3],
    ['a cut sequence', [0x61, 0xc3], 1],
    ['an overlong form', [0xc0, 0xaf], 0],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a bad byte behind a real U+FFFD', [0xef, 0xbf, 0xbd, 0x80], 3],
  ])('names the offset of %s', (_what, bytes, offset) => {
    expect(() => decodeUtf8(Uint8Array.from(bytes), 'stdin')).toThrow(`stdin is not valid UTF-8 at byte ${offset}`);
  });
  test('keeps a real U+FFFD', () => {
    expect(decodeUtf8(Uint8Array.from([0xef, 0xbf, 0xbd]), 'x')).toBe('\uFFFD');
  });
  test.each([[[0xff, 0xfe, 0x68, 0]], [[0xfe, 0xff, 0, 0x68]]])('names UTF-16 (%j)', (bytes) => {
    expect(() => decodeUtf8(Uint8Array.from(bytes), 'stdin')).toThrow('stdin is UTF-16, not UTF-8');
  });
});

test('decodeUtf8 reads only the bytes of a view, wherever they are', () => {
  expect(decodeUtf8(Uint8Array.from([0xff, 0x61, 0x62, 0xff]).subarray(1, 3), 'x')).toBe('ab');
});

test.each([
  ['\uFEFFa', 'a'],
  ['\uFEFF\uFEFFa\uFEFF', '\uFEFFa\uFEFF'],
  ['a\uFEFF', 'a\uFEFF'],
])('of %j one leading byte order mark is dropped', (text, expected) => {
  expect(withoutBom(text)).toBe(expected);
});

test('characterCount counts characters, not UTF-16 units', () => {
  expect(characterCount('a😀中')).toBe(3);
});

test('an answer that is too large for a string is refused with a remedy', () => {
  const large = 'x'.repeat(1 << 24);
  expect(() =>
    jsonText(
      Array.from({ length: 40 }, () => large),
      'ask for less',
    ),
  ).toThrow(expect.objectContaining({ code: 'PARAM_ERROR', hint: 'ask for less' }));
  expect(jsonText({ a: 1 }, '')).toBe('{"a":1}');
});
