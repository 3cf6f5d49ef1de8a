import type { Memory } from '../core/memory.ts';
import { matchExpression } from '../search/fts-query.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Number of terms of a content that are looked up to find the rare ones among them. Range 8 to 100; the longest are
 * taken, since rare words are long. */
const LOOKED_UP_TERMS = 24;
/** Number of the rarest terms that an item must contain to be compared. Range 1 to 8: a few rare terms leave hardly any
 * item with another content. */
const COMPARED_TERMS = 4;
/** Matches terms that are one token to FTS5's `ascii` tokenizer. */
const ONE_TOKEN = /^(?:[a-z0-9]+|[^\0-\x7f]+)$/i;

/** Returns the newest item of the same type, task and step that has exactly the content of `memory`, apart from line
 * breaks at its end, and all of its tags; undefined if there is none. Call it inside `write`, where the index is up to date: only the items that contain
 * the rarest terms of the content are compared, byte by byte. */
export function findSame(store: MemoryStore, memory: Memory): Memory | undefined {
  const { contentSearch } = store.tokenize(memory);
  // All items are compared if the index is not ready, or this call segments Chinese differently from the index.
  if (store.indexState() !== 'ready' || store.tokenizer.isProvisional) return store.findByContent(memory, undefined);
  const terms = contentSearch === '' ? (memory.content.match(/[a-z0-9]+/gi) ?? []) : contentSearch.split(' ');
  const plain = [...new Set(terms)].filter((term) => ONE_TOKEN.test(term));
  const longest = plain.toSorted((a, b) => b.length - a.length).slice(0, LOOKED_UP_TERMS);
  if (longest.length === 0) return store.findByContent(memory, undefined);
  const found = longest.map((term) => ({ term, items: store.documentFrequency(inContent([term])) }));
  if (found.some(({ items }) => items === 0)) return undefined;
  const rarest = found.toSorted((a, b) => a.items - b.items).slice(0, COMPARED_TERMS);
  return store.findByContent(memory, inContent(rarest.map(({ term }) => term)));
}

function inContent(terms: readonly string[]): string {
  return `content : (${matchExpression(terms, 'all')})`;
}
