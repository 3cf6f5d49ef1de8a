import fs from 'node:fs';
import path from 'node:path';
import { Dictionary } from '../../src/search/jieba/dictionary.ts';
import { createSegmenter } from '../../src/search/jieba/segmenter.ts';
import { createTokenizer } from '../../src/search/tokenizer.ts';

/** The bytes of the dictionary that the program is built with. */
export const dictionaryBytes = fs.readFileSync(path.join(import.meta.dirname, '../../dist/jieba.bin'));

/** What the program makes of that dictionary. */
export const dictionary = new Dictionary({ bytes: Uint8Array.from(dictionaryBytes) });
export const segmenter = createSegmenter(dictionary);
export const tokenizer = createTokenizer(() => segmenter);
