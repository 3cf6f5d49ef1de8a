/** Measures of a ranked list against known answers. `gains[i]` is true when the result at rank i + 1 is an answer;
 * `relevant` is the number of answers. */

/** Returns the share of the answers that were found. */
export function recall(gains: readonly boolean[], relevant: number): number {
  return gains.filter(Boolean).length / relevant;
}

/** Returns 1 / rank of the first answer; 0 when none was found. */
export function reciprocalRank(gains: readonly boolean[]): number {
  const first = gains.indexOf(true);
  return first < 0 ? 0 : 1 / (first + 1);
}

/** Returns the normalised discounted cumulative gain of the first `k` results, 0 to 1; all answers count the same.
 * Source: Järvelin and Kekäläinen, 2002. */
export function normalisedDiscountedGain(gains: readonly boolean[], relevant: number, k: number): number {
  const gained = gains.reduce((sum, isRelevant, at) => sum + (isRelevant ? discount(at + 1) : 0), 0);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(relevant, k); rank += 1) ideal += discount(rank);
  return ideal === 0 ? 0 : gained / ideal;
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 1);
}

/** Returns the value at or below which a share of the values lies (nearest rank: of n, the one at ⌈n · share⌉).
 * `values` must not be empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
