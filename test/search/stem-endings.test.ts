import fs from 'node:fs';
import { expect, test } from 'vitest';
import { shorterStems } from '../../src/search/stem-endings.ts';
import { wordStem } from '../../src/search/words.ts';

/** Words of English prose, and inflections of the kinds that the stemmer knows. */
function words(): Set<string> {
  const prose = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...fs.globSync('docs/*.md')].map((file) =>
    fs.readFileSync(file, 'utf8').toLowerCase(),
  );
  const bases = [
    'run',
    'relat',
    'general',
    'hop',
    'bas',
    'condit',
    'sens',
    'avail',
    'stabil',
    'happ',
    'electr',
    'form',
    'agre',
  ];
  const endings =
    'ning ation ational ations ized ization izing ing ed es s ped ional ibly ibility ability able ably al ally ality ic ical icity ment ments er ers ence ency ive iveness ivity ous ously ousness ful fulness ness y ies iness d e ates ated ator'.split(
      ' ',
    );
  return new Set([
    ...prose.flatMap((text) => text.match(/[a-z]{2,}/g) ?? []),
    ...bases.flatMap((base) => endings.map((ending) => base + ending)),
  ]);
}

test('the stem of a word is among the possible ones, wherever the word is cut off after it', () => {
  const missed: string[] = [];
  for (const word of words()) {
    const stem = wordStem(word);
    for (let end = stem.length + 1; end <= word.length; end += 1) {
      const typed = word.slice(0, end);
      if (typed.startsWith(stem) && !shorterStems(typed).has(stem)) missed.push(`${typed} of ${word}: ${stem}`);
    }
  }
  expect(missed).toEqual([]);
});

test.each([
  ['stackoverflow', 'stack'],
  ['ofthe', 'of'],
  ['getuserbyid', 'get'],
  ['checkpointer', 'check'],
  ['ansible', 'an'],
  [`run${'ed'.repeat(500)}x`, 'run'],
])('no word that starts with %s has the stem %s', (typed, stem) => {
  expect(shorterStems(typed)).not.toContain(stem);
});

test('a word with very many endings is handled in bounded time', () => {
  expect(shorterStems(`run${'ed'.repeat(500)}`)).toContain(`run${'ed'.repeat(499)}`);
});
