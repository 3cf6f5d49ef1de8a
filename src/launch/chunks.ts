import vm from 'node:vm';

/** Access to the files of the built program: in a folder, or the assets of the executable. */
export interface ProgramFiles {
  /** The source of a chunk: a function expression, ASCII only. Throws when there is none. */
  source(name: string): string;
  /** V8's code cache of a chunk from an earlier run; undefined when there is none for this Node.js. */
  codeCache(name: string): Uint8Array | undefined;
  /** The folder of the program, for a chunk's __dirname. */
  readonly folder: string;
}

/** What the source of a chunk evaluates to. */
type Chunk = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  dirname: string,
  loadChunk: (name: string) => unknown,
) => void;

export interface ChunkLoader {
  /** The exports of a chunk, which is run when it is first requested. */
  readonly load: (name: string) => object;
  /** The chunks that were loaded, by name: code caches can be made of them. */
  readonly scripts: ReadonlyMap<string, vm.Script>;
}

/** The text before and after the code of a chunk in its file. */
export const CHUNK_HEAD = '(function (exports, require, module, __dirname, loadChunk) {';
export const CHUNK_FOOT = '})';

/** Loads the chunks of the built program. With V8's code cache, which the build makes, no chunk has to be parsed or
 * compiled again, which saves half of what a call costs beyond a bare Node.js. V8 refuses a cache that does not fit,
 * and compiles the source. */
export function chunkLoader(files: ProgramFiles, nodeRequire: NodeJS.Require): ChunkLoader {
  const loaded = new Map<string, { readonly exports: object }>();
  const scripts = new Map<string, vm.Script>();
  const load = (name: string): object => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const cachedData = files.codeCache(name);
    const script = new vm.Script(files.source(name), {
      filename: `${name}.cjs`,
      ...(cachedData !== undefined && { cachedData: cachedData as Buffer }),
    });
    scripts.set(name, script);
    const module = { exports: {} };
    loaded.set(name, module);
    (script.runInThisContext() as Chunk)(module.exports, nodeRequire, module, files.folder, load);
    return module.exports;
  };
  return { load, scripts };
}
