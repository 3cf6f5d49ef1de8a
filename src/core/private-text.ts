/** A tag that begins or ends a private part, in any case, with a few spaces or without: bounded, so that a text of
 * spaces is no work. */
const TAG = /<\s{0,20}(\/?)(?:(?<=\/)\s{0,20})?private\s{0,20}>/gi;

export interface PublicText {
  readonly text: string;
  /** Number of UTF-16 units that were left out, tags included. */
  readonly dropped: number;
  /** True where a part was not closed, and so went to the end of the text. */
  readonly isOpen: boolean;
}

/** How often a text is looked through for parts that appear only when others are gone; what still has one then is built
 * to, and goes to its end. */
const MOST_PASSES = 10;

/** Leaves out private parts, also those that appear only when others are gone. */
export function withoutPrivate(text: string): PublicText {
  let kept = text;
  let isOpen = false;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = kept;
    const parted = withoutParts(before);
    kept = parted.kept;
    isOpen ||= parted.isOpen;
    if (kept === before) return { text: kept, dropped: text.length - kept.length, isOpen };
  }
  const opening = [...kept.matchAll(TAG)].find(([, slash]) => slash === '');
  kept = kept.slice(0, opening?.index);
  return { text: kept, dropped: text.length - kept.length, isOpen: isOpen || opening !== undefined };
}

/** Leaves out what stands between `<private>` and `</private>`, nested parts and all; a part that is not closed goes to
 * the end. A closing tag without an opening one is text. */
function withoutParts(text: string): { readonly kept: string; readonly isOpen: boolean } {
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
  return { kept: depth === 0 ? kept + text.slice(end) : kept, isOpen: depth > 0 };
}
