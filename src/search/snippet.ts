import { foldText, wholeWordStart, wordEnd, wordFinder, type FoldedText, type WordFinder } from './places.ts';
import { isWordUnit } from './scripts.ts';
import { normalise } from './tokenizer.ts';
import { normalForm } from './words.ts';

/** Characters of a snippet. Range 40 to 400; 160 is two lines of a terminal and about 40 English tokens. */
const SNIPPET_CHARS = 160;
/** Share of the window that stands before the first match, so that a match has its context. Range 0 to 0.5. */
const LEAD_SHARE = 0.25;
/** How far into a content matches are looked for, in UTF-16 units, unless there is none: bounds the work for contents of many megabytes. */
const SCANNED_UNITS = 100_000;

/** A place in a text, in UTF-16 units. */
export interface Span {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** The places of the terms in a text, in order, none overlapping another. English words match across inflection, as in the index, and are marked whole. */
export function matchSpans(terms: readonly string[], text: string): Span[] {
  const spans = spansWithin(terms, text.slice(0, SCANNED_UNITS));
  return spans.length > 0 || text.length <= SCANNED_UNITS ? spans : spansWithin(terms, text);
}

function spansWithin(terms: readonly string[], scanned: string): Span[] {
  const folded = foldText(scanned);
  const spans = spansIn(terms, folded);
  const isAligned =
    folded.normal === scanned ||
    (folded.normal.length === scanned.length &&
      spans.every(({ start, end }) => normalise(scanned.slice(start, end)) === folded.normal.slice(start, end)));
  return isAligned ? spans : alignedSpans(terms, scanned);
}

function spansIn(terms: readonly string[], folded: FoldedText): Span[] {
  const found: Span[] = [];
  for (const finder of findersOf(terms)) {
    for (const at of finder.places(folded)) {
      found.push({ term: finder.term, start: wholeWordStart(folded.normal, at), end: wordEnd(folded.normal, at) });
    }
  }
  const { lower } = folded;
  for (const term of terms) {
    if (isWordUnit(term.charCodeAt(0))) continue;
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + term.length)) {
      found.push({ term, start: at, end: at + term.length });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of found) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

/** Finders of the words among the terms. They are kept for the next text, since one query asks for the same terms in text after text. */
function findersOf(terms: readonly string[]): readonly WordFinder[] {
  const known = finders.get(terms);
  if (known !== undefined) return known;
  const forms = new Map<string, string[]>();
  for (const term of terms) {
    if (!isWordUnit(term.charCodeAt(0))) continue;
    const normal = normalForm(term);
    forms.set(normal, [...(forms.get(normal) ?? []), term]);
  }
  const made = [...forms].map(([term, of]) => wordFinder(term, of));
  finders.set(terms, made);
  return made;
}

const finders = new WeakMap<readonly string[], readonly WordFinder[]>();

/** As `spansIn`, for a text whose length folding changes (…, decomposed letters): it is folded character by character, with its marks, and a place
 * within what a character became is told as the whole of that character. */
function alignedSpans(terms: readonly string[], text: string): Span[] {
  const starts: number[] = [];
  let normal = '';
  let offset = 0;
  // a character with the marks that follow it is the least that can be folded for itself
  for (const [cluster] of text.matchAll(/[^]\p{M}*/gu)) {
    const piece = normalise(cluster);
    const isSame = piece.length === cluster.length;
    for (let at = 0; at < piece.length; at += 1) starts.push(isSame ? offset + at : offset);
    normal += piece;
    offset += cluster.length;
  }
  const startOf = (at: number): number => starts[at] ?? text.length;
  return spansIn(terms, foldText(normal)).map(({ term, start, end }) => {
    let behind = end;
    while (behind < starts.length && startOf(behind) <= startOf(end - 1)) behind += 1;
    return { term, start: startOf(start), end: startOf(behind) };
  });
}

/** What stands before and behind each match in a snippet. */
export interface Marks {
  readonly open: string;
  readonly close: string;
}

/** The stretch of the text, about `SNIPPET_CHARS` long, that holds the most different terms; the first of equals; the beginning
 * when none match. Line breaks and runs of spaces become one space; … says that the text goes on. */
export function snippet(terms: readonly string[], text: string, marks?: Marks): string {
  const from = onCharacter(text, bestStart(matchSpans(terms, text), text.length));
  const to = onCharacter(text, Math.min(text.length, from + SNIPPET_CHARS));
  const window = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${marks === undefined ? window : marked(terms, window, marks)}${to < text.length ? '…' : ''}`;
}

function marked(terms: readonly string[], text: string, { open, close }: Marks): string {
  let result = '';
  let end = 0;
  for (const span of matchSpans(terms, text)) {
    result += `${text.slice(end, span.start)}${open}${text.slice(span.start, span.end)}${close}`;
    end = span.end;
  }
  return result + text.slice(end);
}

function bestStart(spans: readonly Span[], textLength: number): number {
  let best = { start: 0, distinct: 0 };
  for (const [at, first] of spans.entries()) {
    const inside = new Set<string>();
    for (let next = at; next < spans.length; next += 1) {
      const span = spans[next];
      if (span === undefined || span.end > first.start + SNIPPET_CHARS * (1 - LEAD_SHARE)) break;
      inside.add(span.term);
    }
    if (inside.size > best.distinct) {
      best = { start: Math.round(first.start - SNIPPET_CHARS * LEAD_SHARE), distinct: inside.size };
    }
  }
  return Math.max(0, Math.min(best.start, textLength - SNIPPET_CHARS));
}

/** Moves an offset back so that it does not fall inside a surrogate pair. */
function onCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return offset > 0 && unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
