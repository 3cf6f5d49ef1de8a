import { CONFIDENCE_SCORES, recencyScore, type RankedFields } from './recency.ts';

/** Shares of the three parts of a recommendation; they add to 1. Source: contract, section 5. */
const RELEVANCE_SHARE = 0.5;
const CONFIDENCE_SHARE = 0.3;
const RECENCY_SHARE = 0.2;

/** From which value on a part is named as a reason. Source: contract, section 5. */
const CONTEXT_MATCH_FROM = 0.3;
const HIGH_CONFIDENCE_FROM = 0.9;
const RECENT_FROM = 0.7;
const HIGH_WEIGHT_ABOVE = 1;

type Reason = 'context_match' | 'high_confidence' | 'recent' | 'high_weight';

export interface Recommendation {
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** Size of the overlap of two sets over the size of their union, 0 to 1; 0 when both are empty. Source: Jaccard, 1901. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

/** (0.5 · relevance + 0.3 · confidence + 0.2 · recency) · weight, and the parts that stand out. `relevance` is 0 to 1. */
export function recommendation(
  item: RankedFields & { readonly weight: number },
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
