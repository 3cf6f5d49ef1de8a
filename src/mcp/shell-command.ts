import { flagName, fromWords, type Param } from '../core/params.ts';
import type { Operation } from '../ops/operation.ts';
import type { Arguments } from './tool.ts';

/** A command of a hint, as far as a tool can take it over. */
export interface Command {
  /** Its parameters, by name; a list of one value is that value. */
  readonly args: Arguments;
  /** The database that it names. */
  readonly db: string | undefined;
  /** Length of its words after its name. */
  readonly length: number;
}

/** Returns the parameter of a flag, by its name or an alias. */
export function paramFor({ params }: Operation, flag: string): readonly [name: string, param: Param] | undefined {
  return Object.entries(params).find(([name, { aliases }]) => flagName(name) === flag || aliases?.includes(flag));
}

/** Reads the words that follow the name of a command in a text, up to the first that is not part of it: the text
 * continues after a command with its own words. */
export function readCommand(operation: Operation, text: string): Command {
  const words = wordsOf(text);
  const values = new Map<string, string[]>();
  const [positional] = Object.entries(operation.params).find(([, param]) => param.positional) ?? [];
  let at = 0;
  for (let next = words[at]; next !== undefined; next = words[at]) {
    const flag = flagOf(operation, next.word, positional);
    const name = flag?.name ?? (next.word.startsWith('--') ? undefined : positional);
    if (name === undefined || (flag === undefined && values.has(name))) break;
    const first = flag === undefined ? at : at + 1;
    const taken = words.slice(first, first + (flag?.values ?? 1));
    values.set(
      name,
      taken.map(({ word }) => word),
    );
    at = first + taken.length;
  }
  const args = [...values].map(([name, given]) => {
    const param = operation.params[name];
    const value = param === undefined ? undefined : fromWords(param, given);
    return [name, Array.isArray(value) && value.length === 1 ? value[0] : value];
  });
  return { args: Object.fromEntries(args), db: values.get('db')?.[0], length: words[at - 1]?.end ?? 0 };
}

/** Returns the name of the parameter that a word announces, and the number of words that it takes; undefined for a word
 * that is no flag of the operation. What follows `--` is positional. */
function flagOf(
  operation: Operation,
  word: string,
  positional: string | undefined,
): { readonly name: string; readonly values: number } | undefined {
  if (word === '--') return positional === undefined ? undefined : { name: positional, values: 1 };
  if (word === '--db') return { name: 'db', values: 1 };
  const [name, param] = (word.startsWith('--') && paramFor(operation, word.slice(2))) || [];
  if (name === undefined || param === undefined) return undefined;
  return { name, values: param.kind === 'flag' ? 0 : param.kind === 'int-pair' ? 2 : 1 };
}

/** A word after a space, quoted or not, without the punctuation of the text around the command. */
const WORD = / ((?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+?)(?=[,;)]*(?: |$))/y;

/** Returns the words at the beginning of a text, up to one that is followed by punctuation, and where each ends. */
function wordsOf(text: string): { readonly word: string; readonly end: number }[] {
  const words: { word: string; end: number }[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found !== null; found = WORD.exec(text)) {
    const end = WORD.lastIndex;
    words.push({ word: (found[1] ?? '').replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, '$1$2$3'), end });
    if (text[end] !== ' ') break;
  }
  return words;
}
