import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { flagName } from '../src/core/flag-name.ts';
import { shellText } from '../src/core/sentence.ts';
import { problemWith } from '../src/core/params.ts';
import { inputSchema } from '../src/ops/input-schema.ts';
import { OUTPUT_SCHEMAS } from '../src/ops/output-schemas.ts';
import { OPERATIONS } from '../src/ops/registry.ts';
import { sortWords } from '../src/cli/argv.ts';
import { GLOBAL_FLAGS } from '../src/ops/operation.ts';
import { readCall } from '../src/cli/call.ts';

test('the operations are those of the contract', () => {
  expect(OPERATIONS.map(({ name }) => name)).toEqual([
    'init',
    'put',
    'get',
    'list',
    'search',
    'recommend',
    'delete',
    'history',
    'restore',
    'cleanup',
    'purge',
    'export',
    'import',
    'backup',
    'stats',
    'doctor',
    'eval',
    'mcp',
    'schema',
    'completion',
  ]);
});

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  const params = Object.entries(operation.params);
  test('has a summary, says what it prints, has an example and an output schema', () => {
    expect(operation.summary).toMatch(/^[A-Z].*\.$/);
    expect(shellText(operation.prints)).toMatch(/\.$/);
    expect(operation.examples.length).toBeGreaterThan(0);
    expect(OUTPUT_SCHEMAS[name]).toBeDefined();
  });
  test('has a described flag for each parameter, all different, at most one of them positional', () => {
    const flags = params.flatMap(([paramName, param]) => [flagName(paramName), ...(param.aliases ?? [])]);
    expect(new Set(flags).size).toBe(flags.length);
    for (const [paramName, param] of params) {
      expect(paramName).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(param.description).toMatch(/\.$/);
    }
    expect(params.filter(([, { positional }]) => positional).length).toBeLessThanOrEqual(1);
    const shared = flags.filter((flag) => Object.hasOwn(GLOBAL_FLAGS, flag));
    expect(shared).toEqual(name === 'restore' ? ['version'] : []);
  });
  test('has defaults that satisfy their own rules', () => {
    for (const [, param] of params) {
      if ('default' in param && param.default !== undefined) expect(problemWith(param, param.default)).toBeUndefined();
    }
  });
  test('has a schema that admits every time that the command accepts', () => {
    const { properties = {} } = z.toJSONSchema(inputSchema(operation.params), { io: 'input' });
    for (const [paramName, param] of params) {
      if (param.kind !== 'text' || param.format !== 'timestamp') continue;
      // a date alone has not the format date-time
      expect(problemWith(param, '2026-01-31')).toBeUndefined();
      expect(properties[paramName]).not.toHaveProperty('format');
    }
  });
  test('has examples that parse as calls', () => {
    for (const { command } of operation.examples) {
      const [line = ''] = command
        .replace(/^.*\| /, '')
        .replace(/^source <\((.*)\)$/, '$1')
        .replace(/ (<<'EOF'|>).*$/s, '')
        .split('\n');
      const words = [...line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
        ([, single, double, bare]) => single ?? double ?? bare ?? '',
      );
      expect([line, readCall(sortWords(words.slice(1), OPERATIONS), {})?.operation.name]).toEqual([line, name]);
    }
  });
});
