import { ESCAPES, mayBeEscaped } from './escapes.ts';
import {
  foldNormal,
  isLetter,
  rowFinder,
  wholeWordStart,
  wordEnd,
  wordFinder,
  type FoldedText,
  type WordFinder,
} from './places.ts';
import { isWordUnit } from './scripts.ts';
import { normalise } from './tokenizer.ts';
import { NO_VARIANTS, type Variants } from './variants.ts';
import { normalForm } from './words.ts';

/** Length of a snippet, in characters. Range 40 to 400; 160 is two lines of a terminal and about 40 English tokens. */
const SNIPPET_CHARS = 160;
/** Share of the window before the first match, to give it context. Range 0 to 0.5. */
const LEAD_SHARE = 0.25;
/** Letters up to which a word at the edge of a snippet is not cut off, but left out or shown whole. */
const LONGEST_CUT_WORD = 40;
/** Letters of the shortest term that is matched as a prefix. */
const SHORTEST_PREFIX = 3;
/** How far into a content matches are searched for, in UTF-16 units; the rest is searched only if there are none.
 * Bounds the work for contents of many megabytes. */
const SCANNED_UNITS = 100_000;

/** A match in a text; offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  /** The terms that match here: for an identifier, itself and its parts. */
  readonly terms: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Returns the matches of the terms in a text, in order, without overlaps. English words match across inflection, as in
 * the index, and are marked whole; so do words that begin with a term that ends with a *, and where nothing matches so,
 * those that begin with any of the terms (a short hash). */
export function matchSpans(terms: readonly string[], text: string, variants: Variants): Span[] {
  if (terms.length === 0) return [];
  const beginning = text.slice(0, SCANNED_UNITS);
  for (const isPrefix of [false, true]) {
    const spans = spansWithin({ terms, isPrefix, variants }, beginning);
    if (spans.length > 0) return spans;
  }
  return text.length <= SCANNED_UNITS ? [] : spansWithin({ terms, isPrefix: false, variants }, text);
}

/** What is searched for: the terms as words, or as prefixes. */
interface Sought {
  readonly terms: readonly string[];
  readonly isPrefix: boolean;
  readonly variants: Variants;
}

/** Characters whose normalisation may change the length of a text: all but those that stay one character whatever is
 * next to them. Ordinary Chinese texts have none. */
export const MAY_CHANGE_LENGTH =
  /[^\0-\x7f\u2013\u2014\u2018-\u201d\u3000-\u3002\u3008-\u3011\u4e00-\u9fff\uff01-\uff5e]/;

function spansWithin(sought: Sought, scanned: string): Span[] {
  const normal = normalise(scanned);
  const spans = spansIn(sought, foldNormal(normal, sought.variants));
  const isAligned =
    spans.length === 0 ||
    normal === scanned ||
    !(MAY_CHANGE_LENGTH.test(scanned) || mayBeEscaped(scanned)) ||
    (normal.length === scanned.length && areAligned(spans, scanned));
  return isAligned ? spans : alignedSpans(sought, scanned);
}

/** True when the offsets in a normalised text are those in the text itself: no part before, in, between or after the
 * matches has changed its length. */
function areAligned(spans: readonly Span[], text: string): boolean {
  let last = 0;
  for (const at of [...spans.flatMap(({ start, end }) => [start, end]), text.length]) {
    if (normalise(text.slice(last, at)).length !== at - last) return false;
    last = at;
  }
  return true;
}

function spansIn(sought: Sought, folded: FoldedText): Span[] {
  const found: Span[] = [];
  for (const finder of findersOf(sought)) {
    for (const at of finder.places(folded)) {
      found.push({ terms: [finder.term], start: wholeWordStart(folded.normal, at), end: wordEnd(folded.normal, at) });
    }
  }
  const { lower } = folded;
  for (const term of sought.terms) {
    if (isWordUnit(term.charCodeAt(0))) {
      if (term.includes(' ')) found.push(...rowFinder(term)(folded).map((row) => ({ terms: [term], ...row })));
      continue;
    }
    // the pairs of kana or Thai overlap
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at + 1)) {
      found.push({ terms: [term], start: at, end: at + term.length });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: { terms: string[]; start: number; end: number }[] = [];
  for (const { terms, start, end } of found) {
    const last = kept.at(-1);
    if (last !== undefined && start < last.end) {
      last.terms.push(...terms);
      last.end = Math.max(last.end, end);
    } else {
      kept.push({ terms: [...terms], start, end });
    }
  }
  return kept;
}

/** True for one word of a script that separates words, of which inflected forms match too, as in several words, which
 * match side by side. Anything else matches verbatim. */
function isWord(term: string): boolean {
  return isWordUnit(term.charCodeAt(0)) && !term.includes(' ');
}

/** Finders of the words among the terms. They are cached by the array, since one query searches text after text for the
 * same terms. */
function findersOf({ terms, isPrefix }: Sought): readonly WordFinder[] {
  const finders = isPrefix ? prefixFinders : wordFinders;
  const known = finders.get(terms);
  if (known !== undefined) return known;
  const words = terms.filter(isWord);
  const forms = new Map<string, string[]>();
  for (const term of words) {
    if (term.endsWith('*') || (isPrefix && term.length < SHORTEST_PREFIX)) continue;
    const normal = normalForm(term);
    forms.set(normal, [...(forms.get(normal) ?? []), term]);
  }
  const prefixes = words.filter((term) => term.endsWith('*')).map((term) => term.slice(0, -1));
  const made = [
    ...[...forms].map(([term, of]) => wordFinder(term, of, isPrefix)),
    ...prefixes.map((prefix) => wordFinder(normalForm(prefix), [prefix], true)),
  ];
  finders.set(terms, made);
  return made;
}

