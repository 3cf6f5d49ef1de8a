import { agreement, AGREEMENT, comparedMatches, type Agreeing } from './agreement.ts';
import { Counter, prepare, type CandidateText, type PreparedField, type Replacement } from './counter.ts';
import { inverseDocumentFrequency } from './idf.ts';
import { neighboursOf, proximity } from './proximity.ts';
import { presenceOf } from './presence.ts';
import type { Query } from './query.ts';
import type { QueryTerm } from './query-term.ts';
import { hasHan } from './scripts.ts';

/** The constants of the lexical score. Chosen together on twelve public sets; docs/ranking.md has the table,
 * and docs/ranking-experiments.md the effect of each. */
const SCORING = {
  /** Saturation of term frequency in BM25. Range 0.8 to 2; higher lets repeats count more. */
  k1: 1.4,
  /** How much the length of a text is penalised, 0 (not at all) to 1 (fully). */
  b: 0.58,
  /** Weight of a pair of Han characters, relative to 1 for a word. Range 0.3 to 0.8. */
  bigramWeight: 0.6,
  /** Weight of a Han character. Range 0.2 to 0.8. */
  characterWeight: 0.6,
  /** Weight of a four-letter piece of a Latin word. Range 0 to 0.3. */
  pieceWeight: 0.08,
  /** Weight of a Latin word in a query that also has Chinese: it is the subject of the query, and a Han word also counts
   * by its pairs and characters. Range 1 to 3; 1.8 to 2.5 measured alike. */
  latinInMixedWeight: 2.2,
  /** Weight of a word of the index that is near an unknown word of the query. Range 0.2 to 1. */
  nearWeight: 0.4,
  /** Weight of words that stand in for one of the query where it is missing. Range 0.2 to 1; 0.7 measured 0.05
   * above 0.5 and 0.02 below 1, at which a text with the word itself may rank no higher. */
  synonymWeight: 0.8,
  /** The same for translations of words without listed synonyms, which are less sure to be meant. Range 0.3 to 0.8; at
   * 0.8 xquad-mix loses 0.25, since paragraphs in the other language rank before those in that of the question. */
  translationWeight: 0.6,
  /** Factor for what stands in for Han text in a text that has no Han character of the query, and so none of its pairs
   * and characters either: of notes in two languages, those in the other would rank behind all that share a word with
   * the query. Range 1 to 2.4; above 2, notes with a part of the words in the language of the query rank too low. */
  foreignGain: 2,
  /** Weight of a part of an identifier that items have whole, or of a word in a list of words. Range 0.2 to 1. */
  partWeight: 0.3,
  /** Weight of a name in an English question. Range 1 to 2. */
  nameWeight: 1.7,
  /** Weight of words that are as near in the text as in the query (proximity.ts). Range 0 to 1. */
  proximityWeight: 0.6,
  /** Factor for everything counted in a text whose key is the whole query: it was requested by name. Range 1 to 2; at
   * 1.5 it ranks before a text that repeats the name. */
  wholeKeyGain: 1.5,
  /** Weight of a phrase, by kind. Ranges 0 to 1.5; more for one that replaces a word which is in no item: it contains
   * the number too. */
  phraseWeights: { words: 0.4, name: 0.45, exact: 1, word: 1.5 },
  /** Factor for a name that a text has only as the beginning or end of longer ones (`user_orders_archive`, 1.4.2). Range
   * 0.3 to 1; at 0.7 some longer names still rank first. */
  withinName: 0.5,
  /** Length of a content, in averages, above which it is penalised no further: a log that contains the answer is still
   * found. Range 4 to 14: at 6, long notes rank first for words that they only repeat; at 14, behind the names in them. */
  longestOverAverage: 10,
  /** Letters of a piece. */
  pieceLetters: 4,
  /** Words that are in more texts than both this number and this share are not searched by their pieces: they are no
   * misspellings, and enough is found without their compounds. Ranges 3 to 100, and 0.003 to 1; all shares from 0.01 to
   * 1 measured alike, and fewer pieces are faster. */
  pieceTexts: 10,
  pieceTextShare: 0.01,
  /** Share of all texts that hold a Han character, relative to the share of the candidates that do: candidates are
   * chosen because they hold the query's words. */
  characterShare: 0.5,
  /** The same for pieces of Latin words. */
  pieceShare: 0.3,
} as const;

