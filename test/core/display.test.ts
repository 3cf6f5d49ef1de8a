import { expect, test } from 'vitest';
import { oneLine, safe } from '../../src/core/display.ts';

/** What emoji and scripts need: joiners, and the variation selectors of Mongolian and of all scripts. */
const NEEDED = new Set(
  '\u200C\u200D\u180B\u180C\u180D\u180F\uFE00\uFE01\uFE02\uFE03\uFE04\uFE05\uFE06\uFE07\uFE08\uFE09\uFE0A\uFE0B\uFE0C\uFE0D\uFE0E\uFE0F',
);

test('every character that Unicode declares invisible is shown, except what emoji and scripts need', () => {
  let invisible = 0;
  for (let code = 0; code <= 0x10_ff_ff; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
    invisible += 1;
    const shown = `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
    expect(safe(`a${character}b`)).toBe(NEEDED.has(character) ? `a${character}b` : `a${shown}b`);
  }
  expect(invisible).toBeGreaterThan(4000);
});

test.each(['한글', 'ᄒ', '\u{1D15E}', '👨‍👩‍👧', '❤️', 'می‌خواهم', '\u1820\u180B', 'a\tb\nc'])(
  '%j is shown as it is',
  (text) => {
    expect(safe(text)).toBe(text);
  },
);

test('a text on one line has no control characters, and one space at a time', () => {
  expect(oneLine(' a\r\n\tb\u001B[2J  \u3164c ')).toBe('a b<U+001B>[2J <U+3164>c');
});
