import * as z from 'zod';
import { quote } from '../core/errors.ts';
import type { Param } from '../core/params.ts';
import { ownWords, sentence, type Text } from '../core/sentence.ts';
import { inputSchema } from '../ops/input-schema.ts';
import type { Operation, ToolSet } from '../ops/operation.ts';
import { OUTPUT_SCHEMAS } from '../ops/output-schemas.ts';
import { OPERATIONS } from '../ops/registry.ts';
import { nearest } from '../ops/suggest.ts';
import { DEFAULT_TOOLS } from './default-tools.ts';
import { inClientWords, withArguments } from './hints.ts';
import { defineTool, type JsonSchema, type Tool } from './tool.ts';

/** Operations that make no sense for a client: the server itself, and those that describe the command line. */
const NOT_OFFERED = ['mcp', 'schema', 'completion'];

/** The tools of a set, the default ones first. In the full set, an operation without its own tool is offered
 * unchanged. */
export function toolsOf(set: ToolSet): readonly Tool[] {
  if (set === 'default') return DEFAULT_TOOLS;
  const others = OPERATIONS.filter(
    (operation) => !NOT_OFFERED.includes(operation.name) && !DEFAULT_TOOLS.some((tool) => tool.operation === operation),
  );
  return [...DEFAULT_TOOLS, ...others.map(plainTool)];
}

/** Returns the error for a call of a tool that is not offered, with the nearest one: by the name of its operation, or by
 * its own; undefined if it is offered, or the call names none. */
export function unknownTool(params: unknown, offered: readonly Tool[]): string | undefined {
  const name = typeof params === 'object' && params !== null && 'name' in params ? params.name : undefined;
  const names = offered.map((tool) => tool.name);
  if (typeof name !== 'string' || names.includes(name)) return undefined;
  const same = offered.find(({ operation }) => name === operation.name || name === `memory_${operation.name}`);
  if (same === undefined && toolsOf('all').some((tool) => tool.name === name))
    return `this server does not offer ${name}; one that is started with \`memtool mcp --tools all\` does`;
  const near = same?.name ?? nearest(name, names);
  return `no tool is called ${quote(name)}; ${near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`}`;
}

function plainTool(operation: Operation): Tool {
  return defineTool(operation, {
    name: `memory_${operation.name}`,
    title: operation.name,
    description: [operation.summary, sentence`Returns ${asOwn(operation.prints)}`, ...(operation.notes ?? [])],
    params: Object.fromEntries(Object.entries(operation.params).map(([name, param]) => [name, asFile(name, param)])),
  });
}

/** Files that may be stdin or stdout on the command line. A tool has neither, so the client names a file. */
const FILES: Readonly<Record<string, string>> = {
  input: 'The JSONL file to read.',
  output: 'The file to write.',
  queries: 'JSON Lines: {"query":…,"relevant":[ids or keys of the items that answer it]}; one item per key is enough.',
};

function asFile(name: string, param: Param): Param {
  const description = FILES[name];
  if (description === undefined || param.kind !== 'text') return param;
  const { default: _standard, ...rest } = param;
  return { ...rest, description, required: true };
}

/** The description of a tool for a client. */
export function descriptionOf(tool: Tool, offered: readonly Tool[]): string {
  return tool.description
    .map((paragraph) => inClientWords(asOwn(paragraph), { tool, offered, dbPath: '' }))
    .filter((paragraph) => paragraph !== '')
    .join('\n');
}

function asOwn(text: Text): Text {
  return typeof text === 'string' ? ownWords(text) : text;
}

const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems'];

/** The schema of the arguments for a client. Every word costs tokens in every session, so length limits and the bounds
 * that no sensible number reaches, which the operation checks and names, are omitted. */
export function inputJson(tool: Tool): JsonSchema {
  const { $schema: _dialect, additionalProperties: _closed, properties, ...schema } = toJson(inputSchema(tool.params));
  const lean = Object.entries(worded(properties, tool) as Readonly<Record<string, JsonSchema>>).map(
    ([name, property]) => [
      name,
      Object.fromEntries(
        Object.entries(property).filter(
          ([word, said]) => !LENGTHS.includes(word) && said !== '' && !isWide(word, said),
        ),
      ),
    ],
  );
  return { ...schema, properties: Object.fromEntries(lean) };
}

/** True for a smallest number of 0 or 1, and a largest one of a million or more. */
function isWide(word: string, bound: unknown): boolean {
  return (word === 'minimum' && Number(bound) <= 1) || (word === 'maximum' && Number(bound) >= 1_000_000);
}

/** The schema of the result for a client. Its root is an object, as MCP requires, even if it is one of several
 * forms. */
export function outputJson(tool: Tool): JsonSchema {
  const { $schema: _dialect, ...schema } = toJson(OUTPUT_SCHEMAS[tool.operation.name] ?? z.looseObject({}));
  return worded({ type: 'object', ...tool.toOutput(schema) }, tool) as JsonSchema;
}

/** A schema whose descriptions name arguments in place of flags. */
function worded(schema: unknown, tool: Tool): unknown {
  if (Array.isArray(schema)) return schema.map((part) => worded(part, tool));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'description' && typeof value === 'string' ? withArguments(value, tool) : worded(value, tool),
    ]),
  );
}

function toJson(schema: z.ZodType): JsonSchema {
  return portable(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema;
}

/** A schema in the dialect that all clients support: no lists of types, and no bounds that are only the largest exact
 * numbers. */
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

/** The annotations that tell a client the effects of a tool. */
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
