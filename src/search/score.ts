import { agreement, AGREEMENT, comparedMatches, type Agreeing } from './agreement.ts';
import { inverseDocumentFrequency } from './idf.ts';
import { neighboursOf, proximity } from './proximity.ts';
import { foldText, NOWHERE, occurrences, wordFinder, type WordFinder } from './places.ts';
import type { Phrase } from './phrases.ts';
import type { Query, QueryTerm } from './query.ts';
import type { Variants } from './variants.ts';

/** The constants of the lexical score. Chosen together on twelve public sets; docs/ranking.md has the table and what
 * each gives. */
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
  /** Weight of a word of the index that is near an unknown one. Range 0.2 to 1. */
  nearWeight: 0.4,
  /** Weight of a part of an identifier that items have whole. Range 0.2 to 1. */
  partWeight: 0.3,
  /** Weight of a name in an English question. Range 1 to 2. */
  nameWeight: 1.7,
  /** Weight of words that stand as near in the text as in the query (proximity.ts). Range 0 to 1. */
  proximityWeight: 0.6,
  /** Factor of all that is counted in a text whose key is the whole query: it was called by its name. Range 1 to 2; at
   * 1.5 a text that repeats the name falls behind it. */
  wholeKeyGain: 1.5,
  /** Weight of a phrase. Ranges 0 to 1.5; more for what stands for a word that no item has as it is: it says the number
   * too. */
  phraseWeights: { saying: 0.4, name: 0.45, word: 1.5 },
  /** How often a term of the query counts that the query repeats: a log repeats its INFO, and says its error once. */
  mostRepeats: 2,
  /** How many times the average a content may be long to be held against it: a log that says the very thing stays
   * found. Range 4 to 20; 6 measured as good as no bound. */
  longestOverAverage: 6,
  /** Letters of a piece. */
  pieceLetters: 4,
  /** Words that more texts hold than this number or share are looked for as they are, not by their pieces: they are no
   * misspellings, and of compounds enough is found. Ranges 3 to 100, and 0.003 to 1; measured alike from 0.01 to 1, and
   * the fewer pieces, the faster. */
  pieceTexts: 10,
  pieceTextShare: 0.01,
  /** Share of the texts that hold a Han character, by the share of the candidates that do: candidates are chosen for
   * holding the query's words. */
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
  readonly documentFrequency: (term: string) => number;
}

/** What makes up the lexical score of a text; the parts add to it. */
export interface LexicalScore {
  readonly score: number;
  readonly words: number;
  readonly bigrams: number;
  readonly characters: number;
  readonly pieces: number;
  readonly proximity: number;
  readonly phrases: number;
  /** What it gains from resembling the best matches. */
  readonly agreement: number;
}

/** The lexical scores of candidates, in their order: BM25F (k1, b as above, b 0 for all fields but the content;
 * Robertson and Zaragoza, 2009) over words, pairs of Han characters, Han characters and pieces of Latin words, each
 * weighed, plus a bonus for neighbours and, for the best, one for their agreement. Han text is counted as it stands, so
 * that cuts do not matter; Latin words by their normal form. Frequencies of pairs, characters, pieces and most phrases
 * are estimated from the candidates. The texts are read one by one, and only their beginnings are kept. `priorOf` tells
 * which of candidates with the same words leads, by their places among them. */
