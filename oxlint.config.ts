import { defineConfig, type OxlintOverride } from 'oxlint';

/** Folders from the bottom up: each may import from itself and from those named here. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  launch: [],
  search: ['core'],
  store: ['core'],
  ops: ['core', 'search', 'store'],
  mcp: ['core', 'ops'],
  cli: ['core', 'ops', 'mcp'],
};

const layers = Object.entries(ALLOWED).map(([folder, allowed]): OxlintOverride => {
  const forbidden = Object.keys(ALLOWED).filter((other) => other !== folder && !allowed.includes(other));
  return {
    files: [`src/${folder}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: forbidden.map((other) => `**/${other}/**`),
              message: `${folder}/ may import only from: ${[folder, ...allowed].join(', ')}`,
            },
          ],
        },
      ],
    },
  };
});

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'oxc', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    // `??` and `?.` count as branches here, hence more than the usual 12
    complexity: ['error', 16],
    'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', 5],
    'no-console': 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'unicorn/no-process-exit': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/filename-case': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    // tsc's noImplicitReturns says the same with regard to exhaustive switches
    'typescript/consistent-return': 'off',
    // every `as` in src stands beside the reason why it holds
    'typescript/no-unsafe-type-assertion': 'off',
  },
  overrides: [
    ...layers,
    // a table, one row a line
    { files: ['src/search/synonym-groups.ts'], rules: { 'max-lines': 'off' } },
    { files: ['src/main.ts'], rules: { 'unicorn/no-process-exit': 'off' } },
    { files: ['*.config.ts', 'src/cli/light/string-width.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['scripts/**', 'test/faults/run.ts'], rules: { 'no-console': 'off' } },
    {
      files: ['test/**'],
      rules: {
        'max-lines-per-function': 'off',
        'max-lines': 'off',
        // fc.string() is how fast-check is written
        'import/no-named-as-default-member': 'off',
        'typescript/require-array-sort-compare': 'off',
        'typescript/no-base-to-string': 'off',
        // helpers stand in the describe that uses them, and a property asserts what its case calls for
        'unicorn/consistent-function-scoping': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/expect-expect': 'off',
        // expected values are written out as they were computed by hand
        'oxc/approx-constant': 'off',
      },
    },
  ],
  ignorePatterns: ['dist/**', 'node_modules/**'],
});
