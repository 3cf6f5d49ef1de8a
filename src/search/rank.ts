import { parseTimestamp } from '../core/time.ts';
import { CONFIDENCE_SCORES, mixedOf, recencyScore, type FreshnessFields } from './recency.ts';

/** How much the mixed score can boost a match: to between 1.054 and 1.3 of its lexical score. Range 0 to 0.4. */
const PRIOR_MIXED_SHARE = 0.3;
/** How much weight can boost a match: weight 0 adds nothing, 1 adds 0.05, 10 adds 0.091. Range 0 to 0.1. */
const PRIOR_WEIGHT_SHARE = 0.1;

export interface RelevanceParts {
  /** The lexical score (score.ts), or the term count of the scan. */
  readonly lexical: number;
  readonly prior: number;
  readonly mixed: number;
  readonly confidence: number;
  readonly recency: number;
  readonly weight: number;
}

/** Returns the score of a match, lexical · prior, with the parts that `--explain` shows. The prior lies between 1.054
 * and 1.391: two items differ by a factor of 1.32 at most, so an item with 1.5 times the lexical score is never
 * overtaken by age, confidence and weight together. */
export function relevance(
  lexical: number,
  item: FreshnessFields & { readonly weight: number },
  nowMs: number,
): RelevanceParts & { readonly score: number } {
  const recency = recencyScore(item, nowMs);
  const mixed = mixedOf(item.confidence_level, recency);
  const prior = 1 + PRIOR_MIXED_SHARE * mixed + PRIOR_WEIGHT_SHARE * (item.weight / (item.weight + 1));
  const confidence = CONFIDENCE_SCORES[item.confidence_level];
  return { lexical, prior, mixed, confidence, recency, weight: item.weight, score: lexical * prior };
}

export interface Ranked {
  readonly score: number;
  readonly updated_at: string;
  readonly id: string;
}

/** The order of every list: score, then updated_at, both descending (an invalid time comes last), then id ascending.
 * Total, so that pages and runs agree. */
export function byRank(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.updated_at !== b.updated_at) return timeMs(b) - timeMs(a) || byId(a, b);
  return byId(a, b);
}

function byId(a: Ranked, b: Ranked): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function timeMs(item: Ranked): number {
  return parseTimestamp(item.updated_at) ?? Number.MIN_SAFE_INTEGER;
}
