import { ulid } from 'ulid';
import type { Synchronous } from '../core/durability.ts';
import { MemtoolError } from '../core/errors.ts';
import type { Text } from '../core/sentence.ts';
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

/** Whether the caller named stdin (`-`): then there is no timeout. Otherwise the first byte has to arrive within 3
 * seconds, since the harness of an agent may leave a stdin open that never sends anything; `ifSilent` is the hint of the
 * error. */
export type StdinOptions = { readonly isExplicit: true } | { readonly isExplicit: false; readonly ifSilent: Text };

/** The source of bytes if a parameter is `-` or absent. Supplied by the front end; absent in one without a stdin.
 * `readAll` and `chunks` throw PARAM_ERROR for a terminal, a folder and what cannot be read, and if nothing arrives in
 * time. */
export interface Stdin {
  /** All of stdin; undefined if it is empty, closed, or a terminal that was not named. Throws OversizedStdin above
   * `maxBytes`. */
  readAll(options: StdinOptions & { readonly maxBytes: number }): Promise<Uint8Array | undefined>;
  /** True if stdin is a pipe, a socket or a file, so that input is probably intended. */
  isGiven(): boolean;
  /** Returns true if bytes are waiting on a piped stdin at this moment. They are consumed, so that no other reader
   * continues in the middle of a line. */
  takeDataNow(): Promise<boolean>;
  /** Yields the bytes of stdin as they arrive. */
  chunks(options: StdinOptions): AsyncIterable<Uint8Array>;
}

/** The PARAM_ERROR for a stdin that was not named, is open, and sends nothing. */
export class SilentStdin extends MemtoolError {
  constructor(timeoutMs: number, hint: Text) {
    super('PARAM_ERROR', `stdin is open but sent nothing for ${timeoutMs} ms`, { hint });
  }
}

/** The PARAM_ERROR for a stdin that is larger than the limit. */
export class OversizedStdin extends MemtoolError {
  constructor(maxBytes: number) {
    super('PARAM_ERROR', `stdin is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`, {
      hint: 'send only a part of it',
      context: { max_bytes: maxBytes },
    });
  }
}

/** Shows the progress of long work; does nothing if no front end displays it. */
export interface Progress {
  advance(steps?: number): void;
  stop(): void;
}

/** The environment of an operation. Time and ids come from here, so that tests can fix them. */
export interface Context extends Disposable {
  /** The open database. Throws for an operation whose access is none. */
  readonly store: MemoryStore;
  /** The path of the database as given. */
  readonly dbPath: string;
  /** True if this call created the database. */
  readonly created: boolean;
  /** Throws a retryable DB_ERROR if what was read may mix several states of the database. To be called before the data
   * is used. */
  ensureOneState(): void;
  readonly tokenizer: Tokenizer;
  readonly stdin: Stdin | undefined;
  /** All operations, for those that describe them. Throws if the front end supplied none. */
  readonly operations: readonly Operation[];
  /** Time of the call, in Unix milliseconds. */
  readonly nowMs: number;
  newId(): string;
  /** `total` is the number of steps, undefined if unknown. */
  progress(label: string, total: number | undefined): Progress;
}

export interface ContextOptions {
  readonly dbPath: string;
  readonly access: Access;
  /** Supplied by a front end that offers operations which describe the others; only these need it. */
  readonly operations?: readonly Operation[] | undefined;
  readonly synchronous?: Synchronous | undefined;
  readonly busyTimeoutMs?: number | undefined;
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

/** Creates the context of an operation and opens the database if its access requires one. Dispose of the context to
 * close the database. */
export function createContext(options: ContextOptions): Context {
  const tokenizer = createTokenizer(segmenterOfProcess);
  const { access, synchronous, busyTimeoutMs } = options;
  const opened: OpenedStore | undefined =
    access === 'none'
      ? undefined
      : openStore(options.dbPath, access, { tokenizer, scoring: SCORING, synchronous, busyTimeoutMs });
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
      if (options.operations === undefined) throw new Error('this front end does not provide the list of operations');
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

/** Returns the segmenter, undefined without a dictionary. Opens the dictionary only when the first Han text is
 * segmented, and once for all calls of a process, since it keeps its file open. */
function segmenterOfProcess(): Segmenter | undefined {
  if (dictionaryOfProcess === undefined) {
    const dictionary = openDictionary();
    dictionaryOfProcess = { segmenter: dictionary && createSegmenter(dictionary) };
  }
  return dictionaryOfProcess.segmenter;
}
