import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, parseEnd, parseTimestamp } from '../../src/core/time.ts';

describe('parseTimestamp', () => {
  test.each([
    ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00.000Z'],
    ['2026-01-01T12:00:00.5Z', '2026-01-01T12:00:00.500Z'],
    ['2026-01-01T12:00:00.123456789Z', '2026-01-01T12:00:00.123Z'],
    ['2026-01-01T12:00:00+02:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T00:30:00-0130', '2026-01-01T02:00:00.000Z'],
    ['2026-01-01 10:00:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000Z'],
    ['2026-03-11T08:00:00+00:00', '2026-03-11T08:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-01-01t23:59:59z', '2026-01-01T23:59:59.000Z'],
    ['2026-01-01T12:00:00,05Z', '2026-01-01T12:00:00.050Z'],
    ['2026-01-01T12:00+23:59', '2025-12-31T12:01:00.000Z'],
    ['2026-01-01T12:00:00 -0030', '2026-01-01T12:30:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(formatTimestamp(parseTimestamp(text) ?? Number.NaN)).toBe(expected);
  });

  test.each([
    '',
    '5',
    'yesterday',
    'garbage',
    '2026-02-30T00:00:00Z',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:60:00Z',
    '99999-01-01T00:00:00Z',
    '2026-01-01T10:00:00+25:00',
    ' 2026-01-01',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+00:01',
    '2026-01-01T10:00:61Z',
    '2026-01-01T25:00:00+02:00',
    '2026-01-01T10:00:00+24:00',
    '2026-01-01T10:00:00+10:60',
    '2026-01-00',
    '2026-04-31T00:00:00+00:00',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('reads text in the form of a stored time only if such a time exists', () => {
    const digits = (count: number) => fc.nat({ max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));
    const near = (...values: string[]) => fc.oneof(fc.constantFrom(...values), digits(2));
    const times = fc.tuple(
      fc.oneof(digits(4), fc.constantFrom('0000', '0100', '1900', '2000', '2024', '2026', '9999')),
      near('00', '01', '02', '04', '12', '13'),
      near('00', '28', '29', '30', '31', '32'),
      near('23', '24', '25'),
      near('59', '60'),
      near('00', '59', '60', '61'),
      digits(3),
    );
    fc.assert(
      fc.property(times, ([year, month, day, hour, minute, second, fraction]) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
        const ms = Date.parse(text);
        const exists = !Number.isNaN(ms) && formatTimestamp(ms) === text;
        // a leap second is read as the second after it
        const isLeap = second === '60' && parseTimestamp(text) !== undefined;
        if (!isLeap) expect(parseTimestamp(text)).toBe(exists ? ms : undefined);
        else expect(parseTimestamp(text)).toBe(Date.parse(text.replace(/:60\./, ':59.')) + 1000);
      }),
      { numRuns: 5000 },
    );
  });

  test('reads every instant that it writes', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(parseTimestamp(formatTimestamp(date.getTime()))).toBe(date.getTime());
        },
      ),
    );
  });
});

test.each([
  ['2026-03-01', '2026-03-01T23:59:59.999Z'],
  ['2026-03-01Z', '2026-03-01T23:59:59.999Z'],
  ['2026-03-01 +08:00', '2026-03-01T15:59:59.999Z'],
  ['2026-03-01T00:00', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T10:00:00.5+01:00', '2026-03-01T09:00:00.500Z'],
  ['9999-12-31', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31 -05:00', '9999-12-31T23:59:59.999Z'],
])('as the end of a range, %s is %s', (text, end) => {
  expect(formatTimestamp(parseEnd(text) ?? Number.NaN)).toBe(end);
});

test('no end of a range is read from what is no time', () => {
  expect(parseEnd('2026-02-30')).toBeUndefined();
});
