import { quote } from '../core/errors.ts';
import type { Memory } from '../core/memory.ts';
import { both, command, sentence, type Text } from '../core/sentence.ts';
import { coverage, WEAK_COVERAGE } from '../search/coverage.ts';
import { inverseDocumentFrequency } from '../search/idf.ts';
import { wordsOfCompound } from '../search/phrase.ts';
import type { Query } from '../search/query.ts';
import { replacedTerms } from '../search/query-expansion.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import { normalise } from '../search/tokenizer.ts';
import type { Context } from './context.ts';
import { hasFilters } from '../store/filters.ts';
import { emptyHint } from './empty-hint.ts';
import type { SearchOutcome, SearchRequest } from './search-engine.ts';
import { planLookups } from './search-plan.ts';
import { missingTicketHint, otherItemsHint, taskHint } from './task-hint.ts';

/** Most words that a hint names. */
const NAMED_WORDS = 5;

/** Returns what the caller of a search should know of its results: why there are none, or what they lack; undefined if
 * there is nothing to say. `shown` are the items of the answer. */
export function searchHint(
  context: Context,
  request: SearchRequest,
  outcome: SearchOutcome,
  shown: readonly Memory[],
): Text | undefined {
  return (
    notStdinHint(request.query) ??
    (outcome.total === 0
      ? nothingFound(context, request, outcome)
      : (missingTicket(context, request, outcome) ??
        both(others(context, request, shown) ?? weakMatch(context, request, outcome), similarWords(outcome))))
  );
}

/** Returns a hint for the query `-`, by which other commands mean stdin: search takes it as text, like any query. */
function notStdinHint(query: string): Text | undefined {
  return query.trim() === '-'
    ? 'searched for the text "-": search reads no query from stdin; pass the text'
    : undefined;
}

/** Returns a hint if no item contains a ticket that the query names, as far as the index tells. */
function missingTicket(
  { store }: Context,
  { syntax }: SearchRequest,
  { fts5, query }: SearchOutcome,
): Text | undefined {
  return fts5 && syntax === 'plain' ? missingTicketHint(store, query) : undefined;
}

/** Returns a hint if even the best match has little of the query: an agent cannot see that from a rank, and a query that
 * no item answers mostly shares some word with some item. Names the words that are in no item. */
function weakMatch(
  context: Context,
  request: SearchRequest,
  { hits, query, weights }: SearchOutcome,
): Text | undefined {
  const { store, tokenizer } = context;
  const { sort, match, syntax, filters } = request;
  const best = hits[0]?.lexical?.score;
  if (best === undefined || weights === undefined || sort !== 'relevance' || match !== 'any' || syntax !== 'plain')
    return undefined;
  if (tokenizer.isProvisional) return undefined; // without the dictionary, Chinese text has no words
  const { count } = store.indexStatistics();
  // a word that is in no item weighs like one that is in one: in a store of few items its idf would be many times higher
  const unknown = inverseDocumentFrequency(count, 1);
  const share = coverage(query, best, (term) => weights.get(term) ?? unknown);
  if (share === undefined || share >= WEAK_COVERAGE) return undefined;
  const where = hasFilters(filters) ? 'within these filters' : 'stored';
  const weak = `even the best match has only a small part of the query: perhaps nothing ${where} answers it`;
  const replaced = new Set(replacedWords(query));
  const missing = missingWords(query, weights).filter((word) => !replaced.has(word));
  return missing.length === 0 ? weak : `${weak}; no item has ${named(context, request, missing)}`;
}

/** Returns a hint if words like some of the query were searched for in their place: an item with one of them may be about
 * something else (stream for steam). */
function similarWords({ query }: SearchOutcome): Text | undefined {
  const words = replacedWords(query).slice(0, NAMED_WORDS);
  if (words.length === 0) return undefined;
  return `no item has the word ${words.map((word) => quote(word)).join(', ')}: similar words were searched for`;
}

function replacedWords({ terms }: Query): string[] {
  return [...new Set(terms.flatMap(({ nearTo }) => nearTo ?? []))];
}

/** Returns a hint at the items of a task that the query names, unless it is asked for only one task. */
function others({ store }: Context, { query, filters }: SearchRequest, shown: readonly Memory[]): Text | undefined {
  if (filters.task_id !== undefined) return undefined;
  return otherItemsHint(store, query.trim(), shown);
}

