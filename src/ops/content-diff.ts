import { createTwoFilesPatch, formatPatch } from 'diff';

/** Lines of context around a change. */
const CONTEXT = 3;
/** Most lines removed and added for which the shortest diff is computed: the time grows with their square, half a
 * second for this many. Range 1,000 to 10,000. */
const MOST_EDITS = 4000;

interface Contents {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly after: string;
}

/** Returns a unified diff of two contents with three lines of context, '' if they are equal. If more than `MOST_EDITS`
 * lines differ, everything between the first and the last difference is replaced. */
export function contentDiff(contents: Contents): string {
  const { from, to, before, after } = contents;
  if (before === after) return '';
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const least = createTwoFilesPatch(`version ${from}`, `version ${to}`, before, after, undefined, undefined, options);
  const patch = least ?? replaced(contents);
  return patch.slice(patch.indexOf('---'));
}

/** Returns a patch with one change, from the first line that differs to the last. */
function replaced({ from, to, before, after }: Contents): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const lead = Math.max(0, start - CONTEXT);
  const tail = Math.min(end, CONTEXT);
  const [oldEnd, freshEnd] = [old.length - end, fresh.length - end];
  const lines = [
    ...marked(' ', old.slice(lead, start)),
    ...marked('-', old.slice(start, oldEnd)),
    ...marked('+', fresh.slice(start, freshEnd)),
    ...marked(' ', old.slice(oldEnd, oldEnd + tail)),
  ];
  const [oldLines, newLines] = [oldEnd + tail - lead, freshEnd + tail - lead];
  return formatPatch({
    oldFileName: `version ${from}`,
    newFileName: `version ${to}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [{ oldStart: lead + 1, oldLines, newStart: lead + 1, newLines, lines }],
  });
}

/** Returns the lines of a text, each with its line end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'],
  );
}
