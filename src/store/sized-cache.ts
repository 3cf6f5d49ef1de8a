/** What was read before, for a process that answers many searches. It is emptied when it is full, which takes no
 * bookkeeping at each use. */
export class SizedCache<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values = new Map<Key, Value>();
  #size = 0;

  /** `most` is the sum that the sizes of its values may reach. */
  constructor(most: number, sizeOf: (value: Value) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  add(key: Key, value: Value): void {
    const size = this.#sizeOf(value);
    if (this.#size + size > this.#most) this.clear();
    this.#values.set(key, value);
    this.#size += size;
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }
}
