import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heaviestRows, type Postings } from '../../src/search/heaviest-rows.ts';

/** Rows of a term as the index returns them, oldest first; some far apart, as after many updates. */
const rows = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2 ** 40 })), { maxLength: 40 })
  .map((all) => all.toSorted((a, b) => a - b));
const terms = fc.array(fc.record({ rows, weight: fc.integer({ min: 1, max: 9 }) }), { minLength: 1, maxLength: 6 });

function sumsOf(lists: readonly Postings[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const list of lists) for (const row of list.rows) sums.set(row, (sums.get(row) ?? 0) + list.weight);
  return sums;
}

test('the heaviest rows are taken, each once, the newest of equal ones, and none far below the wanted ones', () => {
  const limits = fc.record({
    most: fc.integer({ min: 1, max: 30 }),
    more: fc.nat(30),
    wanted: fc.integer({ min: 1, max: 30 }),
  });
  fc.assert(
    fc.property(terms, limits, (lists, { most, more, wanted }) => {
      const sums = sumsOf(lists);
      const ordered = [...sums].toSorted(([a, x], [b, y]) => y - x || b - a);
      const least = (ordered[wanted - 1]?.[1] ?? 0) * 0.7;
      const last = ordered[most - 1]?.[1] ?? 0;
      const expected = ordered
        .slice(0, most + more)
        .filter(([, sum]) => sum >= least && sum >= last)
        .map(([row]) => row);
      const found = heaviestRows(lists, { most, mostEqual: most + more, wanted });
      expect(found.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});
