import fs from 'node:fs';
import path from 'node:path';
import type { ProgramFiles } from './chunks.ts';

/** What a code cache depends on besides the source. V8 checks it too. */
const RUNTIME = `${process.version}-${process.platform}-${process.arch}`;

export function sourceName(chunk: string): string {
  return `${chunk}.cjs`;
}

/** Path of a chunk's code cache for this Node.js, relative to the program. */
export function codeCacheName(chunk: string): string {
  return `cache/${RUNTIME}/${chunk}`;
}

/** V8 copies a code cache whose address in memory is not a multiple of this many bytes. */
export const CACHE_ALIGNMENT = 8;

/** A code cache as the executable holds it: with room to start at any of `CACHE_ALIGNMENT` offsets. The last byte holds
 * the offset. */
export function withRoom(cache: Uint8Array): Uint8Array {
  const room = new Uint8Array(cache.length + CACHE_ALIGNMENT);
  room.set(cache);
  return room;
}

/** Moves a code cache from the start of its room to `shift` bytes (0 to `CACHE_ALIGNMENT` - 1) after the start, in
 * place. */
export function moveInRoom(room: Uint8Array, shift: number): void {
  room.copyWithin(shift, 0, room.length - CACHE_ALIGNMENT);
  room[room.length - 1] = shift;
}

function fromRoom(room: Uint8Array): Uint8Array {
  const shift = room.at(-1) ?? 0;
  return room.subarray(shift, room.length - CACHE_ALIGNMENT + shift);
}

/** The files of a program in a folder. */
export function filesIn(folder: string): ProgramFiles {
  return {
    folder,
    source: (chunk) => fs.readFileSync(path.join(folder, sourceName(chunk)), 'latin1'),
    codeCache(chunk) {
      try {
        return fs.readFileSync(path.join(folder, codeCacheName(chunk)));
      } catch {
        return undefined; // no cache for this Node.js: the source is compiled
      }
    },
  };
}

/** The files of a program that is one executable: its assets. Code caches are used in place. */
export function filesOfExecutable(): ProgramFiles {
  const sea = process.getBuiltinModule('node:sea');
  return {
    folder: path.dirname(process.execPath),
    source: (chunk) => sea.getAsset(sourceName(chunk), 'latin1'),
    codeCache: (chunk) => fromRoom(new Uint8Array(sea.getRawAsset(codeCacheName(chunk)))),
  };
}
