import { rowFinder, wordFinder, type FoldedText } from './places.ts';
import { normalForm } from './words.ts';

/** A part of a query that belongs together, and that counts more where a text has it together too: a name with
 * separators (cart.pool_size, /api/v2, v2.1.0), a word with a number or a version (jdk8, ES 6, TLS 1.3), a number with a
 * unit (4mb), a quoted text, or a short query as a whole. */
export interface Phrase {
  /** Identifies it among phrases and terms: its words, separated by spaces. */
  readonly term: string;
  /** The sequences of terms by which the index may hold it; empty for Han text, which may be segmented differently
   * there, and for text that must match verbatim. */
  readonly ways: readonly (readonly string[])[];
  /** Returns how often a text has it: its words in a row, with at most two characters between them that belong to no
   * word, or for a compound of words of letters, these in any inflection. */
  readonly count: (text: FoldedText) => number;
  /** Where the words, or two of them, may be written as one, the normal form of that word: jdk8, the tls1 of TLS1.3, 4mb,
   * timeout. */
  readonly compound?: string;
  /** Several words, a name, or a compound that replaces a word of the query which is in no item, or means nothing
   * alone. */
  readonly kind: 'words' | 'name' | 'word';
}

const LETTERS = /^[a-z]+$/;

/** Returns the phrase of words that may be written as one. */
export function compound(...parts: readonly string[]): Phrase {
  const words = parts.map((part) => part.toLowerCase());
  const whole = words.join('');
  const phrase = { ...toPhrase(words, [words, [whole]]), compound: normalForm(whole) };
  return words.every((word) => LETTERS.test(word)) ? { ...phrase, count: inflectedCounter(words) } : phrase;
}

/** Returns a phrase of words that `pattern` matches in a folded text. A text that lacks one of `needed` has it not, which
 * is quickly seen. */
export function toPhrase(
  words: readonly string[],
  ways: Phrase['ways'],
  kind: Phrase['kind'] = 'name',
  pattern = patternOf(words),
  needed = words,
): Phrase {
  const count = ({ lower }: FoldedText): number =>
    needed.every((word) => lower.includes(word)) ? (lower.match(pattern)?.length ?? 0) : 0;
  return { term: words.join(' '), ways, count, kind };
}

/** Counts words side by side or as one, by their normal forms, as the index finds them: timed out, timeouts. */
function inflectedCounter(words: readonly string[]): Phrase['count'] {
  const whole = words.join('');
  const rows = rowFinder(words.join(' '));
  const one = wordFinder(normalForm(whole), [whole]);
  // timeOut is found both ways
  return (text) => new Set([...rows(text).map(({ start }) => start), ...one.places(text)]).size;
}

/** `words` may be regular expressions for letters and digits. A phrase that begins and ends with a number may be part
 * of an ISO 8601 time: 02:45 in 2026-07-06T02:45:46Z. */
export function patternOf(words: readonly string[]): RegExp {
  const isNumeric = /^(?:v\?)?\d/.test(words[0] ?? '') && /\d$/.test(words.at(-1) ?? '');
  const [start, end] = isNumeric
    ? ['(?:(?<![a-z0-9])|(?<=\\d{2}t))', '(?:(?![a-z0-9])|(?=t\\d{2}|z(?![a-z0-9])))']
    : ['(?<![a-z0-9])', '(?![a-z0-9])'];
  return new RegExp(`${start}${words.join('[^a-z0-9\\u4e00-\\u9fff]{0,2}')}${end}`, 'g');
}
