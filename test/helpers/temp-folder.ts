import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface TempFolder extends Disposable {
  readonly path: string;
  /** The path of a file in the folder, which is written if content is given. */
  file(name: string, content?: string | Uint8Array): string;
}

/** A new folder that is removed at the end of the block: `using folder = tempFolder()`. */
export function tempFolder(): TempFolder {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memtool-test-'));
  return {
    path: folder,
    file(name, content) {
      const file = path.join(folder, name);
      if (content !== undefined) fs.writeFileSync(file, content);
      return file;
    },
    [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
