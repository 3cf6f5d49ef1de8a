import { MemtoolError, quote } from '../core/errors.ts';
import { flagName, type InputProblem, type Param } from '../core/params.ts';
import type { Operation } from './operation.ts';
import { nearest } from './suggest.ts';

/** The PARAM_ERROR for a value that an operation does not accept; it names the flag. */
export function inputError(operation: Operation, problem: InputProblem): MemtoolError {
  const { name, value } = problem;
  return problemError(problem, operation.params[name], {
    shown: `--${flagName(name)}`,
    hint: clearHint(operation, operation.params[name], value) ?? valueHint(operation, operation.params[name], value),
  });
}

/** The same for a front end without flags; it names the parameter. `fallback` is the hint if there is no better one. */
export function fieldError(problem: InputProblem, param: Param | undefined, fallback?: string): MemtoolError {
  const near = nearestChoice(param, problem.value);
  return problemError(problem, param, {
    shown: problem.name,
    hint: near === undefined ? param?.description || fallback : `did you mean ${near}?`,
  });
}

/** The value of a content parameter is never quoted. */
function problemError(
  { name, value, problem }: InputProblem,
  param: Param | undefined,
  { shown, hint }: { readonly shown: string; readonly hint: string | undefined },
): MemtoolError {
  const isSecret = param?.kind === 'text' && param.format === 'content';
  const got = value === undefined || isSecret ? '' : `, got ${quote(wrongPart(param, value) ?? value)}`;
  return new MemtoolError('PARAM_ERROR', `${shown} ${problem}${got}`, {
    ...(hint !== undefined && { hint }),
    context: { parameter: name },
  });
}

/** Returns the choice nearest to a wrong value, or to the first wrong element of a list; undefined if none is near. */
function nearestChoice(param: Param | undefined, value: unknown): string | undefined {
  const wrong = wrongPart(param, value) ?? value;
  return typeof wrong !== 'string' ? undefined : nearest(wrong, choicesOf(param));
}

/** Returns the first element of a list that is none of its choices; undefined if there is none. */
function wrongPart(param: Param | undefined, value: unknown): unknown {
  const choices = choicesOf(param);
  if (choices.length === 0 || !Array.isArray(value)) return undefined;
  return value.find((part) => !choices.includes(String(part)));
}

function choicesOf(param: Param | undefined): readonly string[] {
  return param?.kind === 'choice' || param?.kind === 'texts' ? (param.choices ?? []) : [];
}

/** Returns how to empty a field, for an empty value given to an operation that can do so. */
function clearHint({ params: { clear } }: Operation, param: Param | undefined, value: unknown): string | undefined {
  const isName = (param?.kind === 'text' && param.format === 'name') || (param?.kind === 'texts' && param !== clear);
  const isEmpty = value === '' || (Array.isArray(value) && value.every((part) => part === ''));
  if (!isName || !isEmpty || clear?.kind !== 'texts') return undefined;
  return `to empty a field of a stored item, use --clear with ${clear.choices?.join(', ')}`;
}

function valueHint(operation: Operation, param: Param | undefined, value: unknown): string {
  const near = nearestChoice(param, value);
  if (near !== undefined) return `did you mean ${near}?`;
  const example = operation.examples[0]?.command;
  return value === undefined && example !== undefined
    ? `for example: ${example}`
    : [param?.description, `See: memtool ${operation.name} --help`].filter(Boolean).join(' ');
}
