import type { Query, QueryTerm } from './query.ts';
import { normalise } from './tokenizer.ts';
import { normalForm, wordStem } from './words.ts';

/** The constants of the lexical score. Chosen together on twelve public sets; docs/ranking.md has the table and what each gives. */
const SCORING = {
  /** Saturation of term frequency in BM25. Range 0.8 to 2; higher lets repeats count more. */
  k1: 1.4,
  /** How far the length of a text is held against it, 0 (not) to 1 (fully). */
  b: 0.58,
  /** Weight of a pair of Han characters, where a word counts 1. Range 0.3 to 0.8. */
  bigramWeight: 0.6,
  /** Weight of a Han character. Range 0.2 to 0.8. */
  characterWeight: 0.6,
  /** Weight of a four-letter piece of a Latin word. Range 0 to 0.3. */
  pieceWeight: 0.08,
  /** Weight of a Latin word in a query that has Chinese too: it is what is asked about. Range 1 to 2.5. */
  latinInMixedWeight: 1.8,
  /** Weight of a name in an English question. Range 1 to 2. */
  nameWeight: 1.7,
  /** Weight of words that stand as near in the text as in the query. Range 0 to 1. */
  proximityWeight: 0.6,
  /** How far apart, in words, such neighbours may stand. */
  proximityWindow: 3,
  /** The same in characters, above which nothing is counted. */
  proximityChars: 60,
  /** How many places of a word are compared for proximity: bounds the work for long texts. */
  comparedPlaces: 50,
  /** Letters of a piece. */
  pieceLetters: 4,
  /** Share of the texts that hold a Han character, by the share of the candidates that do: candidates are chosen for holding the query's words. */
  characterShare: 0.5,
  /** The same for pieces of Latin words. */
  pieceShare: 0.3,
} as const;

/** How much a term counts by the field in which it stands. */
const FIELD_WEIGHTS = { key: 3, tags: 2, source: 1, content: 1 } as const;
type Field = keyof typeof FIELD_WEIGHTS;
const FIELDS = Object.keys(FIELD_WEIGHTS) as Field[];

/** A text that may answer the query. */
export interface CandidateText {
  readonly key: string;
  readonly tags: string;
  readonly source: string;
  readonly content: string;
  /** Number of terms of the content. */
  readonly length: number;
}

/** What is known of all texts. */
export interface Statistics {
  /** Number of texts. */
  readonly count: number;
  /** Terms of a content, on average. */
  readonly averageLength: number;
  /** Number of texts that hold a term, at least 1. */
  documentFrequency(term: string): number;
}

/** What makes up the lexical score of a text; the parts add to it. */
export interface LexicalScore {
  readonly score: number;
  readonly words: number;
  readonly bigrams: number;
  readonly characters: number;
  readonly pieces: number;
  readonly proximity: number;
  /** The query's terms that the text holds, by field: looked up when it is asked for, since only an explanation does. */
  readonly matched: () => Partial<Record<Field, string[]>>;
}

