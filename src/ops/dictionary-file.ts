import fs from 'node:fs';
import path from 'node:path';
import { Dictionary, NotADictionary, type DictionaryBytes } from '../search/jieba/dictionary.ts';

const NAME = 'jieba.bin';
/** Parts of the file that are read one by one before the whole file is read at once: a query needs a few, a long text
 * nearly all of them. Range 16 to 1,024. */
const STRETCHES = 128;

/** Opens the Chinese dictionary, in the executable or beside the bundle (in dist/ if the sources are run). Returns
 * undefined if it is missing, truncated or of another version. */
export function openDictionary(): Dictionary | undefined {
  const bytes = fromExecutable() ?? fromFile();
  if (bytes === undefined) return undefined;
  try {
    return new Dictionary(bytes);
  } catch (error) {
    if (error instanceof NotADictionary) return undefined;
    throw error;
  }
}

/** The bytes in the running executable, used in place: nothing is read or copied. */
function fromExecutable(): DictionaryBytes | undefined {
  const sea = process.getBuiltinModule('node:sea');
  return sea.isSea() && sea.getAssetKeys().includes(NAME)
    ? { bytes: new Uint8Array(sea.getRawAsset(NAME)) }
    : undefined;
}

function fromFile(): DictionaryBytes | undefined {
  const folders = [import.meta.dirname, path.join(import.meta.dirname, '../../dist')];
  const file = folders.map((folder) => path.join(folder, NAME)).find((candidate) => fs.existsSync(candidate));
  return file === undefined ? undefined : inStretches(file);
}

/** Returns a buffer of the size of the file, whose parts are read when they are needed. The descriptor stays open until
 * the whole file is read. */
function inStretches(file: string): DictionaryBytes {
  const fd = fs.openSync(file, 'r');
  const bytes = new Uint8Array(fs.fstatSync(fd).size);
  let stretches = 0;
  return {
    bytes,
    load(start, end) {
      stretches += 1;
      if (stretches < STRETCHES) fs.readSync(fd, bytes, start, end - start, start);
      if (stretches !== STRETCHES) return;
      fs.readSync(fd, bytes, 0, bytes.length, 0);
      fs.closeSync(fd);
    },
  };
}
