import { behindEscape } from './escapes.ts';
import { keywordsOf, labelsOf, withParts } from './keywords.ts';
import type { Phrase } from './phrase.ts';
import { phrasesOf } from './phrases.ts';
import { formsOf, queryTerm, type QueryTerm } from './query-term.ts';
import { expansionsOf, type Expansion } from './query-expansion.ts';
import { severedPairs, splitWords, STOP_PHRASES, stopPhrases } from './stop-phrases.ts';
import { ENGLISH_STOP_WORDS, withoutRequest } from './stop-words.ts';
import { hasHan, runs } from './scripts.ts';
import { neighbours, type Tokenizer } from './tokenizer.ts';
import type { Variants } from './variants.ts';
import { isHash, normalForm, symbolNames, timeParts, wordParts } from './words.ts';

/** Most distinct terms of a query that are looked up. Range 1 to about 1,000 (FTS5 limits the size of an expression);
 * 200 is a stack trace of 30 lines. */
export const MAX_QUERY_TERMS = 200;
/** How many of them are taken from the start of a longer query, where the question may be; the rest is taken from its
 * end, where a log has its error. */
const FIRST_TERMS = 60;
/** Longest Han text of a query that is counted in texts, in characters: as many words of two; taken like the terms. */
const MAX_QUERY_HAN = 2 * MAX_QUERY_TERMS;
const FIRST_HAN = 2 * FIRST_TERMS;

/** A parsed query. */
export interface Query {
  /** The query as given. */
  readonly text: string;
  /** The whole query, folded. */
  readonly whole: string;
  readonly terms: readonly QueryTerm[];
  /** For each word of the query, the sets of terms that stand for it: where all words are required, all terms of one of
   * its sets must match. An identifier matches whole, or with all its parts. */
  readonly wanted: readonly (readonly (readonly string[])[])[];
  readonly expansions: readonly Expansion[];
  /** The stretches of Han text between question phrases. */
  readonly spans: readonly string[];
  /** The Han words of a query that is a list of words (数据库 超时 redis), rather than a question; those of `severed` that
   * items contain too. */
  readonly keywords: readonly string[];
  /** What its stop words may have split, if items have it: pairs of single characters (比对), and words that stand alone
   * (从节点; stop-phrases.ts). */
  readonly severed: { readonly pairs: readonly string[]; readonly words: readonly string[] };
  /** Pairs of neighbouring Han characters in the spans. */
  readonly bigrams: readonly string[];
  /** The Han characters of the spans. */
  readonly characters: readonly string[];
  /** Latin words as written, in lower case: their four-letter pieces find compounds and misspellings. */
  readonly words: readonly string[];
  /** Normal forms of the parts of its Latin words, in query order, for proximity. */
  readonly sequence: readonly string[];
  /** The forms that its Han characters may have in texts; all other fields have the Simplified ones. */
  readonly variants: Variants;
  /** The parts of it that belong together (phrases.ts). */
  readonly phrases: readonly Phrase[];
  /** True when the query has Han text. */
  readonly hasHan: boolean;
  /** True when it has more than `MAX_QUERY_TERMS` terms, or Han text of more than `MAX_QUERY_HAN` characters. */
  readonly isCut: boolean;
}

/** Parses a query. Stop words and question phrases are left out, unless nothing else is left. Where nothing may stand in
 * for its words (`isExpanded` false), no synonym or translation is sought, for which the dictionary would be opened. */
export function analyseQuery(tokenizer: Tokenizer, text: string, isExpanded = true): Query {
  const query = analyse(tokenizer, text, { leaveOut: true, isExpanded });
  return query.terms.length > 0 ? query : analyse(tokenizer, text, { leaveOut: false, isExpanded });
}

interface AnalyseOptions {
  readonly leaveOut: boolean;
  readonly isExpanded: boolean;
}

