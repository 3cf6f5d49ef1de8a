import { MemtoolError } from '../core/errors.ts';
import { withoutPrivate, type PublicText } from '../core/private-text.ts';

/** A text that merely mentions the tag loses everything after it, so the caller is warned at once. */
export function openPartWarnings(text: PublicText | undefined): string[] {
  return text?.isOpen === true
    ? [
        'a <private> that is not closed dropped the rest of the text; close it with </private>, or spell the tag differently',
      ]
    : [];
}

/** Returns a content without its private parts. Throws PARAM_ERROR when nothing is left. */
export function publicContent(content: string | undefined): PublicText | undefined {
  const kept = content === undefined ? undefined : withoutPrivate(content);
  if (kept?.text !== '') return kept;
  throw new MemtoolError('PARAM_ERROR', 'nothing is left of the content: all of it is in <private> parts', {
    hint: 'put the text to store outside of them',
  });
}
