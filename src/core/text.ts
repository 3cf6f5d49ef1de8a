import type { Text } from './sentence.ts';
import { MemtoolError } from './errors.ts';

const UTF8_BOM = '\uFEFF';
// The C0 controls, DEL and the C1 controls: never part of an id, key or tag that a person could type again.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/;

export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

const SURROGATE_PAIR = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** Number of characters (Unicode code points), which is how every limit on a name is counted. */
export function characterCount(text: string): number {
  // by a regular expression: iterating over the characters takes ten times as long
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}

/** A count with its noun: `1 character`, `2 characters`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Size of a string in UTF-8, in bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Removes one leading byte order mark. */
export function withoutBom(text: string): string {
  return text.startsWith(UTF8_BOM) ? text.slice(1) : text;
}

const CONVERT = 'convert it to UTF-8 first; memtool does not replace invalid bytes';

/** Decodes UTF-8 without ever replacing a byte. Throws a PARAM_ERROR that names `what` and the offset of the first
 * invalid byte, with `hint`, or UTF-16 if a byte order mark shows it. */
export function decodeUtf8(bytes: Uint8Array, what: string, hint: Text = CONVERT): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new MemtoolError('PARAM_ERROR', `${what} is UTF-16, not UTF-8`, {
      hint: 'save it as UTF-8 (PowerShell: Out-File -Encoding utf8)',
    });
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  // Decoding replaces invalid bytes by U+FFFD: only a text that contains one needs the slow comparison.
  if (text.includes('\uFFFD') && !buffer.equals(Buffer.from(text, 'utf8'))) {
    throw new MemtoolError('PARAM_ERROR', `${what} is not valid UTF-8 at byte ${firstInvalidByte(buffer)}`, { hint });
  }
  return text;
}

/** Offset of the first byte that is not valid UTF-8: where the re-encoded text first differs. */
function firstInvalidByte(buffer: Buffer): number {
  const encoded = Buffer.from(buffer.toString('utf8'), 'utf8');
  let offset = 0;
  while (offset < buffer.length && buffer[offset] === encoded[offset]) offset += 1;
  return offset;
}

/** Characters that JSON allows as they are, but that a terminal obeys: controls (DEL, C1), breaks of lines, and marks
 * that change the direction of text. */
const OBEYED = /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** A value as JSON in which no character controls a terminal: those are escaped, so that the value stays the same. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same; throws PARAM_ERROR with the hint when it would be longer than a string can be. */
export function jsonText(value: unknown, hint: Text): string {
  try {
    return toJson(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new MemtoolError('PARAM_ERROR', 'the output is longer than the limit (512 MiB)', { hint, cause: error });
  }
}
