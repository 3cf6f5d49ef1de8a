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

/** V8 copies a code cache that does not begin at a multiple of so many bytes in memory. */
export const CACHE_ALIGNMENT = 8;

/** What the executable holds for a code cache: room for it to begin at any of `CACHE_ALIGNMENT` bytes. The last byte
 * says at which it does. */
export function withRoom(cache: Uint8Array): Uint8Array {
  const room = new Uint8Array(cache.length + CACHE_ALIGNMENT);
  room.set(cache);
  return room;
}

/** Moves a code cache within its room, in place, so that it begins `shift` bytes behind the beginning; it lies there
 * now. */
export function moveInRoom(room: Uint8Array, shift: number): void {
  room.copyWithin(shift, 0, room.length - CACHE_ALIGNMENT);
  room[room.length - 1] = shift;
}

function fromRoom(room: Uint8Array): Uint8Array {
  const shift = room.at(-1) ?? 0;
  return room.subarray(shift, room.length - CACHE_ALIGNMENT + shift);
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
    codeCache: (chunk) => fromRoom(new Uint8Array(sea.getRawAsset(codeCacheName(chunk)))),
  };
}
