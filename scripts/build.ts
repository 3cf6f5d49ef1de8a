/** Builds `dist/`: the program as `memtool.cjs` with its chunks, their code caches and the Chinese dictionary; with
 * `--binary` also the executable `memtool`, which contains all of that and Node.js. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { CHUNK_FOOT, CHUNK_HEAD } from '../src/launch/chunks.ts';
import { CACHE_ALIGNMENT, codeCacheName, moveInRoom, sourceName, withRoom } from '../src/launch/program-files.ts';
import { buildDictionary } from './build-dictionary.ts';
import { fitBuiltinCaches } from './builtin-caches.ts';
import { licenceTexts } from './licences.ts';

const ROOT = path.dirname(import.meta.dirname);
const DIST = path.join(ROOT, 'dist');
const DICTIONARY = 'jieba.bin';

/** The chunk that contains yargs, and replacements for modules that yargs loads but hardly uses. */
const FULL_READER = 'src/cli/full-reader.ts';
const LIGHT = {
  'string-width': path.join(ROOT, 'src/cli/light/string-width.ts'),
  assert: path.join(ROOT, 'src/cli/light/assert.ts'),
};
/** Modules that are imported dynamically: each becomes a separate chunk, so that a call that does not need it does not
 * even read it. */
const CHUNKS = [
  'src/cli/reading.ts',
  'src/cli/searching.ts',
  'src/cli/writing.ts',
  'src/cli/cli.ts',
  FULL_READER,
  'src/cli/text/render.ts',
  'src/cli/text/progress-bar.ts',
  'src/ops/content-diff.ts',
  'src/ops/schema-document.ts',
  'src/ops/completion-scripts.ts',
  'src/ops/highlight.ts',
  'src/ops/secret-finder.ts',
  'src/ops/client-config.ts',
  'src/mcp/serve.ts',
];

/** Runs before anything else, on any Node.js: written in the oldest JavaScript, since an old Node.js may not even parse
 * the rest. */
const BANNER = `#!/usr/bin/env node
if (!(parseInt(process.versions.node, 10) >= 24)) {
  console.log(JSON.stringify({ ok: false, error: 'GENERAL_ERROR', message: 'memtool needs Node.js 24 or newer, this is ' + process.versions.node, hint: 'run it with a newer Node.js (npx memtool in its own repository brings one)', retryable: false }));
  process.exit(1);
}`;

/** Flags of the executable. V8 draws a new hash seed at each start and rehashes its snapshot with it, against attackers
 * who choose what a long-running server hashes: a call of milliseconds does not need that. A call should neither
 * collect garbage nor optimise code, which take milliseconds while the threads that do it are just being started: there
 * is room for the objects of a whole call, Maglev starts at ten times V8's number of invocations, and one thread is
 * started instead of four. A search uses 40 regular expressions, most of them once or twice: they are interpreted,
 * without optimisation, up to the fifth use, and only then compiled. Long runs are equally fast with these flags.
 * OpenSSL, which nothing here uses, would read the machine's configuration and end the process if that is broken. */
const FLAGS = [
  '--no-rehash-snapshot',
  '--min-semi-space-size=16',
  '--no-parallel-scavenge',
  '--invocation-count-for-maglev=4000',
  '--v8-pool-size=1',
  '--no-regexp-peephole-optimization',
  '--regexp-tier-up-ticks=5',
  `--openssl-config=${os.devNull}`,
];

function chunkName(module: string): string {
  return path.basename(module, '.ts');
}

/** Replaces each dynamic import by `loadChunk(name)`, in the source: esbuild wraps a module that it knows to be
 * imported dynamically, and all its imports, in functions, which V8 would compile in each call. */
const chunks: Plugin = {
  name: 'chunks',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8');
      const contents = source.replaceAll(/\bimport\('(\.[^']+)'\)/g, (_import, specifier: string) => {
        const module = path.relative(ROOT, path.resolve(path.dirname(file), specifier));
        if (!CHUNKS.includes(module))
          throw new Error(`${module} is imported dynamically but not listed in scripts/build.ts`);
        return `Promise.resolve(loadChunk(${JSON.stringify(chunkName(module))}))`;
      });
      return { contents, loader: 'ts' };
    });
    builder.onResolve({ filter: /^\.\.?\// }, ({ kind, path: specifier }) =>
      kind === 'dynamic-import' ? { errors: [{ text: `write it as import('${specifier}')` }] } : undefined,
    );
  },
};

/** Uses Node.js' own modules directly: esbuild would copy all properties of such a module into a new object for each
 * file that imports it. */
const builtins: Plugin = {
  name: 'builtins',
  setup(builder) {
    builder.onResolve({ filter: /^node:(?:fs|path|vm)$/ }, ({ path: specifier, importer }) =>
      importer.startsWith(path.join(ROOT, 'src')) ? { path: specifier, namespace: 'builtin' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path: specifier }) => ({
      contents: `export default require(${JSON.stringify(specifier)});`,
    }));
  },
};

const SHARED: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  minify: true,
  charset: 'ascii', // chunks are read as Latin-1, the fastest encoding
  legalComments: 'none',
  logLevel: 'warning',
  target: 'node24',
  supported: { 'dynamic-import': false },
  plugins: [chunks, builtins],
  define: { 'import.meta.dirname': '__dirname' },
  // ulid's Node.js build loads node:crypto eagerly; its entropy comes from SQLite here
  alias: { ulid: path.join(ROOT, 'node_modules/ulid/dist/browser/index.js') },
};

/** The source files that contributed to the output. */
function builtIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0),
  );
}

