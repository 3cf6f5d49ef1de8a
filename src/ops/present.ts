import { command, sentence, type Sentence, type Text } from '../core/sentence.ts';
import type { Memory } from '../core/memory.ts';
import { quote } from '../core/errors.ts';
import { characterCount } from '../core/text.ts';
import { parseTimestamp } from '../core/time.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Returns the requested fields of an item, its own and those that are computed, which takes time. If `fields` is
 * undefined, these are its own, and the computed ones in `usual`. */
export function withFields(
  item: Readonly<Record<string, unknown>>,
  fields: readonly string[] | undefined,
  computed: Readonly<Record<string, () => unknown>> = {},
  usual: readonly string[] = [],
): Record<string, unknown> {
  const requested = new Set(fields ?? [...Object.keys(item), ...usual]);
  const isRequested = ([name]: readonly [string, unknown]): boolean => requested.has(name);
  return Object.fromEntries([
    ...Object.entries(item).filter(isRequested),
    ...Object.entries(computed)
      .filter(isRequested)
      .map(([name, valueOf]) => [name, valueOf()]),
  ]);
}

/** Returns the warnings for the caller of a write, if there are any. */
export function warningsOf(store: MemoryStore, more: readonly Text[] = []): { warnings?: Text[] } {
  const warnings = [...more, ...store.warnings];
  return warnings.length > 0 ? { warnings } : {};
}

/** Most items that a warning names. */
const NAMED_ITEMS = 5;

/** Returns a warning of items whose updated_at is not a time, which another program wrote: their age is unknown.
 * `effect` says what follows. */
export function unknownAges(
  items: readonly Pick<Memory, 'id' | 'updated_at'>[],
  effect: string,
): { warnings?: Text[] } {
  const unknown = items.filter((item) => parseTimestamp(item.updated_at) === undefined).map(({ id }) => quote(id));
  if (unknown.length === 0) return {};
  const more = unknown.length > NAMED_ITEMS ? `, and ${unknown.length - NAMED_ITEMS} more` : '';
  return {
    warnings: [
      sentence`the updated_at of some items is not a time, ${effect}: ${unknown.slice(0, NAMED_ITEMS).join(', ')}${more} (see: ${command('doctor')})`,
    ],
  };
}

/** What follows for the order of items. */
export const COUNT_AS_OLDEST = 'so that they count as the oldest';

/** Most contents whose size a hint names; the others are counted. */
const NAMED_SIZES = 5;

/** Admits contents until `maxChars` characters are used up. A content that does not fit is omitted whole; later ones
 * may still fit. */
export class ContentBudget {
  readonly #omitted: { readonly id: string; readonly chars: number }[] = [];
  readonly #maxChars: number;
  #used = 0;

  private constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Returns the budget of a call, unlimited if the call does not print contents. */
  static for(input: {
    readonly max_chars?: number | undefined;
    readonly fields?: readonly string[] | undefined;
  }): ContentBudget {
    const isPrinted = input.fields === undefined || input.fields.includes('content');
    return new ContentBudget((isPrinted ? input.max_chars : undefined) ?? Number.POSITIVE_INFINITY);
  }

  get omittedIds(): string[] {
    return this.#omitted.map(({ id }) => id);
  }

  /** Returns a hint with the sizes of what was omitted, and how to read it; undefined if nothing was. */
  hint(): Sentence | undefined {
    const [first] = this.#omitted;
    if (first === undefined) return undefined;
    const which = this.#omitted.length === 1 ? 'it' : 'the first';
    return sentence`${this.#sizes()}; read ${which} with: ${command('get', [first.id], { max_chars: first.chars })}`;
  }

  /** The same for versions of one item, which can only be read together. */
  hintForVersions(): Sentence | undefined {
    if (this.#omitted.length === 0) return undefined;
    const all = this.#omitted.reduce((sum, { chars }) => sum + chars, this.#used);
    return sentence`version ${this.#sizes()}; repeat with --max-chars ${all}`;
  }

  #sizes(): string {
    const named = this.#omitted.slice(0, NAMED_SIZES).map(({ id, chars }) => `${id} has ${chars} characters`);
    const others = this.#omitted.length - named.length;
    return `${named.join(', ')}${others === 0 ? '' : ` (and ${others} more)`}`;
  }

  /** True if a content fits; else it is omitted, with those of `copies`, ids of items with the same content. */
  admits({ id, content }: Pick<Memory, 'id' | 'content'>, copies: readonly string[] = []): boolean {
    if (this.#maxChars === Number.POSITIVE_INFINITY) return true;
    const chars = characterCount(content);
    if (this.#used + chars > this.#maxChars) {
      for (const one of [id, ...copies]) this.#omitted.push({ id: one, chars });
      return false;
    }
    this.#used += chars;
    return true;
  }
}
