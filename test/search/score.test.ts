import { describe, expect, test } from 'vitest';
import type { CandidateText } from '../../src/search/counter.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { prose, splitWord } from '../../src/search/phrase.ts';
import { matchedTerms } from '../../src/search/matched-terms.ts';
import { lexicalScores } from '../../src/search/score.ts';
import type { LexicalScore, Statistics } from '../../src/search/score.ts';
import { tokenizer } from '../helpers/tokenizer.ts';

const AVERAGE = 10;
/** 100 texts, of which nine have any given word. */
const STATISTICS: Statistics = { count: 100, averageLength: AVERAGE, documentFrequency: () => 9 };
/** Of a term in nine of 100 texts. */
const IDF = Math.log(1 + 91.5 / 9.5);

function candidate(text: string | Partial<CandidateText>): CandidateText {
  const fields = typeof text === 'string' ? { content: text } : text;
  return { key: 'note', tags: '', source: '', content: '', length: AVERAGE, ...fields };
}

function scores(
  query: string,
  texts: readonly (string | Partial<CandidateText>)[],
  statistics = STATISTICS,
): LexicalScore[] {
  return lexicalScores(analyseQuery(tokenizer, query), texts.map(candidate), statistics);
}

function score(query: string, text: string | Partial<CandidateText>, statistics = STATISTICS): LexicalScore {
  const [found] = scores(query, [text], statistics);
  if (found === undefined) throw new Error('one score for each candidate');
  return found;
}

