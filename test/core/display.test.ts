import { expect, test } from 'vitest';
import { age, oneLine, safe } from '../../src/core/display.ts';

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

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A twelfth of a year of 365 days. */
const MONTH = 30 * DAY + 10 * HOUR;

test.each([
  [-MINUTE - 1, 'in the future'],
  // clocks may differ a little
  [-MINUTE, 'just now'],
  [0, 'just now'],
  [MINUTE - 1, 'just now'],
  [MINUTE, '1min ago'],
  [HOUR - 1, '59min ago'],
  [HOUR, '1h ago'],
  [DAY - 1, '23h ago'],
  [DAY, '1d ago'],
  [MONTH - 1, '30d ago'],
  [MONTH, '1mo ago'],
  [365 * DAY - 1, '11mo ago'],
  [365 * DAY, '1y ago'],
  [3650 * DAY, '10y ago'],
])('a time %d ms ago is %s', (ms, expected) => {
  expect(age('2026-06-01T12:00:00.000Z', Date.UTC(2026, 5, 1, 12) + ms)).toBe(expected);
});

test('a text that is not a time is shown itself, on one line', () => {
  expect(age('not\na\u001B time', 0)).toBe('not a<U+001B> time');
});
