import { NAMES } from './keywords.ts';
import type { Phrase } from './phrase.ts';
import type { Query } from './query.ts';
import { hasHan } from './scripts.ts';
import { isQuestion } from './stop-words.ts';
import { normalForm } from './words.ts';

/** What a name adds to any text that has it, however long the text and however seldom the name: this many times its
 * idf, times its idf relative to the rarest of the query (like the delta of BM25+; Lv and Zhai, 2011). Range 0 to 2; at
 * 0 a long note with the only mention of a name ranks after short ones that repeat a common word. */
const PRESENCE_WEIGHT = 2;
/** Characters of the shortest word that is a name without the others of its compound: the 413 of HTTP 413, but not the 9
 * and 30 of 9:30. Range 1 to 4; at 1 devcmd-zh loses 0.1. */
const SHORTEST_ALONE = 3;

/** How many times more a Chinese message adds than a word: in a long log its words themselves count for little. Range 1
 * to 2; measured alike from 1.3 to 2. */
const MESSAGE_GAIN = 1.5;
/** Characters of the shortest Han text that counts for being there as a whole. Range 4 to 8. */
const SHORTEST_MESSAGE = 5;

/** A name of a query: a Latin word, or text that is counted as it is. */
interface Name {
  readonly term: string;
  readonly kind: 'word' | 'text';
}

/** Returns what each name of a query adds to a text that has it, by its term. Names are the Latin words, and in place of
 * the words in them, compounds (jdk8, time out) and names with separators (cart.pool_size, v2.1.0) that a candidate
 * has: of HTTP 413, if none has them together, the 413 is as rare as ever; and a Chinese message as a whole. If there are
 * not too many with them, also the keywords (数据库 超时), of which a common one would otherwise outvote a rare one, and
 * short words in other scripts. Empty if the query has more than `NAMES`. `idfOf` returns the inverse document frequency, and 0 for what no candidate has. */
export function presenceOf(
  { terms, phrases, keywords, severed }: Query,
  idfOf: (name: Name) => number,
): ReadonlyMap<string, number> {
  const written = phrases.filter(({ kind, ways }) => kind !== 'words' && ways.length > 0);
  const units = written.filter(({ term }) => idfOf({ term, kind: 'text' }) > 0);
  const joined = new Set([
    ...units.flatMap(wordsOf),
    ...written.flatMap((phrase) => wordsOf(phrase).filter((word) => !isTelling(word, phrase))),
  ]);
  const words = terms.filter(
    ({ term, kind, isPart, nearTo }) => kind === 'word' && !isPart && nearTo === null && !joined.has(term),
  );
  const messages = new Set(phrases.filter(isMessage).map(({ term }) => term));
  const latin: Name[] = [
    ...words.map(({ term }): Name => ({ term, kind: 'word' })),
    ...units.map(({ term }): Name => ({ term, kind: 'text' })),
    ...[...messages].map((term): Name => ({ term, kind: 'text' })),
  ];
  // a short word in kana or hangul, an emoji, C++
  const others = terms.filter(({ kind }) => kind === 'other').map(({ term }) => term);
  const all = [...latin, ...[...others, ...keywords].map((term): Name => ({ term, kind: 'text' }))];
  // of a word that stop words split, other texts have a part
  const isOneOfSeveral = all.length > 1 || severed.words.some((word) => keywords.includes(word));
  const names = isOneOfSeveral && all.length <= NAMES ? all : latin;
  if (names.length > NAMES) return new Map();
  const idfs = names.map(idfOf);
  const rarest = Math.max(...idfs);
  return new Map(
    names.map(({ term }, at) => {
      const idf = idfs[at] ?? 0;
      const gain = messages.has(term) ? MESSAGE_GAIN : 1;
      return [term, idf === 0 ? 0 : (gain * PRESENCE_WEIGHT * idf * idf) / rarest];
    }),
  );
}

/** True for a stretch of Han text that is longer than words are and no question, as a message is that somebody pasted or
 * quoted. */
function isMessage({ term, kind }: Phrase): boolean {
  return (
    kind === 'words' && term.length >= SHORTEST_MESSAGE && hasHan(term) && !term.includes(' ') && !isQuestion(term)
  );
}

/** True for what is a name without the others of its compound: the 78 of exit 78 too. */
function isTelling(word: string, { term }: Phrase): boolean {
  return word.length >= SHORTEST_ALONE || (/^\d\d$/.test(word) && /^[a-z]/.test(term));
}

function wordsOf({ ways }: Phrase): string[] {
  return ways.flat().map((word) => normalForm(word));
}
