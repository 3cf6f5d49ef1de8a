import { command, flag, joined, sentence, type Text } from '../core/sentence.ts';
import type { Memory, MemoryPatch } from '../core/memory.ts';

/** The parameters of the fields by which items are not compared, and which a duplicate may therefore have otherwise. */
const NOT_COMPARED = {
  source: 'source',
  weight: 'weight',
  confidence_level: 'confidence',
  verified_by: 'verified_by',
} as const;

/** Returns the parameters of given fields that a stored item has otherwise. */
export function differing(patch: MemoryPatch, stored: Memory): string[] {
  return (Object.keys(NOT_COMPARED) as (keyof typeof NOT_COMPARED)[])
    .filter((field) => patch[field] !== undefined && patch[field] !== stored[field])
    .map((field) => NOT_COMPARED[field]);
}

/** Warns that a call with --dedupe did not write these parameters. */
export function unwrittenWarnings(id: string, names: readonly string[]): Text[] {
  return names.length === 0
    ? []
    : [
        sentence`nothing was written, but the stored item differs in ${joined(names.map(flag), ', ')}; to change it, use: ${command('put', { id })}`,
      ];
}