/** Exported for the weight of a whole query (coverage.ts). */
export const LATIN_IN_MIXED_WEIGHT = SCORING.latinInMixedWeight;

/** Statistics of all texts. */
export interface Statistics {
  /** Number of texts. */
  readonly count: number;
  /** Average number of terms of a content. */
  readonly averageLength: number;
  /** Number of texts that hold a term, at least 1. */
  readonly documentFrequency: (term: string) => number;
}

/** The lexical score of a text, and the parts that add up to it. */
export interface LexicalScore {
  readonly score: number;
  readonly words: number;
  readonly bigrams: number;
  readonly characters: number;
  readonly pieces: number;
  readonly proximity: number;
  readonly phrases: number;
  /** The boost for resembling the best matches. */
  readonly agreement: number;
}

/** Returns the lexical scores of candidates, in their order: BM25F (k1, b as above, b 0 for all fields but the content;
 * Robertson and Zaragoza, 2009) over words, pairs of Han characters, Han characters, pieces of Latin words and phrases,
 * each weighted, plus a boost for neighbours and, for the best, one for their agreement. Han text is counted verbatim,
 * so that segmentation does not matter; Latin words by their normal form. Frequencies of pairs, characters, pieces and
 * most phrases are estimated from the candidates. The texts are read one by one, and only their starts are kept.
 * `priorOf` returns the prior of the candidate at an index; among equal scores the higher prior ranks first when the
 * best are compared. */
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
  // The loops over texts, here and below, are plain: a search counts in a hundred texts, mostly in V8's interpreter,
  // where they take half the time of iterators and closures.
  const frequencies: Float64Array[] = [];
  const scored: Mutable<LexicalScore>[] = [];
  const factors: number[] = [];
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
        content === undefined ? 0 : SCORING.proximityWeight * proximity(neighbours, content.text.lower, content.places),
      agreement: 0,
      score: 0,
    });
    factors.push(factorOf(query, candidate, fields));
    beginnings.push(content?.text.lower.slice(0, AGREEMENT.chars) ?? '');
  }
  const sample = { holding: holdingOf(frequencies), texts: scored.length };
  const all = [...weighted(query, counter, statistics, sample)];
  for (const counted of all) addScores(scored, counted, frequencies, factors);
  const forHan = all.filter(({ isForHan }) => isForHan);
  const gains = factors.map((factor, at) => (scored[at]?.characters === 0 ? (SCORING.foreignGain - 1) * factor : 0));
  for (const counted of forHan) addScores(scored, counted, frequencies, gains);
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

/** Adds to the parts of texts what one thing that is counted contributes. */
function addScores(
  scored: readonly Mutable<LexicalScore>[],
  { part, weight, presence = 0, index, whole = -1 }: Weighted,
  frequencies: readonly Float64Array[],
  factors: readonly number[],
): void {
  for (let at = 0; at < frequencies.length; at += 1) {
    const frequency = frequencies[at]?.[index] ?? 0;
    const text = scored[at];
    if (frequency === 0 || text === undefined) continue;
    const factor = (factors[at] ?? 1) * (frequencies[at]?.[whole] === 0 ? SCORING.withinName : 1);
    text[part] += factor * ((weight * frequency * (SCORING.k1 + 1)) / (frequency + SCORING.k1) + presence);
  }
}

