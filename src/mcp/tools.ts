import * as z from 'zod';
import { inputSchema } from '../ops/input-schema.ts';
import type { Operation, ToolSet } from '../ops/operation.ts';
import { OUTPUT_SCHEMAS } from '../ops/output-schemas.ts';
import { OPERATIONS } from '../ops/registry.ts';
import { DEFAULT_TOOLS } from './default-tools.ts';
import { defineTool, type JsonSchema, type Tool } from './tool.ts';

/** What makes no sense to a client: the server itself, and what describes the command line. */
const NOT_OFFERED = ['mcp', 'schema', 'completion'];

/** The tools of a set, the default ones first. Every operation that has no tool of its own is offered as it is. */
export function toolsOf(set: ToolSet): readonly Tool[] {
  if (set === 'default') return DEFAULT_TOOLS;
  const others = OPERATIONS.filter(
    (operation) => !NOT_OFFERED.includes(operation.name) && !DEFAULT_TOOLS.some((tool) => tool.operation === operation),
  );
  return [...DEFAULT_TOOLS, ...others.map(plainTool)];
}

function plainTool(operation: Operation): Tool {
  return defineTool(operation, {
    name: `memory_${operation.name}`,
    title: operation.name,
    description: [operation.summary, `Returns ${operation.prints}`, ...(operation.notes ?? [])].join('\n'),
  });
}

/** What a client is told of the arguments. Every word costs tokens in every session, so that bounds of lengths, which
 * the operation checks and names, are left out. */
export function inputJson(tool: Tool): JsonSchema {
  const { $schema: _dialect, additionalProperties: _closed, properties, ...schema } = toJson(inputSchema(tool.params));
  const lean = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, property]) => [
    name,
    Object.fromEntries(Object.entries(property).filter(([word, said]) => !LENGTHS.includes(word) && said !== '')),
  ]);
  return { ...schema, properties: Object.fromEntries(lean) };
}

const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems'];

/** What a client is told of the result. Its root is an object, as MCP demands, also where it is one of several
 * forms. */
export function outputJson(tool: Tool): JsonSchema {
  const { $schema: _dialect, ...schema } = toJson(OUTPUT_SCHEMAS[tool.operation.name] ?? z.looseObject({}));
  return { type: 'object', ...tool.toOutput(schema) };
}

function toJson(schema: z.ZodType): JsonSchema {
  return portable(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
}

/** A schema in the dialect that clients have in common: one type in a place, and no bounds that only say how large a
 * number can be at all. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) return [];
    if (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) return [];
    if (name === 'type' && Array.isArray(value)) return [['anyOf', value.map((type) => ({ type }))]];
    return [[name, portable(value)]];
  });
  return Object.fromEntries(parts);
}

/** What a client is told of the effects of a tool. */
export function annotationsOf({ operation, title }: Tool) {
  const isReadOnly = (operation.access === 'read' || operation.access === 'none') && !operation.writesFile;
  return {
    title,
    readOnlyHint: isReadOnly,
    destructiveHint: operation.isDestructive === true,
    idempotentHint: isReadOnly || operation.isIdempotent === true,
    openWorldHint: false,
  };
}
