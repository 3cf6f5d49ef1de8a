import { fold, runs } from './tokenizer.ts';
import { normalForm, wordParts } from './words.ts';

/** Characters of a snippet. Range 40 to 400; 160 is two lines of a terminal and about 40 English tokens. */
const SNIPPET_CHARS = 160;
/** Share of the window that stands before the first match, so that a match has its context. Range 0 to 0.5. */
const LEAD_SHARE = 0.25;
/** How far into a content matches are looked for, in UTF-16 units: bounds the work for contents of many megabytes. */
const SCANNED_UNITS = 100_000;

/** A place in a text, in UTF-16 units. */
export interface Span {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** The places of the terms in a text, in order, none overlapping another. English words match across inflection, as in the index. */
export function matchSpans(terms: readonly string[], text: string): Span[] {
  const wanted = new Set(terms.map(normalForm));
  const known = new Map<string, string | undefined>(); // a text repeats its words
  const find = (word: string): string | undefined => {
    if (!known.has(word)) known.set(word, wantedForm(word, wanted) ?? wantedForm(fold(word), wanted));
    return known.get(word);
  };
  const found: Span[] = [];
  for (const run of runs(text.slice(0, SCANNED_UNITS))) {
    if (run.script === 'han' || run.script === 'syllables') {
      for (const term of terms) pushOccurrences(term, run, found);
      continue;
    }
    const term = find(run.text);
    if (term !== undefined) found.push({ term, start: run.start, end: run.start + run.text.length });
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of found) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  }
  return kept;
}

/** The first of the wanted forms that a word has, as a whole or in its parts. */
function wantedForm(word: string, wanted: ReadonlySet<string>): string | undefined {
  return [word.toLowerCase(), ...wordParts(word)].map(normalForm).find((form) => wanted.has(form));
}

function pushOccurrences(term: string, run: { readonly text: string; readonly start: number }, found: Span[]): void {
  for (let at = run.text.indexOf(term); at >= 0; at = run.text.indexOf(term, at + term.length)) {
    found.push({ term, start: run.start + at, end: run.start + at + term.length });
  }
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
