/** The rows of the index that hold a term, and the weight that each of them gets for it, a positive integer. */
export interface Postings {
  /** Row ids, ascending. */
  readonly rows: readonly number[];
  readonly weight: number;
}

/** Row ids that are summed at a time: their sums take 64 KiB, however sparse the row ids of an index are. Range 4,096
 * to 262,144. */
const BLOCK = 32_768;
/** Rows below this share of the sum of the `wanted`-th row are dropped, since they have no prospect. Range 0.5 to 0.9;
 * with 200,000 items 0.7 measured as good as 0 and ranks a quarter fewer rows, 0.8 costs 0.2 points. */
const LEAST_SHARE = 0.7;

/** Returns the rows with the greatest sums of weights, about `most` of them: including all that equal the last, the
 * newest first, up to `mostEqual` rows in total, and none that is far below the `wanted`-th. The weights must add up to
 * at most 65,535. Source: accumulators by term, as in Moffat and Zobel, Self-indexing inverted files for fast text
 * retrieval, 1996. */
export function heaviestRows(
  terms: readonly Postings[],
  { most, mostEqual, wanted }: { readonly most: number; readonly mostEqual: number; readonly wanted: number },
): number[] {
  const { rows, sums, counts } = summed(terms);
  const last = sumAt(counts, most);
  const least = Math.max(last, Math.ceil(LEAST_SHARE * sumAt(counts, wanted)));
  const heavier: number[] = [];
  const equal: number[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const sum = sums[at] ?? 0;
    if (sum >= least) (sum === last ? equal : heavier).push(rows[at] ?? 0);
  }
  return [...heavier, ...equal.toSorted((a, b) => b - a).slice(0, mostEqual - heavier.length)];
}

interface Sums {
  readonly rows: readonly number[];
  /** The sum of each row's weights. */
  readonly sums: readonly number[];
  /** The number of rows with each sum, indexed by the sum. */
  readonly counts: Uint32Array;
}

/** Every row of the terms once, with its sum. The loops are plain: in a single search V8 interprets them. */
function summed(terms: readonly Postings[]): Sums {
  const block = new Uint16Array(BLOCK);
  const counts = new Uint32Array(1 + terms.reduce((sum, { weight }) => sum + weight, 0));
  const next = terms.map(() => 0);
  const rows: number[] = [];
  const sums: number[] = [];
  for (;;) {
    const oldest = Math.min(...terms.map((term, at) => term.rows[next[at] ?? 0] ?? Number.POSITIVE_INFINITY));
    if (oldest === Number.POSITIVE_INFINITY) return { rows, sums, counts };
    const start = oldest - (oldest % BLOCK);
    const first = rows.length;
    terms.forEach((term, at) => {
      next[at] = addTo(block, start, term, next[at] ?? 0, rows);
    });
    for (let at = first; at < rows.length; at += 1) {
      const place = (rows[at] ?? 0) - start;
      const sum = block[place] ?? 0;
      sums.push(sum);
      counts[sum] = (counts[sum] ?? 0) + 1;
      block[place] = 0;
    }
  }
}

/** Adds the weight of a term to its rows in the block, from index `from` on; rows without a sum so far are appended to
 * `rows`. Returns the index of the term's first row in the next block. */
function addTo(block: Uint16Array, start: number, term: Postings, from: number, rows: number[]): number {
  const { rows: own, weight } = term;
  let at = from;
  for (; at < own.length; at += 1) {
    const row = own[at] ?? 0;
    const place = row - start;
    if (place >= BLOCK) break;
    const sum = block[place] ?? 0;
    if (sum === 0) rows.push(row);
    block[place] = sum + weight;
  }
  return at;
}

/** The sum of the row at a rank, counted from 1; 0 where there are fewer rows. */
function sumAt(counts: Uint32Array, rank: number): number {
  let found = 0;
  for (let sum = counts.length - 1; sum > 0; sum -= 1) {
    found += counts[sum] ?? 0;
    if (found >= rank) return sum;
  }
  return 0;
}