function analyse(tokenizer: Tokenizer, text: string, { leaveOut, isExpanded }: AnalyseOptions): Query {
  const normal = tokenizer.normal(text);
  const isHan = hasHan(normal);
  const isMixedCase = isHan || /[a-z]/.test(normal); // in a query of capitals they mean nothing
  const parts = runs(leaveOut ? withoutRequest(normal) : normal);
  const isSentence = !isHan && hasStopWord(parts);
  const terms = new Map<string, QueryTerm>();
  const [spans, words, sequence]: [string[], string[], string[]] = [[], [], []];
  const wanted: string[][][] = [];
  const add = (term: string, kind: QueryTerm['kind'], forms: readonly string[], isName = false): void => {
    const isKnownName = terms.get(term)?.isName === true;
    terms.set(term, { ...queryTerm(term, kind, forms), isName: isName || isKnownName });
  };
  const addOne = (term: string, kind: QueryTerm['kind'], form: string): void => {
    add(term, kind, [form]);
    wanted.push([[term]]);
  };
  const severed = new Set<string>();
  const addHan = (run: string): void => {
    const cut = tokenizer.terms(run);
    for (const word of cut) if (!leaveOut || !STOP_PHRASES.has(word)) addOne(word, 'han', word);
    if (leaveOut) for (const pair of severedPairs(cut)) severed.add(pair);
    spans.push(...(leaveOut ? run.split(stopPhrases()) : [run]).filter((span) => span !== ''));
  };
  const addWord = (word: string, start: number, isFirst: boolean): void => {
    const lower = word.toLowerCase();
    if (leaveOut && ENGLISH_STOP_WORDS.has(lower) && !(isMixedCase && isCapitals(word))) return;
    const { terms: written, ways } = termsOfWord(word, leaveOut);
    const isName = isSentence && !isFirst && isCapitalised(word);
    for (const one of written) add(normalForm(one), 'word', formsAt(normal, { start, word }, one), isName);
    wanted.push(ways.filter((way) => way.length > 0).map((way) => way.map(normalForm)));
    sequence.push(...wordParts(word).map(normalForm));
    words.push(lower);
  };
  for (const [at, { script, text: run, start }] of parts.entries()) {
    if (script === 'han') addHan(run);
    else if (script === 'word') addWord(run, start, at === 0);
    else for (const term of tokenizer.terms(run)) addOne(term, 'other', term);
  }
  for (const { written, term } of symbolNames(normal)) addOne(written, 'other', term);
  const keywords = isHan ? keywordsOf(normal, [...terms.values()]) : [];
  const kept = withParts(bounded([...terms.values()]), keywords, labelsOf(normal));
  const pieces = piecesOf(spans);
  const names = new Set(kept.map(({ term }) => term));
  return {
    text,
    whole: normal.toLowerCase().trim(),
    terms: kept,
    ...wordsOf(wanted, kept, { ...pieces, text: normal }, isExpanded ? tokenizer : undefined),
    ...pieces,
    keywords,
    severed: { pairs: [...severed], words: leaveOut && isHan ? splitWords(normal) : [] },
    words: [...new Set(words)].filter((word) => names.has(normalForm(word))),
    sequence,
    variants: tokenizer.variants(text),
    phrases: phrasesOf(tokenizer, normal),
    hasHan: isHan,
    isCut: kept.length < terms.size || pieces.spans !== spans,
  };
}

/** The spans of a query, or what is kept of them, with the pairs and characters in them. */
function piecesOf(all: readonly string[]): Pick<Query, 'spans' | 'bigrams' | 'characters'> {
  const spans = boundedSpans(all);
  return {
    spans,
    bigrams: spans.filter((span) => span.length > 1).flatMap(neighbours),
    characters: spans.flatMap((span) => Array.from(span)),
  };
}

/** What is wanted of the terms that are looked up and, with a tokenizer, what stands in for them. */
function wordsOf(
  wanted: Query['wanted'],
  terms: readonly QueryTerm[],
  { spans, text }: Pick<Query, 'spans' | 'text'>,
  tokenizer: Tokenizer | undefined,
): Pick<Query, 'wanted' | 'expansions'> {
  const forms = new Map(terms.map(({ term, forms: [first = term] }) => [term, first]));
  const names = new Set(forms.keys());
  const written = (term: string): string => forms.get(term) ?? term;
  return {
    wanted: withTerms(wanted, names),
    expansions:
      tokenizer === undefined
        ? []
        : expansionsOf(singles(wanted, names), spans, { text, names, written, translations: tokenizer.translations }),
  };
}

/** The words as a whole: identifiers (JavaScript) without their parts. */
function singles(wanted: Query['wanted'], names: ReadonlySet<string>): string[] {
  return wanted
    .map((ways) => ways.at(-1) ?? [])
    .flatMap(([word = '', ...parts]) => (parts.length === 0 && names.has(word) ? [word] : []));
}

/** `wanted`, with only the sets whose terms are all in `names`, the terms that are looked up. */
function withTerms(wanted: Query['wanted'], names: ReadonlySet<string>): Query['wanted'] {
  const found = wanted
    .map((sets) => sets.filter((set) => set.every((term) => names.has(term))))
    .filter((sets) => sets.length > 0);
  // what a query repeats is required once
  return [...new Map(found.map((sets) => [JSON.stringify(sets), sets])).values()];
}

