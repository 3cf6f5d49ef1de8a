import { MemtoolError, quote } from '../core/errors.ts';
import { defineOperation, Lines } from './operation.ts';
import { nearest } from './suggest.ts';

export const schema = defineOperation({
  name: 'schema',
  summary: 'Print the JSON Schemas of inputs, outputs and errors.',
  prints:
    'for all commands, a JSON Schema document (as in memtool.schema.json); for one, its summary, access, and the schemas of its input and of its output (without "ok": true).',
  examples: [
    { command: 'memtool schema put', note: 'one command' },
    { command: 'memtool schema', note: 'all commands' },
  ],
  access: 'none',
  params: {
    command: {
      kind: 'text',
      maxChars: 64,
      positional: true,
      description: 'The command to describe; if not given, all commands.',
    },
  },
  async run({ operations }, input) {
    const { schemaDocument } = await import('./schema-document.ts');
    const document = schemaDocument(operations);
    if (input.command === undefined) return new Lines([JSON.stringify(document)]);
    const described = Object.hasOwn(document.operations, input.command)
      ? document.operations[input.command]
      : undefined;
    if (described === undefined) {
      const near = nearest(input.command, Object.keys(document.operations));
      throw new MemtoolError('PARAM_ERROR', `unknown command ${quote(input.command)}`, {
        hint: near === undefined ? 'see: memtool --help' : `did you mean ${near}?`,
      });
    }
    return new Lines([JSON.stringify(described)]);
  },
});
