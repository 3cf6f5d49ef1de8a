import type { SQLOutputValue } from 'node:sqlite';
import { DEFAULT_CONFIDENCE, type ConfidenceLevel, type Memory, type MemoryType } from '../core/memory.ts';

/** A row as node:sqlite returns it: without a prototype, columns by name. */
export type Row = Record<string, SQLOutputValue>;

/** Columns of an item that are part of a Memory, in both memory_items and memory_history. */
export const FIELD_COLUMNS = [
  'type',
  'task_id',
  'step_id',
  'key',
  'tags_json',
  'source',
  'weight',
  'created_at',
  'updated_at',
  'confidence_level',
  'verified_by',
  'content',
] as const;

export const ITEM_COLUMNS = ['seq', 'id', 'version', ...FIELD_COLUMNS] as const;

export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : String(value ?? '');
}

export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return typeof value === 'string' ? value : null;
}

export function number(row: Row, column: string): number {
  return Number(row[column] ?? 0);
}

/** A row of memory_items as an item, fields in their printed order. */
export function toMemory(row: Row): Memory {
  return {
    id: text(row, 'id'),
    type: toType(row),
    task_id: textOrNull(row, 'task_id'),
    step_id: textOrNull(row, 'step_id'),
    key: textOrNull(row, 'key'),
    content: text(row, 'content'),
    tags: toTags(textOrNull(row, 'tags_json')),
    source: textOrNull(row, 'source'),
    weight: number(row, 'weight'),
    version: number(row, 'version'),
    created_at: text(row, 'created_at'),
    updated_at: text(row, 'updated_at'),
    confidence_level: toConfidence(row),
    verified_by: textOrNull(row, 'verified_by'),
  };
}

/** The table's CHECK admits nothing else. */
function toType(row: Row): MemoryType {
  return text(row, 'type') as MemoryType;
}

/** The table's CHECK admits nothing else. */
function toConfidence(row: Row): ConfidenceLevel {
  return (textOrNull(row, 'confidence_level') ?? DEFAULT_CONFIDENCE) as ConfidenceLevel;
}

/** The fields of an item that ranking needs. */
export type RankFields = Pick<Memory, 'id' | 'type' | 'updated_at' | 'confidence_level' | 'weight'>;

export function toRankFields(row: Row): RankFields {
  return {
    id: text(row, 'id'),
    type: toType(row),
    updated_at: text(row, 'updated_at'),
    confidence_level: toConfidence(row),
    weight: number(row, 'weight'),
  };
}

/** The tags of a row; broken JSON (written by another program) reads as no tags, and doctor reports the row. */
export function toTags(json: string | null): string[] {
  try {
    const value: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(value) ? value.filter((tag) => typeof tag === 'string') : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The parameters of the statements that write an item's fields. */
export function toParameters(memory: Memory): Record<string, string | number | null> {
  return {
    id: memory.id,
    type: memory.type,
    task_id: memory.task_id,
    step_id: memory.step_id,
    key: memory.key,
    tags_json: JSON.stringify(memory.tags),
    source: memory.source,
    weight: memory.weight,
    version: memory.version,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    confidence_level: memory.confidence_level,
    verified_by: memory.verified_by,
    content: memory.content,
  };
}
