import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { shorterStems } from '../../src/search/stem-endings.ts';
import { prefixesOf, wordStem } from '../../src/search/words.ts';

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

test('the possible stems of a word are shorter than it, and begin it', () => {
  for (const word of words())
    for (const stem of shorterStems(word))
      expect([word, stem, word.startsWith(stem) && stem.length >= 2 && stem.length < word.length]).toEqual([
        word,
        stem,
        true,
      ]);
});

test('the stem of a word is the term under which the index has it', () => {
  const all = [...words(), ...'30s 2s v2s mp3s 5gs x86s mp3star 5gsa 3ss sha256 5g 4mb 1s s ss xs as is'.split(' ')];
  const db = new DatabaseSync(':memory:');
  db.exec(`create virtual table texts using fts5(text, tokenize = 'porter ascii');
    create virtual table terms using fts5vocab(texts, instance)`);
  const insert = db.prepare('insert into texts(rowid, text) values (?, ?)');
  for (const [at, word] of all.entries()) insert.run(at, word);
  const indexed = db.prepare('select term from terms order by doc').all();
  db.close();
  expect(all.map((word) => `${word}: ${wordStem(word)}`)).toEqual(
    indexed.map(({ term }, at) => `${all[at]}: ${String(term)}`),
  );
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

test.each([
  ['deployed', ['deploi', 'deployed']], // the stem is no beginning of the word
  ['happy', ['happi', 'happy']],
  ['supply', ['suppli', 'supply']], // supplier
  ['many', ['many']], // no manifest
  ['busy', ['busy']], // no business
  ['runs', ['run']],
  ['axe', ['axe']], // its stem is too short
  ['3f2a', ['3f2a']],
  ['数据库', ['数据库']],
  ['12345', []],
  ['ab', []],
  ['as', []],
])('%s, which is in no item, may begin as %j', (word, expected) => {
  expect(prefixesOf(word, wordStem(word))).toEqual(expected);
});

test('a word with very many endings is handled in bounded time', () => {
  expect(shorterStems(`run${'ed'.repeat(500)}`)).toContain(`run${'ed'.repeat(499)}`);
});
