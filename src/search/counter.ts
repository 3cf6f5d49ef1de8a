import {
  foldVariants,
  lowered,
  NOWHERE,
  occurrences,
  rowFinder,
  wordFinder,
  type FoldedText,
  type WordFinder,
} from './places.ts';
import { wordsOf, type Phrase } from './phrase.ts';
import type { Query } from './query.ts';
import type { QueryTerm } from './query-term.ts';
import { isInside, replacedTerms } from './query-expansion.ts';
import { normalise } from './tokenizer.ts';
import type { Variants } from './variants.ts';

/** Weight of a term by the field in which it occurs. */
const FIELD_WEIGHTS = { key: 3, tags: 2, source: 0.5, content: 1 } as const;
export type Field = keyof typeof FIELD_WEIGHTS;
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

/** One field of a text, prepared for counting. */
export interface PreparedField {
  readonly name: Field;
  readonly weight: number;
  readonly text: FoldedText;
  /** Offsets of the query's Latin words, in the order of their finders. */
  readonly places: readonly (readonly number[])[];
}

/** A field of a text, folded without a query. */
interface FoldedField {
  readonly name: Field;
  readonly text: FoldedText;
}

/** The fields of texts: a process that answers many searches scores the same texts again and again. */
const foldedFields = new WeakMap<object, readonly FoldedField[]>();

/** The fields of a text that are not empty. */
function fieldsOf(texts: Omit<CandidateText, 'length'>): readonly FoldedField[] {
  const known = foldedFields.get(texts);
  if (known !== undefined) return known;
  const fields: FoldedField[] = [];
  for (let at = 0; at < FIELDS.length; at += 1) {
    const name = FIELDS[at] ?? 'content';
    if (texts[name] !== '') fields.push({ name, text: lowered(normalise(texts[name])) });
  }
  foldedFields.set(texts, fields);
  return fields;
}

/** The same, with the offsets of the query's words. */
export function prepare(
  candidate: Omit<CandidateText, 'length'>,
  variants: Variants,
  finders: readonly WordFinder[],
): PreparedField[] {
  return fieldsOf(candidate).map(({ name, text: unfolded }) => {
    const text = foldVariants(unfolded, variants);
    const places: (readonly number[])[] = [];
    for (let at = 0; at < finders.length; at += 1) places.push(countedPlaces(finders[at], text));
    return { name, weight: FIELD_WEIGHTS[name], text, places };
  });
}

/** A number that may be a fraction of a second in a time. */
const FRACTION = /^\d{3}(?:\d{3}){0,2}$/;
const SECONDS = /\d:\d\d:\d\d[.,]$/;
/** Characters that `SECONDS` matches. */
const SECONDS_CHARS = 8;

/** The places of a word, without those where a number is only a fraction of a second: a query for 413 does not mean
 * 14:22:00.413, which logs have in every line. */
function countedPlaces(finder: WordFinder | undefined, text: FoldedText): readonly number[] {
  const places = finder?.places(text) ?? NOWHERE;
  if (places.length === 0 || finder === undefined || !FRACTION.test(finder.term)) return places;
  return places.filter((at) => !SECONDS.test(text.lower.slice(Math.max(0, at - SECONDS_CHARS), at)));
}

export function findersOf({ terms }: Query): WordFinder[] {
  return terms
    .filter(({ kind }) => kind === 'word')
    .map(({ term, forms, isPrefix }) => wordFinder(term, forms, isPrefix));
}

/** By what the occurrences in a field are multiplied. */
function factorOf({ name, weight }: PreparedField, contentNorm: number): number {
  return name === 'content' ? weight / contentNorm : weight;
}

/** Counts one word in texts. */
export interface WordCounter {
  readonly term: string;
  readonly count: (text: FoldedText) => number;
}

