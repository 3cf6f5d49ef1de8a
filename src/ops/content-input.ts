import fs from 'node:fs';
import { fileProblem, isMemtoolError, MemtoolError, quote, systemCode } from '../core/errors.ts';
import { command, flag, sentence, type Text } from '../core/sentence.ts';
import { MAX_CONTENT_BYTES } from '../core/memory.ts';
import { expandHome } from '../core/paths.ts';
import { belongsTo } from '../store/file-header.ts';
import { decodeUtf8, utf8Bytes, withoutBom } from '../core/text.ts';
import { OversizedStdin, SilentStdin, type Context, type Stdin, type StdinOptions } from './context.ts';
import { MAX_PATH_CHARS } from './shared-params.ts';

/** Size in bytes of a byte order mark, which does not count as content. */
const BOM_BYTES = 3;
const READ_BYTES = 1 << 16;
const STDIN_FORM = sentence`pipe it: ${command('put', "… <<'EOF'")} (a quoted heredoc keeps $, ${'`'} and ${'\\'} unchanged)`;
const IF_SILENT = sentence`pipe the text, wait for a slow sender with --file -, or close stdin with: </dev/null`;

const STDIN_NAMES: ReadonlySet<string | undefined> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** True for the names under which a caller may give stdin as a file. A socket cannot be opened by them. */
export function isStdin(file: string | undefined): boolean {
  return STDIN_NAMES.has(file);
}

interface ContentInput {
  readonly content?: string | undefined;
  readonly file?: string | undefined;
}

export interface ReadContent {
  /** Undefined if there is none. */
  readonly content: string | undefined;
  /** True if it is that of a stdin that the caller did not name. */
  readonly isUnnamed: boolean;
  readonly warnings: readonly Text[];
}

/** Returns the content given to a put: by `--content`, by `--file`, or on stdin (`-`, or neither flag). One leading BOM
 * is dropped; the rest is kept byte for byte. Throws PARAM_ERROR for several sources, and for a text that is empty, too
 * large or binary. If the content is optional because other fields are given, a stdin that stays open and silent counts
 * as no content. */
export async function readContent(
  context: Context,
  input: ContentInput,
  { isOptional }: { isOptional: boolean },
): Promise<ReadContent> {
  const { content, file } = input;
  if (content !== undefined && file !== undefined) throw severalSources('--content and --file');
  // if there is no stdin to read, - is literal text
  if ((content === '-' && context.stdin !== undefined) || isStdin(file)) {
    const text = await readStdin(context.stdin, { isExplicit: true });
    if (text === undefined) throw noContent();
    return { content: text, isUnnamed: false, warnings: [] };
  }
  if (content === undefined && file === undefined) return readUnnamedStdin(context.stdin, isOptional);
  if (await context.stdin?.takeDataNow()) {
    throw severalSources(`--${content === undefined ? 'file' : 'content'} and a piped stdin`);
  }
  const given =
    content === undefined
      ? checked(readTextFile(file ?? '', context.store.path), `file ${quote(file)}`)
      : checked(content, flag('content'));
  // a front end without stdin has no --file
  return { content: given, isUnnamed: false, warnings: context.stdin === undefined ? [] : fileWarnings(content) };
}

/** Warns of a content that is only the path of a file, perhaps with an `@` before it: other tools then read the file. */
function fileWarnings(content = ''): Text[] {
  return content.length <= MAX_PATH_CHARS && isFile(content.replace(/^@/, ''))
    ? [
        sentence`the content is only the name of an existing file; if its text was meant, write it with --file, not --content`,
      ]
    : [];
}

