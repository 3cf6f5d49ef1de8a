import { expect, test } from 'vitest';
import { likeliness } from '../../src/search/near-words.ts';
import { normalForm, wordStem } from '../../src/search/words.ts';

// words of the index are stems: those of cache, retry and deploy are cach, retri and deploi
test.each([
  ['two swapped letters', 'cahce', 'cach', true, true],
  ['two swapped letters at the end', 'retyr', 'retri', true, true],
  ['the third and the fourth letter swapped', 'hsots', 'hosts', false, false],
  ['a missing letter', 'conection', 'connect', true, true],
  ['another letter in a word of six', 'abcdef', 'abcxef', true, true],
  ['another letter in a shorter word', 'abcdk', 'abcxk', true, false],
  ['a missing letter in a short word', 'slow', 'slo', true, false],
  ['one letter more', 'abcd', 'abcde', true, false],
  ['a word that is too short', 'abc', 'abd', false, false],
  ['two other letters in a word of seven', 'abcdefg', 'abcxyfg', false, false],
  ['two other letters in a word of eight', 'abcdefgh', 'abcxyfgh', true, true],
  ['three other letters', 'abcdefgh', 'abcxyzgh', false, false],
  ['two letters more', 'abcdefgh', 'abcdefghij', true, true],
  ['three letters more', 'abcdefgh', 'abcdefghijk', false, false],
  ['swapped letters at the start', 'tmieout', 'timeout', false, false],
  ['a letter that keeps the ending', 'prodxction', 'product', true, true],
  ['a letter that keeps the ending of a word of seven', 'prodxct', 'product', true, true],
  ['a letter that keeps the ending of a shorter word', 'servxce', 'servic', true, true],
  ['an ending after a missing letter', 'connctions', 'connect', true, true],
  ['a missing letter in a short word before an ending', 'critcal', 'critic', true, true],
  ['another letter in a short word before an ending', 'critical', 'crib', false, false],
  ['an ending without a letter', 'paginaton', 'pagin', true, true],
  ['an ending with another letter', 'deploymint', 'deploy', true, true],
  ['an ending with one letter more', 'configurattion', 'configur', true, true],
  ['two other letters in an ending', 'paginxtyon', 'pagin', false, false],
  ['another word before an ending', 'paginaton', 'magin', false, false],
  ['too short a word before an ending', 'runer', 'run', false, false],
])('%s: %s may be %s: %j alone, %j beside known words', (_what, typed, word, alone, besideKnown) => {
  const isLike = (isNothingKnown: boolean): boolean =>
    likeliness({ term: normalForm(typed), forms: [typed] }, { isNothingKnown })(word) > 0;
  expect([isLike(true), isLike(false)]).toEqual([alone, besideKnown]);
});

test('a word is like itself without any one letter behind the second, or with it twice', () => {
  const words =
    'accessibility dependency certificate performance authentication authorization configuration deployment transaction ' +
    'serialization compatibility consistency concurrency middleware controller repository interface implementation ' +
    'environment permission subscription encryption credential replication asynchronous registration difference instance ' +
    'maintenance resistance component requirement document duplicate aggregate historical practical meaningful anonymous ' +
    'integrity priority observability portability flexible executable';
  for (const word of words.split(' '))
    for (let at = 2; at < word.length; at += 1)
      for (const typed of [word.slice(0, at) + word.slice(at + 1), word.slice(0, at) + word.slice(at - 1)]) {
        const likely = likeliness({ term: normalForm(typed), forms: [typed] }, { isNothingKnown: false });
        expect([word, typed, wordStem(typed) === wordStem(word) || likely(wordStem(word)) > 0]).toEqual([
          word,
          typed,
          true,
        ]);
      }
});
