import { phraseExpression, termExpression } from '../search/fts-query.ts';
import { compound, type Phrase } from '../search/phrases.ts';
import type { Query, QueryTerm } from '../search/query.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { Context } from './context.ts';

/** Words that may be several: letters, not very long, perhaps with a number behind them. */
const ONE_WORD = /^[a-z]{5,24}$|^[a-z]{4,20}\d{1,4}$/;
/** Letters of the shortest word that stands behind another: up of backup. Before another a single letter may stand: the
 * O of OAuth. */
const SHORTEST_BEHIND = 2;
/** Letters of the first of three words, which items must have for the others to be looked for: xml of XMLHttpRequest.
 * Range 3 to 5. */
const SHORTEST_OF_THREE = 3;
/** Unknown words of a query that are cut in two. Each takes a look at the index for each of its letters. */
const CUT_WORDS = 4;
/** Two neighbouring words of letters alone. */
const NEIGHBOURS = /(?<![a-z0-9])([a-z]{2,16})[ -](?=([a-z]{2,16})(?![a-z0-9]))/g;
/** Neighbours of a query that are looked for as one word, the first. Range 2 to 10; each takes one look at the
 * index. */
const JOINED_PAIRS = 6;

/** Compounds of a query that items write otherwise: darkmode where they say dark mode, and time out where they say
 * timeout. `unknown` are the terms of the query that no item has. */
export function writtenOtherwise(context: Context, query: Query, unknown: readonly QueryTerm[]): Phrase[] {
  return [
    ...unknown.slice(0, CUT_WORDS).flatMap((term) => asSeveral(context, term)),
    ...[...query.whole.matchAll(NEIGHBOURS)]
      .slice(0, JOINED_PAIRS)
      .flatMap(([, first = '', second = '']) => asOne(context, first, second)),
  ];
}

/** The words that items have side by side instead of one. */
function asSeveral(context: Context, { kind, forms }: QueryTerm): Phrase[] {
  const [word = ''] = forms;
  if (kind !== 'word' || !ONE_WORD.test(word)) return [];
  const parts = inTwo(context, [], word) ?? inThree(context, word);
  return parts === undefined ? [] : [compound(...parts)];
}

/** Of the ways to cut a word in two, behind the words `before`, the one that most items have. */
function inTwo({ store }: Context, before: readonly string[], word: string): readonly string[] | undefined {
  let best: { readonly parts: readonly string[]; readonly frequency: number } | undefined;
  for (let at = 1; at <= word.length - SHORTEST_BEHIND; at += 1) {
    const halves = [word.slice(0, at), word.slice(at)];
    // says nothing, and half of all texts may; of a stop word of one letter (a, s) there are more
    if (halves.every((half) => ENGLISH_STOP_WORDS.has(half)) || (at === 1 && ENGLISH_STOP_WORDS.has(word.charAt(0))))
      continue;
    const parts = [...before, ...halves];
    const frequency = store.documentFrequency(phraseExpression([parts]));
    if (frequency > (best?.frequency ?? 0)) best = { parts, frequency };
  }
  return best?.parts;
}

function inThree(context: Context, word: string): readonly string[] | undefined {
  for (let at = SHORTEST_OF_THREE; at <= word.length - SHORTEST_OF_THREE - SHORTEST_BEHIND; at += 1) {
    const first = word.slice(0, at);
    if (ENGLISH_STOP_WORDS.has(first) || context.store.documentFrequency(termExpression([first])) === 0) continue;
    const parts = inTwo(context, [first], word.slice(at));
    if (parts !== undefined) return parts;
  }
  return undefined;
}

/** The same words as one, where items have that. Behind a stop word (in form) it would be another word (inform). */
function asOne({ store }: Context, first: string, second: string): Phrase[] {
  const whole = first + second;
  if (ENGLISH_STOP_WORDS.has(first) || ENGLISH_STOP_WORDS.has(whole)) return [];
  return store.documentFrequency(termExpression([whole])) > 0 ? [compound(first, second)] : [];
}
