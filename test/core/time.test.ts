import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../../src/core/time.ts';

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
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
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
