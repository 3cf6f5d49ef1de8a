import { command, flag, joined, sentence, type Text } from '../core/sentence.ts';
import type { Memory, MemoryPatch } from '../core/memory.ts';

/** The parameters of the fields by which items are not compared, and which a duplicate may therefore have otherwise. */
const NOT_COMPARED = {
  source: 'source',
  weight: 'weight',
  confidence_level: 'confidence',
  verified_by: 'verified_by',
} as const;

/** The parameters of a put, by name. */
type Given = Readonly<Record<string, string | number>>;

/** Returns the given parameters whose fields a stored item has otherwise. */
export function differing(patch: MemoryPatch, stored: Memory): Given {
  return Object.fromEntries(
    (Object.keys(NOT_COMPARED) as (keyof typeof NOT_COMPARED)[]).flatMap((field) => {
      const value = patch[field];
      return value === undefined || value === null || value === stored[field] ? [] : [[NOT_COMPARED[field], value]];
    }),
  );
}

/** Warns that a call with --dedupe did not write these parameters. */
export function unwrittenWarnings(id: string, given: Given): Text[] {
  const names = Object.keys(given);
  return names.length === 0
    ? []
    : [
        sentence`nothing was written, but the stored item differs in ${joined(names.map(flag), ', ')}; to change it, use: ${command('put', { id, ...given })}`,
      ];
}
