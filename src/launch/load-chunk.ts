import { chunkLoader } from './chunks.ts';
import { filesIn, filesOfExecutable } from './program-files.ts';

/** Set by the build. */
declare const IN_EXECUTABLE: boolean;

/** Returns the exports of a chunk of the program; the build replaces dynamic imports by calls of it. */
export const loadChunk = chunkLoader(IN_EXECUTABLE ? filesOfExecutable() : filesIn(__dirname), require).load;
