/** Builds `dist/`: the program as one CommonJS file, what only some calls need as files beside it, and the Chinese dictionary. */
import fs from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { buildDictionary } from './build-dictionary.ts';

const ROOT = path.dirname(import.meta.dirname);
const DIST = path.join(ROOT, 'dist');
const DICTIONARY_SOURCE = path.join(ROOT, 'node_modules/nodejieba/submodules/cppjieba/dict');

/** Modules that are imported dynamically: each becomes a file of its own, so that a call that does not need it does not even parse it. */
const LAZY_MODULES = [
  'src/cli/full-reader.ts',
  'src/cli/text/render.ts',
  'src/cli/text/progress-bar.ts',
  'src/ops/content-diff.ts',
  'src/ops/schema-document.ts',
  'src/ops/completion-scripts.ts',
  'src/ops/highlight.ts',
];

/** Runs before anything else, on any Node.js: written in the oldest JavaScript, since the rest may not even parse there. */
const BANNER = `#!/usr/bin/env node
if (!(parseInt(process.versions.node, 10) >= 24)) {
  console.log(JSON.stringify({ ok: false, error: 'GENERAL_ERROR', message: 'memtool needs Node.js 24 or newer, this is ' + process.versions.node, hint: 'run it with a newer Node.js (npx memtool in its own repository brings one)', retryable: false }));
  process.exit(1);
}`;

/** A CommonJS file has no import.meta.url, which yargs asks for. */
const IMPORT_META_URL = `const importMetaUrl = require('node:url').pathToFileURL(__filename).href;`;

const lazyModules: Plugin = {
  name: 'lazy-modules',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, ({ kind, path: specifier, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const module = path.relative(ROOT, path.resolve(resolveDir, specifier));
      if (!LAZY_MODULES.includes(module))
        throw new Error(`${module} is imported dynamically but not listed in scripts/build.ts`);
      return { path: `./${outputName(module)}.cjs`, external: true };
    });
  },
};

function outputName(module: string): string {
  return path.basename(module, '.ts');
}

export async function buildAll(): Promise<void> {
  fs.rmSync(DIST, { recursive: true, force: true });
  const shared: BuildOptions = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
    target: 'node18',
    supported: { 'dynamic-import': false, 'top-level-await': true },
    plugins: [lazyModules],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': 'importMetaUrl' },
    // ulid's Node.js build loads node:crypto at once; its entropy comes from SQLite here
    alias: { ulid: path.join(ROOT, 'node_modules/ulid/dist/browser/index.js') },
  };
  await Promise.all([
    build({
      ...shared,
      entryPoints: [path.join(ROOT, 'src/main.ts')],
      outfile: path.join(DIST, 'memtool.cjs'),
      banner: { js: BANNER },
    }),
    ...LAZY_MODULES.map((module) =>
      build({
        ...shared,
        entryPoints: [path.join(ROOT, module)],
        outfile: path.join(DIST, `${outputName(module)}.cjs`),
        banner: { js: IMPORT_META_URL },
      }),
    ),
  ]);
  fs.chmodSync(path.join(DIST, 'memtool.cjs'), 0o755);
  buildDictionary(DICTIONARY_SOURCE, path.join(DIST, 'jieba.bin'));
}

if (import.meta.main) await buildAll();
