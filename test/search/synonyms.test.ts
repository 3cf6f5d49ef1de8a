import { describe, expect, test } from 'vitest';
import { hasHan } from '../../src/search/scripts.ts';
import { CHINESE_STOP_PHRASES, ENGLISH_STOP_WORDS } from '../../src/search/stop-words.ts';
import { SYNONYM_GROUPS } from '../../src/search/synonym-groups.ts';
import { synonymsOf } from '../../src/search/synonyms.ts';
import { normalForm } from '../../src/search/words.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

const groups = SYNONYM_GROUPS.trim()
  .split('\n')
  .map((group) => group.split(' '));
const words = [...new Set(groups.flat())];
/** Groups of a single Han character, of which the others are no synonyms. */
const isOneWay = ([first = '']: readonly string[]): boolean => first.length === 1;
const termOf = (word: string): string => word.split('-').map(normalForm).join('-');

describe('the groups of synonyms', () => {
  test('have several words each, none twice', () => {
    expect(groups.filter((group) => group.length < 2 || new Set(group.map(termOf)).size < group.length)).toEqual([]);
    const sorted = groups.map((group) => group.toSorted().join(' '));
    expect(sorted.filter((group, at) => sorted.indexOf(group) < at)).toEqual([]);
  });
  test('have words as queries have them: folded, Simplified, no stop words, single Han characters only at the start', () => {
    const stop = new Set([...CHINESE_STOP_PHRASES, ...ENGLISH_STOP_WORDS]);
    const isForeign = (word: string): boolean =>
      tokenizer.normal(word).toLowerCase() !== word ||
      stop.has(word) ||
      !(hasHan(word) ? /^\p{Script=Han}{2,}$/u : /^[a-z][a-z0-9]+(?:-[a-z]+)*$/).test(word);
    expect(words.filter((word) => word.length > 1 && isForeign(word))).toEqual([]);
    expect(groups.filter(([, ...others]) => others.some((word) => word.length < 2))).toEqual([]);
    expect(groups.filter(isOneWay).filter(([first = '', ...others]) => !hasHan(first) || others.some(hasHan))).toEqual(
      [],
    );
  });
});

describe('the synonyms of a word', () => {
  test('are the others of all its groups, for every word', () => {
    for (const word of words) {
      const own = groups.filter((group) => group.includes(word) && (!isOneWay(group) || group[0] === word));
      const expected = [...new Set(own.flat())].filter((other) => other !== word);
      const found = synonymsOf(termOf(word));
      expect([word, found]).toEqual([word, expect.arrayContaining(expected)]);
      expect(found.filter((other) => other.length < 2)).toEqual([]);
    }
  });
  test.each([
    ['timeouts', ['超时']],
    ['deleted', ['删除', '移除', '去除', '清除', 'remove', 'erase']],
    ['sent', ['发送']],
    ['directories', ['文件夹', '目录', 'folder', 'dir']],
    ['copies', ['复制', '拷贝']],
    ['edge-cases', ['边界情况', '边界条件', 'corner-case']],
    ['慢', ['slow']],
    ['slow', ['缓慢', '变慢', '很慢']],
    ['key', []],
  ])('%s are those of its base', (word, expected) => {
    expect(synonymsOf(termOf(word))).toEqual(expected);
  });
  test.each(['超', '时', '超时重试', 'timeou', 'ab', 'x', '', '42', 'ог', 'toString', ' ', '\n'])(
    'of %j do not exist',
    (term) => {
      expect(synonymsOf(term)).toEqual([]);
    },
  );
});
