import { bucketOf, TRANSLATION_BUCKETS, translationsIn } from '../translations.ts';

/** Layout of `jieba.bin`, little endian, every section aligned to 8 bytes:
 *
 * - header, 20 × u32: the fields of `Header`, and as f64 the weight of an unknown character;
 * - Traditional characters, u16[variantCount], ascending, and the Simplified form of each, u16[variantCount];
 * - root characters, u16[rootCount], ascending, and the index of the node of each, u32[rootCount + 1];
 * - weights, f64[weightCount]: the distinct log probabilities of words;
 * - HMM characters, u16[hmmCount], ascending;
 * - HMM start probabilities, f64[4], and transitions, f64[16];
 * - emissions of the HMM characters, f64[hmmCount × 4] in the order B E M S;
 * - nodes of the trie, 8 bytes each: u32 (first child << 12 | number of children), u16 label, u16 (weight index + 1, 0
 *   = no word);
 * - translations (translations.ts).
 *
 * Children are contiguous and ascending, and so is the whole subtree of a root character. Every text needs what comes
 * before the emissions; a short text needs only a few stretches of the rest, which are read on demand.
 * `scripts/build-dictionary.ts` writes the file from the dictionary files of the nodejieba package, OpenCC's character
 * table and CC-CEDICT. */
export const DICTIONARY_MAGIC = 0x4a424d54;
export const DICTIONARY_FORMAT = 3;
export const HEADER_BYTES = 80;
/** Byte offset of the weight of a character that the dictionary does not know. */
export const UNKNOWN_WEIGHT_OFFSET = 64;
/** Log probability that jieba uses for "impossible". */
export const IMPOSSIBLE = -3.14e100;

/** Indexes of the header's u32 fields. */
export const Header = {
  magic: 0,
  format: 1,
  nodeCount: 2,
  rootCount: 3,
  rootLabels: 4,
  rootNodes: 5,
  weights: 6,
  weightCount: 7,
  hmmLabels: 8,
  hmmEmissions: 9,
  hmmCount: 10,
  hmmModel: 11,
  nodes: 12,
  variants: 13,
  variantCount: 14,
  translations: 15,
  // 16 and 17 are the unknown weight
  length: 18,
} as const;

/** Added to a node in the table of known roots, so that 0 means "not yet known" and -1 can be stored. */
const KNOWN_ROOT = 2;

const CHILD_COUNT_BITS = 12;
const CHILD_COUNT_MASK = (1 << CHILD_COUNT_BITS) - 1;

/** The bytes of the file: all of them, or a buffer for them, with a function that reads a stretch of the file into
 * it. */
export interface DictionaryBytes {
  readonly bytes: Uint8Array;
  /** Ensures that the bytes from `start` to `end` (exclusive) are loaded. */
  readonly load?: (start: number, end: number) => void;
}

/** The prepared dictionary, read in place. A node is an index into the trie; -1 means "no node". */
export class Dictionary {
  /** Log weight of a character that is not a word by itself. */
  readonly unknownWeight: number;
  readonly #traditional: Uint16Array;
  readonly #simplified: Uint16Array;
  readonly #rootLabels: Uint16Array;
  readonly #rootNodes: Uint32Array;
  readonly #weights: Float64Array;
  readonly #hmmLabels: Uint16Array;
  readonly #hmmEmissions: Float64Array;
  readonly #hmmModel: Float64Array;
  readonly #children: Uint32Array;
  readonly #labels: Uint16Array;
  readonly #load: NonNullable<DictionaryBytes['load']>;
  readonly #nodesStart: number;
  readonly #emissionsStart: number;
  readonly #bytes: Uint8Array;
  readonly #buckets: Uint32Array;
  readonly #bucketsStart: number;
  /** The nodes of the first characters met so far, plus `KNOWN_ROOT`; their subtrees are loaded. 0 where not yet looked
   * up (filling the table would take longer than most texts need). */
  readonly #knownRoots = new Int32Array(0x1_0000);
  /** The Simplified forms of the characters met so far; 0 where not yet looked up. */
  readonly #knownVariants = new Uint16Array(0x1_0000);
  #isHmmLoaded = false;

