import { chunkLoader } from './chunks.ts';
import { filesIn, filesOfExecutable } from './program-files.ts';

/** Set by the build. */
declare const IN_EXECUTABLE: boolean;

/** What the build puts in the place of a dynamic import: the exports of a chunk of the program. */
export const loadChunk = chunkLoader(IN_EXECUTABLE ? filesOfExecutable() : filesIn(__dirname), require).load;