/** Inverse document frequency, above 0 also for a term that every text holds. Source: Robertson and Sparck Jones, in Lucene's form. */
function inverseDocumentFrequency(count: number, documentFrequency: number): number {
  return Math.log(1 + (count - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** A text prepared for counting: folded, and where it holds the query's Latin words. */
interface Prepared {
  readonly folded: Readonly<Record<Field, string>>;
  readonly places: Readonly<Record<Field, ReadonlyMap<string, readonly number[]>>>;
  /** 1 − b + b · length / average, times k1. */
  readonly lengthFactor: number;
}

/** The lexical scores of candidates, in their order: BM25 (k1, b as above; Robertson and Zaragoza, 2009) over words, pairs of Han characters, Han
 * characters and pieces of Latin words, each weighed, plus a bonus for neighbours. Han text is counted as it stands, so that cuts do not
 * matter; Latin words by their normal form. Frequencies of pairs, characters and pieces are estimated from the candidates. */
export function lexicalScores(
  query: Query,
  candidates: readonly CandidateText[],
  statistics: Statistics,
): LexicalScore[] {
  const wanted = query.terms.filter(({ kind }) => kind === 'word');
  const texts = candidates.map((candidate) => ({
    ...prepare(candidate, wanted, statistics),
    parts: { words: 0, bigrams: 0, characters: 0, pieces: 0 },
  }));
  const idf = (documentFrequency: number): number => inverseDocumentFrequency(statistics.count, documentFrequency);
  const weighed = (count: (field: Field, text: Prepared) => number): number[] =>
    texts.map((text) => FIELDS.reduce((total, field) => total + FIELD_WEIGHTS[field] * count(field, text), 0));
  const sum = (part: keyof (typeof texts)[number]['parts'], weight: number, frequencies: readonly number[]): void => {
    texts.forEach(({ parts, lengthFactor }, at) => {
      const frequency = frequencies[at] ?? 0;
      if (frequency > 0) parts[part] += weight * saturated(frequency, lengthFactor);
    });
  };
  for (const term of query.terms) {
    if (term.kind === 'han' && term.term.length < 2) continue; // counted among the characters
    const frequencies = weighed((field, text) => frequencyIn(field, term, text));
    sum('words', weightOf(term, query) * term.count * idf(statistics.documentFrequency(term.term)), frequencies);
  }
  const estimated = (
    piece: string,
    share: number | undefined,
  ): readonly [documentFrequency: number, frequencies: number[]] => {
    const frequencies = weighed((field, { folded }) => occurrences(folded[field], piece));
    const holding = frequencies.filter((frequency) => frequency > 0).length;
    const spread = share === undefined ? 0 : (holding / candidates.length) * statistics.count * share;
    return [Math.min(statistics.count, Math.max(1, holding, spread)), frequencies];
  };
  for (const [bigram, count] of counted(query.bigrams)) {
    const [documentFrequency, frequencies] = estimated(bigram, undefined);
    sum(
      'bigrams',
      SCORING.bigramWeight * count * idf(Math.max(documentFrequency, statistics.documentFrequency(bigram))),
      frequencies,
    );
  }
  for (const [character, count] of counted(query.characters)) {
    const [documentFrequency, frequencies] = estimated(character, SCORING.characterShare);
    sum('characters', SCORING.characterWeight * count * idf(documentFrequency), frequencies);
  }
  for (const piece of new Set(query.words.flatMap(pieces))) {
    const [documentFrequency, frequencies] = estimated(piece, SCORING.pieceShare);
    sum('pieces', SCORING.pieceWeight * idf(documentFrequency), frequencies);
  }
  const idfOf = (term: string): number => idf(statistics.documentFrequency(term));
  return texts.map((text) => {
    const { words, bigrams, characters, pieces: ofPieces } = text.parts;
    const near = SCORING.proximityWeight * proximity(query.sequence, text, idfOf);
    const score = words + bigrams + characters + ofPieces + near;
    return { ...text.parts, proximity: near, score, matched: () => matchedIn(text, query) };
  });
}

function prepare(candidate: CandidateText, wanted: readonly QueryTerm[], statistics: Statistics): Prepared {
  const { k1, b } = SCORING;
  const normal = {
    key: normalise(candidate.key),
    tags: normalise(candidate.tags),
    source: normalise(candidate.source),
    content: normalise(candidate.content),
  };
  const folded = {
    key: normal.key.toLowerCase(),
    tags: normal.tags.toLowerCase(),
    source: normal.source.toLowerCase(),
    content: normal.content.toLowerCase(),
  };
  const places = (field: Field): Map<string, number[]> =>
    placesOf({ normal: normal[field], lower: folded[field] }, wanted);
  return {
    folded,
    places: { key: places('key'), tags: places('tags'), source: places('source'), content: places('content') },
    lengthFactor: k1 * (1 - b + (b * candidate.length) / Math.max(1, statistics.averageLength)),
  };
}

/** Places of the query's words in a text: offsets by normal form. */
function placesOf(
  text: { readonly normal: string; readonly lower: string },
  wanted: readonly QueryTerm[],
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  if (text.normal === '') return places;
  for (const { term, forms } of wanted) {
    const found = forms.flatMap((form) => wordPlaces(text, form, term));
    if (found.length > 0)
      places.set(
        term,
        [...new Set(found)].toSorted((a, b) => a - b),
      );
  }
  return places;
}

/** Where words of a normal form begin that begin like `form`: found by the letters that they share, since cutting every word of a long text costs more
 * than all the rest of a search. */
function wordPlaces(text: { readonly normal: string; readonly lower: string }, form: string, term: string): number[] {
  const stem = wordStem(form);
  const prefix = stem.length > SHARED_LETTERS ? stem.slice(0, Math.max(SHARED_LETTERS, stem.length - 1)) : stem;
  const found: number[] = [];
  for (let at = text.lower.indexOf(prefix); at >= 0; at = text.lower.indexOf(prefix, at + 1)) {
    if (!isWordStart(text.normal, at)) continue;
    const ends = wordEnds(text.normal, at);
    if (ends.some((end) => normalForm(text.lower.slice(at, end)) === term)) found.push(at);
  }
  return found;
}

/** Letters that a word shares at least with its stem: "flies" has the stem "fli", "happy" has "happi". */
const SHARED_LETTERS = 2;

const LETTER_OR_DIGIT = /[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]/v;

type Letter = 'lower' | 'upper' | 'digit' | 'other' | 'none';

/** What stands at an offset, as far as the cutting of words goes. */
function letterAt(text: string, at: number): Letter {
  const code = text.charCodeAt(at);
  if (code >= 0x61 && code <= 0x7a) return 'lower';
  if (code >= 0x41 && code <= 0x5a) return 'upper';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return code >= 0x80 && LETTER_OR_DIGIT.test(text.charAt(at)) ? 'other' : 'none';
}

/** True where a word, or a part of an identifier, begins. */
function isWordStart(text: string, at: number): boolean {
  const [before, here] = [letterAt(text, at - 1), letterAt(text, at)];
  if (here === 'none') return false;
  if (before === 'none' || at === 0) return true;
  if (here === 'upper') return before === 'lower' || letterAt(text, at + 1) === 'lower';
  return (before === 'digit') !== (here === 'digit');
}

/** Where the word that begins at an offset may end: as a part of an identifier, and as a whole. */
function wordEnds(text: string, at: number): number[] {
  const ends: number[] = [];
  let end = at + 1;
  while (end - at < LONGEST_WORD && letterAt(text, end) !== 'none') {
    if (isWordStart(text, end)) ends.push(end);
    end += 1;
  }
  ends.push(end);
  return ends;
}

/** Letters after which a word is taken to end. */
const LONGEST_WORD = 100;

function frequencyIn(field: Field, { term, kind }: QueryTerm, text: Prepared): number {
  return kind === 'word' ? (text.places[field].get(term)?.length ?? 0) : occurrences(text.folded[field], term);
}

/** The terms of the query that stand in each field, and the pairs that none of these has. */
function matchedIn(text: Prepared, query: Query): Partial<Record<Field, string[]>> {
  const matched: Partial<Record<Field, string[]>> = {};
  for (const field of FIELDS) {
    const terms = query.terms.filter((term) => frequencyIn(field, term, text) > 0).map(({ term }) => term);
    const pairs = [...new Set(query.bigrams)].filter(
      (pair) => text.folded[field].includes(pair) && !terms.some((term) => term.includes(pair)),
    );
    if (terms.length + pairs.length > 0) matched[field] = [...terms, ...pairs];
  }
  return matched;
}

function weightOf(term: QueryTerm, query: Query): number {
  if (term.kind !== 'word') return 1;
  if (query.isMixed) return SCORING.latinInMixedWeight;
  return term.isName ? SCORING.nameWeight : 1;
}

function saturated(frequency: number, lengthFactor: number): number {
  return (frequency * (SCORING.k1 + 1)) / (frequency + lengthFactor);
}

/** How often a piece stands in a text, none overlapping another. */
function occurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) count += 1;
  return count;
}

function counted(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function pieces(word: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + SCORING.pieceLetters <= word.length; at += 1)
    found.push(word.slice(at, at + SCORING.pieceLetters));
  return found;
}

/** For each pair of words that follow each other in the query: the lesser of their idf, over their distance in the content, where they are near. */
function proximity(sequence: readonly string[], { folded, places }: Prepared, idf: (term: string) => number): number {
  let total = 0;
  for (let at = 0; at + 1 < sequence.length; at += 1) {
    const [first = '', second = ''] = sequence.slice(at, at + 2);
    if (first === second) continue;
    const distance = leastDistance(folded.content, places.content.get(first), places.content.get(second));
    if (distance !== undefined) total += Math.min(idf(first), idf(second)) / distance;
  }
  return total;
}

/** Words from a place of one to the next of the other, where these are within the window; the wrong order counts one more. Both lists rise, so
 * that each place is compared with the few around it alone. */
function leastDistance(
  text: string,
  first: readonly number[] | undefined,
  second: readonly number[] | undefined,
): number | undefined {
  if (first === undefined || second === undefined) return undefined;
  let least: number | undefined;
  let from = 0;
  for (const a of first.slice(0, SCORING.comparedPlaces)) {
    while ((second[from] ?? Number.POSITIVE_INFINITY) < a - SCORING.proximityChars) from += 1;
    for (let at = from; at < second.length; at += 1) {
      const b = second[at] ?? 0;
      if (b > a + SCORING.proximityChars) break;
      const distance = Math.max(1, wordsBetween(text, Math.min(a, b), Math.max(a, b))) + (b > a ? 0 : 1);
      if (distance <= SCORING.proximityWindow && (least === undefined || distance < least)) least = distance;
    }
    if (least === 1) return least;
  }
  return least;
}

/** How many words end between two offsets, counted only as far as the window goes. */
function wordsBetween(text: string, from: number, to: number): number {
  let words = 0;
  let isInWord = false;
  for (let at = from; at < to && words <= SCORING.proximityWindow; at += 1) {
    const isLetter = letterAt(text, at) !== 'none';
    if (isInWord && !isLetter) words += 1;
    isInWord = isLetter;
  }
  return words;
}
