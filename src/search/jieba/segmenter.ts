import type { HanForms } from '../variants.ts';
import { IMPOSSIBLE, type Dictionary } from './dictionary.ts';

/** What the tokenizer needs from a Chinese word segmenter. */
export interface Segmenter {
  /** The forms of the characters in its dictionary. */
  readonly forms: HanForms;
  /** Returns the words of the other language that mean the same as a Han word, or as an English one in the form of a
   * dictionary. */
  translations(term: string): readonly string[];
  /** Returns the words of the text in order; each longer word comes after the dictionary words of two and three
   * characters inside it. */
  cutForSearch(text: string): string[];
}

// States of the HMM, in the dictionary's order: begin, end and middle of a word, single character.
const END = 1;
const SINGLE = 3;
const STATES = 4;
const REPLACEMENT = 0xfffd;

/** Creates a segmenter with jieba's algorithm over a prepared dictionary: the most probable path through the words of
 * the dictionary, and a hidden Markov model for runs of single characters. Segments as nodejieba's `cutForSearch(text,
 * true)` does. Source: cppjieba's MPSegment, HMMSegment, MixSegment and QuerySegment. */
export function createSegmenter(dictionary: Dictionary): Segmenter {
  return {
    forms: dictionary,
    translations: (term) => dictionary.translations(term),
    cutForSearch(text) {
      const runes = toRunes(text);
      const found: string[] = [];
      let start = 0;
      for (const end of wordEnds(dictionary, runes.codePoints)) {
        if (end - start > 2) pushInnerWords(dictionary, text, runes, { start, end, length: 2 }, found);
        if (end - start > 3) pushInnerWords(dictionary, text, runes, { start, end, length: 3 }, found);
        found.push(slice(text, runes, start, end));
        start = end;
      }
      return found;
    },
  };
}

/** A text as code points, with the offset of each in the string. */
interface Runes {
  readonly codePoints: readonly number[];
  readonly offsets: readonly number[];
}

function toRunes(text: string): Runes {
  const codePoints: number[] = [];
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length;) {
    const codePoint = text.codePointAt(offset) ?? REPLACEMENT;
    codePoints.push(codePoint >= 0xd800 && codePoint <= 0xdfff ? REPLACEMENT : codePoint);
    offsets.push(offset);
    offset += codePoint > 0xffff ? 2 : 1;
  }
  offsets.push(text.length);
  return { codePoints, offsets };
}

function slice(text: string, runes: Runes, start: number, end: number): string {
  return text.slice(runes.offsets[start], runes.offsets[end]);
}

function pushInnerWords(
  dictionary: Dictionary,
  text: string,
  runes: Runes,
  word: { readonly start: number; readonly end: number; readonly length: number },
  found: string[],
): void {
  for (let at = word.start; at + word.length <= word.end; at += 1) {
    if (isWord(dictionary, runes.codePoints, at, at + word.length)) {
      found.push(slice(text, runes, at, at + word.length));
    }
  }
}

function isWord(dictionary: Dictionary, codePoints: readonly number[], start: number, end: number): boolean {
  let node = dictionary.root(codePoints[start] ?? -1);
  for (let at = start + 1; node >= 0 && at < end; at += 1) {
    node = dictionary.child(node, codePoints[at] ?? -1);
  }
  return node >= 0 && dictionary.weight(node) !== undefined;
}

/** jieba always splits at these: space, tab, line feed, full-width comma and full stop. */
function isSeparator(codePoint: number): boolean {
  return codePoint === 0x20 || codePoint === 0x09 || codePoint === 0x0a || codePoint === 0xff0c || codePoint === 0x3002;
}

/** End (exclusive) of each word. */
function wordEnds(dictionary: Dictionary, codePoints: readonly number[]): number[] {
  const ends: number[] = [];
  let at = 0;
  while (at < codePoints.length) {
    if (isSeparator(codePoints[at] ?? 0)) {
      at += 1;
      ends.push(at);
      continue;
    }
    let end = at;
    while (end < codePoints.length && !isSeparator(codePoints[end] ?? 0)) end += 1;
    cutSpan(dictionary, codePoints, at, end, ends);
    at = end;
  }
  return ends;
}

/** Segments a span without separators: dictionary words are kept, runs of single characters go through the HMM. */
function cutSpan(
  dictionary: Dictionary,
  codePoints: readonly number[],
  start: number,
  end: number,
  ends: number[],
): void {
  let wordStart = start;
  let singlesStart = -1;
  for (const wordEnd of mostProbableEnds(dictionary, codePoints, start, end)) {
    if (wordEnd - wordStart === 1) {
      if (singlesStart < 0) singlesStart = wordStart;
    } else {
      if (singlesStart >= 0) cutSingles(dictionary, codePoints, singlesStart, wordStart, ends);
      singlesStart = -1;
      ends.push(wordEnd);
    }
    wordStart = wordEnd;
  }
  if (singlesStart >= 0) cutSingles(dictionary, codePoints, singlesStart, wordStart, ends);
}

