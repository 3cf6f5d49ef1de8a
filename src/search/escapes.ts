// Texts are stored as they were given: a log with the colours of a terminal, a string as JSON or a URL writes it. Their
// words are those that a reader sees.

/** The beginning of an escape. Tested first, since most texts have none. */
// oxlint-disable-next-line no-control-regex
const BEGINNING = /\u001b|\\[nrtuxe0]|%[0-9A-F]{2}/i;
/** Colours and other control sequences of a terminal (ECMA-48), also as source code and JSON write them; the choice of a
 * character set. */
// oxlint-disable-next-line no-control-regex
const CONTROL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\([0AB])|(?:\\u001b|\\x1b|\\033|\\e)(?:\[[\d;]*[mK]|\([0AB])/gi;
/** Characters as JSON writes them: \u6570\u636e. */
const UNICODE = /\\u([0-9a-f]{4})/gi;
const BYTE = '%(?:2[0-9A-F]|3[A-F]|40|5[B-F]|7[B-E]|[89A-F][0-9A-F])';
/** Punctuation and characters beyond ASCII as a URL has them: %2F, %E6%95%B0. Others are left as they are: %05d is a
 * format, and what another % closes, or an apostrophe opens before a number, a pattern of SQL ('%404%', '%404'). */
const PERCENT = new RegExp(
  `(?:${BYTE}){2,}|(?<!['%])${BYTE}(?!\\d[^%\\s"']*%(?![0-9A-F]{2}))|(?<=['%])${BYTE}(?!\\d)`,
  'gi',
);

/** True for a text that `unescaped` may change, or that has words behind an escape (`behindEscape`). */
export function mayBeEscaped(text: string): boolean {
  return (text.includes('\\') || text.includes('%') || text.includes('\u001b')) && BEGINNING.test(text);
}

/** A regular expression, where case does not matter, for what cannot be normalised in parts. */
export const ESCAPES = [CONTROL_SEQUENCES, /(?:\\u[0-9a-f]{4})+/, PERCENT]
  .map(({ source }) => `(?:${source})`)
  .join('|');

/** Returns a text as a terminal, a reader of JSON or a server of the URL takes it. Control sequences are removed, since
 * they may be within a word. Control characters become spaces, and so do the signs with which an escape begins, so that
 * there is none in the result. */
export function unescaped(text: string): string {
  return text
    .replaceAll(CONTROL_SEQUENCES, '')
    .replaceAll(UNICODE, (_, code: string) => withoutSigns(String.fromCharCode(Number.parseInt(code, 16))))
    .replaceAll(PERCENT, decoded);
}

function withoutSigns(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\0-\u001f\\%]/g, ' ');
}

/** Bytes that are not UTF-8 stay as they are: GBK, or a percentage. */
function decoded(encoded: string): string {
  try {
    return withoutSigns(decodeURIComponent(encoded));
  } catch {
    return encoded;
  }
}

/** The word behind the signs of a line break or a tab, of which it seems to have the letter: error of \nerror. It may have
 * it: C:\new. `start` is the offset of the seeming word in a text that is otherwise unescaped. */
export function behindEscape(text: string, start: number, word: string): string | undefined {
  return text[start - 1] === '\\' && /^[nrt]./.test(word) ? word.slice(1) : undefined;
}

/** True for the letter of such an escape. */
export function isEscapeLetter(text: string, at: number): boolean {
  const letter = text[at];
  return (letter === 'n' || letter === 't' || letter === 'r') && text[at - 1] === '\\';
}
