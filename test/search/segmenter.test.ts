import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Dictionary } from '../../src/search/jieba/dictionary.ts';
import { createSegmenter } from '../../src/search/jieba/segmenter.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const bytes = fs.readFileSync(path.join(ROOT, 'dist/jieba.bin'));
const segmenter = createSegmenter(new Dictionary({ bytes: Uint8Array.from(bytes) }));

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

describe.skipIf(oracle === undefined)('segments as nodejieba does', () => {
  const agree = (text: string): void => {
    expect(segmenter.cutForSearch(text)).toEqual(oracle?.cutForSearch(text, true));
  };
  test('the texts of the demo', () => {
    for (const file of fs.readdirSync(path.join(ROOT, 'test/fixtures/texts')))
      agree(fs.readFileSync(path.join(ROOT, 'test/fixtures/texts', file), 'utf8'));
  });
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
  test.skipIf(!corpora.every((file) => fs.existsSync(file)))('a few megabytes of real text', () => {
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
    expect(characters).toBeGreaterThan(1_000_000);
  });
});