export function lexicalScores(
  query: Query,
  candidates: Iterable<CandidateText>,
  statistics: Statistics,
  priorOf: (at: number) => number = () => 1,
): LexicalScore[] {
  const counter = new Counter(query, rareWords(query, statistics).flatMap(pieces));
  const idfOf = (term: string): number =>
    inverseDocumentFrequency(statistics.count, statistics.documentFrequency(term));
  const neighbours = neighboursOf(query.sequence, counter.finders, idfOf);
  // A search counts in a hundred texts, and V8 interprets most of it: the loops over texts here and below are plain,
  // which takes half the time of iterators and closures.
  const frequencies: Float64Array[] = [];
  const scored: Mutable<LexicalScore>[] = [];
  const gains: number[] = [];
  const beginnings: string[] = [];
  for (const candidate of candidates) {
    const fields = prepare(candidate, query.variants, counter.finders);
    const content = fields.find(({ name }) => name === 'content');
    frequencies.push(counter.frequencies(fields, lengthNorm(candidate, statistics)));
    scored.push({
      words: 0,
      bigrams: 0,
      characters: 0,
      pieces: 0,
      phrases: 0,
      proximity:
        content === undefined ? 0 : SCORING.proximityWeight * proximity(neighbours, content.folded, content.places),
      agreement: 0,
      score: 0,
    });
    gains.push(gainOf(query, candidate, fields));
    beginnings.push(content?.folded.slice(0, AGREEMENT.chars) ?? '');
  }
  const holding = (index: number): number => {
    let count = 0;
    for (let at = 0; at < frequencies.length; at += 1) if ((frequencies[at]?.[index] ?? 0) > 0) count += 1;
    return count;
  };
  for (const { part, weight, index } of weighed(query, counter, statistics, { holding, texts: scored.length })) {
    for (let at = 0; at < frequencies.length; at += 1) {
      const frequency = frequencies[at]?.[index] ?? 0;
      const text = scored[at];
      if (frequency > 0 && text !== undefined)
        text[part] += ((gains[at] ?? 1) * weight * frequency * (SCORING.k1 + 1)) / (frequency + SCORING.k1);
    }
  }
  for (const text of scored)
    text.score = text.words + text.bigrams + text.characters + text.pieces + text.phrases + text.proximity;
  const matches = scored.map((text, at) => ({ at, text, score: text.score, beginning: beginnings[at] ?? '' }));
  const best = comparedMatches(
    matches.toSorted((a, b) => b.score - a.score || priorOf(b.at) - priorOf(a.at) || byText(a, b)),
  );
  const gained = agreement(best);
  best.forEach(({ text }, at) => {
    text.agreement = gained[at] ?? 0;
    text.score += text.agreement;
  });
  return scored;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A part of the score that is counted. */
type Part = 'words' | 'bigrams' | 'characters' | 'pieces' | 'phrases';

/** The candidates, as far as frequencies are estimated from them: how many there are, and how many hold what is counted
 * at an index. */
interface Sample {
  readonly texts: number;
  readonly holding: (index: number) => number;
}

/** Everything of a query that is counted, with its weight times its idf. */
function* weighed(
  query: Query,
  counter: Counter,
  statistics: Statistics,
  { holding, texts }: Sample,
): Generator<{ readonly part: Part; readonly weight: number; readonly index: number }> {
  const idf = (documentFrequency: number): number => inverseDocumentFrequency(statistics.count, documentFrequency);
  /** How many of all texts have it: known, but no less than the candidates that do. */
  const known = (term: string, index: number): number =>
    Math.max(1, holding(index), statistics.documentFrequency(term));
  /** The same by the share of the candidates that do. */
  const estimated = (index: number, share: number): number =>
    Math.max(1, holding(index), (holding(index) / texts) * statistics.count * share);

  for (const term of query.terms) {
    if (term.kind === 'han' && term.term.length < 2) continue; // counted among the characters
    const weight = termWeight(term, query) * Math.min(term.count, SCORING.mostRepeats);
    yield {
      part: 'words',
      weight: weight * idf(statistics.documentFrequency(term.term)),
      index: counter.indexOf(term),
    };
  }
  for (const [bigram, times] of counted(query.bigrams)) {
    const index = counter.indexOfPiece(bigram);
    yield { part: 'bigrams', weight: SCORING.bigramWeight * times * idf(known(bigram, index)), index };
  }
  for (const [character, times] of counted(query.characters)) {
    const index = counter.indexOfPiece(character);
    const documentFrequency = estimated(index, SCORING.characterShare);
    yield { part: 'characters', weight: SCORING.characterWeight * times * idf(documentFrequency), index };
  }
  for (const piece of counter.latinPieces) {
    const index = counter.indexOfPiece(piece);
    yield { part: 'pieces', weight: SCORING.pieceWeight * idf(estimated(index, SCORING.pieceShare)), index };
  }
  for (const { term, kind } of query.phrases) {
    const index = counter.indexOfPiece(term);
    yield { part: 'phrases', weight: SCORING.phraseWeights[kind] * idf(known(term, index)), index };
  }
}

/** Of equals the text itself decides, so that the order of the candidates does not matter. */
function byText(a: Agreeing, b: Agreeing): number {
  return a.beginning < b.beginning ? -1 : Number(a.beginning > b.beginning);
}

/** The terms and phrases of the query that stand in each field of a text, and the pairs that none of its terms has. */
export function matchedTerms(query: Query, text: Omit<CandidateText, 'length'>): Partial<Record<Field, string[]>> {
  const finders = findersOf(query);
  const matched: Partial<Record<Field, string[]>> = {};
  for (const { name, folded, places } of prepare(text, query.variants, finders)) {
    const words = new Set(finders.filter((_, at) => (places[at] ?? NOWHERE).length > 0).map(({ term }) => term));
    const terms = query.terms
      .filter(({ term, kind }) => (kind === 'word' ? words.has(term) : folded.includes(term)))
      .map(({ term }) => term);
    const pairs = [...new Set(query.bigrams)].filter(
      (pair) => folded.includes(pair) && !terms.some((term) => term.includes(pair)),
    );
    const phrases = query.phrases.filter(({ pattern }) => folded.search(pattern) >= 0).map(({ term }) => term);
    const all = [...new Set([...terms, ...pairs, ...phrases])];
    if (all.length > 0) matched[name] = all;
  }
  return matched;
}

/** One field of a text, prepared for counting. */
interface PreparedField {
  readonly name: Field;
  readonly weight: number;
  readonly folded: string;
  /** Offsets of the query's Latin words, in the order of their finders. */
  readonly places: readonly (readonly number[])[];
}

/** Those fields of a text that hold anything. */
function prepare(
  candidate: Omit<CandidateText, 'length'>,
  variants: Variants,
  finders: readonly WordFinder[],
): PreparedField[] {
  const fields: PreparedField[] = [];
  for (let index = 0; index < FIELDS.length; index += 1) {
    const name = FIELDS[index] ?? 'content';
    if (candidate[name] === '') continue;
    const text = foldText(candidate[name], variants);
    const places: (readonly number[])[] = [];
    for (let at = 0; at < finders.length; at += 1) places.push(finders[at]?.places(text) ?? NOWHERE);
    fields.push({ name, weight: FIELD_WEIGHTS[name], folded: text.lower, places });
  }
  return fields;
}

/** The factor of all that is counted in a text. */
function gainOf({ whole, variants }: Query, { key, content }: CandidateText, fields: readonly PreparedField[]): number {
  const isCalled = whole !== '' && foldedKey(fields) === whole;
  return (isCalled ? SCORING.wholeKeyGain : 1) * variants.gain([key, content]);
}

function foldedKey(fields: readonly PreparedField[]): string {
  const first = fields[0]; // where there is a key, it is the first
  return first?.name === 'key' ? first.folded : '';
}

function findersOf({ terms }: Query): WordFinder[] {
  return terms
    .filter(({ kind }) => kind === 'word')
    .map(({ term, forms, isBeginning }) => wordFinder(term, forms, isBeginning));
}

/** 1 − b + b · length / average, the quotient bounded. */
function lengthNorm({ length }: CandidateText, { averageLength }: Statistics): number {
  return 1 - SCORING.b + SCORING.b * Math.min(SCORING.longestOverAverage, length / Math.max(1, averageLength));
}

/** Counts in a text everything of a query that is counted: its Latin words, then stretches of letters. A stretch that
 * stands for several things (a word of two Han characters is a pair too) is counted once. */
class Counter {
  readonly finders: readonly WordFinder[];
  readonly latinPieces: readonly string[];
  /** Stretches of letters; single characters first. */
  readonly #pieces: readonly string[];
  readonly #phrases: readonly Phrase[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** By stretch, the index of its first character where that is counted too: without it there is no need to look; else
   * -1. */
  readonly #needed: readonly number[];

  constructor(query: Query, latinPieces: readonly string[]) {
    this.finders = findersOf(query);
    this.latinPieces = [...new Set(latinPieces)];
    const stretches = query.terms.filter(({ kind }) => kind !== 'word').map(({ term }) => term);
    this.#pieces = [...new Set([...query.characters, ...query.bigrams, ...stretches, ...this.latinPieces])];
    this.#phrases = query.phrases;
    const names = [...this.#pieces, ...query.phrases.map(({ term }) => term)];
    this.#indexes = new Map(names.map((piece, at) => [piece, this.finders.length + at]));
    this.#needed = this.#pieces.map((piece) => {
      const first = String.fromCodePoint(piece.codePointAt(0) ?? 0);
      return first === piece ? -1 : (this.#indexes.get(first) ?? -1);
    });
  }

  indexOf({ term, kind }: QueryTerm): number {
    return kind === 'word' ? this.finders.findIndex((finder) => finder.term === term) : this.indexOfPiece(term);
  }

  indexOfPiece(piece: string): number {
    return this.#indexes.get(piece) ?? -1;
  }

  /** How often each is there, field by field weighed; what stands in the content over its length, since that of the
   * short fields says nothing. */
  frequencies(fields: readonly PreparedField[], contentNorm: number): Float64Array {
    const found = new Float64Array(this.finders.length + this.#pieces.length + this.#phrases.length);
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at];
      if (field !== undefined)
        this.#count(found, field, field.name === 'content' ? field.weight / contentNorm : field.weight);
    }
    return found;
  }

  /** Adds what one field has, times a factor. */
  #count(found: Float64Array, { folded: text, places }: PreparedField, factor: number): void {
    const words = this.finders.length;
    for (let at = 0; at < words; at += 1) found[at] = (found[at] ?? 0) + factor * (places[at] ?? NOWHERE).length;
    for (let at = 0; at < this.#pieces.length; at += 1) {
      const needed = this.#needed[at] ?? -1;
      if (needed < 0 || found[needed] !== 0)
        found[words + at] = (found[words + at] ?? 0) + factor * occurrences(text, this.#pieces[at] ?? '');
    }
    const phrases = words + this.#pieces.length;
    for (let at = 0; at < this.#phrases.length; at += 1) {
      const phrase = this.#phrases[at];
      if (phrase?.words.every((word) => text.includes(word)) === true)
        found[phrases + at] = (found[phrases + at] ?? 0) + factor * (text.match(phrase.pattern)?.length ?? 0);
    }
  }
}

/** What a term counts for in its query, beside its idf. */
export function termWeight(term: QueryTerm, query: Query): number {
  if (term.kind !== 'word') return 1;
  if (term.isPart) return SCORING.partWeight;
  if (term.isNear) return SCORING.nearWeight;
  if (query.isMixed) return SCORING.latinInMixedWeight;
  return term.isName ? SCORING.nameWeight : 1;
}

/** Words of the query that few texts hold. */
function rareWords({ words, terms }: Query, { count, documentFrequency }: Statistics): string[] {
  const most = Math.max(SCORING.pieceTexts, SCORING.pieceTextShare * count);
  const common = new Set(terms.filter(({ term }) => documentFrequency(term) > most).flatMap(({ forms }) => forms));
  return words.filter((word) => !common.has(word));
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
