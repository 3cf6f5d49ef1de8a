import { shellWord } from '../core/errors.ts';
import type { Memory, MemoryPatch } from '../core/memory.ts';

/** The flags of the fields by which items are not compared, and which a duplicate may therefore have otherwise. */
const NOT_COMPARED = {
  source: 'source',
  weight: 'weight',
  confidence_level: 'confidence',
  verified_by: 'verified-by',
} as const;

/** Returns the flags of given fields that a stored item has otherwise. */
export function differing(patch: MemoryPatch, stored: Memory): string[] {
  return (Object.keys(NOT_COMPARED) as (keyof typeof NOT_COMPARED)[])
    .filter((field) => patch[field] !== undefined && patch[field] !== stored[field])
    .map((field) => `--${NOT_COMPARED[field]}`);
}

/** Warns that a call with --dedupe did not write these flags. */
export function unwrittenWarnings(id: string, flags: readonly string[]): string[] {
  return flags.length === 0
    ? []
    : [
        `nothing was written, but the stored item differs in ${flags.join(', ')}; to change it, use: memtool put --id ${shellWord(id)}`,
      ];
}
