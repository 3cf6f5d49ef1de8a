import { documentFrequency } from './fts-statistics.ts';
import type { Statements } from './statement.ts';

/** Frequencies that are kept for the next searches: questions repeat their words. Range 1,000 to 100,000; one takes
 * about 100 bytes. */
const MOST_FREQUENCIES = 20_000;

/** How many items match FTS5 expressions, remembered from one state of the file to the next as long as nobody has
 * written in between. */
export class FrequencyMemo {
  readonly #statements: Statements;
  readonly #known = new Map<string, number>();
  #version: unknown;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** To be called when a transaction begins. Asking for the version of the file begins to read it, so that what comes
   * next is of the same state. */
  begin(): void {
    const version = this.#statements.read('pragma data_version').get()?.['data_version'];
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
  }

  /** To be called within that transaction. */
  documentFrequency(expression: string): number {
    const before = this.#known.get(expression);
    if (before !== undefined) return before;
    const frequency = documentFrequency(this.#statements, expression);
    if (this.#known.size >= MOST_FREQUENCIES) this.#known.clear();
    this.#known.set(expression, frequency);
    return frequency;
  }
}
