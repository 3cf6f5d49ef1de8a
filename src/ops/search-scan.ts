import type { Memory } from '../core/memory.ts';
import { utf8Bytes } from '../core/text.ts';
import { wordCounters } from '../search/counter.ts';
import { wordsOfCompound, type Phrase } from '../search/phrase.ts';
import { foldText, wordFinder, type FoldedText } from '../search/places.ts';
import { visibleTerms, type Query } from '../search/query.ts';
import type { QueryTerm } from '../search/query-term.ts';
import type { Expansion } from '../search/query-expansion.ts';
import { byRank, relevance, type RelevanceParts } from '../search/rank.ts';
import { scriptOf, SYLLABIC } from '../search/scripts.ts';
import { expansionName } from '../search/score.ts';
import type { Tokenizer } from '../search/tokenizer.ts';
import { outlineOf } from '../store/scored-texts.ts';
import type { Context } from './context.ts';
import { isLookedUp } from './search-plan.ts';
import { withVariants } from './expansion-lookups.ts';
import type { Hit, SearchOutcome, SearchRequest } from './search-engine.ts';

/** Weight of a term found in the key; a term found elsewhere counts 1. Range 1 to 10. */
const KEY_WEIGHT = 3;
/** Weight of the words that stand in for a missing one, together. Range 0.2 to 1. */
const STAND_IN_WEIGHT = 0.5;

/** Searches every item's folded text for the terms, for when the index cannot answer. `within` is a MATCH expression
 * for the items that may contain them, if that is known. */
export function scan(context: Context, request: SearchRequest, asked: Query, within?: string): SearchOutcome {
  const query = { ...asked, ...withVariants(context, asked, asked.expansions) };
  const raw = rawWords(context.tokenizer, request.query);
  const words = scannedFor(context, request, query, { needles: needlesOf(query, raw), within });
  // of a Chinese word that is in no text, some may have a part
  const pairs = words.length > 0 || request.match === 'all' ? [] : [...new Set(query.bigrams)];
  const found =
    pairs.length === 0 ? words : scannedFor(context, request, query, { needles: pairs.map(stretchNeedle), within });
  const best = found.toSorted(byRank).slice(0, request.limit);
  const hits = best.map(({ id, outline, score, parts }): Hit => {
    if (request.sort === 'relevance') return { id, outline, score, parts };
    return { id, outline, score: request.sort === 'updated' ? null : score };
  });
  const terms = query.terms.length > 0 ? [...visibleTerms(query), ...pairs] : raw;
  return { hits, total: found.length, isTotalExact: true, query, terms, fts5: false };
}

interface Scanned {
  readonly id: string;
  readonly outline: string;
  readonly updated_at: string;
  readonly score: number;
  readonly parts: RelevanceParts;
}

/** Returns the items that pass the filters and have one of the needles, or all that the query wants with
 * `--match all`. */
function scannedFor(
  { store, nowMs }: Context,
  { filters, match, sort }: SearchRequest,
  query: Query,
  { needles, within }: { readonly needles: readonly Needle[]; readonly within: string | undefined },
): Scanned[] {
  const wanted = query.terms.length === 0 ? needles.map(({ term }) => [[term]]) : query.wanted;
  const order = sort === 'relevance' ? undefined : store.sortValue(sort, nowMs);
  const found: Scanned[] = [];
  for (const memory of needles.length === 0 ? [] : store.iterate(filters, 'newest', within)) {
    const lexical = scanScore(memory, query, needles, match === 'all' ? wanted : undefined);
    if (lexical === 0) continue;
    const { score, ...parts } = relevance(lexical, memory, nowMs);
    const outline = outlineOf(memory.type, memory.key ?? '', utf8Bytes(memory.content));
    found.push({ id: memory.id, outline, updated_at: memory.updated_at, score: order?.(memory) ?? score, parts });
  }
  return found;
}

/** Something to search for in a text. */
interface Needle {
  readonly term: string;
  /** What it counts for, where that is missing. */
  readonly standsFor?: Needle;
  /** Terms of the query that a text with it has, in another notation. */
  readonly parts?: readonly string[];
  isIn(text: FoldedText): boolean;
}

/** Returns a needle for each term of the query and each Han stretch, severed word and compound that the index would be
 * asked for; for a query without terms, one for each of its words verbatim; last those that stand in for others. A word
 * is found as the index finds it, in its inflections and as a part of an identifier, and also as the prefix of another
 * word. */
