import { ulid } from 'ulid';
import type { Synchronous } from '../core/durability.ts';
import { MemtoolError } from '../core/errors.ts';
import { createSegmenter, type Segmenter } from '../search/jieba/segmenter.ts';
import {
  CONFIDENCE_SCORES,
  HALF_LIFE_DAYS,
  isStale,
  MIXED_SHARES,
  mixedScore,
  recencyScore,
} from '../search/recency.ts';
import { createTokenizer, type Tokenizer } from '../search/tokenizer.ts';
import type { Scoring } from '../store/sort-values.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { openStore, type OpenedStore } from '../store/open.ts';
import { changedWhileRead } from '../store/sqlite-errors.ts';
import { openDictionary } from './dictionary-file.ts';
import type { Access, Operation } from './operation.ts';

export interface StdinOptions {
  /** True when the caller asked for stdin by name (`-`): then it is waited for without end, else the first byte has to
   * come within 3 seconds. */
  readonly isExplicit: boolean;
}

/** Where bytes come from when a parameter says `-` or nothing; given by the front end, absent in one without a stdin.
 * Every function throws PARAM_ERROR for a terminal or a folder, and when nothing arrives in time. */
export interface Stdin {
  /** The whole of stdin; undefined when it is empty, closed, or (not asked for by name) a terminal. */
  readAll(options: StdinOptions & { readonly maxBytes: number }): Promise<Uint8Array | undefined>;
  /** True when stdin is a pipe, a socket or a file: something was meant to be read. */
  isGiven(): boolean;
  /** True when bytes were waiting on a piped stdin this very moment; they are taken, so that nobody else reads the rest
   * of what was cut. */
  takeDataNow(): Promise<boolean>;
  /** Bytes of stdin as they come. */
  chunks(options: StdinOptions): AsyncIterable<Uint8Array>;
}

/** The PARAM_ERROR of a stdin that was not asked for by name, is open, and sends nothing. */
export class SilentStdin extends MemtoolError {
  constructor(timeoutMs: number) {
    super('PARAM_ERROR', `stdin is open and sent nothing for ${timeoutMs} ms`, {
      hint: 'pipe the input, name stdin with - to wait for it, or close it with: </dev/null',
    });
  }
}

/** The PARAM_ERROR of a stdin that holds more than is taken. */
export class OversizedStdin extends MemtoolError {
  constructor(maxBytes: number) {
    super('PARAM_ERROR', `stdin is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`, {
      hint: 'send a part of it',
      context: { max_bytes: maxBytes },
    });
  }
}

/** Shows how far long work has come; does nothing where nobody watches. */
export interface Progress {
  advance(steps?: number): void;
  stop(): void;
}

/** What an operation works with. Time and ids come from here, so that tests can fix them. */
export interface Context extends Disposable {
  /** The open database. Throws for an operation whose access is none. */
  readonly store: MemoryStore;
  /** The path of the database as it was given. */
  readonly dbPath: string;
  /** True when this call made the database. */
  readonly created: boolean;
  /** Throws a retryable DB_ERROR where what was read may be of several states of the database: to be asked before
   * anything is made of it. */
  ensureOneState(): void;
  readonly tokenizer: Tokenizer;
  readonly stdin: Stdin | undefined;
  /** All operations, for those that describe them. Throws where the front end gave none. */
  readonly operations: readonly Operation[];
  /** The instant of the call, in Unix milliseconds. */
  readonly nowMs: number;
  newId(): string;
  /** `total` is the number of steps, undefined when it is not known. */
  progress(label: string, total: number | undefined): Progress;
}

export interface ContextOptions {
  readonly dbPath: string;
  readonly access: Access;
  /** Given by a front end that offers operations which describe the others: only these ask for them. */
  readonly operations?: readonly Operation[] | undefined;
  readonly synchronous?: Synchronous | undefined;
  readonly nowMs?: number;
  readonly stdin?: Stdin | undefined;
  readonly progress?: Context['progress'];
}

const NO_PROGRESS: Progress = { advance() {}, stop() {} };

const SCORING: Scoring = {
  confidence: (level) => CONFIDENCE_SCORES[level],
  recency: (type, updated_at, nowMs) => recencyScore({ type, updated_at }, nowMs),
  mixed: (type, updated_at, confidence_level, nowMs) => mixedScore({ type, updated_at, confidence_level }, nowMs),
  isStale: (type, updated_at, nowMs) => isStale({ type, updated_at }, nowMs),
  halfLifeDays: HALF_LIFE_DAYS,
  confidenceScores: CONFIDENCE_SCORES,
  mixedShares: MIXED_SHARES,
};

/** Opens what an operation of this access needs. Dispose of it to close the database. */
export function createContext(options: ContextOptions): Context {
  const tokenizer = createTokenizer(segmenterOfProcess);
  const opened: OpenedStore | undefined =
    options.access === 'none'
      ? undefined
      : openStore(options.dbPath, options.access, { tokenizer, scoring: SCORING, synchronous: options.synchronous });
  const nowMs = options.nowMs ?? Date.now();
  return {
    get store() {
      if (opened === undefined) throw new Error('this operation declares that it needs no database');
      return opened.store;
    },
    dbPath: options.dbPath,
    created: opened?.created ?? false,
    ensureOneState() {
      if (opened?.hasChanged() === true) throw changedWhileRead(opened.store.path);
    },
    tokenizer,
    stdin: options.stdin,
    get operations() {
      if (options.operations === undefined) throw new Error('this front end does not offer what describes operations');
      return options.operations;
    },
    nowMs,
    newId() {
      const bytes = this.store.randomBytes();
      let at = 0;
      return ulid(nowMs, () => (bytes[at++ % bytes.length] ?? 0) / 256);
    },
    progress: options.progress ?? (() => NO_PROGRESS),
    [Symbol.dispose]() {
      opened?.[Symbol.dispose]();
    },
  };
}

let dictionaryOfProcess: { readonly segmenter: Segmenter | undefined } | undefined;

/** Opens the dictionary when the first Han text is cut, and only then: once for all calls of a process, since it keeps
 * its file open. */
function segmenterOfProcess(): Segmenter | undefined {
  if (dictionaryOfProcess === undefined) {
    const dictionary = openDictionary();
    dictionaryOfProcess = { segmenter: dictionary && createSegmenter(dictionary) };
  }
  return dictionaryOfProcess.segmenter;
}
