import { MemtoolError, quote } from '../core/errors.ts';
import { command, either, flag, ownWords, sentence, type Text } from '../core/sentence.ts';
import { choicesOf, type InputProblem, type Param } from '../core/params.ts';
import type { Operation } from './operation.ts';
import { nearest } from './suggest.ts';

/** The PARAM_ERROR for a value that an operation does not accept; it names the flag. */
export function inputError(operation: Operation, problem: InputProblem): MemtoolError {
  const param = operation.params[problem.name];
  return problemError(problem, param, {
    shown: flag(problem.name),
    hint: clearHint(operation, param, problem.value) ?? valueHint(operation, param, problem),
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
  { shown, hint }: { readonly shown: Text; readonly hint: Text | undefined },
): MemtoolError {
  const isSecret = param?.kind === 'text' && param.format === 'content';
  const got = value === undefined || isSecret ? '' : `, got ${quote(wrongPart(param, value) ?? value)}`;
  return new MemtoolError('PARAM_ERROR', sentence`${shown} ${problem}${got}`, {
    ...(hint !== undefined && { hint }),
    context: { parameter: name },
  });
}

/** Returns the choice nearest to a wrong value, or to the first wrong element of a list; undefined if none is near. */
function nearestChoice(param: Param | undefined, value: unknown): string | undefined {
  const wrong = wrongPart(param, value) ?? value;
  // of several values for a parameter that takes one, none is nearer than the others
  return typeof wrong !== 'string' || wrong.includes(',') ? undefined : nearest(wrong, choicesOf(param));
}

/** Returns the first element of a list that is none of its choices; undefined if there is none. */
function wrongPart(param: Param | undefined, value: unknown): unknown {
  const choices = choicesOf(param);
  if (choices.length === 0 || !Array.isArray(value)) return undefined;
  return value.find((part) => !choices.includes(String(part)));
}

/** Returns how to empty a field, for an empty value given to an operation that can do so. */
function clearHint({ params: { clear } }: Operation, param: Param | undefined, value: unknown): Text | undefined {
  const isName = (param?.kind === 'text' && param.format === 'name') || (param?.kind === 'texts' && param !== clear);
  const isEmpty = value === '' || (Array.isArray(value) && value.every((part) => part === ''));
  if (!isName || !isEmpty || clear?.kind !== 'texts') return undefined;
  return sentence`to empty a field of a stored item, use --clear with ${clear.choices?.join(', ') ?? ''}`;
}

function valueHint({ name, examples }: Operation, param: Param | undefined, problem: InputProblem): Text {
  // what fromWords could not split
  if (param?.kind === 'texts' && typeof problem.value === 'string')
    return `separate the values with commas, or quote a JSON array: '["a","b"]'`;
  const near = nearestChoice(param, problem.value);
  if (near !== undefined) return `did you mean ${near}?`;
  if (problem.value === undefined && examples[0] !== undefined) {
    const call = command(name, { [problem.name]: problem.name.toUpperCase() });
    return sentence`for example: ${either(asTyped(name, examples[0].command), call)}`;
  }
  const help = `See: memtool ${name} --help`;
  return param?.description ? sentence`${ownWords(param.description)}${either(` ${help}`, '')}` : either(help, '');
}

/** An example as it is typed in a shell. */
function asTyped(name: string, line: string): Text {
  const start = `memtool ${name} `;
  return line.startsWith(start) ? command(name, line.slice(start.length)) : line;
}
