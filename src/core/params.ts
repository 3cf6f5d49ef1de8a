import { isBrokenArray, splitAtCommas } from './comma-list.ts';
import { expandHome } from './paths.ts';
import { characterCount, hasControlCharacter } from './text.ts';
import { formatTimestamp, isAge, parseEnd, parseTimestamp } from './time.ts';

/** What all parameters have in common. Plain data: the hot path reads it without evaluating zod or yargs. */
interface ParamBase {
  readonly description: string;
  /** Taken from the words after the command; at most one parameter per operation. */
  readonly positional?: true;
  readonly required?: true;
  /** Other spellings of the flag that agents are known to try. */
  readonly aliases?: readonly string[];
}

export interface TextParam extends ParamBase {
  readonly kind: 'text';
  readonly maxChars: number;
  readonly format?: 'name' | 'id' | 'timestamp' | 'path' | 'content';
  /** For a timestamp: a date without a time means the end of its day. */
  readonly endsDay?: true;
  /** For a timestamp: an age (7d) is accepted too; what uses the value resolves it with `timeOf`. */
  readonly orAge?: true;
  /** Joins several positional words into one text, separated by spaces (a search query). */
  readonly joinWords?: true;
  readonly default?: string;
}
export interface TextListParam extends ParamBase {
  readonly kind: 'texts';
  readonly maxChars: number;
  /** How the values are separated: `comma` also splits each word at commas, and reads JSON arrays (tags, fields). */
  readonly separator: 'comma' | 'none';
  readonly maxItems?: number;
  readonly choices?: readonly string[];
}
interface IntParam extends ParamBase {
  readonly kind: 'int';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}
/** Exactly two whole numbers, as in `--diff 1 2`. */
interface IntPairParam extends ParamBase {
  readonly kind: 'int-pair';
  readonly min: number;
  readonly max: number;
}
export interface NumberParam extends ParamBase {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
}
export interface ChoiceParam<C extends string = string> extends ParamBase {
  readonly kind: 'choice';
  readonly choices: readonly C[];
  readonly default?: C;
}
interface FlagParam extends ParamBase {
  readonly kind: 'flag';
}
export type Param = TextParam | TextListParam | IntParam | IntPairParam | NumberParam | ChoiceParam | FlagParam;

/** An operation's parameters by their JSON name (snake_case); the flag is the same name with dashes. */
export type Params = Readonly<Record<string, Param>>;

type ValueOf<P> = P extends { kind: 'choice'; choices: readonly (infer C)[] }
  ? C
  : P extends { kind: 'text' }
    ? string
    : P extends { kind: 'texts' }
      ? readonly string[]
      : P extends { kind: 'int' | 'number' }
        ? number
        : P extends { kind: 'int-pair' }
          ? readonly [number, number]
          : boolean;
type IsGiven<P> = P extends { required: true } | { default: unknown } ? true : false;

/** The input object that a table of parameters describes. */
export type InputOf<P extends Params> = {
  readonly [K in keyof P as IsGiven<P[K]> extends true ? K : never]: ValueOf<P[K]>;
} & {
  readonly [K in keyof P as IsGiven<P[K]> extends true ? never : K]?: ValueOf<P[K]> | undefined;
};

const INTEGER = /^[+-]?\d{1,16}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** Converts the words given for a parameter on a command line to its JSON value. Words that are not numbers stay
 * strings, so that the check that follows can quote them. */
export function fromWords(param: Param, words: readonly string[]): unknown {
  switch (param.kind) {
    case 'texts':
      return param.separator === 'comma' ? (words.find(isBrokenArray) ?? splitAtCommas(words)) : words;
    case 'int-pair':
      return words.map((word) => toNumber(word, INTEGER));
    case 'int':
      return toNumber(words[0] ?? '', INTEGER);
    case 'number':
      return toNumber(words[0] ?? '', DECIMAL);
    case 'flag':
      return true;
    case 'text':
    case 'choice':
      return words[0];
  }
}

/** A JSON value for a parameter; a string in place of a list is read as on a command line: agents write `"id,key"`. */
export function fromText(param: Param | undefined, value: unknown): unknown {
  return param?.kind === 'texts' && typeof value === 'string' ? fromWords(param, [value]) : value;
}

function toNumber(word: string, pattern: RegExp): number | string {
  const value = pattern.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(value) ? value : word;
}

/** The values that a parameter admits if they are a fixed set; otherwise none. */
export function choicesOf(param: Param | undefined): readonly string[] {
  return param?.kind === 'choice' || param?.kind === 'texts' ? (param.choices ?? []) : [];
}

/** Converts a value that passed `problemWith` to its stored form: NFC for names, trimmed NFC without duplicates for
 * comma-separated lists, canonical UTC for times (ages stay, so that the call of a cursor remains the same), the home
 * folder for a leading `~/`. */
