import { CONFIDENCE_SCORES, recencyScore, type FreshnessFields } from './recency.ts';

/** Shares of the three parts of a recommendation; they add up to 1. Source: contract, section 5. */
const RELEVANCE_SHARE = 0.5;
const CONFIDENCE_SHARE = 0.3;
const RECENCY_SHARE = 0.2;

/** Thresholds from which on (for weight: above which) a part is named as a reason. Source: contract, section 5. */
const CONTEXT_MATCH_FROM = 0.3;
const HIGH_CONFIDENCE_FROM = 0.9;
const RECENT_FROM = 0.7;
const HIGH_WEIGHT_ABOVE = 1;

type Reason = 'context_match' | 'high_confidence' | 'recent' | 'high_weight';

export interface Recommendation {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** Returns the size of the intersection of two sets divided by that of their union, 0 to 1; 0 when both are empty.
 * Source: Jaccard, 1901. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

/** How much of a text is examined to count its terms, in characters: about 60 terms. Range 100 to 2,000. */
const HEAD_CHARS = 400;

/** Terms up to which the bound is cheaper than comparing the terms of a text themselves. Range 100 to 1,000. */
const MOST_BOUNDED_TERMS = 500;

/** Returns an upper bound of `jaccard` for the terms of a text and the wanted ones, at a tenth of the cost: terms that
 * occur anywhere in the text count as shared, and only those of its own terms that are at its start are counted.
 * `terms` are the terms of the text, separated by spaces, or, where `isTokenized` is false, a text whose words are its
 * terms. For very many wanted terms, each of which would be searched for in every text, it is 1. */
export function mostOverlap(wanted: ReadonlySet<string>, terms: string, isTokenized: boolean): number {
  if (wanted.size > MOST_BOUNDED_TERMS) return 1;
  const text = isTokenized ? terms : terms.toLowerCase();
  let shared = 0;
  for (const term of wanted) if (text.includes(term)) shared += 1;
  const head = text.slice(0, HEAD_CHARS);
  // the last one may be truncated
  const own = isTokenized ? head.split(' ').slice(0, -1) : (head.match(/[a-z0-9]+(?=[^a-z0-9])/g) ?? []);
  return shared === 0 ? 0 : shared / (wanted.size + Math.max(0, new Set(own).size - shared));
}

/** Returns (0.5 · relevance + 0.3 · confidence + 0.2 · recency) · weight, and the parts that stand out.
 * `contextRelevance` is 0 to 1. */
export function recommendation(
  item: FreshnessFields & { readonly weight: number },
  contextRelevance: number,
  nowMs: number,
): Recommendation {
  const confidence = CONFIDENCE_SCORES[item.confidence_level];
  const recency = recencyScore(item, nowMs);
  const reasons: Reason[] = [];
  if (contextRelevance >= CONTEXT_MATCH_FROM) reasons.push('context_match');
  if (confidence >= HIGH_CONFIDENCE_FROM) reasons.push('high_confidence');
  if (recency >= RECENT_FROM) reasons.push('recent');
  if (item.weight > HIGH_WEIGHT_ABOVE) reasons.push('high_weight');
  const score =
    (RELEVANCE_SHARE * contextRelevance + CONFIDENCE_SHARE * confidence + RECENCY_SHARE * recency) * item.weight;
  return { score, reasons };
}