  /** Throws `NotADictionary` when the bytes are not a dictionary of this format. `bytes` must begin at a multiple of 8
   * in their buffer, as typed arrays require. */
  constructor({ bytes, load = () => {} }: DictionaryBytes) {
    const at = (offset: number): number => bytes.byteOffset + offset;
    if (bytes.length < HEADER_BYTES) throw new NotADictionary();
    load(0, HEADER_BYTES);
    const buffer = bytes.buffer;
    const header = new Uint32Array(buffer, at(0), HEADER_BYTES / 4);
    const field = (name: keyof typeof Header): number => header[Header[name]] ?? 0;
    if (field('magic') !== DICTIONARY_MAGIC || field('format') !== DICTIONARY_FORMAT) {
      throw new NotADictionary();
    }
    if (field('length') > bytes.length) throw new NotADictionary();
    load(HEADER_BYTES, field('hmmEmissions'));
    this.#load = load;
    this.#nodesStart = field('nodes');
    this.#emissionsStart = field('hmmEmissions');
    this.unknownWeight = new DataView(buffer, at(UNKNOWN_WEIGHT_OFFSET), 8).getFloat64(0, true);
    this.#traditional = new Uint16Array(buffer, at(field('variants')), field('variantCount'));
    this.#simplified = new Uint16Array(
      buffer,
      at(field('variants')) + field('variantCount') * 2,
      field('variantCount'),
    );
    this.#rootLabels = new Uint16Array(buffer, at(field('rootLabels')), field('rootCount'));
    this.#rootNodes = new Uint32Array(buffer, at(field('rootNodes')), field('rootCount') + 1);
    this.#weights = new Float64Array(buffer, at(field('weights')), field('weightCount'));
    this.#hmmLabels = new Uint16Array(buffer, at(field('hmmLabels')), field('hmmCount'));
    this.#hmmEmissions = new Float64Array(buffer, at(field('hmmEmissions')), field('hmmCount') * 4);
    this.#hmmModel = new Float64Array(buffer, at(field('hmmModel')), 20);
    this.#children = new Uint32Array(buffer, at(field('nodes')), field('nodeCount') * 2);
    this.#labels = new Uint16Array(buffer, at(field('nodes')), field('nodeCount') * 4);
    this.#bytes = bytes;
    this.#bucketsStart = field('translations');
    this.#buckets = new Uint32Array(buffer, at(this.#bucketsStart), TRANSLATION_BUCKETS + 1);
  }

  /** Returns the words of the other language that mean the same as a Han word, or as an English one in the form of a
   * dictionary; several English words are joined by hyphens. */
  translations(term: string): string[] {
    const bucket = bucketOf(term);
    this.#load(this.#bucketsStart + bucket * 4, this.#bucketsStart + (bucket + 2) * 4);
    const entries = this.#bucketsStart + this.#buckets.byteLength;
    const [start = 0, end = 0] = this.#buckets.subarray(bucket, bucket + 2);
    if (start >= end || entries + end > this.#bytes.length) return [];
    this.#load(entries + start, entries + end);
    const { buffer, byteOffset } = this.#bytes;
    return translationsIn(Buffer.from(buffer, byteOffset + entries + start, end - start).toString('utf8'), term);
  }

  /** Returns the Simplified form of a Traditional character, as code units; any other character unchanged. */
  simplified(codeUnit: number): number {
    const known = this.#knownVariants[codeUnit] ?? 0;
    if (known !== 0) return known;
    const index = indexOf(this.#traditional, codeUnit);
    const found = index < 0 ? codeUnit : (this.#simplified[index] ?? codeUnit);
    this.#knownVariants[codeUnit] = found;
    return found;
  }

  /** Returns the Traditional forms of a Simplified character, as code units. */
  traditional(codeUnit: number): number[] {
    const found: number[] = [];
    for (let at = this.#simplified.indexOf(codeUnit); at >= 0; at = this.#simplified.indexOf(codeUnit, at + 1))
      found.push(this.#traditional[at] ?? codeUnit);
    return found;
  }

  /** Returns the node of a first character, or -1; loads its subtree. */
  root(codePoint: number): number {
    const known = this.#knownRoots[codePoint] ?? 0;
    if (known !== 0) return known - KNOWN_ROOT;
    const index = indexOf(this.#rootLabels, codePoint);
    const node = index < 0 ? -1 : (this.#rootNodes[index] ?? -1);
    if (index >= 0) {
      const next = this.#rootNodes[index + 1] ?? node;
      this.#load(this.#nodesStart + node * 8, this.#nodesStart + next * 8);
    }
    this.#knownRoots[codePoint] = node + KNOWN_ROOT;
    return node;
  }

  /** Returns the child of `node` for the next character, or -1. */
  child(node: number, codePoint: number): number {
    const packed = this.#children[node * 2] ?? 0;
    const count = packed & CHILD_COUNT_MASK;
    if (count === 0) return -1;
    const labels = this.#labels;
    let low = packed >>> CHILD_COUNT_BITS;
    let high = low + count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((labels[middle * 4 + 2] ?? 0) < codePoint) low = middle + 1;
      else high = middle;
    }
    return labels[low * 4 + 2] === codePoint ? low : -1;
  }

  /** Returns the log probability of the word that ends at `node`; undefined where none ends. */
  weight(node: number): number | undefined {
    const index = this.#labels[node * 4 + 3] ?? 0;
    return index === 0 ? undefined : this.#weights[index - 1];
  }

  /** Returns the row of a character in the HMM's emission table, or -1. */
  hmmRow(codePoint: number): number {
    if (!this.#isHmmLoaded) {
      this.#load(this.#emissionsStart, this.#emissionsStart + this.#hmmEmissions.byteLength);
      this.#isHmmLoaded = true;
    }
    return indexOf(this.#hmmLabels, codePoint);
  }

  /** Returns the log emission probability of a row in a state (0 B, 1 E, 2 M, 3 S). */
  emission(row: number, state: number): number {
    return row < 0 ? IMPOSSIBLE : (this.#hmmEmissions[row * 4 + state] ?? IMPOSSIBLE);
  }

  startProbability(state: number): number {
    return this.#hmmModel[state] ?? IMPOSSIBLE;
  }

  transition(from: number, to: number): number {
    return this.#hmmModel[4 + from * 4 + to] ?? IMPOSSIBLE;
  }
}

/** The bytes are not a dictionary, or one of another version. */
export class NotADictionary extends Error {
  constructor() {
    super('not a dictionary of this version; run "npm run build"');
  }
}

/** Index of `value` in an ascending array, or -1. */
function indexOf(sorted: Uint16Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] ?? 0;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
