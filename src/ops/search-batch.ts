import { isMemtoolError, MemtoolError } from '../core/errors.ts';
import { checkInput, fromText, type InputProblem, type Param } from '../core/params.ts';
import { toDbError } from '../store/sqlite-errors.ts';
import { errorEnvelope } from './envelope.ts';
import { fieldError } from './input-error.ts';
import type { Context, Stdin } from './context.ts';
import { jsonLines, type Line } from './json-lines.ts';
import type { Result } from './operation.ts';
import { nearest } from './suggest.ts';
import { answer, SEARCH_PARAMS, type SearchInput } from './search-answer.ts';

/** Longest line of a batch, in bytes. */
const MAX_LINE_BYTES = 1024 * 1024;
const QUERY_FORM = 'write {"query":"…","limit":10}';

/** Answers each line of stdin with one line; blank lines are skipped. A line that fails is answered with its error and
 * the number of the line, and reading continues. */
export async function* answerLines(context: Context, stdin: Stdin, defaults: SearchInput): AsyncGenerator<Result> {
  context.store.expectManyReads();
  for await (const line of jsonLines(stdin.chunks({ isExplicit: true }), MAX_LINE_BYTES)) {
    let result: Result;
    try {
      result = { ok: true, ...answer(context, readQuery(line, defaults)) };
    } catch (caught) {
      const error = toDbError(caught, context.store.path);
      if (!isMemtoolError(error)) throw error;
      const { hint } = error.told;
      result = { ...errorEnvelope(error), ...(hint !== undefined && { hint }), line: line.number };
    }
    yield result;
  }
}

function readQuery(line: Line, defaults: SearchInput): SearchInput {
  if ('problem' in line) throw new MemtoolError('PARAM_ERROR', line.problem, { hint: QUERY_FORM });
  const { value } = line;
  const given = typeof value === 'string' ? { query: value } : value;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new MemtoolError('PARAM_ERROR', 'a line must be a JSON string or an object with a query', {
      hint: QUERY_FORM,
    });
  }
  const { batch: _batch, ...inherited } = defaults;
  // null means that the parameter is not given
  const said = Object.entries(given)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => [name, fromText(paramOf(name), one)]);
  const checked = checkInput(SEARCH_PARAMS, { ...inherited, ...Object.fromEntries(said) });
  if (!('problem' in checked)) return checked.input;
  throw misfit(checked.problem);
}

function paramOf(name: string): Param | undefined {
  return Object.hasOwn(SEARCH_PARAMS, name) ? SEARCH_PARAMS[name as keyof typeof SEARCH_PARAMS] : undefined;
}

/** Returns the PARAM_ERROR for a value in a line, which names the parameter as the line does. */
function misfit(problem: InputProblem): MemtoolError {
  const names = Object.keys(SEARCH_PARAMS);
  const near = nearest(problem.name, names);
  const fallback = near === undefined ? `valid names are: ${names.join(', ')}` : `did you mean ${near}?`;
  return fieldError(problem, paramOf(problem.name), fallback);
}