describe('words', () => {
  test('count their inverse document frequency, once in a text of average length', () => {
    const query = 'redis cluster shard slot';
    expect(score(query, 'a redis node')).toMatchObject({ words: expect.closeTo(IDF, 4), characters: 0, bigrams: 0 });
    expect(score(query, 'another node').score).toBe(0);
    expect(score(query, 'redis and, far away in the same text, a cluster').words).toBeCloseTo(2 * IDF, 4);
  });
  test('of a query of up to three count twice more for being there, in a text of any length', () => {
    for (const query of ['redis', 'redis cluster', 'redis cluster shard'])
      expect([query, score(query, 'a redis node').words]).toEqual([query, expect.closeTo(3 * IDF, 4)]);
    // 2.4 times the saturated frequency, 0.2, of a word that is there once in six average lengths or more
    const { words } = score('redis', { content: 'a redis node', length: 6000 });
    expect(words).toBeCloseTo((2 + 2.4 / (1 + 1.4 * (0.42 + 0.58 * 10))) * IDF, 4);
  });
  test('that are commoner than the rarest one count less for being there; one that no text has is no measure', () => {
    const statistics = { ...STATISTICS, documentFrequency: (term: string) => (term === 'redi' ? 9 : 40) };
    const commoner = Math.log(1 + 60.5 / 40.5);
    const [, node] = scores('redis node', ['one redis', 'one node'], statistics);
    expect(node?.words).toBeCloseTo(commoner + (2 * commoner * commoner) / IDF, 4);
    const [, alone] = scores('redis node', ['one shard', 'one node'], statistics);
    expect(alone?.words).toBeCloseTo(3 * commoner, 4);
  });
  test.each([
    ['jdk 8', 'on jdk 17', 'on jdk8'],
    ['cart.pool_size', 'a cart', 'the cart.pool_size'],
    ['src/db/pool.ts 索引', 'a pool', 'see src/db/pool.ts'],
  ])('of the name %s do not count for being there where a text has the name, which does', (query, part, whole) => {
    const latin = query.includes('索引') ? 2.2 : 1; // the weight of a Latin word beside Chinese
    const [ofPart, ofWhole] = scores(query, [part, whole]);
    expect(ofPart?.words).toBeCloseTo(latin * IDF, 4);
    // 0.45, the weight of a name, and 2 for being there
    expect(ofWhole?.phrases).toBeCloseTo((0.45 + 2) * IDF, 4);
  });
  test.each([
    ['status 413', '413', true],
    ['x.keycloak', 'keycloak', true],
    ['at 9:30', '30', false], // means little alone
  ])('of the name in %s, which no text has, count for being there: %s', (query, part, isCounted) => {
    expect(score(query, `a ${part}`).words).toBeCloseTo((isCounted ? 3 : 1) * IDF, 4);
  });
  test('that are missing count 0.8 of their weight and presence for synonyms, by field, and by the commoner of both', () => {
    expect(score('delete', 'erase it').words).toBeCloseTo(0.8 * (1 + 2) * IDF, 4);
    expect(score('delete 一下', 'erase it').words).toBeCloseTo(0.8 * (2.2 + 2) * IDF, 4); // a Latin word beside Chinese
    // what means the same as several words counts for each of them
    expect(score('hit the rate limit', '限流了').words).toBeCloseTo(0.8 * 2 * (1 + 2) * IDF, 4);
    expect(score('out of memory', 'OOM').words).toBeCloseTo(0.8 * 2 * (1 + 2) * IDF, 4);
    expect(score('delete', { key: 'erase' }).words).toBeCloseTo(0.8 * ((3 * 2.4) / (3 + 1.4) + 2) * IDF, 4);
    // a part of a longer word is not the word
    expect(score('cert', 'the certificate').words).toBeCloseTo(0.8 * (1 + 2) * IDF, 4);
    // in a question nothing has presence
    expect(score('how to delete a branch of the old server', 'erase it').words).toBeCloseTo(0.8 * IDF, 4);
    for (const common of ['delet', '≈delet']) {
      const statistics = { ...STATISTICS, documentFrequency: (term: string) => (term === common ? 40 : 9) };
      expect([common, score('delete', 'erase it', statistics).words]).toEqual([
        common,
        expect.closeTo(0.8 * (1 + 2) * Math.log(1 + 60.5 / 40.5), 4),
      ]);
    }
  });
  test('count the less, the more texts have them', () => {
    const statistics = { ...STATISTICS, documentFrequency: (term: string) => (term === 'redi' ? 3 : 60) };
    const [rare, common] = scores('redis node', ['one redis', 'one node'], statistics);
    expect(rare?.words).toBeGreaterThan(2 * (common?.words ?? 0));
  });
  test('count more in a key than in tags, in tags more than in a content, and there more than in a source', () => {
    const fields = ['key', 'tags', 'source', 'content'] as const;
    const [key = 0, tags = 0, source = 0, content = 0] = fields.map(
      (field) => score('redis', { [field]: 'my redis' }).words,
    );
    expect(key).toBeGreaterThan(tags);
    expect(tags).toBeGreaterThan(content);
    expect(content).toBeGreaterThan(source);
    expect(source).toBeGreaterThan(0);
  });
  test('count less in a longer content, up to ten times the average, and equally in a key of any length', () => {
    const [short = 0, average = 0, long = 0, longer = 0, longest = 0] = [1, 10, 60, 100, 6000].map(
      (length) => score('redis', { content: 'a redis node', length }).words,
    );
    expect(short).toBeGreaterThan(average);
    expect(average).toBeGreaterThan(long);
    expect(long).toBeGreaterThan(longer);
    expect(longest).toBeCloseTo(longer, 9);
    expect(score('redis', { key: 'my redis', length: 600 }).words).toBe(score('redis', { key: 'my redis' }).words);
  });
  test('are no stop words with the same stem: one is not on', () => {
    expect(score('only one worker', 'it depends on the worker').words).toBeLessThan(
      score('only one worker', 'there is one worker').words,
    );
    expect(score('one', 'on and on').score).toBe(0);
  });
  test('that are replaced by synonyms count for being there, also where others write them as two', () => {
    const query = analyseQuery(tokenizer, 'javascript');
    const written = { ...query, phrases: [prose(splitWord('java', 'script'))] };
    const candidates = ['the JS bundle', 'the JavaScript heap'].map(candidate);
    const [alone, beside] = [query, written].map((one) => lexicalScores(one, candidates, STATISTICS)[0]?.words);
    expect(beside).toBeCloseTo(alone ?? 0, 4);
    expect(alone).toBeCloseTo(0.8 * (1 + 2) * IDF, 4);
  });
  test('that a query repeats count once', () => {
    const [once, often] = ['redis', 'redis, redis, redis, redis'].map((query) => score(query, 'a redis node').words);
    expect(once).toBeCloseTo((1 + 2) * IDF, 4);
    expect(often).toBeCloseTo(once ?? 0, 9);
  });
  test('of a version count alike with and without its v', () => {
    const [first, ...others] = ['v2.1.0', '2.1.0'].flatMap((query) => [
      score(query, 'upgraded to v2.1.0').words,
      score(query, 'upgraded to 2.1.0').words,
    ]);
    for (const other of others) expect(other).toBeCloseTo(first ?? 0, 9);
    expect(first).toBeCloseTo(3 * IDF, 4);
  });
  test('of two Han characters count as words, as pairs and by their characters; single characters only as such', () => {
    const word = score('索引', '重建索引');
    for (const part of ['words', 'bigrams', 'characters'] as const)
      expect([part, word[part] > 0]).toEqual([part, true]);
    expect(score('锁', '死锁')).toMatchObject({ words: 0, bigrams: 0, characters: expect.any(Number) });
    expect(score('锁', '死锁').characters).toBeGreaterThan(0);
  });
});

