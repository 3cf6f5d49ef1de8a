import * as z from 'zod';
import { inputSchema } from './input-schema.ts';
import type { Operation } from './operation.ts';
import { ErrorOutput, Item, OUTPUT_SCHEMAS } from './output-schemas.ts';

interface OperationSchema {
  readonly summary: string;
  readonly access: string;
  readonly input: unknown;
  readonly output: unknown;
}

export interface SchemaDocument {
  readonly $schema: string;
  readonly title: string;
  readonly description: string;
  readonly operations: Readonly<Record<string, OperationSchema>>;
  readonly $defs: Readonly<Record<string, unknown>>;
}

/** Returns the JSON Schemas of every operation, of an item and of an error: the content of memtool.schema.json. */
export function schemaDocument(operations: readonly Operation[]): SchemaDocument {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'memtool',
    description: 'Inputs (flags with _ for -), outputs (without "ok": true) and errors of every memtool command.',
    operations: Object.fromEntries(
      operations.map((operation) => [
        operation.name,
        {
          summary: operation.summary,
          access: operation.access,
          input: plain(z.toJSONSchema(inputSchema(operation.params), { io: 'input' })),
          output: plain(z.toJSONSchema(OUTPUT_SCHEMAS[operation.name] ?? z.never())),
        },
      ]),
    ),
    $defs: { item: plain(z.toJSONSchema(Item)), error: plain(z.toJSONSchema(ErrorOutput)) },
  };
}

/** Drops `$schema`, which the document states once. */
function plain(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
