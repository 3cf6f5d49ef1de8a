import type { DatabaseSync } from 'node:sqlite';
import type { ConfidenceLevel, MemoryType } from '../core/memory.ts';
import { DAY_MS } from '../core/time.ts';
import type { RankFields } from './rows.ts';

/** The time-dependent scores by which items are sorted and filtered. Injected, since the formulas are in `search/`;
 * with their constants, since SQLite computes the scores itself where it can. */
export interface Scoring {
  mixed(type: MemoryType, updatedAt: string, confidence: ConfidenceLevel, nowMs: number): number;
  recency(type: MemoryType, updatedAt: string, nowMs: number): number;
  confidence(confidence: ConfidenceLevel): number;
  isStale(type: MemoryType, updatedAt: string, nowMs: number): boolean;
  readonly halfLifeDays: Readonly<Record<MemoryType, number>>;
  readonly confidenceScores: Readonly<Record<ConfidenceLevel, number>>;
  readonly mixedShares: { readonly confidence: number; readonly recency: number };
}

export const SORTS = ['updated', 'confidence', 'recency', 'mixed'] as const;
export type Sort = (typeof SORTS)[number];

/** In SQL, true for an `updated_sort` as memtool writes it: date arithmetic does not change it (unlike 24:00).
 * Any other value, stored by another program, is left to the functions of `defineFunctions`. SQLite keeps their
 * arguments in memory until a statement ends, so that they are not called for every row. */
export const IS_STORED_TIME = "strftime('%Y-%m-%dT%H:%M:%fZ', m.updated_sort, '+0 days') = m.updated_sort";

/** In SQL, a `case` expression that maps each value of a column to its entry in `values`. */
export function caseOf(column: string, values: Readonly<Record<string, string | number>>): string {
  const cases = Object.entries(values).map(([name, value]) => `when '${name}' then ${value}`);
  return `case ${column} ${cases.join(' ')} end`;
}

/** In SQL, the value by which each sort except `updated` orders, descending; ties are sorted by updated_sort
 * descending, then id ascending. The formulas are those of `Scoring`; a test compares them. */
export function sortValuesOf({
  halfLifeDays,
  confidenceScores,
  mixedShares,
}: Scoring): Readonly<Record<Exclude<Sort, 'updated'>, string>> {
  const ageDays = `max(0, :now_ms - round(unixepoch(m.updated_sort, 'subsec') * 1000)) / ${DAY_MS}.0`;
  const decay = `exp(-${Math.LN2} * (${ageDays}) / ${caseOf('m.type', halfLifeDays)})`;
  const confidence = caseOf('m.confidence_level', confidenceScores);
  return {
    confidence,
    recency: `case when ${IS_STORED_TIME} then ${decay} else memory_recency(m.type, m.updated_at, :now_ms) end`,
    mixed: `case when ${IS_STORED_TIME} then ${mixedShares.confidence} * ${confidence} + ${mixedShares.recency} * ${decay}
      else memory_mixed(m.type, m.updated_at, m.confidence_level, :now_ms) end`,
  };
}

/** Defines the functions for rows whose values SQLite cannot compute itself. */
export function defineFunctions(db: DatabaseSync, scoring: Scoring): void {
  const options = { deterministic: true };
  // SQLite passes the columns named above and in whereOf, whose types the schema fixes
  db.function('memory_recency', options, (type, updated, now) =>
    scoring.recency(type as MemoryType, String(updated), Number(now)),
  );
  db.function('memory_mixed', options, (type, updated, level, now) =>
    scoring.mixed(type as MemoryType, String(updated), level as ConfidenceLevel, Number(now)),
  );
  db.function('memory_is_stale', options, (type, updated, now) =>
    Number(scoring.isStale(type as MemoryType, String(updated), Number(now))),
  );
}

export type SortValue = (item: Omit<RankFields, 'id' | 'weight'>) => number;

/** The function that computes the value by which a sort orders an item. */
export function sortValue(scoring: Scoring, sort: Sort, nowMs: number): SortValue {
  return {
    updated: () => 0,
    confidence: ({ confidence_level }: Pick<RankFields, 'confidence_level'>) => scoring.confidence(confidence_level),
    recency: ({ type, updated_at }: Pick<RankFields, 'type' | 'updated_at'>) =>
      scoring.recency(type, updated_at, nowMs),
    mixed: ({ type, updated_at, confidence_level }: Omit<RankFields, 'id' | 'weight'>) =>
      scoring.mixed(type, updated_at, confidence_level, nowMs),
  }[sort];
}
