import { createTwoFilesPatch } from 'diff';

/** A unified diff of two contents, with three lines of context; '' when they are equal. */
export function contentDiff(input: { from: number; to: number; before: string; after: string }): string {
  if (input.before === input.after) return '';
  const patch = createTwoFilesPatch(
    `version ${input.from}`,
    `version ${input.to}`,
    input.before,
    input.after,
    undefined,
    undefined,
    { context: 3 },
  );
  return patch.slice(patch.indexOf('---'));
}
