import { decodeUtf8, withoutBom } from '../core/text.ts';
import { isMemtoolError } from '../core/errors.ts';

/** A line, numbered from 1: its value, or why it has none (it is too long, not UTF-8 or not JSON). */
export type Line =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly problem: string };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Splits bytes into lines at LF or CRLF (never at U+2028 and the like, which a JSON string may contain), and parses
 * these; blank ones are skipped. One leading BOM is dropped. A line longer than `maxBytes` is reported, and never held
 * in memory whole. */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let number = 0;
  const lineEnded = (): Line[] => {
    number += 1;
    const bytes = size > maxBytes ? undefined : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return bytes === undefined ? [{ number, problem: `line is longer than ${maxBytes} bytes` }] : read(number, bytes);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield* lineEnded();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield* lineEnded();

  function add(piece: Uint8Array): void {
    size += piece.length;
    if (size > maxBytes) pieces = [];
    else if (piece.length > 0) pieces.push(Uint8Array.from(piece)); // the source may reuse its buffer
  }
}

/** Returns the line, or nothing if it is blank. */
function read(number: number, bytes: Buffer): Line[] {
  const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
  try {
    const decoded = decodeUtf8(line, 'line');
    const text = number === 1 ? withoutBom(decoded) : decoded;
    return text.trim() === '' ? [] : [{ number, value: JSON.parse(text) }];
  } catch (error) {
    if (isMemtoolError(error)) return [{ number, problem: error.message }];
    if (error instanceof SyntaxError) return [{ number, problem: syntaxProblem(error) }];
    throw error;
  }
}

/** What is wrong with a line. The message of JSON.parse quotes the text, which may be secret. */
function syntaxProblem({ message }: SyntaxError): string {
  const position = /position (\d+)/.exec(message)?.[1];
  return `not valid JSON${position === undefined ? '' : ` (at character ${Number(position) + 1})`}`;
}