/** Ends of the words on the path with the highest product of probabilities, computed from right to left. */
function mostProbableEnds(dictionary: Dictionary, codePoints: readonly number[], start: number, end: number): number[] {
  const length = end - start;
  const best = new Float64Array(length + 1);
  const wordLength = new Uint32Array(length);
  for (let at = length - 1; at >= 0; at -= 1) {
    let node = dictionary.root(codePoints[start + at] ?? -1);
    const single = node < 0 ? undefined : dictionary.weight(node);
    let bestWeight = (best[at + 1] ?? 0) + (single ?? dictionary.unknownWeight);
    let bestLength = 1;
    for (let next = at + 1; node >= 0 && next < length; next += 1) {
      node = dictionary.child(node, codePoints[start + next] ?? -1);
      if (node < 0) break;
      const weight = dictionary.weight(node);
      if (weight === undefined) continue;
      const total = (best[next + 1] ?? 0) + weight;
      if (total > bestWeight) {
        bestWeight = total;
        bestLength = next - at + 1;
      }
    }
    best[at] = bestWeight;
    wordLength[at] = bestLength;
  }
  const ends: number[] = [];
  for (let at = 0; at < length;) {
    at += wordLength[at] ?? 1;
    ends.push(start + at);
  }
  return ends;
}

function isLetter(codePoint: number): boolean {
  return (codePoint >= 0x61 && codePoint <= 0x7a) || (codePoint >= 0x41 && codePoint <= 0x5a);
}

function isDigit(codePoint: number): boolean {
  return codePoint >= 0x30 && codePoint <= 0x39;
}

/** Segments a run of single characters: ASCII words and numbers are kept whole, the rest goes through the HMM. */
function cutSingles(
  dictionary: Dictionary,
  codePoints: readonly number[],
  start: number,
  end: number,
  ends: number[],
): void {
  let left = start;
  let right = start;
  while (right < end) {
    const codePoint = codePoints[right] ?? 0;
    if (codePoint >= 0x80) {
      right += 1;
      continue;
    }
    if (left !== right) pushHmmEnds(dictionary, codePoints, left, right, ends);
    right = asciiEnd(codePoints, right, end);
    ends.push(right);
    left = right;
  }
  if (left !== right) pushHmmEnds(dictionary, codePoints, left, right, ends);
}

function asciiEnd(codePoints: readonly number[], start: number, end: number): number {
  const first = codePoints[start] ?? 0;
  let at = start + 1;
  const goesOn = (codePoint: number): boolean => {
    if (isLetter(first)) return isLetter(codePoint) || isDigit(codePoint);
    return isDigit(first) && (isDigit(codePoint) || codePoint === 0x2e);
  };
  while (at < end && goesOn(codePoints[at] ?? 0)) at += 1;
  return at;
}

/** Viterbi decoding over the states begin, end, middle, single; a word ends where the state is end or single. The loops
 * are plain, over numbers, since a call segments too little text for the engine to optimise anything else. */
function pushHmmEnds(
  dictionary: Dictionary,
  codePoints: readonly number[],
  start: number,
  end: number,
  ends: number[],
): void {
  const length = end - start;
  if (length === 1) {
    ends.push(end);
    return;
  }
  const cameFrom = new Uint8Array(length * STATES);
  let previous = new Float64Array(STATES);
  let current = new Float64Array(STATES);
  const first = dictionary.hmmRow(codePoints[start] ?? -1);
  for (let state = 0; state < STATES; state += 1)
    current[state] = dictionary.startProbability(state) + dictionary.emission(first, state);
  for (let at = 1; at < length; at += 1) {
    const row = dictionary.hmmRow(codePoints[start + at] ?? -1);
    [previous, current] = [current, previous];
    for (let state = 0; state < STATES; state += 1) {
      const emission = dictionary.emission(row, state);
      let best = IMPOSSIBLE;
      let from = END; // cppjieba's default when no state is possible
      for (let candidate = 0; candidate < STATES; candidate += 1) {
        const probability = (previous[candidate] ?? 0) + dictionary.transition(candidate, state) + emission;
        if (probability > best) {
          best = probability;
          from = candidate;
        }
      }
      cameFrom[at * STATES + state] = from;
      current[state] = best;
    }
  }
  const last = (current[END] ?? 0) >= (current[SINGLE] ?? 0) ? END : SINGLE;
  for (const at of wordEndsOn(cameFrom, length, last).toReversed()) ends.push(start + at);
}

/** Follows the most probable path back from its last state; returns where words end, the last first. */
function wordEndsOn(cameFrom: Uint8Array, length: number, last: number): number[] {
  const found: number[] = [];
  let state = last;
  for (let at = length - 1; at >= 0; at -= 1) {
    if (state === END || state === SINGLE) found.push(at + 1);
    state = cameFrom[at * STATES + state] ?? END;
  }
  return found;
}
