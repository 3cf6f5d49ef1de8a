/** Generated memories, the same on every machine. Half of the text is Chinese (jieba's words, common ones more often),
 * half English prose about software with identifiers; 300 to 1,500 characters, 811 on average. */
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.dirname(path.dirname(import.meta.dirname));
const DICTIONARY = path.join(ROOT, 'node_modules/nodejieba/submodules/cppjieba/dict/jieba.dict.utf8');
const SEED = 20260101;
const LEAST_CHARS = 300;
const MORE_CHARS = 1200;
/** Makes the mean of `LEAST_CHARS + MORE_CHARS · random ** SKEW` 811 characters. */
const SKEW = 1.35;

const ENGLISH =
  'the a of to and in is for on that with as by this from at it are be or an not we can if when request response server client token cache index query table row column user login session password error timeout retry queue worker thread lock deadlock commit rollback migration schema release deploy canary traffic latency throughput memory leak heap stack trace exception handler route controller service repository interface module package build test coverage lint format config environment variable secret key rotation certificate proxy gateway balancer replica primary failover backup restore snapshot cluster node pod container image registry pipeline job step artifact branch merge rebase conflict review comment issue ticket sprint estimate design decision rationale alternative constraint invariant boundary contract rule scenario risk note glossary'.split(
    ' ',
  );

export interface GeneratedMemory {
  readonly content: string;
  /** A line that `import` accepts. */
  readonly line: string;
}

/** A small deterministic random number generator. Source: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The most frequent Chinese words, most frequent first. */
function chineseWords(): string[] {
  const entries = fs
    .readFileSync(DICTIONARY, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const ranked = entries
    .filter(([word = '']) => word.length > 0 && word.length < 5)
    .toSorted(([, a], [, b]) => Number(b) - Number(a));
  return ranked.slice(0, 30_000).map(([word = '']) => word);
}

/** Picks words with the distribution of real texts: common ones more often (Zipf). */
function picker(words: readonly string[], random: () => number): () => string {
  return () => words[Math.min(words.length - 1, Math.floor(words.length ** random() - 1))] ?? '';
}

/** `count` memories with the ids m0, m1, … Every other one contains "checkpoint" (a word of half of the memories); one
 * in a thousand contains "quokka". */
export function* memories(count: number): Generator<GeneratedMemory> {
  const random = randomNumbers(SEED);
  const [english, chinese] = [picker(ENGLISH, random), picker(chineseWords(), random)];
  for (let at = 0; at < count; at += 1) {
    const length = LEAST_CHARS + MORE_CHARS * random() ** SKEW;
    let content = `## ${english()} ${chinese()}${chinese()}\n\n`;
    if (at % 2 === 0) content += 'checkpoint ';
    if (at % 1000 === 7) content += 'quokka ';
    while (content.length < length) {
      content +=
        random() < 0.5
          ? `${Array.from({ length: 8 }, english).join(' ')}. `
          : `${Array.from({ length: 7 }, chinese).join('')}，get${english()}ById_${at % 97}。\n`;
    }
    const updated = new Date(Date.UTC(2026, 0, 1) - random() * 4e10).toISOString();
    yield {
      content,
      line: JSON.stringify({
        id: `m${at}`,
        type: ['project', 'feature', 'run'][at % 3],
        task_id: `t${at % 500}`,
        key: `k${at}`,
        content,
        created_at: updated,
        updated_at: updated,
      }),
    };
  }
}
