import fs from 'node:fs';
import path from 'node:path';
import { MemtoolError, quote, systemCode } from './errors.ts';
import { decodeUtf8 } from './text.ts';

// Node.js replaces invalid UTF-8 with U+FFFD wherever it returns a path. Such a path names another file, and several
// folders get the same one. Only a path that contains U+FFFD needs the slow comparison with the bytes.

const OTHER_PATH = 'give an absolute path, or change to a folder whose path is valid UTF-8';

/** The end of a path that names a folder, whether or not it exists: `x/`, `x/.` or `x/..`. */
const FOLDER_END = new RegExp(`[/\\${path.sep}]\\.{0,2}$`);

/** Returns the absolute path of a file, which does not show any more whether a folder was meant. Throws PARAM_ERROR for
 * a path that names a folder, and for a relative one if that of the working directory is not valid UTF-8. */
export function absolutePath(file: string): string {
  if (FOLDER_END.test(file))
    throw new MemtoolError('PARAM_ERROR', `the path ${quote(file)} names a folder`, { hint: 'name a file in it' });
  const absolute = path.resolve(file);
  if (absolute.includes('\uFFFD') && !path.isAbsolute(file))
    decodeUtf8(fs.realpathSync.native('.', 'buffer'), 'the path of the working directory', OTHER_PATH);
  return absolute;
}

/** Returns a path with a leading `~` or `~/` replaced by the home folder, which a shell does only at the start of a
 * word: not in `--db=~/x.db`, in a quoted MEMTOOL_DB, or in the configuration of a client. Throws PARAM_ERROR if the
 * path of the home folder is not valid UTF-8. */
export function expandHome(file: string): string {
  if (file !== '~' && !file.startsWith('~/')) return file;
  refuseMangledVariable(process.env, 'HOME', OTHER_PATH);
  // most calls name no such path and never load the module
  return process.getBuiltinModule('node:os').homedir() + file.slice(1);
}

/** Returns the file that a symbolic link leads to, through all links on the way. Throws PARAM_ERROR if its path is not
 * valid UTF-8. */
export function finalTarget(link: string): string {
  return targetPath(link, fs.realpathSync.native(link, 'buffer'));
}

/** Most symbolic links that are followed. Source: Linux, path_resolution(7). */
const MOST_LINKS = 40;

/** Returns the path that a symbolic link leads to, through further links, whether or not a file is there; the first path
 * on the way for which `isEnd` is true. Throws PARAM_ERROR for a path that is not valid UTF-8. */
export function followLinks(file: string, isEnd: (target: string) => boolean = () => false): string {
  let target = file;
  for (let links = 0; links < MOST_LINKS && !isEnd(target); links += 1) {
    if (!isLink(target)) return target;
    target = nextTarget(target);
  }
  return target;
}

/** True for a symbolic link; false where there can be none, behind something that is no folder. */
function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    if (systemCode(error) !== 'ENOTDIR') throw error;
    return false;
  }
}

/** Returns the absolute path that a symbolic link contains, whether or not a file is there. Throws PARAM_ERROR if it is
 * not valid UTF-8. */
function nextTarget(link: string): string {
  return path.resolve(path.dirname(link), targetPath(link, fs.readlinkSync(link, 'buffer')));
}

/** True when both paths name the same file. One that cannot be examined counts as another: what uses it reports it. */
export function isSameFile(one: string, other: string): boolean {
  if (path.resolve(one) === path.resolve(other)) return true;
  const [first, second] = [one, other].map(examined);
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

function examined(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function targetPath(link: string, bytes: Uint8Array): string {
  return decodeUtf8(bytes, `the target of the link ${link}`, 'name another file');
}

/** Throws PARAM_ERROR for an environment variable that is not valid UTF-8, where the system exposes the bytes
 * (/proc). */
export function refuseMangledVariable(env: NodeJS.ProcessEnv, name: string, hint?: string): void {
  if (env[name]?.includes('\uFFFD') !== true || !fs.existsSync('/proc/self/environ')) return;
  const all = fs.readFileSync('/proc/self/environ').toString('latin1').split('\0');
  const entry = all.find((one) => one.startsWith(`${name}=`));
  if (entry !== undefined) decodeUtf8(Buffer.from(entry.slice(name.length + 1), 'latin1'), name, hint);
}
