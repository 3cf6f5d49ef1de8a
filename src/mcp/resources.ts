import { oneLine } from '../core/display.ts';
import { isMemtoolError } from '../core/errors.ts';
import { get } from '../ops/get.ts';
import { invoke } from '../ops/invoke.ts';
import { list } from '../ops/list.ts';
import type { Output } from '../ops/operation.ts';
import { LISTED_FIELDS } from './default-tools.ts';
import { renderNotes } from './notes.ts';
import type { Arguments } from './tool.ts';

/** Number of notes that count as recent. */
const RECENT = 20;
/** Longest title of a note, in characters. */
const TITLE_CHARS = 60;

const LISTED = { sort_by: 'updated', limit: RECENT } as const;

/** The newest notes as text. */
export async function recentNotes(dbPath: string): Promise<string> {
  using invocation = await invoke(list, { ...LISTED, fields: LISTED_FIELDS }, { dbPath });
  return renderNotes({ items: itemsOf(invocation.result), remarks: [], quoted: [] }, invocation.context.nowMs);
}

/** Ids that a URL cannot contain: they are resolved as segments of its path. */
const UNREACHABLE_IDS = ['.', '..'];

/** Ids and titles of the newest notes, for clients that let a user choose one. Empty if the database cannot be read:
 * the tools report what is wrong with it. */
export async function listedNotes(dbPath: string): Promise<{ id: string; title: string }[]> {
  try {
    using invocation = await invoke(list, { ...LISTED, fields: ['id', 'key', 'snippet'] }, { dbPath });
    return itemsOf(invocation.result)
      .filter(({ id }) => !UNREACHABLE_IDS.includes(String(id)))
      .map(({ id, key, snippet }) => ({ id: String(id), title: titleOf(String(key ?? snippet)) }));
  } catch (error) {
    if (isMemtoolError(error)) return [];
    throw error;
  }
}

/** The title by which a user chooses a note: stored text, in quotes so that nobody takes it for anything else. */
function titleOf(text: string): string {
  const characters = Array.from(oneLine(text));
  return JSON.stringify(
    characters.length > TITLE_CHARS ? `${characters.slice(0, TITLE_CHARS - 1).join('')}…` : characters.join(''),
  );
}

/** One complete note as text. Throws NOT_FOUND. */
export async function wholeNote(dbPath: string, id: string): Promise<string> {
  using invocation = await invoke(get, { id: [id] }, { dbPath });
  // without a limit on the answer, one id returns one item
  const { item } = invocation.result as { readonly item: Arguments };
  return renderNotes({ items: [item], remarks: [], quoted: [] }, invocation.context.nowMs);
}

function itemsOf(result: Output): readonly Arguments[] {
  return (result as { readonly items: readonly Arguments[] }).items;
}
