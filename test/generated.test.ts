import fs from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generate.ts';

test.each(Object.entries(generatedFiles()))('%s is fresh', (file, content) => {
  expect(fs.readFileSync(file, 'utf8')).toBe(content);
});
