import { wordPairs } from './phrases.ts';
import { formsOf, queryTerm, type QueryTerm } from './query-term.ts';
import { hasHan } from './scripts.ts';
import { longPhrases, synonymsOf, termOf } from './synonyms.ts';
import { normalForm } from './words.ts';

/** Number of words of a query, from the first, for which synonyms or translations stand in. Range 4 to 20; each takes up
 * to three index queries. At 6, questions lose the last words that notes in the other language have; 12 measured like
 * 10. */
const EXPANDED_WORDS = 10;
/** Number of words of a query, and of pairs of words, from the first, of which translations are sought. Range 10 to 40;
 * each has up to four forms, and looking one up takes 6 microseconds. */
const SOUGHT_WORDS = 20;
/** Characters of a query, from its start, in which words that mean something together are sought. Range 200 to 10,000; a
 * thousand take 5 ms. */
const JOINED_CHARS = 1000;
/** Characters of the longest Han words that have synonyms but are no words of the dictionary (多版本并发控制). */
const LONGEST_COMPOUND = 7;

const THREE_WORDS = / [a-z\d]+ [a-z\d]+ [a-z\d]+ /;

/** Synonyms or translations by which a query is expanded: they stand in for a word of it in texts without that word. */
export interface Expansion {
  /** The term of that word, or what identifies several words that mean something together (乐观锁, time out). */
  readonly of: string;
  /** How texts may have these several words; empty for a term of the query. */
  readonly said: readonly QueryTerm[];
  readonly words: readonly QueryTerm[];
  /** True for translations, which are less sure to mean the same than the listed synonyms (synonyms.ts). */
  readonly isTranslated: boolean;
}

/** The words of what is said in several English words, as terms. */
function severalWords(said: Expansion['said']): string[] {
  return said.flatMap(({ term }) => (term.includes(' ') ? term.split(' ').map(normalForm) : []));
}

/** True for what is only a part of something else that has synonyms: one of several English words, or the beginning of a
 * Chinese word (幂等 of 幂等键). */
export function isInside({ of, said }: Expansion, whole: Expansion): boolean {
  return (
    severalWords(whole.said).includes(of) || (said.length > 0 && whole.said.length === 0 && isPartOf(of, whole.of))
  );
}

function isPartOf(word: string, other: string): boolean {
  return hasHan(word) && other !== word && other.includes(word);
}

/** The terms of a query in whose place others stand in: the word itself, or where it means the same as several English
 * words (out of memory), each of them that counts. */
export function replacedTerms(
  { of, said }: Pick<Expansion, 'of' | 'said'>,
  { terms }: { readonly terms: readonly QueryTerm[] },
): QueryTerm[] {
  const several = severalWords(said);
  const parts = terms.filter(({ term }) => several.includes(term));
  return parts.length === 0 ? terms.filter(({ term }) => term === of) : parts;
}

/** What is known of a query besides its words. */
interface QueryText {
  /** The folded query. */
  readonly text: string;
  /** Its terms. */
  readonly names: ReadonlySet<string>;
  /** Returns a term as it is written, in lower case. */
  readonly written: (term: string) => string;
  /** Returns the translations of a word. */
  readonly translations: (word: string) => readonly string[];
}

/** Returns the synonyms of the words of a query that have any, without what is in the query too: of `words`, of several
 * Han words in a row in `spans`, and of several Latin words in a row in `text`; or else the translations of one or two
 * words. */
