// Lists that are written as one word: tags and fields.

/** Splits words at commas, trims the parts, drops empty ones and duplicates, and keeps the order. A word without any
 * non-empty part becomes '', so that it is refused. A word that is a JSON array of strings gives its elements, which may
 * contain commas. */
export function splitAtCommas(words: readonly string[]): string[] {
  const parts = words.flatMap((word) => {
    const elements = arrayOf(word);
    if (elements !== undefined) return elements;
    const trimmed = word.split(',').map((part) => part.trim());
    return trimmed.every((part) => part === '') ? [''] : trimmed.filter((part) => part !== '');
  });
  return [...new Set(parts)];
}

/** Returns the word that `splitAtCommas` splits into these values, for commands in hints. */
export function commaWord(values: readonly string[]): string {
  const joined = values.join(',');
  const read = isBrokenArray(joined) ? [] : splitAtCommas([joined]);
  return JSON.stringify(read) === JSON.stringify(values) ? joined : JSON.stringify(values);
}

/** True for several values in brackets that are no JSON array of strings, such as `[a,b]`, of which a shell has taken
 * the quotes: nobody means the values `[a` and `b]`. */
export function isBrokenArray(word: string): boolean {
  return /^\s*\[[^\],]*,[^]*\]\s*$/.test(word) && arrayOf(word) === undefined;
}

/** Returns the elements of a JSON array of strings; undefined for any other text. */
function arrayOf(word: string): string[] | undefined {
  if (!/^\s*\[/.test(word)) return undefined;
  try {
    const value: unknown = JSON.parse(word);
    return Array.isArray(value) && value.every((element) => typeof element === 'string') ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
