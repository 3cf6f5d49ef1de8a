/** Words of a question that say nothing about its subject, left out of queries (never of the index, and never all of
 * them). English: function words and question words, based on the stop list of Lucene's StandardAnalyzer (33 words),
 * with the pronouns, auxiliaries and question words that questions to a memory begin with. A wider list measured worse
 * (docs/ranking-experiments.md). */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with ' +
    'what which who whom when where why how do does did has have had i you he she we me my your his her our its can could would should may might ' +
    'been being am were from about some any s t re ve ll d m'
  ).split(' '),
);

/** What an English query begins or ends with when it asks for notes, rather than says what they are about. */
const REQUESTS = [
  /^\s*(?:(?:please|can you|could you|help me|let me)\s+)*(?:(?:look|looking|search|searching) (?:up|for)|find(?: me)?(?: (?:the|any|all|my))? (?:notes?|memor(?:y|ies)) (?:about|on|for|of)|tell me(?: more)? about|(?:show|give) me|remind me (?:of|about)|what do (?:we|you|i) (?:already )?know about|who knows(?: about)?|anything (?:about|on))(?=\s+\S)/i,
  /(?<=^\s*what (?:does|do)\b.*\S\s+)mean(?=\W*$)/i,
  /(?<=^\s*where (?:is|are)\b.*\S\s+)(?:defined|documented)(?=\W*$)/i,
  /(?<=\S\s+)explained(?=\W*$)/i,
];

/** A word of every request. Tested first, since a short call compiles every pattern that it uses. */
const REQUEST_WORD = /\b(?:up|for|about|on|of|me|knows?|mean|defined|documented|explained)\b/i;
/** In characters: a longer query is no question. Bounds the work for a pasted log. */
const LONGEST_REQUEST = 200;

/** Returns a query with spaces in place of an English request. */
export function withoutRequest(query: string): string {
  if (query.length > LONGEST_REQUEST || !REQUEST_WORD.test(query)) return query;
  return REQUESTS.reduce((rest, pattern) => rest.replace(pattern, (request) => ' '.repeat(request.length)), query);
}

/** Chinese words that ask, in the form of terms: Simplified. */
const CHINESE_QUESTION_WORDS: readonly string[] =
  '什么时候 时候 什么 是什么 有什么 有哪些 哪些 哪个 哪种 哪里 哪儿 哪年 哪一 哪 为什么 为何 为啥 怎么样 怎么办 怎么 怎样 如何 多少 几个 几 谁 何时 何地 何 吗 呢 吧 么 请问'.split(
    ' ',
  );

/** Chinese question phrases and particles. They also bound the spans from which bigrams are made, since a bigram across
 * "是什么" would outweigh the word that the question is about. */
export const CHINESE_STOP_PHRASES: readonly string[] = [
  ...CHINESE_QUESTION_WORDS,
  ...'的 了 是 在 和 与 及 或 有 个 被 把 将 对 从 到 于 由 之 其 这 那 也 都 就 而 着 过 地 得 一个 一种'.split(' '),
];

/** True for a Chinese text that asks something, rather than naming it. */
export function isQuestion(text: string): boolean {
  return text.includes('?') || CHINESE_QUESTION_WORDS.some((word) => text.includes(word));
}
