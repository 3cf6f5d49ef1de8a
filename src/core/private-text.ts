/** A tag that begins or ends a private part, in any case, with spaces or without. */
const TAG = /<\s*(\/?)\s*private\s*>/gi;

export interface PublicText {
  readonly text: string;
  /** Number of UTF-16 units that were left out, tags included. */
  readonly dropped: number;
}

/** Leaves out what stands between `<private>` and `</private>`, nested parts and all; a part that is not closed goes to the end. A closing tag
 * without an opening one is text. */
export function withoutPrivate(text: string): PublicText {
  let kept = '';
  let end = 0; // of what has been kept or left out so far
  let depth = 0;
  for (const { 0: tag, 1: slash, index } of text.matchAll(TAG)) {
    if (slash === '') {
      if (depth === 0) kept += text.slice(end, index);
      depth += 1;
    } else if (depth > 0) {
      depth -= 1;
      end = index + tag.length;
    }
  }
  if (depth === 0) kept += text.slice(end);
  return { text: kept, dropped: text.length - kept.length };
}