test.each([
  ['索引', '重建索引', 'bigrams'],
  ['索引', '重建索引', 'characters'],
  ['jdk8', 'on JDK 8', 'phrases'],
  ['gateway', 'apigatewayd', 'pieces'],
] as const)(
  '%s in %s counts more in a key than in tags, and in tags more than in a content: its %s',
  (query, text, part) => {
    const [key = 0, tags = 0, content = 0] = (['key', 'tags', 'content'] as const).map(
      (field) => score(query, { [field]: text })[part],
    );
    expect(key).toBeGreaterThan(tags);
    expect(tags).toBeGreaterThan(content);
    expect(content).toBeGreaterThan(0);
  },
);

test('pairs, characters and neighbours that a query repeats count once', () => {
  expect(score('索引 索引 索引', '重建索引')).toEqual(score('索引', '重建索引'));
  const neighbours = (query: string): number => score(query, 'the connection pool is full').proximity;
  expect(neighbours('connection pool')).toBeGreaterThan(0);
  const twice = neighbours('connection pool, connection pool');
  expect(neighbours('connection pool, '.repeat(20))).toBe(twice);
});

test('a character counts the less, the more of the candidates have it', () => {
  const [common, , , rare] = scores('锁 表', ['一个锁', '两个锁', '三个锁', '一张表']);
  expect(rare?.characters).toBeGreaterThan(1.5 * (common?.characters ?? 0));
});

test.each([
  ['redis', '索引'],
  ['deploy checklist', '数据库'],
  ['getUserById', '锁'],
])('a query of %s and %s counts what either counts alone', (latin, han) => {
  const text = { key: '索引 redis', content: `redis，数据库的连接与锁，deploy a checklist，getUserById` };
  const both = score(`${latin} ${han}`, text);
  const [first, second] = [score(latin, text), score(han, text)];
  for (const part of ['bigrams', 'characters', 'pieces', 'proximity'] as const)
    expect([part, both[part]]).toEqual([part, expect.closeTo(first[part] + second[part], 9)]);
  expect(both.words).toBeGreaterThan(first.words + second.words);
});

