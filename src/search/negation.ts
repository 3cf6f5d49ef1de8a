import { prose, toPhrase, type Phrase } from './phrase.ts';
import { hasHan, runs } from './scripts.ts';
import { CHINESE_STOP_PHRASES, ENGLISH_STOP_WORDS } from './stop-words.ts';
import type { Tokenizer } from './tokenizer.ts';
import { beginningOf, wordStem } from './words.ts';

/** What 能, 会, 用 and 要 end a word with: 功能不能 denies, 能不能 asks. */
const BEGINNINGS = '功可性智机技职潜社应使引采作费利需重主必只';
/** What forbids or denies what follows it. */
const NEGATION = `(?:(?<![a-z0-9])(?:not|cannot|never|no(?!\\.? ?\\d)|avoid|without|(?:do|does|did|is|are|was|were|ca|wo|must|should|would|could|has|have|need)n['\u2019]?t)(?![a-z0-9])|(?:(?<=[${BEGINNINGS}][^])|(?<=(?<before>[^]))(?!不\\k<before>)|^)不(?:[要能许得必会应该用]|准(?!确)|可以|允许|需要|支持)|禁止|严禁|请勿|切勿|避免|无需|没有|(?<![级类识区特个分差性辨判送告])别(?![的名墅]))`;
/** What forbids what precedes it. */
const FORBIDDEN = '(?:(?<![a-z])(?:forbidden|prohibited|disallowed|not allowed)(?![a-z])|被?禁止)';
/** Characters of a clause between a negation and what it denies. Range 8 to 40. */
const MOST_BETWEEN = 24;
/** Words behind a negation of which one must be denied in a text, too. Range 1 to 4. */
const DENIED_WORDS = 3;
const CLAUSE_END = '.!?;\\n\u3002\uff01\uff1f\uff1b';
const MAY_NEGATE =
  /n['\u2019]?t\b|not\b|\bno\b|never|avoid|without|forbid|prohibit|disallow|[\u4e0d\u7981\u52ff\u907f\u65e0\u522b\u6ca1]/;

/** Returns the phrase of a query that forbids or denies something, for texts that deny it too, in whatever words: of two
 * notes with the same words, the one that says *do not*. Undefined for any other query. The index has no such phrase. */
export function negated(tokenizer: Tokenizer, query: string): Phrase | undefined {
  const lower = query.toLowerCase();
  if (!MAY_NEGATE.test(lower)) return undefined;
  const behind = new RegExp(`${NEGATION}(?<behind>.*)`, 's').exec(lower)?.groups?.['behind'];
  const [, before] = new RegExp(`^(.*?)${FORBIDDEN}`, 's').exec(lower) ?? [];
  const words = [
    ...denied(tokenizer, behind ?? '').slice(0, DENIED_WORDS),
    ...denied(tokenizer, before ?? '').slice(-DENIED_WORDS),
  ];
  if (words.length === 0) return undefined;
  const any = `(?:${words.map(patternOf).join('|')})`;
  const gap = `[^${CLAUSE_END}]{0,${MOST_BETWEEN}}?`;
  const pattern = new RegExp(`${NEGATION}${gap}${any}|${any}${gap}${FORBIDDEN}`, 'g');
  return prose(toPhrase([`not(${words.join(' ')})`], [], 'exact', pattern, []));
}

/** The words of a text that may be denied. */
function denied(tokenizer: Tokenizer, text: string): string[] {
  return runs(text)
    .flatMap((run) => (run.script === 'han' ? tokenizer.terms(run.text).filter((word) => word.length > 1) : [run.text]))
    .filter((word) => !ENGLISH_STOP_WORDS.has(word) && !CHINESE_STOP_PHRASES.includes(word));
}

/** The letters with which all inflections of a word begin: rel of rely and relies, but not par of part and parse. */
function sharedBeginning(word: string): string {
  const stem = wordStem(word);
  return word.startsWith(stem) ? stem : beginningOf(stem);
}

/** A regular expression for a word; for an English one in any inflection. */
function patternOf(word: string): string {
  if (hasHan(word)) return RegExp.escape(word);
  const start = '(?<![a-z0-9])';
  if (/^[a-z]{4,}$/.test(word)) return `${start}${sharedBeginning(word)}[a-z]{0,8}(?![a-z])`;
  return `${start}${RegExp.escape(word)}${/^[a-z]{3}$/.test(word) ? '[a-z]{0,4}' : ''}(?![a-z0-9])`;
}
