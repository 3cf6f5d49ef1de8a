import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Dictionary, NotADictionary } from '../../src/search/jieba/dictionary.ts';
import { memories } from '../../scripts/bench/memories.ts';
import { createSegmenter } from '../../src/search/jieba/segmenter.ts';
import { dictionaryBytes as bytes, segmenter } from '../helpers/tokenizer.ts';

const ROOT = path.join(import.meta.dirname, '../..');

interface Oracle {
  load(): void;
  cutForSearch(text: string, hmm: boolean): string[];
}

/** nodejieba; undefined if it could not be built. */
function loadOracle(): Oracle | undefined {
  if (!fs.existsSync(path.join(ROOT, 'node_modules/nodejieba/build/Release/nodejieba.node'))) return undefined;
  const oracle: Oracle = createRequire(import.meta.url)('nodejieba');
  oracle.load();
  return oracle;
}

const oracle = loadOracle();
const corpora = ['javaguide', 'drcd'].map((name) => path.join(ROOT, '../shared/eval', name, 'corpus.jsonl'));

describe('a dictionary', () => {
  /** A dictionary of which only the stretches that it asks for are read, as from a file. */
  function readOnDemand(): { dictionary: Dictionary; read: () => number } {
    const target = new Uint8Array(bytes.length);
    let read = 0;
    const load = (start: number, end: number): void => {
      target.set(bytes.subarray(start, end), start);
      read += end - start;
    };
    return { dictionary: new Dictionary({ bytes: target, load }), read: () => read };
  }
  test('that is read on demand gives the same words as one that is read at once', () => {
    const piece = fc.constantFrom(
      '数据库',
      '白鹭湾',
      '何伟',
      '研究生命起源',
      '资料',
      '乾',
      '龘',
      '鼎',
      '一',
      '齉龘',
      '的',
      ' ',
      '，',
      '𠮷',
      'abc',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const { dictionary, read } = readOnDemand();
        expect(createSegmenter(dictionary).cutForSearch(text)).toEqual(segmenter.cutForSearch(text));
        expect(read()).toBeLessThan(bytes.length / 2);
      }),
      { numRuns: 60 },
    );
  });
  test('is used for every text, and looks up each of its characters once', () => {
    const { dictionary, read } = readOnDemand();
    const onDemand = createSegmenter(dictionary);
    const first = onDemand.cutForSearch('数据库的何伟');
    const once = read();
    expect(onDemand.cutForSearch('数据库的何伟')).toEqual(first);
    expect(read()).toBe(once);
  });
  test('may be a part of a larger buffer', () => {
    const buffer = new Uint8Array(bytes.length + 8);
    buffer.set(bytes, 8);
    const part = new Dictionary({ bytes: buffer.subarray(8) });
    for (const text of ['数据库的白鹭湾与何伟', '研究生命起源'])
      expect(createSegmenter(part).cutForSearch(text)).toEqual(segmenter.cutForSearch(text));
    expect(part.simplified('後'.charCodeAt(0))).toBe('后'.charCodeAt(0));
    expect(part.traditional('库'.charCodeAt(0))).toEqual(['庫'.charCodeAt(0)]);
  });
  test.each([
    ['nothing', new Uint8Array()],
    ['half a header', bytes.subarray(0, 40)],
    ['another file', new Uint8Array(10_000)],
    ['a file that was cut off', bytes.subarray(0, -8)],
    ['a file of another format', Uint8Array.from(bytes).fill(9, 4, 5)],
    ['a file that begins differently', Uint8Array.from(bytes).fill(9, 0, 1)],
  ])('cannot be made of %s', (_what, content) => {
    expect(() => new Dictionary({ bytes: Uint8Array.from(content) })).toThrow(NotADictionary);
  });
});

test.each([
  ['数据库', ['数据', '据库', '数据库']],
  ['共产党员', ['共产', '党员', '共产党', '共产党员']],
  ['中华人民共和国', ['中华', '华人', '人民', '共和', '共和国', '中华人民共和国']],
])('the dictionary words of two and three characters inside %s come before it', (word, expected) => {
  expect(segmenter.cutForSearch(word)).toEqual(expected);
});

describe.skipIf(oracle === undefined)('segments as nodejieba does', () => {
  const agree = (text: string): void => {
    expect(segmenter.cutForSearch(text)).toEqual(oracle?.cutForSearch(text, true));
  };
  test('the texts of the demo', () => {
    for (const file of fs.readdirSync(path.join(ROOT, 'test/fixtures/texts')))
      agree(fs.readFileSync(path.join(ROOT, 'test/fixtures/texts', file), 'utf8'));
  });
  test.each(['他拿着书走了', '念着书', '墙上写着名字', '看着作业', '若干片', '反复盖章', '看了望远镜'])(
    'a text that only happens to have the letters of a converted word: %s',
    agree,
  );
  test('mixtures of Chinese, ASCII, kana, emoji and controls', () => {
    const piece = fc.constantFrom(
      '中',
      '国',
      '人',
      '民',
      '数据库',
      '索引',
      '的',
      '我们',
      '云计算',
      '区块链',
      'abc',
      'X1',
      '3.14',
      '12',
      ' ',
      '\n',
      '，',
      '。',
      '、',
      'か',
      '日',
      '🟥',
      '𠀀',
      '-',
      '\u0007',
      '繁體',
      '資料',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => agree(pieces.join(''))),
      { numRuns: 2000 },
    );
  });
  test('a million characters of words in random order, half of them Chinese', () => {
    let characters = 0;
    for (const { content } of memories(1300)) {
      agree(content);
      characters += content.length;
    }
    expect(characters).toBeGreaterThan(1_000_000);
  });
  test.skipIf(!corpora.every((file) => fs.existsSync(file)))(
    'two million characters of real text, if the sets are there',
    () => {
      let characters = 0;
      for (const file of corpora) {
        for (const line of fs
          .readFileSync(file, 'utf8')
          .split('\n')
          .filter((one) => one !== '')) {
          const { text }: { text: string } = JSON.parse(line);
          agree(text);
          characters += text.length;
        }
      }
      expect(characters).toBeGreaterThan(2_000_000);
    },
  );
});
