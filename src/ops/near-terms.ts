import { termExpression } from '../search/fts-query.ts';
import { otherStems } from '../search/irregular-forms.ts';
import { LIKELINESS, likeliness, NEAR_PREFIX, SHORTEST_NEAR_WORD, withOtherStart } from '../search/near-words.ts';
import { queryTerm, type QueryTerm } from '../search/query-term.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import { normalForm, wordOfStem, wordStem } from '../search/words.ts';
import type { VocabularyWord } from '../store/vocabulary.ts';
import type { Context } from './context.ts';
import type { Asked } from './lookup.ts';

/** Near words are searched for when at most this many terms of the query are known: exact terms then find little. */
const FEW_KNOWN_TERMS = 3;
/** Share of all items from which the rarest known word counts as common: near words are then searched for, however many
 * words are known. Range 0.02 to 0.2. */
const COMMON_SHARE = 0.05;
/** Most words of the vocabulary with one prefix that are compared with an unknown word. */
const COMPARED_WORDS = 5000;
/** Words that are less likely than this share of the likeliest are left out. Range 0.02 to 0.5. */
const LEAST_LIKELY = 0.1;

/** Returns the words of the index that unknown, possibly mistyped words may stand for, and how they are looked up; none
 * when enough is known without them. `frequencies` are those of all terms of the query, 0 for unknown ones. */
export function nearTerms(context: Context, frequencies: readonly number[], unknown: readonly QueryTerm[]): Asked[] {
  const known = frequencies.length - unknown.length;
  const rarest = Math.min(...frequencies.filter((frequency) => frequency > 0));
  const isLittle = known <= FEW_KNOWN_TERMS || rarest >= COMMON_SHARE * context.store.indexStatistics().count;
  const isNothingKnown = known === 0;
  return isLittle ? unknown.flatMap((term) => nearWords(context, term, isNothingKnown)) : [];
}

/** Returns the words of the index that an unknown Latin word most likely stands for. They count like the commonest of
 * them: that a word is rare does not make it likelier. */
function nearWords({ store }: Context, term: QueryTerm, isNothingKnown: boolean): Asked[] {
  if (term.kind !== 'word' || term.term.length < SHORTEST_NEAR_WORD) return [];
  const likelinessOf = likeliness(term, { isNothingKnown });
  const found = new Map<string, { readonly items: number; readonly likely: number }>();
  const add = ({ word, items }: VocabularyWord, likely: number): void => {
    if (likely === 0 || isStopStem(word)) return;
    const near = normalForm(wordOfStem(word));
    if ((found.get(near)?.likely ?? 0) < likely * items) found.set(near, { items, likely: likely * items });
  };
  let likeliest = 0;
  for (const one of comparedWords(store, term.term)) {
    const likely = likelinessOf(one.word);
    likeliest = Math.max(likeliest, likely);
    add(one, likely);
  }
  if (likeliest < LIKELINESS.word)
    for (const word of knownWords(store, withOtherStart(term))) add(word, LIKELINESS.start);
  const most = Math.max(...Array.from(found.values(), ({ likely }) => likely));
  const near = [...found].filter(([, { likely }]) => likely >= LEAST_LIKELY * most);
  const frequency = Math.max(...near.map(([, { items }]) => items));
  return near.map(([word]) => {
    const forms = [word, ...otherStems(word)].map(wordOfStem);
    return {
      term: { ...queryTerm(word, 'word', forms), nearTo: term.forms[0] ?? term.term },
      lookup: { term: word, expression: termExpression(forms), frequency },
    };
  });
}

let stopStems: ReadonlySet<string> | undefined;

function isStopStem(stem: string): boolean {
  return (stopStems ??= new Set(ENGLISH_STOP_WORDS.values().map(wordStem))).has(stem);
}

/** Those of some words that the index has. Usually it has none, which one lookup shows. */
function knownWords(store: Context['store'], words: readonly string[]): VocabularyWord[] {
  if (words.length === 0 || store.documentFrequency(termExpression(words)) === 0) return [];
  return words
    .map((word) => ({ word: wordStem(word), items: store.documentFrequency(termExpression([word])) }))
    .filter(({ items }) => items > 0);
}

/** Returns words of the index that begin like a word: with the same two letters; if these are too many to read, then
 * also those with the same three, and so on, since a typo may be anywhere behind. */
function comparedWords(store: Context['store'], word: string): VocabularyWord[] {
  const found: VocabularyWord[] = [];
  for (let letters = NEAR_PREFIX; letters < word.length; letters += 1) {
    const words = store.vocabulary(word.slice(0, letters), COMPARED_WORDS);
    found.push(...words);
    if (words.length < COMPARED_WORDS) break;
  }
  return found;
}