/** Returns a function for the number of texts that have what is counted at an index. */
function holdingOf(frequencies: readonly Float64Array[]): (index: number) => number {
  const held = new Uint32Array(frequencies[0]?.length ?? 0);
  for (let at = 0; at < frequencies.length; at += 1) {
    const found = frequencies[at];
    for (let index = 0; index < held.length; index += 1)
      if ((found?.[index] ?? 0) > 0) held[index] = (held[index] ?? 0) + 1;
  }
  return (index) => held[index] ?? 0;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A part of the score that is computed from counts. */
type Part = 'words' | 'bigrams' | 'characters' | 'pieces' | 'phrases';

/** The candidates as a sample from which frequencies are estimated: how many there are, and how many hold what is
 * counted at an index. */
interface Sample {
  readonly texts: number;
  readonly holding: (index: number) => number;
}

/** Something of a query that is counted. */
interface Weighted {
  readonly part: Part;
  /** Its weight times its idf, by which its saturated frequency is multiplied. */
  readonly weight: number;
  /** What it adds to each text that has it, apart from its frequency; 0 if undefined. */
  readonly presence?: number | undefined;
  /** Its index among the counts. */
  readonly index: number;
  /** The index of what says that a text has a name as a whole; undefined for what is no name. */
  readonly whole?: number;
  /** True for what stands in for Han text. */
  readonly isForHan?: boolean;
}

/** Yields everything of a query that is counted, once however often the query repeats it: a pasted log repeats its INFO,
 * and has its error once. */
function* weighted(
  query: Query,
  counter: Counter,
  statistics: Statistics,
  { holding, texts }: Sample,
): Generator<Weighted> {
  const idf = (documentFrequency: number): number => inverseDocumentFrequency(statistics.count, documentFrequency);
  /** How many of all texts have it: the known frequency, but at least the number of candidates that have it. */
  const known = (term: string, index: number): number => Math.max(holding(index), statistics.documentFrequency(term));
  /** The same, estimated from the share of the candidates that have it. */
  const estimated = (index: number, share: number): number =>
    Math.max(1, holding(index), (holding(index) / texts) * statistics.count * share);

  const presence = presenceOf(query, ({ term, kind }) => {
    const index = kind === 'word' ? counter.indexOfWord(term) : counter.indexOfPiece(term);
    if (holding(index) > 0) return idf(known(term, index));
    const instead = heldInstead(term, counter, holding);
    return instead === undefined
      ? 0
      : idf(Math.max(known(expansionName(instead.of), instead.index), statistics.documentFrequency(term)));
  });
  const presenceOfTerm = ({ term, isName }: Pick<QueryTerm, 'term' | 'isName'>): number =>
    (presence.get(term) ?? 0) * (isName ? SCORING.nameWeight : 1);
  for (const keyword of query.keywords)
    yield { part: 'words', weight: 0, presence: presence.get(keyword), index: counter.indexOfPiece(keyword) };
  for (const term of query.terms) {
    if (term.kind === 'han' && term.term.length < 2) continue; // counted among the characters
    const weight = termWeight(term, query);
    yield {
      part: 'words',
      weight: weight * idf(statistics.documentFrequency(term.term)),
      presence: term.kind === 'han' ? 0 : presenceOfTerm(term),
      index: counter.indexOf(term),
    };
  }
  for (const replacement of counter.replacements)
    yield {
      part: 'words',
      weight: expansionWeight(replacement, query, statistics),
      presence: certaintyOf(replacement) * Math.max(0, ...namesOf(replacement, query).map(presenceOfTerm)),
      index: replacement.index,
      isForHan: hasHan(replacement.of),
    };
  for (const bigram of new Set(query.bigrams)) {
    const index = counter.indexOfPiece(bigram);
    yield { part: 'bigrams', weight: SCORING.bigramWeight * idf(known(bigram, index)), index };
  }
  for (const character of new Set(query.characters)) {
    const index = counter.indexOfPiece(character);
    const documentFrequency = estimated(index, SCORING.characterShare);
    yield { part: 'characters', weight: SCORING.characterWeight * idf(documentFrequency), index };
  }
  for (const piece of counter.latinPieces) {
    const index = counter.indexOfPiece(piece);
    yield { part: 'pieces', weight: SCORING.pieceWeight * idf(estimated(index, SCORING.pieceShare)), index };
  }
  for (const { term, kind } of query.phrases) {
    const index = counter.indexOfPiece(term);
    const weight = SCORING.phraseWeights[kind] * idf(known(term, index));
    yield { part: 'phrases', weight, presence: presence.get(term), index, whole: counter.indexOfWhole(index) };
  }
}

/** The term that is replaced, and the compound that may have its presence (java script, of javascript). */
function namesOf({ term }: Replacement, { phrases }: Query): readonly Pick<QueryTerm, 'term' | 'isName'>[] {
  if (term === undefined) return [];
  return [
    term,
    ...phrases.flatMap((phrase) => (phrase.compound === term.term ? [{ ...term, term: phrase.term }] : [])),
  ];
}

/** What some candidate has in place of a term. */
function heldInstead(term: string, { replacements }: Counter, holding: Sample['holding']): Replacement | undefined {
  return replacements.find((one) => one.term?.term === term && holding(one.index) > 0);
}

/** The weight of what stands in for a term, with the idf of the commoner of both. Several Han words that mean something
 * together are no term, and count as one word. */
function expansionWeight(replacement: Replacement, query: Query, { count, documentFrequency }: Statistics): number {
  const { of, term } = replacement;
  const frequency = Math.max(documentFrequency(term?.term ?? of), documentFrequency(expansionName(of)));
  const weight = term === undefined ? 1 : termWeight(term, query);
  return certaintyOf(replacement) * weight * inverseDocumentFrequency(count, frequency);
}

/** How much what stands in for a word counts, relative to the word itself. */
function certaintyOf({ isTranslated }: Replacement): number {
  return isTranslated ? SCORING.translationWeight : SCORING.synonymWeight;
}

/** Orders equal matches by their text, so that the order of the candidates does not matter. */
function byText(a: Agreeing, b: Agreeing): number {
  return a.beginning < b.beginning ? -1 : Number(a.beginning > b.beginning);
}

/** The factor for everything that is counted in a text. */
function factorOf(
  { whole, variants }: Query,
  { key, content }: CandidateText,
  fields: readonly PreparedField[],
): number {
  const isCalled = whole !== '' && foldedKey(fields) === whole;
  return (isCalled ? SCORING.wholeKeyGain : 1) * variants.factor([key, content]);
}

function foldedKey(fields: readonly PreparedField[]): string {
  const first = fields[0]; // the key comes first, if there is one
  return first?.name === 'key' ? first.text.lower : '';
}

/** 1 − b + b · length / average, with the quotient bounded. */
function lengthNorm({ length }: CandidateText, { averageLength }: Statistics): number {
  return 1 - SCORING.b + SCORING.b * Math.min(SCORING.longestOverAverage, length / Math.max(1, averageLength));
}

/** Returns the weight of a term in its query, apart from its idf. */
export function termWeight(term: QueryTerm, query: Query): number {
  if (term.isPart) return SCORING.partWeight;
  if (term.kind !== 'word') return 1;
  if (term.nearTo !== null) return SCORING.nearWeight;
  if (query.hasHan) return SCORING.latinInMixedWeight;
  return term.isName ? SCORING.nameWeight : 1;
}

/** The name under which the frequency of the words that stand in for a word is known. */
export function expansionName(of: string): string {
  return `≈${of}`;
}

/** Words of the query that are in few texts. */
function rareWords({ words, terms }: Query, { count, documentFrequency }: Statistics): string[] {
  const most = Math.max(SCORING.pieceTexts, SCORING.pieceTextShare * count);
  const common = new Set(terms.filter(({ term }) => documentFrequency(term) > most).flatMap(({ forms }) => forms));
  return words.filter((word) => !common.has(word));
}

function pieces(word: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + SCORING.pieceLetters <= word.length; at += 1)
    found.push(word.slice(at, at + SCORING.pieceLetters));
  return found;
}