/** Returns a counter for each word. */
export function wordCounters(words: readonly QueryTerm[]): WordCounter[] {
  return words.map(({ kind, term, forms }) => {
    if (kind === 'han') return { term, count: ({ lower }) => occurrences(lower, term) };
    if (kind === 'other') {
      const rows = rowFinder(term);
      return { term, count: (text) => rows(text).length };
    }
    const finder = wordFinder(term, forms);
    return { term, count: (text) => finder.places(text).length };
  });
}

/** Returns how often words occur in all fields, weighted. */
function countOf(counters: readonly WordCounter[], fields: readonly PreparedField[], contentNorm: number): number {
  let sum = 0;
  for (const field of fields) {
    let count = 0;
    for (const counter of counters) count += counter.count(field.text);
    sum += factorOf(field, contentNorm) * count;
  }
  return sum;
}

/** What stands in for a term of a query. */
export interface Replacement {
  /** Identifies the words that do (`Expansion.of`). */
  readonly of: string;
  /** Undefined for several Han words that mean something together, and are no term. */
  readonly term: QueryTerm | undefined;
  /** Its index among the counts. */
  readonly index: number;
  /** The index of what it stands in for; -1 if that is not counted. */
  readonly replaced: number;
  /** True for translations (`Expansion.isTranslated`). */
  readonly isTranslated: boolean;
}

/** The words that stand in for a word of a query, or for several words together. */
interface CountedExpansion {
  /** Where they are counted for each of these. */
  readonly slots: readonly Replacement[];
  readonly said: readonly WordCounter[];
  readonly words: readonly WordCounter[];
  /** Where stand-ins for what is only a part of it are counted (for code and review, of code review). */
  readonly inner: readonly number[];
}

/** Counts in a text everything of a query that is counted: its Latin words, then stretches of characters, then phrases.
 * A stretch with several roles (a word of two Han characters is a pair too) is counted once. Then come the words that
 * stand in for a word of the query, counted together, and only where that word does not occur, and last, by phrase,
 * whether the text has it other than in longer names. */
export class Counter {
  readonly finders: readonly WordFinder[];
  readonly latinPieces: readonly string[];
  /** Stretches of characters; single characters first. */
  readonly #pieces: readonly string[];
  readonly #phrases: readonly Phrase[];
  readonly #expansions: readonly CountedExpansion[];
  /** The compounds, and the words of each. */
  readonly #compounds: readonly { readonly index: number; readonly words: readonly number[] }[];
  /** What stands in for a term, in the order of the counts. */
  readonly replacements: readonly Replacement[];
  readonly #indexes: ReadonlyMap<string, number>;
  /** By stretch, the index of its first character where that is counted too, else -1: a stretch is searched for only
   * where its first character occurs. */
  readonly #needed: readonly number[];

