import { hasHan, runs } from './scripts.ts';
import { CHINESE_STOP_PHRASES } from './stop-words.ts';
import { quotedTexts } from './phrases.ts';

export const STOP_PHRASES: ReadonlySet<string> = new Set(CHINESE_STOP_PHRASES);
/** Stop words that are also part of verbs (比对, 到账, 过账, 把控, 被拒). A single character beside another one (在, 的, 是) is a
 * separate word. */
const PARTS_OF_VERBS = new Set(['对', '到', '过', '把', '被']);
/** Characters of the longest word of a list of words, and of the longest that stop words may have split. Range 4 to
 * 8. */
export const LONGEST_KEYWORD = 6;

/** The particle 着, but not the 着 that stands for 著 (著名, 显著). */
const PARTICLE = '(?<![显名原专巨土昭卓论编译合])着(?![名作称述书者文])';

/** The phrases at which Han text is split, compiled for the first query that has any. */
let compiled: RegExp | undefined;
export function stopPhrases(): RegExp {
  return (compiled ??= new RegExp(
    CHINESE_STOP_PHRASES.toSorted((a, b) => b.length - a.length)
      .map((phrase) => (phrase === '着' ? PARTICLE : phrase))
      .join('|'),
  ));
}

/** Returns the pairs of adjacent one-character words of a run of which one is a stop word that is also part of verbs: the
 * pair may be a word that the dictionary does not have (比对, of which 对 is left out). */
export function severedPairs(cut: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let at = 1; at < cut.length; at += 1) {
    const [first = '', second = ''] = [cut[at - 1], cut[at]];
    if (first.length !== 1 || second.length !== 1 || STOP_PHRASES.has(first) === STOP_PHRASES.has(second)) continue;
    if (PARTS_OF_VERBS.has(first) || PARTS_OF_VERBS.has(second)) pairs.push(first + second);
  }
  return pairs;
}

/** Particles that begin no word, and that end none. */
const NO_BEGINNINGS = '的了是吗呢吧么';
const CONJUNCTIONS = '和与及或';
const NO_ENDS = '的了是在吗呢吧么';

/** Returns the Han words that a query states as such, and that its stop words split (从节点, 对账单): the whole query, a
 * quoted text, or a word of a list of words separated by spaces. Beside Latin words alone spaces mean nothing (Redis
 * 的持久化). */
export function splitWords(query: string): string[] {
  const words = query.trim().split(/\s+/);
  const isList = words.every(hasHan) || words.some((word, at) => hasHan(word) && hasHan(words[at + 1] ?? ''));
  const stated = [...(isList ? words : []), ...quotedTexts(query)];
  return [...new Set(stated)].filter(isSplit);
}

function isSplit(word: string): boolean {
  const [run, ...others] = runs(word);
  if (run?.text !== word || run.script !== 'han' || others.length > 0) return false;
  if (word.length < 2 || word.length > LONGEST_KEYWORD) return false;
  if (NO_BEGINNINGS.includes(word.charAt(0)) || NO_ENDS.includes(word.charAt(word.length - 1))) return false;
  const parts = word.split(stopPhrases());
  const left = parts.join('');
  // one character for each split: no question phrase (怎么, 哪些)
  if (parts.length < 2 || left === '' || word.length - left.length !== parts.length - 1) return false;
  return !parts.some((part, at) => at > 0 && isJoint(parts[at - 1] ?? '', part, word));
}

/** True for the words on both sides of a stop word that joins them (订单和支付, 部署到生产): texts may have them otherwise. */
function isJoint(before: string, behind: string, word: string): boolean {
  if (before === '' || behind === '') return false;
  return (before.length > 1 && behind.length > 1) || CONJUNCTIONS.includes(word.charAt(before.length));
}
