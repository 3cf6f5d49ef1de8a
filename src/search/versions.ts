import { compound, distinct, patternOf, toPhrase, type Phrase } from './phrase.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { normalForm } from './words.ts';

/** A word and a number, joined or separated: jdk8, ES 6, UTF-8, ip v6, HTTP/2, ADR-0007. */
const NUMBERED = /(?<![a-z0-9])([a-z]{2,})[ _/-]?(v?(?:\d{1,3}|0\d{3}))(?![a-z0-9]|\.\d)/g;
/** What may be a name and the v of its version: GPLv3, but not dev2. */
const BEFORE_V = /^(.{3,})(v)$/;
/** A word and a version, joined or separated: jdk1.8, TLS v1.3, Python 3.11.4. */
const VERSIONED = /(?<![a-z0-9])([a-z]{2,}?)[ _/-]?(v?)(\d{1,4}(?:\.\d{1,4}){1,3})(?![a-z0-9]|\.\d)/g;
/** The version of a candidate for a release: 5.2.0rc1, 5.2.0-rc.1, 2.0.0 beta 3. */
const PRERELEASE =
  /(?<![a-z0-9.])v?(\d{1,4}(?:\.\d{1,4}){1,3})(?:[-_. ]?(alpha|beta|rc|pre|preview|dev|post)[-_. ]?|([ab]))(\d{1,3})(?![a-z0-9])/g;
/** Letters that stand for the stage of a release. */
const STAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ['alpha', ['alpha', 'a']],
  ['a', ['alpha', 'a']],
  ['beta', ['beta', 'b']],
  ['b', ['beta', 'b']],
]);
const VERSION = /^v?(\d+)$/;

/** Yields the words with a number or a version in a query, and the versions of candidates for a release, as texts may
 * have them otherwise. */
export function* versionPhrases(text: string): Generator<Phrase | undefined> {
  const lower = text.toLowerCase();
  for (const [, version = '', stage, letter = '', number = ''] of lower.matchAll(PRERELEASE))
    yield prerelease(version.split('.'), stage ?? letter, number);
  for (const [, word = '', number = ''] of lower.matchAll(NUMBERED)) {
    yield numbered(word, number);
    const [, name, v] = BEFORE_V.exec(word) ?? [];
    if (name !== undefined && v !== undefined) yield numbered(name, `${v}${number}`);
  }
  for (const [, word = '', v = '', version = ''] of lower.matchAll(VERSIONED)) yield versioned(word, v, version);
}

/** The phrase of a version, from its parts in lower case; undefined for any other name. v2.1.0 and 2.1.0 are the
 * same. */
export function versionName([first = '', ...rest]: readonly string[]): Phrase | undefined {
  const number = VERSION.exec(first)?.[1];
  if (number === undefined || !rest.every((word) => /^\d/.test(word))) return undefined;
  const ways = [`v${number}`, number].map((start) => [start, ...rest]);
  return toPhrase([number, ...rest], ways, 'name', patternOf([`v?${number}`, ...rest]));
}

/** The phrase of a candidate for a release. */
function prerelease([first = '', ...rest]: readonly string[], stage: string, number: string): Phrase {
  const stages = STAGES.get(stage) ?? [stage];
  const last = rest.at(-1) ?? '';
  const ways = [first, `v${first}`].flatMap((start) =>
    stages.flatMap((one) => [
      [start, ...rest, one, number],
      [start, ...rest, `${one}${number}`],
      [start, ...rest.slice(0, -1), `${last}${one}${number}`],
      [start, ...rest.slice(0, -1), `${last}${one}`, number],
    ]),
  );
  const numbers = [first, ...rest].join('\\.');
  const pattern = `(?<![a-z0-9.])v?${numbers}[-_. ]?(?:${stages.join('|')})[-_. ]?${number}(?![a-z0-9])`;
  const words = [first, ...rest, stages[0] ?? stage, number];
  return { ...toPhrase(words, ways, 'name', new RegExp(pattern, 'g'), []), compound: `${last}${stage}${number}` };
}

/** Digits to which the numbers of names are padded with zeros: ADR-007, RFC 0042. */
const PADDED = [1, 2, 3, 4];
const LONGEST_PADDED = 4;

function numbered(word: string, number: string): Phrase | undefined {
  if (ENGLISH_STOP_WORDS.has(word)) return undefined;
  const digits = number.replace(/^v/, '');
  const phrase = compound(word, number);
  // 8 of Gradle 8 is v8 too, and version 2 is v2
  const isVersion = word === 'version';
  const value = String(Number(digits));
  const others = isVersion
    ? [[`v${digits}`]]
    : [digits, `v${digits}`, ...PADDED.map((length) => value.padStart(length, '0'))].flatMap(
        (one) => compound(word, one).ways,
      );
  const pattern = patternOf([
    isVersion
      ? `(?:version[^a-z0-9]{0,2}v?|v)${digits}`
      : `${word}[^a-z0-9\\u4e00-\\u9fff]{0,2}v?0{0,${LONGEST_PADDED - value.length}}${value}`,
  ]);
  return {
    ...phrase,
    ...toPhrase([word, number], distinct([...phrase.ways, ...others]), 'name', pattern, [value]),
  };
}

/** The phrase of a word and a version. v1.3 and 1.3 are the same. */
function versioned(word: string, v: string, version: string): Phrase | undefined {
  if (ENGLISH_STOP_WORDS.has(word)) return undefined;
  const [first = '', ...rest] = version.split('.');
  const waysTo = (numbers: readonly string[]): string[][] =>
    [first, `v${first}`].flatMap((start) => [
      [word, start, ...numbers],
      [`${word}${start}`, ...numbers],
    ]);
  // 3.0 is also 3, of which the index cannot tell whether it is 3.1
  const isRound = rest.length === 1 && rest[0] === '0';
  const pattern = patternOf([word, `v?${first}`, ...rest]);
  const short = `${patternOf([word, `v?${first}`]).source}(?!\\.\\d)`;
  const phrase = isRound
    ? toPhrase([word, first], waysTo(rest), 'name', new RegExp(`${pattern.source}|${short}`, 'g'))
    : toPhrase([word, first, ...rest], waysTo(rest), 'name', pattern);
  return {
    ...phrase,
    ...(isRound && { loose: waysTo([]) }),
    term: [word, `${v}${first}`, ...rest].join(' '),
    compound: normalForm(`${word}${v}${first}`),
  };
}
