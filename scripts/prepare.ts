/** Runs after `npm ci`: builds the program, makes `npx memtool` find it, and builds nodejieba for the tests that
 * compare with it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { codeCacheName } from '../src/launch/program-files.ts';
import { buildProgram } from './build.ts';

const ROOT = path.dirname(import.meta.dirname);
const NODEJIEBA = path.join(ROOT, 'node_modules/nodejieba');

// npx prepares the package too, perhaps while it is in use: a build that is newer than its sources is kept
if (!isBuilt()) await buildProgram();
linkProgram();
buildNodejieba();

/** True if the last output of a build, the code cache for this Node.js, exists and is newer than the sources: an
 * interrupted build is repeated. */
function isBuilt(): boolean {
  const last = path.join(ROOT, 'dist', codeCacheName('cli'));
  if (!fs.existsSync(last)) return false;
  const { mtimeMs } = fs.statSync(last);
  const sources = ['src', 'scripts'].flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file)),
  );
  return [...sources, 'package.json', 'package-lock.json'].every(
    (file) => fs.statSync(path.join(ROOT, file)).mtimeMs <= mtimeMs,
  );
}

/** Links the package's own program, since npm links only those of dependencies. */
function linkProgram(): void {
  if (process.platform === 'win32') return;
  const link = path.join(ROOT, 'node_modules/.bin/memtool');
  fs.rmSync(link, { force: true });
  fs.symlinkSync('../../dist/memtool.cjs', link);
}

/** Builds nodejieba, which is only the oracle of the segmenter's tests: a machine without a compiler does without
 * it. */
function buildNodejieba(): void {
  if (fs.existsSync(path.join(NODEJIEBA, 'build/Release/nodejieba.node'))) return;
  const built = spawnSync(
    process.execPath,
    [path.join(ROOT, 'node_modules/@mapbox/node-pre-gyp/bin/node-pre-gyp'), 'rebuild', '--build-from-source'],
    {
      cwd: NODEJIEBA,
      encoding: 'utf8',
    },
  );
  if (built.status !== 0)
    console.warn('nodejieba could not be built here; the tests that compare with it will be skipped');
}