export function normalise(param: Param, value: unknown): unknown {
  if (param.kind === 'texts' && Array.isArray(value)) {
    if (param.separator === 'none') return value;
    return [...new Set(value.map((text) => String(text).trim().normalize('NFC')))];
  }
  if (param.kind !== 'text' || typeof value !== 'string') return value;
  if (param.format === 'timestamp')
    return param.orAge && isAge(value)
      ? value
      : formatTimestamp((param.endsDay ? parseEnd(value) : parseTimestamp(value)) ?? Number.NaN);
  if (param.format === 'path') return expandHome(value);
  return param.format === 'name' ? value.normalize('NFC') : value;
}

/** Describes what is wrong with a JSON value for a parameter, as the end of a sentence ("must be …"); undefined when it
 * is valid. */
export function problemWith(param: Param, value: unknown): string | undefined {
  switch (param.kind) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice':
      return param.choices.some((choice) => choice === value)
        ? undefined
        : `must be one of ${param.choices.join(', ')}`;
    case 'int':
      return isWithin(value, param) && Number.isInteger(value)
        ? undefined
        : `must be a whole number from ${param.min} to ${param.max}`;
    case 'number':
      return isWithin(value, param) ? undefined : `must be a number from ${param.min} to ${param.max}`;
    case 'int-pair':
      return Array.isArray(value) &&
        value.length === 2 &&
        value.every((part) => isWithin(part, param) && Number.isInteger(part))
        ? undefined
        : `must be two whole numbers from ${param.min} to ${param.max}`;
    case 'texts':
      return problemWithList(param, value);
    case 'text':
      return problemWithText(param, value);
  }
}

function isWithin(value: unknown, range: { readonly min: number; readonly max: number }): boolean {
  return typeof value === 'number' && value >= range.min && value <= range.max;
}

function problemWithList(param: TextListParam, value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) {
    return 'must be a list of strings';
  }
  if (value.length === 0) return 'must not be empty';
  const parts: readonly string[] = param.separator === 'comma' ? value.map((part) => part.trim()) : value;
  if (parts.length > (param.maxItems ?? Number.POSITIVE_INFINITY)) return `must have at most ${param.maxItems} entries`;
  const unknown = param.choices && parts.find((part) => !param.choices?.includes(part));
  if (unknown !== undefined) return `must be among ${param.choices?.join(', ')}`;
  for (const part of parts) {
    const problem = problemWithName(part, param.maxChars);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemWithText(param: TextParam, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  if (!value.isWellFormed()) return 'must be well-formed Unicode (it contains an unpaired surrogate)';
  if (value.includes('\0')) return 'must not contain a NUL character';
  if (param.format === 'timestamp') {
    if (value.length > param.maxChars) return tooLong(param.maxChars);
    if (parseTimestamp(value) !== undefined || (param.orAge && isAge(value))) return undefined;
    return `must be an RFC 3339 time such as 2026-01-31T08:00:00Z${param.orAge ? ', or an age such as 7d or 12h' : ''}`;
  }
  if (param.format === 'name' || param.format === 'id') return problemWithName(value, param.maxChars);
  return isLongerThan(value, param.maxChars) ? tooLong(param.maxChars) : undefined;
}

/** The rule for ids, keys, tags and other names: not empty, no control characters, at most `maxChars` characters. */
function problemWithName(value: string, maxChars: number): string | undefined {
  if (value === '') return 'must not be empty';
  if (!value.isWellFormed()) return 'must be well-formed Unicode (it contains an unpaired surrogate)';
  if (hasControlCharacter(value)) return 'must not contain control characters';
  // measured in the stored form, which may be longer than what was given
  return isLongerThan(value.normalize('NFC'), maxChars) ? tooLong(maxChars) : undefined;
}

function isLongerThan(value: string, maxChars: number): boolean {
  return value.length > maxChars && characterCount(value) > maxChars;
}

function tooLong(maxChars: number): string {
  return `must be at most ${maxChars} characters long`;
}

/** What is wrong with an input object, stated for one parameter. */
export interface InputProblem {
  readonly name: string;
  readonly value: unknown;
  /** The end of a sentence: "must be …", "is required", "is not a parameter". */
  readonly problem: string;
}

/** Checks an input object against its parameters: fills in defaults, normalises, and refuses unknown, missing or
 * invalid values. The reader of the hot path; `inputSchema` (ops) derives the zod reader from the same table, and a
 * test keeps the two in step. */
export function checkInput<P extends Params>(
  params: P,
  raw: Readonly<Record<string, unknown>>,
): { readonly input: InputOf<P> } | { readonly problem: InputProblem } {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(params, name)) return { problem: { name, value: raw[name], problem: 'is not a parameter' } };
  }
  for (const [name, param] of Object.entries(params)) {
    const value = raw[name] ?? ('default' in param ? param.default : undefined);
    if (value === undefined) {
      if (param.required) return { problem: { name, value, problem: 'is required' } };
      continue;
    }
    const problem = problemWith(param, value);
    if (problem !== undefined) return { problem: { name, value, problem } };
    input[name] = normalise(param, value);
  }
  // every name and type has just been checked against P
  return { input: input as InputOf<P> };
}
