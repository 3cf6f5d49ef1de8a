import { wordStem } from './words.ts';

/** What the stemmer takes off a word, piece by piece. Source: the rules of Porter's stemmer (1980), the letters that it
 * puts in their place left out, y beside i. */
const ENDINGS =
  's es d ed eed ing y e al alli ally aliti ality alism alize ance anci ancy ence enci ency er or ic ical iciti icity icate able abli ably abiliti ability ible ibli ibly ibiliti ibility biliti bility ant ement ment ent entli ently ion ional ation ational ator at ate ative iviti ivity ive iveness ism ist iti ity ou ous ousli ously ousness ful fulness ness iz ize izer ization li ly logi logy ies'.split(
    ' ',
  );

/** A single letter is no stem of a word that was begun. */
const SHORTEST_STEM = 2;

/** The stems, shorter than `typed` and of `SHORTEST_STEM` letters or more, of the words that begin like it: run for
 * runn, which running begins with. `typed` is one word in lower case. */
export function shorterStems(typed: string): Set<string> {
  const stems = new Set<string>();
  for (const ending of ENDINGS) {
    // the word may have a part of the ending already, or all of it
    for (let begun = 0; begun <= ending.length; begun += 1) {
      if (!typed.endsWith(ending.slice(0, begun))) continue;
      const stem = wordStem(typed + ending.slice(begun));
      if (stem.length >= SHORTEST_STEM && stem.length < typed.length && typed.startsWith(stem)) stems.add(stem);
    }
  }
  return stems;
}
