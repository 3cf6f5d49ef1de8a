import type { Param, Params } from '../core/params.ts';
import { GLOBAL_FLAGS, type Operation } from '../ops/operation.ts';

/** The words of a command line, grouped by the parameter they belong to, not yet parsed as values. */
export interface ArgvWords {
  readonly command: string | undefined;
  readonly operation: Operation | undefined;
  /** Words by parameter name, in order of appearance; a flag without a value has one empty word. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly globals: ReadonlyMap<GlobalName, readonly string[]>;
  /** The first problem of the line; the full reader turns it into an error with a suggestion. */
  readonly problem: ArgvProblem | undefined;
}

export type ArgvProblem =
  | { readonly kind: 'unknown-command'; readonly word: string }
  | { readonly kind: 'unknown-flag'; readonly word: string }
  | { readonly kind: 'no-value'; readonly flag: string; readonly values: number; readonly next: string | undefined }
  | { readonly kind: 'value-not-taken'; readonly flag: string }
  | { readonly kind: 'repeated'; readonly flag: string }
  | { readonly kind: 'stray-word'; readonly word: string }
  /** A word of a text that a switch or the flag of a list divides in two: it may be a value that the flag does not take. */
  | { readonly kind: 'divided'; readonly name: string; readonly word: string; readonly after: Divider };

/** A flag that a caller may believe to take another word: `--explain true`, `--fields id key`. */
interface Divider {
  readonly flag: string;
  readonly takesList: boolean;
}

export type GlobalName = keyof typeof GLOBAL_FLAGS;

interface Target {
  readonly kind: 'param' | 'global';
  readonly name: string;
  /** How many words the flag takes. */
  readonly values: 0 | 1 | 2;
  readonly repeats: boolean;
}

/** One-letter spellings of global flags that take no value. */
const SHORT_FLAGS = { '-h': 'help', '-V': 'version' } as const;
const LOOKS_LIKE_A_FLAG = /^--?[A-Za-z]/;

/** Groups the words of a command line. A flag that takes a value takes the next word whatever it looks like
 * (`--content -x`), unless that word is itself a flag of the command, a global flag, or `--`, which ends the flags.
 * Nothing is coerced, nothing is dropped silently: the first misfit becomes the `problem`. */
export function sortWords(argv: readonly string[], operations: readonly Operation[]): ArgvWords {
  const state: State = {
    words: new Map(),
    globals: new Map(),
    operation: undefined,
    command: undefined,
    divider: undefined,
    switchWithValue: undefined,
    problem: undefined,
  };
  let flagsEnded = false;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--' && !flagsEnded) flagsEnded = true;
    else if (!flagsEnded && LOOKS_LIKE_A_FLAG.test(word)) at += takeFlag(state, argv, at);
    else if (state.command === undefined) takeCommand(state, word, operations);
    else takePositional(state, word);
  }
  return state;
}

interface State {
  readonly words: Map<string, string[]>;
  readonly globals: Map<GlobalName, string[]>;
  operation: Operation | undefined;
  command: string | undefined;
  /** The flag of which the next positional word may be meant as a value. */
  divider: Divider | undefined;
  /** A switch that is followed by true or false as the first positional word: that is its value if others follow. */
  switchWithValue: string | undefined;
  problem: ArgvProblem | undefined;
}

/** Takes the name of a command; `help` and `version` are other spellings of flags, so that `help put` is
 * `--help put`. */
function takeCommand(state: State, word: string, operations: readonly Operation[]): void {
  if (word === 'help' || word === 'version') {
    state.globals.set(word, ['']);
    return;
  }
  state.command = word;
  state.operation = operations.find(({ name }) => name === word);
  if (state.operation === undefined) state.problem ??= { kind: 'unknown-command', word };
}

/** Consumes the flag at index `at` and its values; returns the number of words consumed after it. */
function takeFlag(state: State, argv: readonly string[], at: number): number {
  const { flag, value } = splitFlag(argv[at] ?? '');
  const target = findTarget(flag, state.operation?.params ?? {});
  state.divider = dividerOf(flag, target, state.operation);
  if (target === undefined) {
    // the flags of an unknown command cannot be checked: that it is unknown is the problem then
    state.problem ??= { kind: 'unknown-flag', word: flag };
    return 0;
  }
  if (target.values === 0) {
    if (value !== undefined) state.problem ??= { kind: 'value-not-taken', flag };
    add(state, target, flag, ['']);
    return 0;
  }
  const values = value === undefined ? [] : [value];
  const following = argv.slice(at + 1, at + 1 + target.values - values.length);
  const end = following.findIndex((word) => isFlagOf(word, state.operation));
  const taken = end < 0 ? following : following.slice(0, end);
  values.push(...taken);
  if (values.length < target.values) {
    state.problem ??= { kind: 'no-value', flag, values: target.values, next: following[taken.length] };
  } else add(state, target, flag, values);
  return taken.length;
}

