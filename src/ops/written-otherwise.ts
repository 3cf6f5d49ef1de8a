import { phraseExpression, termExpression } from '../search/fts-query.ts';
import { compound, prose, splitWord, type Phrase } from '../search/phrase.ts';
import { wordPairs } from '../search/phrases.ts';
import type { Query } from '../search/query.ts';
import type { QueryTerm } from '../search/query-term.ts';
import { ENGLISH_STOP_WORDS } from '../search/stop-words.ts';
import type { Context } from './context.ts';

/** Words that may be several: letters, not very long, or some followed by a number and a letter (gpt4o, f12). */
const ONE_WORD = /^[a-z]{4,24}$|^[a-z]{1,20}\d{1,4}[a-z]?$/;
/** Numbers that others write in groups: of phones, cards and accounts. */
const LONG_NUMBER = /^\d{7,19}$/;
/** The digits of their groups, and of a country code before them. */
const GROUPS = [
  '3 4 4',
  '3 3 4',
  '3 4',
  '4 4',
  '4 4 4',
  '4 4 4 4',
  '4 3 3',
  '3 3 3',
  '2 4 4',
  '2 2 2 2',
  '3 2 2 2',
].map((digits) => digits.split(' ').map(Number));
const LONGEST_COUNTRY_CODE = 3;
/** Letters of the shortest word that may follow another: up in backup. A first word may be a single letter: the O of
 * OAuth. */
const SHORTEST_BEHIND = 2;
/** Letters of the shortest first word of three, which must be in some item for the others to be looked up: xml of
 * XMLHttpRequest. Range 3 to 5. */
const SHORTEST_OF_THREE = 3;
/** Share of the items with a word of which as many must have its parts side by side, for these to mean the same. Range
 * 0.01 to 0.2. */
const LEAST_SPLIT = 0.05;
/** Number of Latin words of a query that are split. Each takes one index query per letter. */
const CUT_WORDS = 4;
/** Most Latin words of a query whose known words are split too. Range 1 to 5. */
const FEW_WORDS = 3;
/** Number of neighbouring pairs of a query that are looked up as one word, from the first. Range 2 to 10; each takes
 * one index query. */
const JOINED_PAIRS = 6;

/** Returns compounds of a query that items write differently: darkmode if they contain dark mode, and time out if they
 * contain timeout. `unknown` are the terms of the query that are in no item. In a query of a few words the others are
 * split too, since some items may have frontend and others front-end. */
export function writtenOtherwise(context: Context, query: Query, unknown: readonly QueryTerm[]): Phrase[] {
  const missing = new Set(unknown.map(({ term }) => term));
  const known = query.words.length <= FEW_WORDS ? query.terms.filter(({ term }) => !missing.has(term)) : [];
  const identifiers = new Set(query.wanted.flatMap(([, whole = []]) => whole));
  return [
    ...[...unknown, ...known]
      .filter(({ kind }) => kind === 'word')
      .slice(0, CUT_WORDS)
      .flatMap((term) => {
        const found = asSeveral(context, term);
        return identifiers.has(term.term) ? found : found.map(prose);
      }),
    ...wordPairs(query.whole)
      .slice(0, JOINED_PAIRS)
      .flatMap(([first, second]) => asOne(context, first, second)),
  ];
}

/** Returns the compound of the words that items contain side by side in place of one word. */
function asSeveral(context: Context, { forms }: QueryTerm): Phrase[] {
  const [word = ''] = forms;
  if (LONG_NUMBER.test(word)) return inGroups(context, word);
  if (!ONE_WORD.test(word)) return [];
  const parts = inTwo(context, [], word) ?? inThree(context, word);
  return parts === undefined || isByChance(context, forms, parts) ? [] : [splitWord(...parts)];
}

/** True if so few items have the parts of a word side by side, compared with the word itself, that they hardly mean it:
 * the or der of *PEM or DER*, or a word that a hyphen breaks at the end of a line. */
function isByChance({ store }: Context, forms: readonly string[], parts: readonly string[]): boolean {
  const whole = store.documentFrequency(termExpression(forms));
  return whole > 0 && store.documentFrequency(phraseExpression([parts])) < LEAST_SPLIT * whole;
}

/** Returns the compounds of the groups in which items contain a long number: 13800138000 as 138-0013-8000, with its
 * country code or without. */
function inGroups({ store }: Context, number: string): Phrase[] {
  return GROUPS.flatMap((digits) => {
    const code = number.length - digits.reduce((sum, count) => sum + count, 0);
    if (code < 0 || code > LONGEST_COUNTRY_CODE) return [];
    let at = code;
    const groups = digits.map((count) => number.slice(at, (at += count)));
    const whole = code === 0 ? groups : [number.slice(0, code), ...groups];
    const parts = [whole, groups].find((one) => store.documentFrequency(phraseExpression([one])) > 0);
    return parts === undefined ? [] : [{ ...compound(...parts), compound: number }];
  });
}

/** Finds the split of a word in two that, after the words `before`, is in the largest number of items. Returns all
 * these words; undefined if no split is in any item. */
function inTwo({ store }: Context, before: readonly string[], word: string): readonly string[] | undefined {
  let best: { readonly parts: readonly string[]; readonly frequency: number } | undefined;
  for (let at = 1; at <= word.length - SHORTEST_BEHIND; at += 1) {
    const halves = [word.slice(0, at), word.slice(at)];
    // two stop words mean nothing and may be in half of all texts; a one-letter stop word (a, s) is even commoner
    if (halves.every((half) => ENGLISH_STOP_WORDS.has(half)) || (at === 1 && ENGLISH_STOP_WORDS.has(word.charAt(0))))
      continue;
    const parts = [...before, ...halves];
    const frequency = store.documentFrequency(phraseExpression([parts]));
    if (frequency > (best?.frequency ?? 0)) best = { parts, frequency };
  }
  return best?.parts;
}

function inThree(context: Context, word: string): readonly string[] | undefined {
  for (let at = SHORTEST_OF_THREE; at <= word.length - 2 * SHORTEST_BEHIND; at += 1) {
    const first = word.slice(0, at);
    if (ENGLISH_STOP_WORDS.has(first) || context.store.documentFrequency(termExpression([first])) === 0) continue;
    const parts = inTwo(context, [first], word.slice(at));
    if (parts !== undefined) return parts;
  }
  return undefined;
}

/** Returns the compound of two words if items contain them as one. */
function asOne({ store }: Context, first: string, second: string): Phrase[] {
  const whole = first + second;
  if (ENGLISH_STOP_WORDS.has(whole)) return [];
  return store.documentFrequency(termExpression([whole])) > 0 ? [prose(compound(first, second))] : [];
}
