import fs from 'node:fs';
import path from 'node:path';
import type { ProgramFiles } from './chunks.ts';

/** What a code cache depends on beside the source. V8 checks it too. */
const RUNTIME = `${process.version}-${process.platform}-${process.arch}`;

export function sourceName(chunk: string): string {
  return `${chunk}.cjs`;
}

/** Path of a chunk's code cache for this Node.js, relative to the program. */
export function codeCacheName(chunk: string): string {
  return `cache/${RUNTIME}/${chunk}`;
}

/** The files of a program that lies in a folder. */
export function filesIn(folder: string): ProgramFiles {
  return {
    folder,
    source: (chunk) => fs.readFileSync(path.join(folder, sourceName(chunk)), 'latin1'),
    codeCache(chunk) {
      try {
        return fs.readFileSync(path.join(folder, codeCacheName(chunk)));
      } catch {
        return undefined; // made by another Node.js, or not at all: the source is compiled
      }
    },
  };
}

/** The files of a program that is one executable: its assets, used in place. */
export function filesOfExecutable(): ProgramFiles {
  const sea = process.getBuiltinModule('node:sea');
  return {
    folder: path.dirname(process.execPath),
    source: (chunk) => sea.getAsset(sourceName(chunk), 'latin1'),
    codeCache: (chunk) => new Uint8Array(sea.getRawAsset(codeCacheName(chunk))),
  };
}