/** The words after the flag of a positional parameter belong to it. */
function dividerOf(flag: string, target: Target | undefined, operation: Operation | undefined): Divider | undefined {
  const param = target?.kind === 'param' ? operation?.params[target.name] : undefined;
  if (param === undefined || param.positional || (param.kind !== 'flag' && param.kind !== 'texts')) return undefined;
  return { flag, takesList: param.kind === 'texts' };
}

/** Splits `--flag=value` into its two parts. */
function splitFlag(word: string): { flag: string; value: string | undefined } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? { flag: word, value: undefined } : { flag: word.slice(0, equals), value: word.slice(equals + 1) };
}

function add(state: State, target: Target, flag: string, values: readonly string[]): void {
  const map: Map<string, string[]> = target.kind === 'param' ? state.words : state.globals;
  const known = map.get(target.name);
  if (known !== undefined && !target.repeats) state.problem ??= { kind: 'repeated', flag };
  map.set(target.name, [...(known ?? []), ...values]);
}

/** True for a long flag that the operation knows, and for `--`. False for `-h` and `-V`, which may be values. */
function isFlagOf(word: string, operation: Operation | undefined): boolean {
  if (word === '--') return true;
  return !Object.hasOwn(SHORT_FLAGS, word) && findTarget(splitFlag(word).flag, operation?.params ?? {}) !== undefined;
}

function findTarget(flag: string, params: Params): Target | undefined {
  if (Object.hasOwn(SHORT_FLAGS, flag))
    return { kind: 'global', name: SHORT_FLAGS[flag as keyof typeof SHORT_FLAGS], values: 0, repeats: true };
  if (!flag.startsWith('--')) return undefined;
  const name = flag.slice(2);
  // the inverse of flagName; a flag itself contains no _
  const paramName = name.includes('_') ? '' : name.replaceAll('-', '_');
  const named = Object.hasOwn(params, paramName) ? params[paramName] : undefined;
  if (named !== undefined) return toTarget(paramName, named);
  if (Object.hasOwn(GLOBAL_FLAGS, name)) {
    const takesValue = GLOBAL_FLAGS[name as GlobalName] === 'value';
    return { kind: 'global', name, values: takesValue ? 1 : 0, repeats: !takesValue };
  }
  for (const [known, param] of Object.entries(params)) {
    if (param.aliases?.includes(name)) return toTarget(known, param);
  }
  return undefined;
}

function toTarget(name: string, param: Param): Target {
  const values = param.kind === 'flag' ? 0 : param.kind === 'int-pair' ? 2 : 1;
  return { kind: 'param', name, values, repeats: param.kind === 'texts' };
}

function takePositional(state: State, word: string): void {
  const [name, param] = Object.entries(state.operation?.params ?? {}).find(([, { positional }]) => positional) ?? [];
  if (name === undefined || param === undefined) {
    if (state.operation !== undefined) state.problem ??= { kind: 'stray-word', word };
    return;
  }
  const known = state.words.get(name);
  const problem = problemOf(state, { name, param, word, isFirst: known === undefined });
  if (problem !== undefined) state.problem ??= problem;
  else if (known === undefined || param.kind === 'texts') state.words.set(name, [...(known ?? []), word]);
  else state.words.set(name, [[...known, word].join(' ')]);
  if (known === undefined) state.switchWithValue = switchBefore(state, word);
  state.divider = undefined;
}

interface Positional {
  readonly name: string;
  readonly param: Param;
  readonly word: string;
  /** True for the first word of the line that has no flag. */
  readonly isFirst: boolean;
}

/** Returns why a positional word is not taken; undefined if it is. */
function problemOf(state: State, { name, param, word, isFirst }: Positional): ArgvProblem | undefined {
  if (isFirst) return undefined;
  const flag = state.switchWithValue ?? switchBefore(state, word);
  if (flag !== undefined) return { kind: 'value-not-taken', flag };
  if (param.kind === 'texts') return undefined;
  if (param.kind !== 'text' || !param.joinWords) return { kind: 'stray-word', word };
  return state.divider === undefined ? undefined : { kind: 'divided', name, word, after: state.divider };
}

/** Returns the switch that a word seems to be meant as a value of: `--explain true`. */
function switchBefore({ divider }: State, word: string): string | undefined {
  const isValue = word === 'true' || word === 'false';
  return isValue && divider?.takesList === false ? divider.flag : undefined;
}
