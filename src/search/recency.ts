import type { ConfidenceLevel, MemoryType } from '../core/memory.ts';
import { DAY_MS, formatTimestamp, parseTimestamp } from '../core/time.ts';

/** Half-life of the memories of a layer, in days. Source: the design (section 8.3). */
export const HALF_LIFE_DAYS: Readonly<Record<MemoryType, number>> = { run: 14, feature: 180, project: 365 };

/** A memory whose decay is at or below this is stale: about 2.32 half-lives. Range 0 to 1. Source: the design (8.3). */
export const STALE_THRESHOLD = 0.2;

/** Score of a confidence level, 0 to 1. Source: the design (8.1). */
export const CONFIDENCE_SCORES: Readonly<Record<ConfidenceLevel, number>> = { high: 1, medium: 0.6, low: 0.3 };

/** Shares of confidence and recency in the mixed score; they add up to 1. Source: the design (8.1). */
export const MIXED_SHARES = { confidence: 0.6, recency: 0.4 } as const;

/** The fields of an item that the scores use. */
export interface FreshnessFields {
  readonly type: MemoryType;
  readonly updated_at: string;
  readonly confidence_level: ConfidenceLevel;
}

/** Returns the decay in (0, 1]: 1 at age 0, 0.5 after one half-life.
 * `ageMs` below 0 (the clock moved back, or a time in the future) counts as 0. `halfLifeDays` must be above 0.
 * Source: exponential decay, exp(−ln 2 · age / half-life). */
export function recencyDecay(ageMs: number, halfLifeDays: number): number {
  const ageDays = Math.max(0, ageMs) / DAY_MS;
  return Math.exp((-Math.LN2 * ageDays) / halfLifeDays);
}

/** The decay of an item at `nowMs`; undefined when its updated_at is not a valid time. */
export function decayOf(item: Pick<FreshnessFields, 'type' | 'updated_at'>, nowMs: number): number | undefined {
  const updatedAtMs = parseTimestamp(item.updated_at);
  return updatedAtMs === undefined ? undefined : recencyDecay(nowMs - updatedAtMs, HALF_LIFE_DAYS[item.type]);
}

/** The decay as a score; 0 for an item of unknown age, so that it sorts last. */
export function recencyScore(item: Pick<FreshnessFields, 'type' | 'updated_at'>, nowMs: number): number {
  return decayOf(item, nowMs) ?? 0;
}

/** True when an item's decay is at or below `STALE_THRESHOLD`. An item of unknown age is never stale: nothing is hidden
 * or deleted on a guess. */
export function isStale(item: Pick<FreshnessFields, 'type' | 'updated_at'>, nowMs: number): boolean {
  const decay = decayOf(item, nowMs);
  return decay !== undefined && decay <= STALE_THRESHOLD;
}

/** Returns, by layer, the newest time (in the stored format) at which an item is stale at `nowMs`: equivalent to
 * `isStale`, for code that can only compare times. */
export function staleUntil(nowMs: number): Record<MemoryType, string> {
  const until = (type: MemoryType): string => formatTimestamp(nowMs - leastStaleAge(type));
  return { project: until('project'), feature: until('feature'), run: until('run') };
}

/** The lowest age, in whole milliseconds, at which an item of a layer is stale. */
function leastStaleAge(type: MemoryType): number {
  const isStaleAt = (ageMs: number): boolean => recencyDecay(ageMs, HALF_LIFE_DAYS[type]) <= STALE_THRESHOLD;
  let ageMs = Math.round(HALF_LIFE_DAYS[type] * DAY_MS * Math.log2(1 / STALE_THRESHOLD));
  // the logarithm and the exponential may each be rounded
  while (isStaleAt(ageMs - 1)) ageMs -= 1;
  while (!isStaleAt(ageMs)) ageMs += 1;
  return ageMs;
}

/** Returns 0.6 · confidence + 0.4 · recency, from 0.18 to 1. */
export function mixedScore(item: FreshnessFields, nowMs: number): number {
  return mixedOf(item.confidence_level, recencyScore(item, nowMs));
}

/** Returns the mixed score of a confidence level and a recency score. */
export function mixedOf(level: ConfidenceLevel, recency: number): number {
  return MIXED_SHARES.confidence * CONFIDENCE_SCORES[level] + MIXED_SHARES.recency * recency;
}
