import type { Tokenizer } from './tokenizer.ts';
import { phrasesOf, type Phrase } from './phrases.ts';
import { baseForm, irregularForms, otherStems } from './irregular-forms.ts';
import { CHINESE_STOP_PHRASES, ENGLISH_STOP_WORDS } from './stop-words.ts';
import { hasHan, runs } from './scripts.ts';
import { neighbours } from './tokenizer.ts';
import type { Variants } from './variants.ts';
import { normalForm, symbolNames, timeParts, wordOfStem, wordParts, wordStem } from './words.ts';

/** Most distinct terms of a query that are looked up. Range 1 to about 1,000 (FTS5 bounds the size of an expression);
 * 200 is a stack trace of 30 lines. */
export const MAX_QUERY_TERMS = 200;
/** How many of them are taken from the beginning of a longer query: what is asked may stand there, and an error stands
 * at the end of a log. */
const FIRST_TERMS = 60;

/** A term of a query as the index is asked for it. */
export interface QueryTerm {
  /** How it is told from others: the normal form of a word, or the term itself. */
  readonly term: string;
  readonly kind: 'han' | 'word' | 'other';
  /** What the index may hold for it; any of them is a match. */
  readonly forms: readonly string[];
  /** How often the query says it. */
  readonly count: number;
  /** A capitalised word of an English question, not the first: probably a name. */
  readonly isName: boolean;
  /** True for a word that no item has: whatever begins like it is taken. */
  readonly isBeginning: boolean;
  /** True for a part of an identifier that items have whole, and that the query does not name by itself. */
  readonly isPart: boolean;
  /** True for a word that items have in the place of an unknown one, which may be mistyped. */
  readonly isNear: boolean;
}

/** A query, taken apart. */
export interface Query {
  /** All of it, folded. */
  readonly whole: string;
  readonly terms: readonly QueryTerm[];
  /** For each word of the query, what has to be there where all words have to be: all terms of one of these sets. An
   * identifier is there whole, or with all its parts. */
  readonly wanted: readonly (readonly (readonly string[])[])[];
  /** The stretches of Han text between question phrases. */
  readonly spans: readonly string[];
  /** Pairs of single characters side by side of which one is a question word and a part of verbs: what may be a word
   * that the dictionary does not know (比对, of which 对 was left out). */
  readonly severed: readonly string[];
  /** Pairs of neighbouring Han characters within them. */
  readonly bigrams: readonly string[];
  /** The Han characters of those spans. */
  readonly characters: readonly string[];
  /** Latin words as they are written, in lower case: their four-letter pieces find compounds and misspellings. */
  readonly words: readonly string[];
  /** Normal forms of the Latin words in their order, for proximity. */
  readonly sequence: readonly string[];
  /** The forms in which texts may have its Han characters; all else here has the Simplified ones. */
  readonly variants: Variants;
  /** What it says as one. */
  readonly phrases: readonly Phrase[];
  /** True when the query has Han text too. */
  readonly isMixed: boolean;
  /** True where it has more terms than are looked up. */
  readonly isCut: boolean;
}

const STOP_PHRASES = new Set(CHINESE_STOP_PHRASES);
/** Question words that are also a part of verbs (比对, 到账, 过账, 把控, 被拒). Beside others (在, 的, 是) a single
 * character is a word of its own. */
const PARTS_OF_VERBS = new Set(['对', '到', '过', '把', '被']);

/** The phrases at which Han text is cut, made for the first query that has any. */
let stopPhrase: RegExp | undefined;
function stopPhrases(): RegExp {
  return (stopPhrase ??= new RegExp(CHINESE_STOP_PHRASES.toSorted((a, b) => b.length - a.length).join('|')));
}

/** Takes a query apart. Stop words and question phrases are left out, unless nothing else is left. */
export function analyseQuery(tokenizer: Tokenizer, text: string): Query {
  const query = analyse(tokenizer, text, true);
  return query.terms.length > 0 ? query : analyse(tokenizer, text, false);
}

/** A term that the query says once, and of which nothing more is known. */
export function queryTerm(term: string, kind: QueryTerm['kind'], forms: readonly string[]): QueryTerm {
  return { term, kind, forms, count: 1, isName: false, isBeginning: false, isPart: false, isNear: false };
}

