import { MemtoolError } from '../core/errors.ts';
import { sentence } from '../core/sentence.ts';
import { FIELD_PARAMS } from '../core/memory.ts';

/** What a call does to the tags of an item: `tag` replaces all of them, the others change single ones. */
interface TagChange {
  readonly tag?: readonly string[] | undefined;
  readonly add_tag?: readonly string[] | undefined;
  readonly remove_tag?: readonly string[] | undefined;
  readonly clear?: readonly string[] | undefined;
}

export const TAG_CHANGE_PARAMS = {
  add_tag: {
    ...FIELD_PARAMS.tags,
    aliases: ['add-tags'],
    description: 'Add this tag to those of the stored item; a new item simply has it.',
  },
  remove_tag: {
    ...FIELD_PARAMS.tags,
    aliases: ['remove-tags'],
    description: 'Remove this tag from those of the stored item, if it is there.',
  },
} as const;

/** True if single tags are added or removed. */
export function changesTags({ add_tag: added, remove_tag: removed }: TagChange): boolean {
  return added !== undefined || removed !== undefined;
}

/** Throws PARAM_ERROR if a call contradicts itself. */
export function checkTagChange({ tag, add_tag: added = [], remove_tag: removed = [], clear }: TagChange): void {
  if (added.length > 0 && clear?.includes('tags') === true) {
    throw new MemtoolError('PARAM_ERROR', 'tags are both added and cleared', {
      hint: sentence`leave one out; to replace all tags, use --tag`,
    });
  }
  if (removed.some((one) => added.includes(one) || tag?.includes(one) === true)) {
    throw new MemtoolError('PARAM_ERROR', 'the same tag is both given and removed', { hint: 'leave one out' });
  }
}

/** Returns the tags after a call, in their order, each once. `base` are those that it starts from: the stored or the
 * given ones. Throws PARAM_ERROR if there are too many. */
export function tagsAfter(base: readonly string[], change: TagChange): readonly string[] {
  if (!changesTags(change)) return base;
  const { add_tag: added = [], remove_tag: removed = [] } = change;
  const tags = [...new Set([...base.filter((one) => !removed.includes(one)), ...added])];
  const { maxItems } = FIELD_PARAMS.tags;
  if (tags.length > maxItems && tags.length > base.length) {
    throw new MemtoolError(
      'PARAM_ERROR',
      `the item would have ${tags.length} tags, but at most ${maxItems} are stored`,
      {
        hint: sentence`add fewer tags, or also remove some with --remove-tag`,
        context: { parameter: 'add_tag' },
      },
    );
  }
  return tags;
}
