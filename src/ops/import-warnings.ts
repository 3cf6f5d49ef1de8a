import { quote } from '../core/errors.ts';
import { command, sentence, type Text } from '../core/sentence.ts';
import type { sharedKeys } from '../store/find-item.ts';

/** Lines, by number, of whose effect the caller is told. */
export interface Merged {
  /** They were skipped, since nothing tells whether they or the stored items are newer. */
  readonly undecided: number[];
  /** They replaced an item that was edited later. */
  readonly diverged: number[];
  /** They replaced an item of the same version that has another text: both may have been edited since they were one. */
  readonly parallel: number[];
  /** They brought back a deleted item. */
  readonly revived: number[];
}

/** What was read of the input. */
interface Read {
  readonly valid: number;
  readonly invalid: number;
  /** Number of lines by unknown field. */
  readonly unknown: ReadonlyMap<string, number>;
  readonly withPrivate: number;
}

/** Warnings about the input itself. */
export function readWarnings(read: Read): string[] {
  return [
    ...unknownFieldWarnings(read.unknown),
    ...privateWarnings(read),
    ...(read.valid + read.invalid === 0 ? [NO_LINES] : []),
  ];
}

const NO_LINES = 'the input was empty: nothing was imported';

/** Most lines that a warning names; the others are counted. */
const NAMED_LINES = 10;

function namedLines(lines: readonly number[]): string {
  const named = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, NAMED_LINES).join(', ')}`;
  return lines.length > NAMED_LINES ? `${named} and ${lines.length - NAMED_LINES} more` : named;
}

/** Warnings about what the lines did to stored items. */
export function mergeWarnings({ undecided, diverged, parallel, revived }: Merged): Text[] {
  const history = command('history', ['ID']);
  return [
    ...undecidedWarnings(undecided),
    ...(diverged.length === 0
      ? []
      : [
          sentence`lines with a higher version, but an older updated_at, replaced items that were edited later: ${namedLines(diverged)} (the replaced texts are in: ${history})`,
        ]),
    ...(parallel.length === 0
      ? []
      : [
          sentence`lines replaced items of the same version that had another text: ${namedLines(parallel)} (the replaced texts are in: ${history})`,
        ]),
    ...(revived.length === 0 ? [] : [`items that were deleted here are back: ${namedLines(revived)}`]),
  ];
}

function undecidedWarnings(lines: readonly number[]): Text[] {
  if (lines.length === 0) return [];
  return [
    sentence`lines that differ from the stored items were skipped, since neither version nor updated_at tells which is newer: ${namedLines(lines)} (to import them, raise their version; --on-conflict overwrite imports every line)`,
  ];
}

export function sharedKeyWarnings({ total, named }: ReturnType<typeof sharedKeys>): Text[] {
  if (total === 0) return [];
  const more = total > named.length ? ` and ${total - named.length} more` : '';
  return [
    sentence`imported items share type, key, task and step with other items, and get and put use only the newest of these: ${named.join(', ')}${more} (see them with: ${command('list', { key: 'KEY' })})`,
  ];
}

function privateWarnings({ withPrivate }: Read): string[] {
  return withPrivate === 0
    ? []
    : [`<private> parts were dropped from the content of ${withPrivate} ${withPrivate === 1 ? 'line' : 'lines'}`];
}

function unknownFieldWarnings(unknown: ReadonlyMap<string, number>): string[] {
  return [...unknown].map(
    ([name, lines]) => `unknown field ${quote(name)} on ${lines} ${lines === 1 ? 'line' : 'lines'} was ignored`,
  );
}
