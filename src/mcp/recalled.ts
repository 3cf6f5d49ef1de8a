import type { Arguments, RecalledNotes } from './tool.ts';

/** The notes of a result, with remarks in memtool's own words, and others that may contain stored text. */
export function notes(
  items: unknown,
  remarks: readonly (string | undefined)[] = [],
  quoted: readonly { what: string; text: string | undefined }[] = [],
): RecalledNotes {
  return {
    items: items as readonly Arguments[],
    isCut: quoted.some(({ what, text }) => what === LEFT_OUT && text !== undefined),
    remarks: remarks.filter((remark) => remark !== undefined),
    quoted: quoted.flatMap(({ what, text }) => (text === undefined ? [] : [{ what, text }])),
  };
}

/** The fields that a client requested, all of which are shown. */
export function requested(fields: unknown): Pick<RecalledNotes, 'fields'> {
  return Array.isArray(fields) ? { fields: fields.map(String) } : {};
}

/** The number of items in a list. */
export function count(items: unknown): number {
  return Array.isArray(items) ? items.length : 0;
}

/** The label of the notes that a result leaves out. */
const LEFT_OUT = 'left out, because they do not fit into max_chars';

/** The remarks that most results add to their items. They are quoted, since ids and hints may contain stored text. */
export function quotedRemarks({ omitted, missing, hint }: { omitted?: unknown; missing?: unknown; hint?: unknown }) {
  return [
    { what: 'no note has these ids', text: listOf(missing) },
    { what: LEFT_OUT, text: listOf(omitted) },
    { what: 'hint', text: typeof hint === 'string' ? hint : undefined },
  ];
}

function listOf(ids: unknown): string | undefined {
  return count(ids) === 0 ? undefined : JSON.stringify(ids);
}

/** A remark about the warning of a search. */
export function warned(warning: unknown): string | undefined {
  return typeof warning === 'string' ? `warning: ${warning}` : undefined;
}
