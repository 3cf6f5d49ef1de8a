import { baseForm, irregularForms, otherStems } from './irregular-forms.ts';
import { normalForm, wordOfStem, wordStem } from './words.ts';

/** A term of a query, as it is looked up in the index. */
export interface QueryTerm {
  /** Identifies the term: the normal form of a word, or the term itself. */
  readonly term: string;
  readonly kind: 'han' | 'word' | 'other';
  /** The forms in which the index may hold it; any of them matches. */
  readonly forms: readonly string[];
  /** True for a capitalised word of an English query, other than its first word: probably a name. */
  readonly isName: boolean;
  /** True for a word that is in no item and matches the words that begin with it. */
  readonly isPrefix: boolean;
  /** True for a part of an identifier that items have whole, unless the query also has it as a separate word, for a number
   * of a date or an address, and for a word inside one of the keywords (数据 of 数据库). */
  readonly isPart: boolean;
  /** For a word of the index that stands in for an unknown, possibly mistyped one: that word as the query has it. */
  readonly nearTo: string | null;
}

/** Returns a term of a query with all flags false, near to none. */
export function queryTerm(term: string, kind: QueryTerm['kind'], forms: readonly string[]): QueryTerm {
  return { term, kind, forms, isName: false, isPrefix: false, isPart: false, nearTo: null };
}

/** A word with related words that a stemmer does not conflate: the irregular forms of its base, and a word for each
 * other stem of its root. */
export function formsOf(word: string): string[] {
  const base = baseForm(word);
  const stem = wordStem(word);
  // chooses and pays, of choose and pay, have the stems choos and pai
  const bases = [base, ...[stem, `${stem}e`, stem.replace(/i$/, 'y')].filter((one) => wordStem(one) === stem)];
  const usual = normalForm(word);
  const others = otherStems(usual);
  const related = others.length === 0 ? [] : [usual, ...others].map(wordOfStem);
  return [...new Set([word, base, ...bases.flatMap(irregularForms), ...related])];
}