describe('proximity', () => {
  const proximities = (query: string, texts: readonly string[]): number[] =>
    texts.map((content) => score(query, { content }).proximity);
  test('is the lower of two idf, divided by the distance of the words, up to three words', () => {
    const statistics = { ...STATISTICS, documentFrequency: (term: string) => (term === 'alpha' ? 9 : 1) };
    for (const query of ['alpha beta', 'beta alpha']) {
      const [first, second] = query.split(' ');
      const texts = ['1 2', '1 x 2', '1 x y 2', '1 x y z 2', '2 1', '2 x 1', '2 x y 1', '1', 'x'].map((text) =>
        text.replace('1', first ?? '').replace('2', second ?? ''),
      );
      const found = texts.map((content) => score(query, { content }, statistics).proximity);
      const [adjacent = 0] = found;
      expect(adjacent).toBeCloseTo(0.6 * IDF, 4);
      const expected = [1, 1 / 2, 1 / 3, 0, 1 / 2, 1 / 3, 0, 0, 0].map((share) => expect.closeTo(share * adjacent, 9));
      expect(found).toEqual(expected);
    }
  });
  test('is that of the nearest two, wherever they are', () => {
    const [adjacent, ...others] = proximities('alpha beta', [
      'alpha beta',
      'alpha x y beta, then at last alpha beta',
      `beta ${'filler '.repeat(30)}alpha beta`,
      'alpha alpha alpha beta beta',
    ]);
    for (const other of others) expect(other).toBeCloseTo(adjacent ?? 0, 9);
  });
  test('is counted for each two words that follow each other, but not for a word and itself', () => {
    const [two = 0, three, apart] = [
      ...proximities('alpha beta', ['alpha beta']),
      ...proximities('alpha beta gamma', ['alpha beta gamma', 'alpha gamma']),
    ];
    expect(three).toBeCloseTo(2 * two, 9);
    expect(proximities('alpha beta alpha', ['beta alpha'])[0]).toBeCloseTo(1.5 * two, 9);
    expect(apart).toBe(0);
    expect(proximities('alpha alpha', ['alpha alpha'])).toEqual([0]);
    expect(proximities('alpha alpha beta', ['alpha beta'])[0]).toBeCloseTo(two, 9);
  });
  test('is not counted for words that are more than 60 characters apart', () => {
    const [before, behind, nearer = 0] = proximities('alpha beta', [
      `alpha ${'x'.repeat(70)} beta`,
      `beta ${'x'.repeat(70)} alpha`,
      `alpha ${'x'.repeat(40)} beta`,
    ]);
    expect([before, behind]).toEqual([0, 0]);
    expect(nearer).toBeGreaterThan(0);
  });
  test('is counted in the content only', () => {
    expect(score('alpha beta', { key: 'alpha-beta', content: 'other' }).proximity).toBe(0);
  });
});

test('a rare Latin word is found inside other words, by its letters; a common one is not', () => {
  const found = (documentFrequency: number): LexicalScore[] =>
    scores('gateway', ['the apigatewayd daemon', 'the gatehouse', 'the window'], {
      ...STATISTICS,
      documentFrequency: () => documentFrequency,
    });
  const [inside, partly, other] = found(10);
  expect(inside?.pieces).toBeGreaterThan(2 * (partly?.pieces ?? 0));
  expect(partly?.pieces).toBeGreaterThan(0);
  expect(other?.score).toBe(0);
  expect(inside?.words).toBe(0);
  for (const { pieces } of found(11)) expect(pieces).toBe(0);
});

test('texts that resemble the best ones, in their content, score more', () => {
  const texts = ['redis cluster slots', 'redis cluster slots moved', 'redis cluster gossip', 'redis banana bread'];
  const found = scores(
    'redis',
    texts.map((content, at) => ({ content, key: `key ${at}`, length: AVERAGE + at })),
  );
  const [first, , similar, other] = found;
  expect(similar?.agreement).toBeGreaterThan(other?.agreement ?? 0);
  expect(first?.agreement).toBeGreaterThan(similar?.agreement ?? 0);
  for (const { score: sum, words, bigrams, characters, pieces, phrases, proximity, agreement } of found)
    expect(sum).toBeCloseTo(words + bigrams + characters + pieces + phrases + proximity + agreement, 9);
});

test('texts that score far less than the best 20 are not compared with the best ones', () => {
  const best = Array.from({ length: 20 }, (_, at) => `redis cluster slots ${at}`);
  const found = scores('redis cluster', [...best, 'redis slots', 'redis slots too', 'bread']);
  for (const [at, { agreement }] of found.entries()) expect([at, agreement > 0]).toEqual([at, at < 20]);
});

test.each([
  ['健康状况', '健康状况', ['健康', '状况', '健康状况']], // 康状 is part of a word
  ['健康状况', '康状', ['康状']],
  ['白鹭湾', '白鹭与鹭湾', ['白鹭', '湾', '鹭湾']],
  ['数据库 索引', '索引表', ['索引']],
  ['running jdk8', 'it ran on JDK 8', ['run', 'jdk 8']],
  ['jdk8', 'JDK 8', ['jdk 8']],
  ['redis', 'other', []],
])('of %s, what occurs in %s is named: %j', (query, content, expected) => {
  const matched = matchedTerms(analyseQuery(tokenizer, query), { key: '', tags: '', source: '', content });
  expect(matched).toEqual(expected.length === 0 ? {} : { content: expected });
});