const wordFinders = new WeakMap<readonly string[], readonly WordFinder[]>();
const prefixFinders = new WeakMap<readonly string[], readonly WordFinder[]>();

/** An escape, or a character with those after it that may combine with it: marks, vowels and final consonants of hangul,
 * voicing marks of half-width kana. */
const CLUSTERS = new RegExp(`${ESCAPES}|[^][\\p{M}\\u1160-\\u11ff\\uff9e\\uff9f]*`, 'giu');

/** Like `spansIn`, for a text whose length changes when it is folded (…, decomposed letters). It is folded in the
 * smallest pieces that can be normalised separately, and an offset within a piece that changed its length stands for
 * the whole piece. */
function alignedSpans(sought: Sought, text: string): Span[] {
  const [starts, ends]: [number[], number[]] = [[], []];
  let normal = '';
  let offset = 0;
  for (const [cluster] of text.matchAll(CLUSTERS)) {
    const piece = normalise(cluster);
    const isSame = piece.length === cluster.length;
    for (let at = 0; at < piece.length; at += 1) {
      starts.push(isSame ? offset + at : offset);
      ends.push(offset + (isSame ? at + 1 : cluster.length));
    }
    normal += piece;
    offset += cluster.length;
  }
  return spansIn(sought, foldNormal(normal, sought.variants)).map(({ terms, start, end }) => ({
    terms,
    start: starts[start] ?? text.length,
    end: ends[end - 1] ?? text.length,
  }));
}

/** What is inserted before and after each match in a snippet. */
export interface Marks {
  readonly open: string;
  readonly close: string;
}

interface SnippetOptions {
  readonly marks?: Marks | undefined;
  /** The weight of each term, by its normal form: its idf. 1 where it is unknown. */
  readonly weights?: ReadonlyMap<string, number> | undefined;
  /** The forms that the Han characters of the terms may have in the text. */
  readonly variants?: Variants;
}

/** Returns the stretch of the text, about `SNIPPET_CHARS` long, whose distinct terms have the greatest total weight;
 * the first among equals; the start when none match. It begins and ends between words. Line breaks and runs of spaces
 * become one space; … shows that the text continues. */
export function snippet(
  terms: readonly string[],
  text: string,
  { marks, weights, variants = NO_VARIANTS }: SnippetOptions = {},
): string {
  const start = bestStart(matchSpans(terms, text, variants), text.length, weights);
  const from = behindWord(text, start);
  const to = beforeWord(text, Math.min(text.length, start + SNIPPET_CHARS));
  // U+FEFF, a space for JavaScript, is a part of the word that it is in
  const window = text
    .slice(from, to)
    .replaceAll(/[^\S\ufeff]+/g, ' ')
    .replaceAll(/^ | $/g, '');
  return `${from > 0 ? '…' : ''}${marks === undefined ? window : marked(window, matchSpans(terms, window, variants), marks)}${to < text.length ? '…' : ''}`;
}

function marked(text: string, spans: readonly Span[], { open, close }: Marks): string {
  let result = '';
  let end = 0;
  for (const span of spans) {
    result += `${text.slice(end, span.start)}${open}${text.slice(span.start, span.end)}${close}`;
    end = span.end;
  }
  return result + text.slice(end);
}

function bestStart(spans: readonly Span[], textLength: number, weights?: ReadonlyMap<string, number>): number {
  let best = { start: 0, said: 0 };
  for (const [at, first] of spans.entries()) {
    const inside = new Set<string>();
    let said = 0;
    for (let next = at; next < spans.length; next += 1) {
      const span = spans[next];
      if (span === undefined || span.end > first.start + SNIPPET_CHARS * (1 - LEAD_SHARE)) break;
      for (const term of span.terms) {
        if (!inside.has(term)) said += weights?.get(term) ?? 1;
        inside.add(term);
      }
    }
    if (said > best.said) best = { start: Math.round(first.start - SNIPPET_CHARS * LEAD_SHARE), said };
  }
  return Math.max(0, Math.min(best.start, textLength - SNIPPET_CHARS));
}

/** Moves an offset forward to the end of the word that it is in, unless that is very long. Matches may reach to the end
 * of the window, so that its start must not move back. */
function behindWord(text: string, offset: number): number {
  const whole = onCharacter(text, offset);
  const end = isInWord(text, whole) ? wordEnd(text, whole) : whole;
  return end - whole > LONGEST_CUT_WORD ? whole : end;
}

/** Moves an offset back to the start of the word that it is in, unless that is very long, and always to that of a
 * character. */
function beforeWord(text: string, offset: number): number {
  const whole = onCharacter(text, offset);
  const start = isInWord(text, whole) ? wholeWordStart(text, whole) : whole;
  return whole - start > LONGEST_CUT_WORD ? whole : start;
}

function isInWord(text: string, offset: number): boolean {
  return offset > 0 && isLetter(text, offset - 1) && isLetter(text, offset);
}

/** Moves an offset back so that it does not fall inside a surrogate pair. */
function onCharacter(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return offset > 0 && unit >= 0xdc00 && unit <= 0xdfff ? offset - 1 : offset;
}