/** Builds the entry of the program, for a folder or for the executable. Returns the source files that it contains, as
 * `buildChunk` does. */
async function buildEntry(outfile: string, isExecutable: boolean): Promise<string[]> {
  const { metafile } = await build({
    ...SHARED,
    metafile: true,
    entryPoints: [path.join(ROOT, 'src/main.ts')],
    outfile,
    inject: [path.join(ROOT, 'src/launch/load-chunk.ts')],
    define: { ...SHARED.define, IN_EXECUTABLE: String(isExecutable) },
    banner: { js: isExecutable ? '' : BANNER },
  });
  return builtIn(metafile);
}

async function buildChunk(module: string): Promise<string[]> {
  const outfile = path.join(DIST, sourceName(chunkName(module)));
  const { metafile } = await build({
    ...SHARED,
    metafile: true,
    entryPoints: [path.join(ROOT, module)],
    alias: { ...SHARED.alias, ...(module === FULL_READER && LIGHT) },
    outfile,
    define: {
      ...SHARED.define,
      // a CommonJS file has no import.meta.url, which yargs reads
      'import.meta.url': 'importMetaUrl',
      // yargs reads the width of the terminal on load, which sets up a stream; help has its own width
      ...(module === FULL_READER && { 'process.stdout.columns': 'undefined' }),
    },
    banner: { js: `${CHUNK_HEAD} const importMetaUrl = 'file:///memtool.cjs';` },
    footer: { js: CHUNK_FOOT },
  });
  // esbuild escapes non-ASCII characters in strings, but not in regular expressions; read as Latin-1 these would
  // change, and reading them as UTF-8 takes ten times as long
  const foreign = fs.readFileSync(outfile, 'utf8').match(/[^\0-\x7f]+/)?.[0];
  if (foreign !== undefined) throw new Error(`${module} holds ${foreign} outside of a string: write it as \\u…`);
  return builtIn(metafile);
}

/** Builds the program for users with Node.js: `dist/memtool.cjs` and what it loads. */
export async function buildProgram(): Promise<void> {
  fs.rmSync(DIST, { recursive: true, force: true });
  const program = path.join(DIST, 'memtool.cjs');
  const files = await Promise.all([buildEntry(program, false), ...CHUNKS.map(buildChunk)]);
  fs.writeFileSync(path.join(DIST, 'licences.txt'), licenceTexts(ROOT, files.flat()));
  fs.chmodSync(program, 0o755);
  buildDictionary(ROOT, path.join(DIST, DICTIONARY));
  buildCodeCaches(DIST);
}

/** Writes the code caches of the chunks to a folder. A cache only fits a V8 with the same flags. */
function buildCodeCaches(folder: string, flags: readonly string[] = []): void {
  run(process.execPath, [...flags, path.join(import.meta.dirname, 'build-code-cache.ts'), DIST, folder]);
}

/** Builds the program as one self-contained file: Node.js with the chunks, their code caches and the dictionary as
 * assets. It is based on the running Node.js. */
async function buildExecutable(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-build-'));
  try {
    const node = path.join(folder, 'node');
    fs.copyFileSync(process.execPath, node);
    fs.chmodSync(node, 0o755);
    // Symbols are a fifth of the file. They must be stripped before the program is added, since stripping would remove
    // that too; without `strip` the file is just larger.
    spawnSync('strip', ['--strip-all', node]);
    fitBuiltinCaches(node, FLAGS);
    const main = path.join(folder, 'main.cjs');
    await buildEntry(main, true);
    buildCodeCaches(folder, FLAGS);
    const chunkNames = CHUNKS.map(chunkName);
    const caches = chunkNames.map((name) => path.join(folder, codeCacheName(name)));
    for (const file of caches) fs.writeFileSync(file, withRoom(fs.readFileSync(file)));
    const output = path.join(DIST, process.platform === 'win32' ? 'memtool.exe' : 'memtool');
    const assets = Object.fromEntries([
      ...[...chunkNames.map(sourceName), DICTIONARY].map((name) => [name, path.join(DIST, name)]),
      ...chunkNames.map(codeCacheName).map((name) => [name, path.join(folder, name)]),
    ]);
    const config = path.join(folder, 'sea.json');
    fs.writeFileSync(
      config,
      JSON.stringify({
        main,
        executable: node,
        output,
        disableExperimentalSEAWarning: true,
        useCodeCache: true,
        useSnapshot: false,
        execArgv: FLAGS,
        execArgvExtension: 'none', // NODE_OPTIONS and --node-options are meant for the caller's own Node.js
        assets,
      }),
    );
    run(process.execPath, [...FLAGS, '--build-sea', config]);
    alignCaches(output, caches);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Moves the code caches within an executable to where V8 can use them in place: what is aligned in the file is also
 * aligned in memory. */
function alignCaches(executable: string, caches: readonly string[]): void {
  const bytes = fs.readFileSync(executable);
  for (const file of caches) {
    const room = fs.readFileSync(file);
    const at = bytes.indexOf(room);
    if (at < 0) throw new Error(`${file} is not in ${executable}`);
    moveInRoom(bytes.subarray(at, at + room.length), (CACHE_ALIGNMENT - (at % CACHE_ALIGNMENT)) % CACHE_ALIGNMENT);
  }
  fs.writeFileSync(executable, bytes);
}

function run(command: string, args: readonly string[]): void {
  const ran = spawnSync(command, args, { encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${ran.stdout}${ran.stderr}`);
}

if (import.meta.main) {
  await buildProgram();
  if (process.argv.includes('--binary')) await buildExecutable();
}