export function expansionsOf(
  words: readonly string[],
  spans: readonly string[],
  { text, names, written, translations }: QueryText,
): Expansion[] {
  const found = new Map<string, Expansion>();
  const add = ({ of, said }: Compound, meanings: readonly string[], isTranslated: boolean): void => {
    if (meanings.length === 0 || found.size >= EXPANDED_WORDS) return;
    // erase stands in for one of delete and remove only
    const taken = [...found.values()].flatMap((other) => other.words.map(({ term }) => term));
    const known = new Set([of, ...names, ...taken, ...said.map(({ term }) => term)]);
    const others = meanings
      .map(synonymTerm)
      // the compound of data source counts for datasource (ops/written-otherwise.ts)
      .filter(({ term }) => !known.has(term) && normalForm(term.replaceAll(' ', '')) !== of);
    if (others.length > 0) found.set(of, { of, said, words: others, isTranslated });
  };
  for (const compound of candidates(words, spans, text, names)) {
    add(compound, synonymsOf(compound.of), false);
    if (found.size >= EXPANDED_WORDS) return [...found.values()];
  }
  for (const pair of wordPairs(text.toLowerCase().slice(0, JOINED_CHARS)).slice(0, SOUGHT_WORDS)) {
    const of = pair.map(normalForm).join('-');
    const said = pair.join('-');
    if (synonymsOf(of).length === 0) add({ of, said: [synonymTerm(said)] }, translations(said), true);
  }
  for (const of of words.filter((word) => synonymsOf(word).length === 0).slice(0, SOUGHT_WORDS))
    add({ of, said: [] }, translations(written(of)), true);
  return [...found.values()];
}

type Compound = Pick<Expansion, 'of' | 'said'>;

/** Yields one by one what may have synonyms, since those of the first words are usually enough. */
function* candidates(
  words: readonly string[],
  spans: readonly string[],
  text: string,
  names: ReadonlySet<string>,
): Generator<Compound> {
  yield* latinPhrases(text);
  for (const of of words) yield { of, said: [] };
  yield* hanCompounds(spans, names);
  yield* latinCompounds(text);
}

/** The stretches of Han text that begin with a word, and may be a longer one that the dictionary does not have, or the
 * beginning of one that is no word of it (幂等 of 幂等键). What begins with a single character consists of words (微服务,
 * 去重): 去重庆 has no 去重. */
function* hanCompounds(spans: readonly string[], names: ReadonlySet<string>): Generator<Compound> {
  for (const span of spans) {
    for (let at = 0; at < span.length; at += 1) {
      const isWord = names.has(span.slice(at, at + 2)) || names.has(span.slice(at, at + 3));
      if (!isWord && !names.has(span.charAt(at))) continue;
      for (let length = 2; length <= LONGEST_COMPOUND && at + length <= span.length; length += 1) {
        const stretch = span.slice(at, at + length);
        if (!names.has(stretch) && (isWord || isMadeOf(stretch, names)))
          yield { of: stretch, said: [synonymTerm(stretch)] };
      }
    }
  }
}

function isMadeOf(stretch: string, names: ReadonlySet<string>): boolean {
  if (names.has(stretch)) return true;
  for (let end = 1; end < stretch.length; end += 1)
    if (names.has(stretch.slice(0, end)) && isMadeOf(stretch.slice(end), names)) return true;
  return false;
}

/** Three or more Latin words in a row that mean something together, stop words included (out of memory, time-to-live). */
function* latinPhrases(text: string): Generator<Compound> {
  const words = ` ${text
    .toLowerCase()
    .slice(0, JOINED_CHARS)
    .replaceAll(/[^a-z\d\u0080-\uffff]+/g, ' ')} `;
  if (!THREE_WORDS.test(words)) return;
  for (const phrase of longPhrases()) {
    if (!words.includes(` ${phrase} `) && !words.includes(` ${phrase}s `)) continue;
    const joined = phrase.replaceAll(' ', '-');
    yield { of: termOf(joined), said: [synonymTerm(joined)] };
  }
}

/** What two neighbouring Latin words form together: one word (time out), or a term (edge case). */
function* latinCompounds(text: string): Generator<Compound> {
  for (const words of wordPairs(text.toLowerCase().slice(0, JOINED_CHARS))) {
    const said = [synonymTerm(words.join('-')), synonymTerm(words.join(''))];
    const terms = [normalForm(words.join('')), words.map(normalForm).join('-')];
    const of = terms.find((term) => synonymsOf(term).length > 0);
    if (of !== undefined) yield { of, said };
  }
}

/** Several English words (rate-limit) are counted side by side, and looked up as a phrase. */
function synonymTerm(word: string): QueryTerm {
  if (hasHan(word)) return queryTerm(word, 'han', [word]);
  if (!word.includes('-')) return queryTerm(normalForm(word), 'word', formsOf(word));
  const several = word.replaceAll('-', ' ');
  return queryTerm(several, 'other', [several]);
}
