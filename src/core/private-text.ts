import { characterCount } from './text.ts';

/** A tag that opens or closes a private part, in any case, with or without a few spaces: their number is bounded, so
 * that a text of many spaces is not slow to scan. */
const TAG = /<\s{0,20}(\/?)(?:(?<=\/)\s{0,20})?private\s{0,20}>/gi;

export interface PublicText {
  readonly text: string;
  /** Number of characters that were removed, tags included. */
  readonly dropped: number;
  /** True if a part was not closed, and so extended to the end of the text. */
  readonly isOpen: boolean;
}

/** Most passes over a text, since removing one part may reveal another. A text that still has one after the last pass
 * was crafted: that part is taken to extend to the end. */
const MOST_PASSES = 10;

/** Removes private parts, including those that appear only when others are removed. */
export function withoutPrivate(text: string): PublicText {
  let kept = text;
  let isOpen = false;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = kept;
    const parted = withoutParts(before);
    kept = parted.kept;
    isOpen ||= parted.isOpen;
    if (kept === before) return { text: kept, dropped: droppedCharacters(text, kept), isOpen };
  }
  const opening = [...kept.matchAll(TAG)].find(([, slash]) => slash === '');
  kept = kept.slice(0, opening?.index);
  return { text: kept, dropped: droppedCharacters(text, kept), isOpen: isOpen || opening !== undefined };
}

function droppedCharacters(text: string, kept: string): number {
  return kept.length === text.length ? 0 : characterCount(text) - characterCount(kept);
}

/** Removes everything from `<private>` to `</private>`, including nested parts; an unclosed part extends to the end. A
 * closing tag without an opening one is text. */
function withoutParts(text: string): { readonly kept: string; readonly isOpen: boolean } {
  let kept = '';
  let end = 0; // of what has been kept or removed so far
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
