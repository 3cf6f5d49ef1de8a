import fs from 'node:fs';
import path from 'node:path';
import { Dictionary, NotADictionary, type DictionaryBytes } from '../search/jieba/dictionary.ts';

const NAME = 'jieba.bin';
/** Stretches of the file that are read one by one before the rest is read at once: a query needs a few, a long text
 * nearly all of them. Range 16 to 1,024. */
const STRETCHES = 128;

/** Opens the Chinese dictionary: within the executable, or beside the bundle (when the sources are run, in dist/).
 * Undefined where it is missing, cut short or of another version. */
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

/** The bytes as they lie in the running executable, used in place: nothing is read or copied. */
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

/** Room for the file, into which its stretches are read as they are needed. The descriptor is kept until everything is
 * there. */
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
