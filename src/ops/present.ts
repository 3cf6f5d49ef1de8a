import type { Memory } from '../core/memory.ts';
import { characterCount } from '../core/text.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** An item as a result list prints it: the item's fields, then those that the list adds. */
export type Presented = Memory & Readonly<Record<string, unknown>>;

/** Keeps only the requested fields, or all if `fields` is undefined. Those in `always` are kept in any case. */
export function withFields(
  item: Presented,
  fields: readonly string[] | undefined,
  always: readonly string[] = [],
): Record<string, unknown> {
  if (fields === undefined) return { ...item };
  return Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name) || always.includes(name)));
}

/** Returns the warnings for the caller of a write, if there are any. */
export function warningsOf(store: MemoryStore, more: readonly string[] = []): { warnings?: string[] } {
  const warnings = [...more, ...store.warnings];
  return warnings.length > 0 ? { warnings } : {};
}

/** Admits contents until `maxChars` characters are used up. A content that does not fit is omitted whole; later ones
 * may still fit. */
export class ContentBudget {
  readonly omittedIds: string[] = [];
  #left: number;

  private constructor(maxChars: number) {
    this.#left = maxChars;
  }

  /** Returns the budget of a call, unlimited if the call does not print contents. */
  static for(input: {
    readonly max_chars?: number | undefined;
    readonly fields?: readonly string[] | undefined;
  }): ContentBudget {
    const isPrinted = input.fields === undefined || input.fields.includes('content');
    return new ContentBudget((isPrinted ? input.max_chars : undefined) ?? Number.POSITIVE_INFINITY);
  }

  /** Returns a hint if every item was omitted; undefined if any was admitted or there were none. `shown` is the number
   * of admitted items. */
  hint(shown: number): string | undefined {
    if (shown > 0 || this.omittedIds.length === 0) return undefined;
    return 'no content fits into --max-chars; see what was left out with: --fields id,key,snippet,chars';
  }

  admits(memory: Pick<Memory, 'id' | 'content'>): boolean {
    const size = this.#left === Number.POSITIVE_INFINITY ? 0 : characterCount(memory.content);
    if (size > this.#left) {
      this.omittedIds.push(memory.id);
      return false;
    }
    this.#left -= size;
    return true;
  }
}
