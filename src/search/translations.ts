/** The section of `jieba.bin` with translations, a hash table from a term to the words that mean the same in the other
 * language:
 *
 * - the start of each bucket, u32[TRANSLATION_BUCKETS + 1], in bytes from the start of the entries;
 * - the entries, UTF-8, a line each: the term and its translations, the likeliest first, separated by spaces.
 *
 * A term is a Han word, or the normal form of an English one. Several English words are joined by hyphens. A lookup
 * reads two short stretches. `scripts/build-translations.ts` chooses the entries from CC-CEDICT. */
export const TRANSLATION_BUCKETS = 32_768;

/** Returns the bucket of a term (FNV-1a over its UTF-16 units). */
export function bucketOf(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0) % TRANSLATION_BUCKETS;
}

/** Returns the translations of a term, given the entries of its bucket. */
export function translationsIn(entries: string, term: string): string[] {
  for (const line of entries.split('\n')) {
    const [own, ...others] = line.split(' ');
    if (own === term) return others;
  }
  return [];
}