/** Returns the first words of a query that are in no item; empty if none of its words is in any. */
function unknownWords(context: Context, query: Query): string[] {
  const plan = planLookups(context, query, 'all');
  const known = new Map(plan.lookups.map(({ term, frequency }) => [term, frequency]));
  const missing = missingWords({ ...query, phrases: plan.query.phrases }, known);
  return missing.length === query.wanted.length ? [] : missing;
}

/** Returns the words of a query of which no way to match them is among the terms that items have, and in whose place no
 * item has another word. */
function missingWords({ wanted, phrases, terms, expansions }: Query, found: ReadonlyMap<string, unknown>): string[] {
  const replaced = expansions.flatMap((one) => replacedTerms(one, { terms }));
  const known = new Set([...found.keys(), ...replaced.map(({ term }) => term)]);
  for (const phrase of phrases) if (known.has(phrase.term)) for (const word of wordsOfCompound(phrase)) known.add(word);
  const written = new Map(terms.map(({ term, forms }) => [term, forms[0] ?? term]));
  return wanted
    .filter((ways) => !ways.some((way) => way.every((term) => known.has(term))))
    .map((ways) => (ways.at(-1) ?? []).map((term) => written.get(term) ?? term).join(' '));
}

/** Returns the first of the words for a sentence, without those that are only parts of others. */
function named(context: Context, { query }: SearchRequest, words: readonly string[]): string {
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .slice(0, NAMED_WORDS)
    .map((word) => quote(asTyped(context, query, word)))
    .join(', ');
}

/** Returns a word as the query spells it: in capitals, in Traditional characters. */
function asTyped({ tokenizer }: Context, query: string, word: string): string {
  const at = tokenizer.normal(query).toLowerCase().indexOf(word);
  return at < 0 ? word : normalise(query).slice(at, at + word.length);
}

function nothingFound(context: Context, request: SearchRequest, outcome: SearchOutcome): Text {
  const byFilter = emptyHint(context.store, request.filters);
  if (byFilter !== undefined) return byFilter;
  if (request.query.trim() === '') return sentence`the query is blank; see what is stored with: ${command('list')}`;
  if (context.tokenizer.terms(request.query).length === 0) {
    return request.engine === 'fts'
      ? sentence`the query contains no word or number, and the index has nothing else; leave out --engine fts to search for it verbatim`
      : sentence`the query contains no word or number, and no item contains it verbatim; see everything with: ${command('list')}`;
  }
  if (hasFilters(request.filters) && mayBeElsewhere(context, request, outcome))
    return 'nothing matches within these filters; try without them';
  if (request.syntax === 'fts')
    return sentence`no item matches; leave out --syntax fts to search for the words as text`;
  const byName = taskHint(context.store, request.query.trim());
  if (byName !== undefined) return byName;
  const missing = request.match === 'all' && outcome.fts5 ? unknownWords(context, outcome.query) : [];
  if (missing.length > 0) return sentence`no item contains ${named(context, request, missing)}; try --match any`;
  if (request.match === 'all' && context.tokenizer.terms(request.query).length > 1)
    return sentence`no item contains all the words; try --match any`;
  const leftOut = stopWords(context, request, outcome.query).map((word) => quote(word));
  const isLeftOut =
    leftOut.length === 0 ? '' : ` (${leftOut.join(', ')} ${leftOut.length > 1 ? 'were' : 'was'} ignored as too common)`;
  return sentence`no item contains any of these words${isLeftOut}; see what is stored with: ${command('list')}`;
}

/** False if the index shows that nothing matches without the filters either. */
function mayBeElsewhere(context: Context, { match, syntax }: SearchRequest, { fts5, query }: SearchOutcome): boolean {
  if (!fts5 || syntax === 'fts') return true;
  const { expression } = planLookups(context, query, match);
  return expression !== undefined && context.store.newestRows(expression, 1).length > 0;
}

/** Returns the first stop words of a query that were not searched for, since they add nothing to its other words. */
function stopWords({ tokenizer }: Context, { query }: SearchRequest, { terms }: Query): string[] {
  const asked = new Set(terms.flatMap(({ forms }) => forms));
  const words = tokenizer.terms(query).filter((word) => ENGLISH_STOP_WORDS.has(word) && !asked.has(word));
  return [...new Set(words)].slice(0, NAMED_WORDS);
}
