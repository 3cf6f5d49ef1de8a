import { foldText, isLetter, occurrences, wordFinder, type WordFinder } from './places.ts';
import type { Query, QueryTerm } from './query.ts';

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

/** One field of a text, prepared for counting. */
interface PreparedField {
  readonly name: Field;
  readonly weight: number;
  readonly folded: string;
  /** Offsets of the query's Latin words, by their normal form. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The BM25 sums of a text. */
interface Parts {
  words: number;
  bigrams: number;
  characters: number;
  pieces: number;
}

/** A text prepared for counting: those of its fields that hold anything. */
interface Prepared {
  readonly fields: readonly PreparedField[];
  readonly content: PreparedField | undefined;
  readonly parts: Parts;
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
  const finders = query.terms.filter(({ kind }) => kind === 'word').map(({ term, forms }) => wordFinder(term, forms));
  const sums = new Sums(candidates.map((candidate) => prepare(candidate, finders, statistics)));
  const idf = (documentFrequency: number): number => inverseDocumentFrequency(statistics.count, documentFrequency);
  const idfOf = (term: string): number => idf(statistics.documentFrequency(term));
  for (const term of query.terms) {
    if (term.kind === 'han' && term.term.length < 2) continue; // counted among the characters
    const counts = term.kind === 'word' ? sums.wordCounts(term.term) : sums.pieceCounts(term.term);
    sums.add('words', weightOf(term, query) * term.count * idfOf(term.term), counts);
  }
  for (const [bigram, times] of counted(query.bigrams)) {
    const counts = sums.pieceCounts(bigram);
    const documentFrequency = Math.max(holding(counts), statistics.documentFrequency(bigram));
    sums.add('bigrams', SCORING.bigramWeight * times * idf(documentFrequency), counts);
  }
  const estimated = (counts: readonly number[], share: number): number =>
    Math.max(1, holding(counts), (holding(counts) / counts.length) * statistics.count * share);
  for (const [character, times] of counted(query.characters)) {
    const counts = sums.pieceCounts(character);
    sums.add('characters', SCORING.characterWeight * times * idf(estimated(counts, SCORING.characterShare)), counts);
  }
  for (const piece of new Set(query.words.flatMap(pieces))) {
    const counts = sums.pieceCounts(piece);
    sums.add('pieces', SCORING.pieceWeight * idf(estimated(counts, SCORING.pieceShare)), counts);
  }
  return sums.texts.map((text) => {
    const near = SCORING.proximityWeight * proximity(query.sequence, text, idfOf);
    const score = text.parts.words + text.parts.bigrams + text.parts.characters + text.parts.pieces + near;
    return { ...text.parts, proximity: near, score, matched: () => matchedIn(text, query) };
  });
}

/** The BM25 sums of texts as they grow term by term. A count is how often something stands in a text, by field weighed. */
class Sums {
  readonly texts: readonly Prepared[];
  readonly #known = new Map<string, readonly number[]>();

  constructor(texts: readonly Prepared[]) {
    this.texts = texts;
  }

  /** Counts of a Latin word, by its normal form. */
  wordCounts(term: string): readonly number[] {
    return this.texts.map(({ fields }) => weighed(fields, ({ places }) => places.get(term)?.length ?? 0));
  }

  /** Counts of a stretch of letters; a word of two Han characters is a pair too, and is counted once. */
  pieceCounts(piece: string): readonly number[] {
    let counts = this.#known.get(piece);
    if (counts === undefined) {
      counts = this.texts.map(({ fields }) => weighed(fields, ({ folded }) => occurrences(folded, piece)));
      this.#known.set(piece, counts);
    }
    return counts;
  }

  add(part: keyof Parts, weight: number, counts: readonly number[]): void {
    this.texts.forEach(({ parts, lengthFactor }, at) => {
      const count = counts[at] ?? 0;
      if (count > 0) parts[part] += weight * saturated(count, lengthFactor);
    });
  }
}

function weighed(fields: readonly PreparedField[], count: (field: PreparedField) => number): number {
  let total = 0;
  for (const field of fields) total += field.weight * count(field);
  return total;
}

/** How many texts have it. */
function holding(counts: readonly number[]): number {
  let texts = 0;
  for (const count of counts) if (count > 0) texts += 1;
  return texts;
}

function prepare(candidate: CandidateText, finders: readonly WordFinder[], statistics: Statistics): Prepared {
  const { k1, b } = SCORING;
  const fields: PreparedField[] = [];
  for (const name of FIELDS) {
    if (candidate[name] === '') continue;
    const text = foldText(candidate[name]);
    const places = new Map<string, readonly number[]>();
    for (const finder of finders) {
      const found = finder.places(text);
      if (found.length > 0) places.set(finder.term, found);
    }
    fields.push({ name, weight: FIELD_WEIGHTS[name], folded: text.lower, places });
  }
  return {
    fields,
    content: fields.find(({ name }) => name === 'content'),
    parts: { words: 0, bigrams: 0, characters: 0, pieces: 0 },
    lengthFactor: k1 * (1 - b + (b * candidate.length) / Math.max(1, statistics.averageLength)),
  };
}

function frequencyIn({ folded, places }: PreparedField, { term, kind }: QueryTerm): number {
  return kind === 'word' ? (places.get(term)?.length ?? 0) : occurrences(folded, term);
}

/** The terms of the query that stand in each field, and the pairs that none of these has. */
function matchedIn(text: Prepared, query: Query): Partial<Record<Field, string[]>> {
  const matched: Partial<Record<Field, string[]>> = {};
  for (const field of text.fields) {
    const terms = query.terms.filter((term) => frequencyIn(field, term) > 0).map(({ term }) => term);
    const pairs = [...new Set(query.bigrams)].filter(
      (pair) => field.folded.includes(pair) && !terms.some((term) => term.includes(pair)),
    );
    if (terms.length + pairs.length > 0) matched[field.name] = [...terms, ...pairs];
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
function proximity(sequence: readonly string[], { content }: Prepared, idf: (term: string) => number): number {
  let total = 0;
  if (content === undefined) return total;
  for (let at = 0; at + 1 < sequence.length; at += 1) {
    const [first = '', second = ''] = sequence.slice(at, at + 2);
    if (first === second) continue;
    const distance = leastDistance(content.folded, content.places.get(first), content.places.get(second));
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
    const isInside = isLetter(text, at);
    if (isInWord && !isInside) words += 1;
    isInWord = isInside;
  }
  return words;
}
