import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decayOf, HALF_LIFE_DAYS, isStale, mixedScore, recencyDecay, recencyScore } from '../../src/search/recency.ts';

const NOW = Date.parse('2026-06-01T00:00:00.000Z');
const DAY = 86_400_000;
const ago = (days: number): string => new Date(NOW - days * DAY).toISOString();

describe('decay', () => {
  // exp(−ln 2 · age / half-life), computed by hand
  test.each([
    ['run', 0, 1],
    ['run', 14, 0.5],
    ['run', 28, 0.25],
    ['run', 7, 0.7071067811865476],
    ['feature', 180, 0.5],
    ['feature', 90, 0.7071067811865476],
    ['project', 365, 0.5],
    ['project', 1095, 0.125],
  ] as const)('of a %s memory after %d days is %d', (type, days, expected) => {
    expect(decayOf({ type, updated_at: ago(days) }, NOW)).toBeCloseTo(expected, 12);
  });
  test('of a time in the future is 1', () => {
    expect(decayOf({ type: 'run', updated_at: '2099-01-01T00:00:00.000Z' }, NOW)).toBe(1);
  });
  test.each(['', 'garbage', '2026-02-30T00:00:00Z'])(
    'of the time %j is unknown: recency 0, and never stale',
    (updated_at) => {
      expect(decayOf({ type: 'run', updated_at }, NOW)).toBeUndefined();
      expect(recencyScore({ type: 'run', updated_at }, NOW)).toBe(0);
      expect(isStale({ type: 'run', updated_at }, NOW)).toBe(false);
    },
  );
  test('makes an item stale after 2.32 half-lives', () => {
    expect(isStale({ type: 'run', updated_at: ago(32.5) }, NOW)).toBe(false); // 14 · log2(5) = 32.507 days
    expect(isStale({ type: 'run', updated_at: ago(32.51) }, NOW)).toBe(true);
    expect(isStale({ type: 'feature', updated_at: ago(418) }, NOW)).toBe(true);
    expect(isStale({ type: 'project', updated_at: ago(847) }, NOW)).toBe(false);
    expect(isStale({ type: 'project', updated_at: ago(848) }, NOW)).toBe(true);
  });
  test('falls with age and stays in (0, 1]', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 5000, noNaN: true }),
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        fc.constantFrom(...Object.values(HALF_LIFE_DAYS)),
        (days, more, halfLife) => {
          const [younger, older] = [recencyDecay(days * DAY, halfLife), recencyDecay((days + more) * DAY, halfLife)];
          expect(older).toBeLessThanOrEqual(younger);
          expect(younger).toBeLessThanOrEqual(1);
          expect(older).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('mixed', () => {
  test.each([
    ['high', 'run', 0, 1],
    ['medium', 'run', 14, 0.56],
    ['low', 'feature', 180, 0.38],
    ['high', 'project', 1095, 0.65],
  ] as const)('of %s, %s, %d days is %d', (confidence_level, type, days, expected) => {
    expect(mixedScore({ type, updated_at: ago(days), confidence_level }, NOW)).toBeCloseTo(expected, 12);
  });
});