  constructor(query: Query, latinPieces: readonly string[]) {
    this.finders = findersOf(query);
    this.latinPieces = [...new Set(latinPieces)];
    const stretches = query.terms.filter(({ kind }) => kind !== 'word').map(({ term }) => term);
    this.#pieces = [
      ...new Set([...query.characters, ...query.bigrams, ...stretches, ...query.keywords, ...this.latinPieces]),
    ];
    this.#phrases = query.phrases;
    const names = [...this.#pieces, ...query.phrases.map(({ term }) => term)];
    this.#indexes = new Map(names.map((piece, at) => [piece, this.finders.length + at]));
    let last = this.finders.length + this.#pieces.length + this.#phrases.length - 1;
    const slots = query.expansions.map(({ of, said, isTranslated }) => {
      const terms = replacedTerms({ of, said }, query);
      return (terms.length === 0 ? [undefined] : terms).map((term): Replacement => {
        last += 1;
        const replaced = term === undefined ? this.indexOfTerm(of) : this.indexOf(term);
        return { of, term, index: last, replaced, isTranslated };
      });
    });
    this.replacements = slots.flat();
    this.#expansions = query.expansions.map((one, at) => ({
      slots: slots[at] ?? [],
      said: wordCounters(one.said),
      words: wordCounters(one.words),
      inner: query.expansions.flatMap((other, place) =>
        isInside(other, one) ? (slots[place] ?? []).map(({ index }) => index) : [],
      ),
    }));
    this.#compounds = query.phrases
      .filter(({ compound }) => compound !== undefined)
      .map((phrase) => ({
        index: this.indexOfPiece(phrase.term),
        words: wordsOf(phrase)
          .map((word) => this.indexOfWord(word))
          .filter((index) => index >= 0),
      }));
    this.#needed = this.#pieces.map((piece) => {
      const first = String.fromCodePoint(piece.codePointAt(0) ?? 0);
      return first === piece ? -1 : (this.#indexes.get(first) ?? -1);
    });
  }

  indexOf({ term, kind }: QueryTerm): number {
    return kind === 'word' ? this.indexOfWord(term) : this.indexOfPiece(term);
  }

  /** The index of a term whose kind is not known. A word of four letters is a piece of itself, and as such also occurs
   * within others (cert, certificate). */
  indexOfTerm(term: string): number {
    const index = this.indexOfWord(term);
    return index < 0 ? this.indexOfPiece(term) : index;
  }

  /** Where it is said that a text has a phrase as a whole, by the index of the phrase. */
  indexOfWhole(phrase: number): number {
    return phrase + this.#phrases.length + this.replacements.length;
  }

  indexOfWord(word: string): number {
    return this.finders.findIndex(({ term }) => term === word);
  }

  indexOfPiece(piece: string): number {
    return this.#indexes.get(piece) ?? -1;
  }

  /** Returns how often each occurs, weighted by field. Occurrences in the content are divided by its length norm; the
   * length of the short fields means nothing. */
  frequencies(fields: readonly PreparedField[], contentNorm: number): Float64Array {
    const found = new Float64Array(
      this.finders.length + this.#pieces.length + 2 * this.#phrases.length + this.replacements.length,
    );
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at];
      if (field !== undefined) this.#count(found, field, factorOf(field, contentNorm));
    }
    // jdk8 has jdk and 8
    for (const { index, words } of this.#compounds) {
      const count = found[index] ?? 0;
      if (count > 0) for (const word of words) if (found[word] === 0) found[word] = count;
    }
    for (const { slots, said, words } of this.#expansions) {
      const lacking = slots.filter(({ replaced }) => (found[replaced] ?? 0) === 0);
      if (lacking.length === 0 || countOf(said, fields, contentNorm) > 0) continue;
      const count = countOf(words, fields, contentNorm);
      for (const { index } of lacking) found[index] = count;
    }
    // what stands in for several words together is not counted for one of them again
    for (const { slots, inner } of this.#expansions)
      if (inner.length > 0 && slots.some(({ index }) => (found[index] ?? 0) > 0))
        for (const index of inner) found[index] = 0;
    return found;
  }

  /** Adds the occurrences in one field, times a factor. */
  #count(found: Float64Array, { text, places }: PreparedField, factor: number): void {
    const words = this.finders.length;
    for (let at = 0; at < words; at += 1) found[at] = (found[at] ?? 0) + factor * (places[at] ?? NOWHERE).length;
    for (let at = 0; at < this.#pieces.length; at += 1) {
      const needed = this.#needed[at] ?? -1;
      if (needed < 0 || found[needed] !== 0)
        found[words + at] = (found[words + at] ?? 0) + factor * occurrences(text.lower, this.#pieces[at] ?? '');
    }
    this.#countPhrases(found, text, factor);
  }

  #countPhrases(found: Float64Array, text: FoldedText, factor: number): void {
    const start = this.finders.length + this.#pieces.length;
    for (let at = 0; at < this.#phrases.length; at += 1) {
      const phrase = this.#phrases[at];
      const count = phrase?.count(text) ?? 0;
      if (phrase === undefined || count === 0) continue;
      const index = start + at;
      found[index] = (found[index] ?? 0) + factor * count;
      if (phrase.isWhole(text)) found[this.indexOfWhole(index)] = 1;
    }
  }
}