function isFile(name: string): boolean {
  try {
    return fs.statSync(expandHome(name), { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (systemCode(error) === undefined && !isMemtoolError(error)) throw error;
    return false; // nothing is known of such a path, which need not be meant as one
  }
}

async function readUnnamedStdin(stdin: Stdin | undefined, isOptional: boolean): Promise<ReadContent> {
  try {
    return {
      content: await readStdin(stdin, { isExplicit: false, ifSilent: IF_SILENT }),
      isUnnamed: true,
      warnings: [],
    };
  } catch (error) {
    if (!isOptional || !(error instanceof SilentStdin)) throw error;
    return {
      content: undefined,
      isUnnamed: true,
      warnings: ['stdin stayed open and sent nothing: the content was not changed'],
    };
  }
}

/** The PARAM_ERROR for a put that needs content and has none. */
export function noContent(): MemtoolError {
  return new MemtoolError('PARAM_ERROR', 'no content: give --content, --file or a piped stdin', { hint: STDIN_FORM });
}

/** Reads a file as UTF-8. Throws a PARAM_ERROR that names the file if it cannot be read, is not UTF-8, is larger than a
 * content and a BOM, or is the open database, which must not be opened again (store/file-header.ts). */
function readTextFile(file: string, database: string): string {
  const what = `file ${quote(file)}`;
  if (belongsTo(file, database))
    throw new MemtoolError('PARAM_ERROR', `${what} is the database itself`, { hint: 'name a file of text' });
  let bytes: Buffer;
  try {
    bytes = readAtMost(file, MAX_CONTENT_BYTES + BOM_BYTES + 1);
    if (bytes.length > MAX_CONTENT_BYTES + BOM_BYTES) throw tooLarge(what);
  } catch (error) {
    if (isMemtoolError(error)) throw error;
    throw unreadable(what, error);
  }
  return decodeUtf8(bytes, what);
}

/** Returns at most the first `mostBytes` bytes of a file, which may be an endless device. */
function readAtMost(file: string, mostBytes: number): Buffer {
  const fd = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(fd);
    const chunks: Buffer[] = [];
    for (let left = mostBytes; left > 0;) {
      const buffer = Buffer.allocUnsafe(Math.min(left, Math.max(size, READ_BYTES)));
      const bytes = fs.readSync(fd, buffer);
      if (bytes === 0) break;
      chunks.push(buffer.subarray(0, bytes));
      left -= bytes;
    }
    return Buffer.concat(chunks);
  } finally {
    fs.closeSync(fd);
  }
}

/** The PARAM_ERROR for an input file that cannot be read. */
export function unreadable(what: string, cause: unknown): MemtoolError {
  return new MemtoolError('PARAM_ERROR', `${what} ${fileProblem(cause)}`, { hint: 'check the path', cause });
}

async function readStdin(stdin: Stdin | undefined, options: StdinOptions): Promise<string | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await stdin?.readAll({ maxBytes: MAX_CONTENT_BYTES + BOM_BYTES, ...options });
  } catch (error) {
    throw error instanceof OversizedStdin ? tooLarge('stdin') : error;
  }
  return bytes && checked(decodeUtf8(bytes, 'stdin'), 'stdin');
}

function checked(raw: string, what: Text): string {
  const text = withoutBom(raw);
  if (text === '')
    throw new MemtoolError('PARAM_ERROR', sentence`${what} is empty`, { hint: 'a memory needs content' });
  if (text.includes('\0')) {
    throw new MemtoolError('PARAM_ERROR', sentence`${what} contains a NUL character`, {
      hint: 'only text can be stored; encode binary data (base64)',
    });
  }
  if (!text.isWellFormed()) {
    throw new MemtoolError(
      'PARAM_ERROR',
      sentence`${what} is not well-formed Unicode (it contains an unpaired surrogate)`,
      {
        hint: 'send complete surrogate pairs',
      },
    );
  }
  if (utf8Bytes(text) > MAX_CONTENT_BYTES) throw tooLarge(what);
  return text;
}

function tooLarge(what: Text): MemtoolError {
  return new MemtoolError('PARAM_ERROR', sentence`${what} is larger than ${MAX_CONTENT_BYTES / 1024 / 1024} MiB`, {
    hint: sentence`store a summary, and name the file in --source`,
    context: { max_bytes: MAX_CONTENT_BYTES },
  });
}

function severalSources(which: string): MemtoolError {
  return new MemtoolError('PARAM_ERROR', `content was given more than once: ${which}`, {
    hint: 'give only one; if the piped stdin is not meant for memtool, add: </dev/null',
  });
}
