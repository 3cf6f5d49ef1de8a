/** The section of `jieba.bin` with translations, a hash table from a term to the words that mean the same in the other
 * language:
 *
 * - the start of each bucket, u32[TRANSLATION_BUCKETS + 1], in bytes from the start of the entries;
 * - the entries, UTF-8, a line each: the term and its translations, the likeliest first, separated by spaces.
 *
 * A term is a Han word, or an English one as a dictionary lists it: the stem of news is that of new. Two English words
 * are joined by a hyphen. A lookup reads two short stretches. `scripts/build-translations.ts` chooses the entries from
 * CC-CEDICT. */
export const TRANSLATION_BUCKETS = 32_768;

/** Returns the bucket of a term (FNV-1a over its UTF-16 units). */
export function bucketOf(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0) % TRANSLATION_BUCKETS;
}

/** Endings of regular forms, and what the form in a dictionary has in their place. */
const ENDINGS = [
  ['ies', 'y'],
  ['ied', 'y'],
  ['es', ''],
  ['s', ''],
  ['ed', ''],
  ['ed', 'e'],
  ['ing', ''],
  ['ing', 'e'],
] as const;
/** Letters of the shortest word that is left without its ending. */
const SHORTEST_BASE = 3;

/** Yields the forms in which a dictionary may list an English word, or several joined by hyphens, in lower case: first
 * as it is, then without its ending. Irregular forms are other words as often as not (left, found, saw). */
export function* listedForms(word: string): Generator<string> {
  yield word;
  for (const [ending, instead] of ENDINGS)
    if (word.endsWith(ending) && word.length - ending.length >= SHORTEST_BASE)
      yield `${word.slice(0, -ending.length)}${instead}`;
}

/** Returns the translations of a term, given the entries of its bucket. */
export function translationsIn(entries: string, term: string): string[] {
  for (const line of entries.split('\n')) {
    const [own, ...others] = line.split(' ');
    if (own === term) return others;
  }
  return [];
}