/** The terms of a query that are looked up: where there are too many, those at its start and its end. */
function bounded(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  if (terms.length <= MAX_QUERY_TERMS) return terms;
  return [...terms.slice(0, FIRST_TERMS), ...terms.slice(FIRST_TERMS - MAX_QUERY_TERMS)];
}

/** The spans of a query; where they are too long, the parts of them at its start and its end. */
function boundedSpans(spans: readonly string[]): readonly string[] {
  const characters = Array.from(spans.join(' '));
  if (characters.length <= MAX_QUERY_HAN) return spans;
  const kept = [...characters.slice(0, FIRST_HAN), ' ', ...characters.slice(FIRST_HAN - MAX_QUERY_HAN)];
  return kept
    .join('')
    .split(' ')
    .filter((span) => span !== '');
}

/** The terms of a Latin word, and the sets of them of which one must match completely: the word itself, or all parts of
 * an identifier that are not left out. */
function termsOfWord(word: string, leaveOut: boolean): { terms: string[]; ways: string[][] } {
  const parts = wordParts(word);
  if (parts.length === 1 || timeParts(word) !== undefined) return { terms: parts, ways: [parts] };
  const telling = parts.filter((part) => !leaveOut || !ENGLISH_STOP_WORDS.has(part));
  const whole = word.toLowerCase();
  return { terms: [...telling, whole], ways: [telling, [whole]] };
}

/** True for two or more capitals: a stop word that is written so is a name, such as CAN, IT or WHO. */
function isCapitals(word: string): boolean {
  return /^[A-Z]{2,}$/.test(word);
}

/** True for the first number of a version, up to the offset `end` of the query: 2 or v2 of v2.1. */
function isVersionStart(word: string, query: string, end: number): boolean {
  return /^[vV]?\d+$/.test(word) && /^\.\d/.test(query.slice(end, end + 2));
}

/** True for English words of which one is a stop word, which the first may be with a capital (How, but not CAN). */
function hasStopWord(words: readonly { readonly text: string }[]): boolean {
  return words.some(({ text }, at) => ENGLISH_STOP_WORDS.has(at > 0 || isCapitals(text) ? text : text.toLowerCase()));
}

function isCapitalised(word: string): boolean {
  return word.charAt(0) !== word.charAt(0).toLowerCase();
}

/** The forms of the first number of a version: v2.1 and 2.1 are the same. */
function versionForms(word: string): string[] {
  const number = word.replace(/^v/, '');
  return [word, word === number ? `v${number}` : number];
}

/** The forms of a term of a word, which begins at an offset of the query. */
function formsAt(
  query: string,
  { start, word }: { readonly start: number; readonly word: string },
  term: string,
): string[] {
  const forms = isVersionStart(word, query, start + word.length) ? versionForms(term) : formsOf(term);
  // error of \nerror
  const isBehind =
    behindEscape(query, start, word) !== undefined && word.toLowerCase().startsWith(term) && term.length > 1;
  return [...forms, ...hexadecimalForms(term), ...otherNames(term), ...(isBehind ? [term.slice(1)] : [])];
}

/** Lengths to which git and docker abbreviate a hash. */
const SHORTEST_HASH = 7;
const LONGEST_ABBREVIATION = 12;

/** What a hash is abbreviated to, and a long number as a migration is named by it (V20240312). */
function otherNames(word: string): string[] {
  if (/^\d{6,14}$/.test(word)) return [`v${word}`];
  if (!isHash(word)) return [];
  const lengths = Math.min(word.length - 1, LONGEST_ABBREVIATION) - SHORTEST_HASH + 1;
  return Array.from({ length: lengths }, (_, at) => word.slice(0, SHORTEST_HASH + at));
}

/** A hexadecimal number with 0x or without it, in its other form. */
function hexadecimalForms(word: string): string[] {
  const digits = /^0x([0-9a-f]{4,16})$/.exec(word)?.[1];
  if (digits !== undefined) return [digits];
  return /^[0-9a-f]{6,16}$/.test(word) ? [`0x${word}`] : [];
}

/** Returns what can be marked in a text that matches the query: the forms of its terms (with a * if words that begin so
 * match) and of what stands in for them, its spans, and its compounds with their words. */
export function visibleTerms(query: Query): string[] {
  const compounds = query.phrases.flatMap(({ compound, term }) =>
    compound === undefined ? [] : [compound, ...term.split(' ')],
  );
  const terms = [...query.terms, ...query.expansions.flatMap(({ words }) => words)];
  const forms = terms.flatMap((term) => (term.isPrefix && term.kind === 'word' ? `${term.forms[0]}*` : term.forms));
  return [...new Set([...forms, ...query.spans, ...compounds])];
}
