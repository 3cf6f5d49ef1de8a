import { quote } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import { command, sentence, type Text } from '../core/sentence.ts';
import type { Memory } from '../core/memory.ts';
import { phraseExpression } from '../search/fts-query.ts';
import type { Query } from '../search/query.ts';
import type { MemoryReader } from '../store/memory-reader.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { deletedHint } from './deleted-hint.ts';

/** A word with its signs. Only one with a digit or a sign inside is probably a name (INV-231, auth/login, v2). */
const WORD = /[A-Za-z\d]+(?:[-_/.:#]+[A-Za-z\d]+)*/g;
const OTHER_THAN_LETTERS = /[^A-Za-z]/;
/** Most words of a query that are looked up as the name of a task, and of a query that is looked up as a whole. Range 1
 * to 10; each lookup takes 0.015 ms. */
const NAMED_TASKS = 3;

/** Returns a hint for a search that found nothing if its text is the name of a task or step, which the contents need
 * not mention; otherwise undefined. */
export function taskHint(store: MemoryStore, name: string): Text | undefined {
  // looking up a step reads a whole index (0.04 ms for 1,000 items), so it is skipped for a question of several words
  const columns = /\s/.test(name) ? (['task_id'] as const) : (['task_id', 'step_id'] as const);
  const column = columns.find((one) => store.count({ [one]: name }) > 0);
  if (column === undefined) return deletedNameHint(store, name);
  return sentence`no item contains this text, but some belong to the ${column.slice(0, 4)} of that name: ${command('list', { [column]: name })}`;
}

/** Returns a hint for a search whose text is the key or the task of a deleted item. */
function deletedNameHint(store: MemoryStore, name: string): Text | undefined {
  const deleted = deletedHint(store, { key: name }) ?? deletedHint(store, { task_id: name });
  return deleted && sentence`no item contains this text; of the items with this key or task, ${deleted}`;
}

/** Returns a hint for a search that found something if its text is, or names, a task that has items which are not
 * `shown`: these need not mention it. */
export function otherItemsHint(store: MemoryReader, query: string, shown: readonly Memory[]): Text | undefined {
  const whole = query.split(/\s+/).length <= NAMED_TASKS ? [query] : [];
  const names = (query.match(WORD) ?? []).filter((word) => OTHER_THAN_LETTERS.test(word));
  const named = [...whole, ...names.slice(0, NAMED_TASKS)];
  // a ticket is often typed in lower case: oh-1432
  for (const name of new Set(named.flatMap((one) => [one, one.toUpperCase()]))) {
    const others = store.count({ task_id: name }) - shown.filter(({ task_id: task }) => task === name).length;
    if (others > 0)
      return sentence`${counted(others, 'item')} of the task ${quote(name)} ${others === 1 ? 'is' : 'are'} not among these: ${command('list', { task_id: name })}`;
  }
  return undefined;
}

/** A ticket, or what looks like one: DK-9999. In lower case, most are something else (utf-16, top-10). */
const TICKET = /(?<![\w-])[A-Z]{2,10}-\d{1,6}(?![\w-])/g;
/** Most words of a query whose tickets are looked up, and most tickets. Range 1 to 10. */
const MOST_WORDS = 6;
const MOST_TICKETS = 3;

/** Returns a hint if a query of a few words names a ticket that no item contains in any notation, so that its results
 * only have parts of it, or other words. */
export function missingTicketHint(store: MemoryReader, { text, phrases }: Query): Text | undefined {
  if (text.split(/\s+/).length > MOST_WORDS) return undefined;
  const missing = (text.match(TICKET) ?? []).slice(0, MOST_TICKETS).filter((ticket) => {
    const words = ticket.toLowerCase().split('-');
    const { ways } = phrases.find(({ term }) => term === words.join(' ')) ?? { ways: [words] };
    const isName = [ticket, ticket.toLowerCase()].some(
      (name) => store.count({ task_id: name }) > 0 || store.count({ step_id: name }) > 0,
    );
    return !isName && store.documentFrequency(phraseExpression([...ways, words])) === 0;
  });
  if (missing.length === 0) return undefined;
  const named = missing.map((ticket) => quote(ticket)).join(', ');
  return `no item contains ${named}: these match other words, or parts of ${missing.length === 1 ? 'it' : 'them'}`;
}
