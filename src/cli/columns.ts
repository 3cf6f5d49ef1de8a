/** Columns assumed for a terminal of unknown width. */
const DEFAULT_COLUMNS = 100;
/** Width of the narrowest line for which output is laid out, in columns. */
const LEAST_COLUMNS = 20;

/** Returns the columns of a line on stdout: those of a terminal; elsewhere those that COLUMNS sets, or Infinity, since
 * programs that read the output want it whole. */
export function lineColumns(): number {
  const { columns, isTTY } = process.stdout;
  const asked = process.env['COLUMNS'] ?? '';
  const known = columns || (isTTY ? DEFAULT_COLUMNS : /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : Infinity);
  return Math.max(LEAST_COLUMNS, known);
}
