import { wordStem } from './words.ts';

/** Suffixes that the stemmer removes, whole or step by step. Source: the rules of Porter's stemmer (1980), without the
 * letters that it substitutes, and with y as well as i. */
const ENDINGS =
  's es d ed eed ing y e al alli ally aliti ality alism alize ance anci ancy ence enci ency er or ic ical iciti icity icate able abli ably abiliti ability ible ibli ibly ibiliti ibility biliti bility ant ement ment ent entli ently ion ional ation ational ator at ate ative iviti ivity ive iveness ism ist iti ity ou ous ousli ously ousness ful fulness ness iz ize izer ization li ly logi logy ies'.split(
    ' ',
  );

/** Shortest stem, in letters; a single one is too short. */
const SHORTEST_STEM = 2;

/** Returns the stems of words that begin with `typed`, one word in lower case, as far as they are prefixes of it,
 * shorter than it and at least `SHORTEST_STEM` letters long: run for runn (running). */
export function shorterStems(typed: string): Set<string> {
  const stems = new Set<string>();
  for (const ending of ENDINGS) {
    // the word may already end with a part of the ending, or all of it
    for (let taken = 0; taken <= ending.length; taken += 1) {
      if (!typed.endsWith(ending.slice(0, taken))) continue;
      const stem = wordStem(typed + ending.slice(taken));
      if (stem.length >= SHORTEST_STEM && stem.length < typed.length && typed.startsWith(stem)) stems.add(stem);
    }
  }
  return stems;
}