function needlesOf(query: Query, raw: readonly string[]): Needle[] {
  if (query.terms.length === 0) return raw.map(stretchNeedle);
  const known = new Set(query.terms.map(({ term }) => term));
  const stretches = [...new Set(query.spans)].filter((span) => isLookedUp(span) && !known.has(span));
  // texts contain a name like C++ as it is written, not as the index stores it
  return [
    ...query.terms.map(termNeedle),
    ...new Set([...stretches, ...query.severed.words, ...query.severed.pairs]).values().map(stretchNeedle),
    ...query.phrases.flatMap(compoundNeedle),
    ...query.expansions.map(expansionNeedle),
  ];
}

function compoundNeedle(phrase: Phrase): Needle[] {
  const { term, compound, count } = phrase;
  return compound === undefined ? [] : [{ term, parts: wordsOfCompound(phrase), isIn: (folded) => count(folded) > 0 }];
}

function termNeedle({ kind, term, forms }: QueryTerm): Needle {
  const pattern = new RegExp((kind === 'other' ? [term] : forms).map(toPattern).join('|'), 'v');
  const finder = kind === 'word' ? wordFinder(term, forms) : undefined;
  return { term, isIn: (folded) => pattern.test(folded.lower) || (finder?.places(folded).length ?? 0) > 0 };
}

function expansionNeedle({ of, said, words }: Expansion): Needle {
  const needle = anyNeedle(expansionName(of), words);
  return { ...needle, standsFor: anyNeedle(of, said) };
}

function anyNeedle(term: string, words: readonly QueryTerm[]): Needle {
  const counters = wordCounters(words);
  return { term, isIn: (folded) => counters.some(({ count }) => count(folded) > 0) };
}

function stretchNeedle(term: string): Needle {
  return { term, isIn: ({ lower }) => lower.includes(term) };
}

function rawWords(tokenizer: Tokenizer, query: string): string[] {
  return tokenizer
    .normal(query)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** A letter or digit of a script that separates words: a term does not start inside such a word. */
const WORD = `[[\\p{L}\\p{N}]--[\\p{Script=Han}${SYLLABIC}]]`;
/** Shortest term, in characters, that may be the prefix of a word (run, running); shorter ones and numbers must end it.
 * Range 2 to 5. */
const OPEN_ENDED_FROM = 3;

/** Returns the pattern source for a form of a term: anywhere in scripts without spaces, otherwise at the start of a
 * word, which may continue only after the first form, the one that was typed. */
function toPattern(form: string, at: number): string {
  const isWord = Array.from(form, (character) => scriptOf(character.codePointAt(0) ?? 0) === 'word');
  const mayGoOn = at === 0 && form.length >= OPEN_ENDED_FROM && !/^\d+$/.test(form);
  const before = isWord[0] === true ? `(?<!${WORD})` : '';
  const behind = isWord.every(Boolean) && !mayGoOn ? `(?!${WORD})` : '';
  return `${before}${RegExp.escape(form)}${behind}`;
}

/** Returns the number of needles in the item, weighted higher in its key, times a factor below 1 if it has other forms
 * of Han characters; 0 if not all of `wanted` is present. */
function scanScore(
  memory: Memory,
  { variants }: Query,
  needles: readonly Needle[],
  wanted: Query['wanted'] | undefined,
): number {
  const key = foldText(memory.key ?? '', variants);
  const rest = foldText([...memory.tags, memory.source ?? '', memory.content].join('\n'), variants);
  const found = new Set<string>();
  const isSaid = (needle: Needle): boolean => found.has(needle.term) || needle.isIn(key) || needle.isIn(rest);
  let score = 0;
  for (const needle of needles) {
    if (needle.standsFor !== undefined && isSaid(needle.standsFor)) continue;
    const value = needle.isIn(key) ? KEY_WEIGHT : Number(needle.isIn(rest));
    if (value > 0) for (const term of [needle.term, ...(needle.parts ?? [])]) found.add(term);
    score += needle.standsFor === undefined ? value : STAND_IN_WEIGHT * value;
  }
  const isThere = wanted?.every((sets) => sets.some((set) => set.every((term) => found.has(term)))) ?? true;
  return isThere ? score * variants.factor([memory.key ?? '', memory.content]) : 0;
}
