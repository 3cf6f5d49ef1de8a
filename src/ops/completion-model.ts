import { flagName } from '../core/flag-name.ts';
import { choicesOf, type Param } from '../core/params.ts';
import type { GLOBAL_FLAGS, Operation } from './operation.ts';

// What every shell can complete, whatever its language.

/** What follows a flag: nothing, a text that nobody can guess, two of them, a path, one of a fixed set, or several of
 * them, separated by commas. */
export interface FlagValue {
  readonly kind: 'none' | 'text' | 'pair' | 'path' | 'choice' | 'list';
  readonly choices: readonly string[];
}

/** The flags of a command with what follows them, then the global flags. */
export interface Flag {
  /** With its dashes. */
  readonly name: string;
  readonly description: string;
  readonly value: FlagValue;
  /** True if it may be given several times. */
  readonly repeats: boolean;
  /** True for another spelling of a flag, which is understood rather than offered. */
  readonly isAlias: boolean;
}

const GLOBALS: Readonly<Record<keyof typeof GLOBAL_FLAGS, Pick<Flag, 'description' | 'value'>>> = {
  db: { description: 'The database file', value: { kind: 'path', choices: [] } },
  format: { description: 'json for programs, text for people', value: { kind: 'choice', choices: ['json', 'text'] } },
  json: { description: 'The same as --format json', value: { kind: 'none', choices: [] } },
  help: { description: 'Show the help', value: { kind: 'none', choices: [] } },
  version: { description: 'Show the version', value: { kind: 'none', choices: [] } },
};

export const GLOBAL_COMPLETIONS: readonly Flag[] = Object.entries(GLOBALS).map(([name, global]) => ({
  ...global,
  name: `--${name}`,
  repeats: false,
  isAlias: false,
}));

/** Words in the place of a command that are other spellings of flags: the name of a command may follow. */
export const FLAG_WORDS: Readonly<Record<'help' | 'version', string>> = {
  help: 'Show the help of a command',
  version: 'Show the version',
};

/** Returns the flags of a command, with the global flags that it does not use for something else. */
export function flagsOf({ params }: Operation): Flag[] {
  const own = Object.entries(params).flatMap(([name, param]) =>
    [flagName(name), ...(param.aliases ?? [])].map((flag, at) => ({
      name: `--${flag}`,
      description: param.description,
      value: valueOf(param),
      repeats: param.kind === 'texts',
      isAlias: at > 0,
    })),
  );
  return [...own, ...GLOBAL_COMPLETIONS.filter(({ name }) => !own.some((flag) => flag.name === name))];
}

function valueOf(param: Param): FlagValue {
  const choices = choicesOf(param);
  if (param.kind === 'flag') return { kind: 'none', choices };
  if (param.kind === 'int-pair') return { kind: 'pair', choices };
  if (param.kind === 'text' && param.format === 'path') return { kind: 'path', choices };
  if (choices.length === 0) return { kind: 'text', choices };
  return { kind: param.kind === 'texts' && param.separator === 'comma' ? 'list' : 'choice', choices };
}

/** Returns the values of a command's positional argument if they are a fixed set; otherwise none. */
export function wordsOf({ name, params }: Operation, operations: readonly Operation[]): readonly string[] {
  if (name === 'schema') return operations.map((operation) => operation.name);
  const positional = Object.values(params).find((param) => param.positional);
  return positional === undefined ? [] : choicesOf(positional);
}

/** What follows some flags. */
interface ValueOfFlags {
  /** Flags, each after the name of its command if other commands have another flag of that name. */
  readonly flags: readonly { readonly command: string | undefined; readonly flag: string }[];
  readonly value: FlagValue;
}

/** Returns what follows each flag that takes a value; flags that take the same are grouped. */
export function valuesOfFlags(operations: readonly Operation[]): ValueOfFlags[] {
  const found = operations.flatMap((operation) =>
    flagsOf(operation).map(({ name: flag, value }) => ({
      command: operation.name,
      flag,
      value,
      key: JSON.stringify(value),
    })),
  );
  const kinds = Map.groupBy(found, ({ flag }) => flag);
  const isShared = (flag: string): boolean => new Set(kinds.get(flag)?.map(({ key }) => key)).size === 1;
  const groups = Map.groupBy(
    found.filter(({ value }) => value.kind !== 'none'),
    ({ key }) => key,
  );
  return [...groups.values()].map((group) => {
    const names = group.map(({ command, flag }) => ({ command: isShared(flag) ? undefined : command, flag }));
    const distinct = new Map(names.map((name) => [JSON.stringify(name), name]));
    return { flags: [...distinct.values()], value: group[0]?.value ?? { kind: 'none', choices: [] } };
  });
}