function analyse(tokenizer: Tokenizer, text: string, leaveOut: boolean): Query {
  const normal = tokenizer.normal(text);
  const isMixed = hasHan(normal);
  const terms = new Map<string, QueryTerm>();
  const spans: string[] = [];
  const words: string[] = [];
  const sequence: string[] = [];
  const wanted: string[][][] = [];
  const add = (term: string, kind: QueryTerm['kind'], forms: readonly string[], isName = false): void => {
    const known = terms.get(term);
    const count = (known?.count ?? 0) + 1;
    terms.set(term, { ...queryTerm(term, kind, forms), count, isName: isName || known?.isName === true });
  };
  const want = (...sets: string[][]): void => {
    wanted.push(sets.filter((set) => set.length > 0));
  };
  const addOne = (term: string, kind: QueryTerm['kind'], form: string): void => {
    add(term, kind, [form]);
    want([term]);
  };
  const severed = new Set<string>();
  const addHan = (run: string): void => {
    const cut = tokenizer.terms(run);
    for (const word of cut) if (!leaveOut || !STOP_PHRASES.has(word)) addOne(word, 'han', word);
    if (leaveOut) for (const pair of severedPairs(cut)) severed.add(pair);
    spans.push(...(leaveOut ? run.split(stopPhrases()) : [run]).filter((span) => span !== ''));
  };
  const addWord = (word: string, isName: boolean, isVersion: boolean): void => {
    const lower = word.toLowerCase();
    if (leaveOut && ENGLISH_STOP_WORDS.has(lower) && !isAcronym(word, normal)) return;
    const { terms: written, ways } = termsOfWord(word, leaveOut);
    for (const one of written) add(normalForm(one), 'word', isVersion ? versionForms(one) : formsOf(one), isName);
    want(...ways.map((way) => way.map(normalForm)));
    sequence.push(...wordParts(word).map(normalForm));
    words.push(lower);
  };
  for (const { script, text: run, start } of runs(normal)) {
    if (script === 'han') addHan(run);
    else if (script === 'word') {
      const isVersion = /^[vV]?\d+$/.test(run) && /^\.\d/.test(normal.slice(start + run.length));
      addWord(run, !isMixed && start > 0 && isCapitalised(run), isVersion);
    } else for (const term of tokenizer.terms(run)) addOne(term, 'other', term);
  }
  for (const { written, term } of symbolNames(normal)) addOne(written, 'other', term);
  const { kept, isCut } = bounded([...terms.values()]);
  const names = new Set(kept.map(({ term }) => term));
  return {
    whole: normal.toLowerCase().trim(),
    terms: kept,
    wanted: withTerms(wanted, names),
    ...piecesOf(spans),
    severed: [...severed],
    words: [...new Set(words)].filter((word) => names.has(normalForm(word))),
    sequence,
    variants: tokenizer.variants(text),
    phrases: phrasesOf(tokenizer, normal),
    isMixed,
    isCut,
  };
}

/** The stretches of Han text of a query, with what is counted of them. */
function piecesOf(spans: readonly string[]): Pick<Query, 'spans' | 'bigrams' | 'characters'> {
  return {
    spans,
    bigrams: spans.filter((span) => span.length > 1).flatMap(neighbours),
    characters: spans.flatMap((span) => Array.from(span)),
  };
}

function severedPairs(cut: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let at = 1; at < cut.length; at += 1) {
    const [first = '', second = ''] = [cut[at - 1], cut[at]];
    if (first.length !== 1 || second.length !== 1 || STOP_PHRASES.has(first) === STOP_PHRASES.has(second)) continue;
    if (PARTS_OF_VERBS.has(first) || PARTS_OF_VERBS.has(second)) pairs.push(first + second);
  }
  return pairs;
}

/** What has to be there of a query, as far as its terms are looked up. */
function withTerms(wanted: Query['wanted'], names: ReadonlySet<string>): Query['wanted'] {
  return wanted
    .map((sets) => sets.filter((set) => set.every((term) => names.has(term))))
    .filter((sets) => sets.length > 0);
}

/** The terms of a query that are looked up: of very many those at its beginning and its end. */
function bounded(terms: readonly QueryTerm[]): { readonly kept: readonly QueryTerm[]; readonly isCut: boolean } {
  if (terms.length <= MAX_QUERY_TERMS) return { kept: terms, isCut: false };
  return { kept: [...terms.slice(0, FIRST_TERMS), ...terms.slice(FIRST_TERMS - MAX_QUERY_TERMS)], isCut: true };
}

/** The terms of a Latin word, and the sets of them of which one says that it is there: the word itself, or all parts of
 * an identifier that say anything. */
function termsOfWord(word: string, leaveOut: boolean): { terms: string[]; ways: string[][] } {
  const parts = wordParts(word);
  if (parts.length === 1 || timeParts(word) !== undefined) return { terms: parts, ways: [parts] };
  const telling = parts.filter((part) => !leaveOut || !ENGLISH_STOP_WORDS.has(part));
  const whole = word.toLowerCase();
  return { terms: [...telling, whole], ways: [telling, [whole]] };
}

/** True of a stop word that is written as a name, of two capitals or more, in a query that is not all capitals: CAN,
 * IT, WHO. */
function isAcronym(word: string, query: string): boolean {
  return /^[A-Z]{2,}$/.test(word) && (/[a-z]/.test(query) || hasHan(query));
}

function isCapitalised(word: string): boolean {
  return word.charAt(0) !== word.charAt(0).toLowerCase();
}

/** How a version may begin: v2.1 and 2.1 are one. */
function versionForms(word: string): string[] {
  const number = word.replace(/^v/, '');
  return [word, word === number ? `v${number}` : number];
}

/** A word with what a stemmer does not bring together: the irregular forms of its base, and words with its root of each
 * other stem. */
function formsOf(word: string): string[] {
  const base = baseForm(word);
  const usual = normalForm(word);
  const others = otherStems(usual);
  const related = others.length === 0 ? [] : [usual, ...others].map(wordOfStem);
  return [...new Set([word, base, ...irregularForms(base), ...irregularForms(wordStem(word)), ...related])];
}

/** What of a query can be pointed at in a text: the forms of its terms, and its stretches of Han text. */
export function visibleTerms(query: Query): string[] {
  const compounds = query.phrases.flatMap(({ compound, term }) =>
    compound === undefined ? [] : [compound, ...term.split(' ')],
  );
  return [...new Set([...query.terms.flatMap(({ forms }) => forms), ...query.spans, ...compounds])];
}
