import { MemtoolError, quote } from '../core/errors.ts';
import { flagName, type InputProblem, type Param } from '../core/params.ts';
import type { Operation } from './operation.ts';
import { nearest } from './suggest.ts';

/** The PARAM_ERROR of a value that an operation does not take, told in terms of the flag. A value of content is never quoted. */
export function inputError(operation: Operation, { name, value, problem }: InputProblem): MemtoolError {
  const param = operation.params[name];
  const isSecret = param?.kind === 'text' && param.format === 'content';
  const got = value === undefined || isSecret ? '' : `, got ${quote(value)}`;
  return new MemtoolError('PARAM_ERROR', `--${flagName(name)} ${problem}${got}`, {
    hint: valueHint(operation, name, param, value),
    context: { parameter: name },
  });
}

/** The choice of a parameter that a wrong value, or the first wrong part of one, is nearest to. */
export function nearestChoice(param: Param | undefined, value: unknown): string | undefined {
  const choices = param?.kind === 'choice' || param?.kind === 'texts' ? (param.choices ?? []) : [];
  const wrong = Array.isArray(value) ? value.find((part) => !choices.includes(String(part))) : value;
  return choices.length === 0 || typeof wrong !== 'string' ? undefined : nearest(wrong, choices);
}

function valueHint(operation: Operation, name: string, param: Param | undefined, value: unknown): string {
  const near = nearestChoice(param, value);
  if (near !== undefined) return `did you mean ${near}?`;
  const example = operation.examples[0]?.command;
  return value === undefined && example !== undefined
    ? `for example: ${example}`
    : `${param?.description ?? name} See: memtool ${operation.name} --help`;
}
