import { phraseExpression, termExpression } from '../search/fts-query.ts';
import { compound, type Phrase } from '../search/phrases.ts';
import type { Query, QueryTerm } from '../search/query.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { Context } from './context.ts';

/** Words that may be two: letters alone, not very long. */
const ONE_WORD = /^[a-z]{5,24}$/;
/** Letters of the shortest half: up of backup. */
const SHORTEST_HALF = 2;
/** Unknown words of a query that are cut in two. Each takes a look at the index for each of its letters. */
const CUT_WORDS = 4;
/** Two neighbouring words of letters alone. */
const NEIGHBOURS = /(?<![a-z0-9])([a-z]{2,16})[ -](?=([a-z]{2,16})(?![a-z0-9]))/g;
/** Neighbours of a query that are looked for as one word, the first. Range 2 to 10; each takes one look at the index. */
const JOINED_PAIRS = 6;

/** Compounds of a query that items write otherwise: darkmode where they say dark mode, and time out where they say timeout. `unknown` are the terms of the query that no item has. */
export function writtenOtherwise(context: Context, query: Query, unknown: readonly QueryTerm[]): Phrase[] {
  return [
    ...unknown.slice(0, CUT_WORDS).flatMap((term) => asTwo(context, term)),
    ...[...query.whole.matchAll(NEIGHBOURS)]
      .slice(0, JOINED_PAIRS)
      .flatMap(([, first = '', second = '']) => asOne(context, first, second)),
  ];
}

/** The two words that items have side by side instead of one, in the way that most items do. */
function asTwo({ store }: Context, { kind, forms }: QueryTerm): Phrase[] {
  const [word = ''] = forms;
  if (kind !== 'word' || !ONE_WORD.test(word)) return [];
  let best: { readonly halves: readonly [string, string]; readonly frequency: number } | undefined;
  for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at += 1) {
    const halves = [word.slice(0, at), word.slice(at)] as const;
    if (halves.every((half) => ENGLISH_STOP_WORDS.has(half))) continue; // says nothing, and half of all texts may
    const frequency = store.documentFrequency(phraseExpression([halves]));
    if (frequency > (best?.frequency ?? 0)) best = { halves, frequency };
  }
  return best === undefined ? [] : [compound(...best.halves)];
}

/** The same words as one, where items have that. Behind a stop word (in form) it would be another word (inform). */
function asOne({ store }: Context, first: string, second: string): Phrase[] {
  const whole = first + second;
  if (ENGLISH_STOP_WORDS.has(first) || ENGLISH_STOP_WORDS.has(whole)) return [];
  return store.documentFrequency(termExpression([whole])) > 0 ? [compound(first, second)] : [];
}
