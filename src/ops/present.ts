import type { Memory } from '../core/memory.ts';
import { characterCount } from '../core/text.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** An item as a result list prints it: the item's fields, then what the list adds. */
export type Presented = Memory & Readonly<Record<string, unknown>>;

/** Keeps only the fields that were asked for; all of them when none were. `always` stay in any case. */
export function withFields(
  item: Presented,
  fields: readonly string[] | undefined,
  always: readonly string[] = [],
): Record<string, unknown> {
  if (fields === undefined) return { ...item };
  return Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name) || always.includes(name)));
}

/** What the caller of a write should be told, where there is anything. */
export function warningsOf(store: MemoryStore, more: readonly string[] = []): { warnings?: string[] } {
  const warnings = [...more, ...store.warnings];
  return warnings.length > 0 ? { warnings } : {};
}

/** Admits contents until `maxChars` characters are used up; one that does not fit is left out whole, and later ones may
 * still fit. */
export class ContentBudget {
  readonly omittedIds: string[] = [];
  #left: number;

  private constructor(maxChars: number) {
    this.#left = maxChars;
  }

  /** The budget of a call. Where contents are not among the fields that it prints, there is nothing to bound. */
  static for(input: {
    readonly max_chars?: number | undefined;
    readonly fields?: readonly string[] | undefined;
  }): ContentBudget {
    const isPrinted = input.fields === undefined || input.fields.includes('content');
    return new ContentBudget((isPrinted ? input.max_chars : undefined) ?? Number.POSITIVE_INFINITY);
  }

  /** What to do where nothing was admitted; undefined where anything was, or nothing was there. `shown` is the number
   * of items that were. */
  hint(shown: number): string | undefined {
    if (shown > 0 || this.omittedIds.length === 0) return undefined;
    return 'every content is longer than --max-chars; see what was left out with: --fields id,key,snippet,chars';
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
