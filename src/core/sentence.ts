import { commaWord } from './comma-list.ts';
import { flagName } from './flag-name.ts';

/** A call that a sentence suggests. */
export interface Command {
  /** The name of the operation. */
  readonly command: string;
  /** What follows it on a command line, in this order. */
  readonly args: readonly CommandPart[];
}

/** Words without a flag (such as ids), parameters by name, or a string as it is typed, which only a shell can read. */
type CommandPart = string | readonly string[] | Readonly<Record<string, ParamValue | undefined>>;
type ParamValue = string | number | true | readonly string[];

/** What a shell is told, and what a client without one is told instead. */
interface Either {
  readonly shell: Text;
  readonly client: Text;
}

/** A part of a sentence: memtool's own words, which name parameters by their flags (`--if-version`); a value, which may
 * be a stored text and is told as it is; or what each front end tells in its own way. */
type Part = string | { readonly value: string } | Command | Either;

/** A sentence for the caller, such as a hint, as data: the command line tells the calls that it suggests as commands,
 * an MCP server as calls of its tools. */
export interface Sentence {
  readonly parts: readonly Part[];
}

/** A text for the caller. A plain string is told as it is by every front end. */
export type Text = string | Sentence;

/** The tag of a sentence; what is inserted is a value or another sentence. */
export function sentence(words: readonly string[], ...inserted: readonly (Text | number)[]): Sentence {
  const parts = words.flatMap((word, at): readonly Part[] => {
    const one = inserted[at] ?? '';
    return [word, ...(typeof one === 'object' ? one.parts : [{ value: String(one) }])];
  });
  return { parts };
}

/** The sentence of words that are memtool's own. */
export function ownWords(words: string): Sentence {
  return { parts: [words] };
}

/** The flag of a parameter, for a sentence. */
export function flag(name: string): Sentence {
  return ownWords(`--${flagName(name)}`);
}

/** A suggested call, by the name of its operation. */
export function command(name: string, ...args: Command['args']): Sentence {
  return { parts: [{ command: name, args }] };
}

export function either(shell: Text, client: Text): Sentence {
  return { parts: [{ shell, client }] };
}

/** What to do after a failure that may be over. */
export const AGAIN = either('run the command again', 'repeat the call');

/** Joins sentences. */
export function joined(texts: readonly Text[], separator: string): Sentence {
  return { parts: texts.flatMap((text, at) => [...(at === 0 ? [] : [separator]), ...sentence`${text}`.parts]) };
}

/** Two hints as one; undefined if there is neither. */
export function both(first: Text | undefined, second: Text | undefined): Text | undefined {
  return first === undefined || second === undefined ? (first ?? second) : joined([first, second], '; ');
}

/** The parts of a text for one kind of front end. */
export function partsFor(reader: keyof Either, text: Text): Exclude<Part, Either>[] {
  if (typeof text === 'string') return [{ value: text }];
  return text.parts.flatMap((part) =>
    typeof part === 'object' && reader in part
      ? partsFor(reader, (part as Either)[reader])
      : [part as Exclude<Part, Either>],
  );
}

/** A text as the command line tells it. `db` is the database that its commands name. */
export function shellText(text: Text, db?: string): string {
  return partsFor('shell', text)
    .map((part) => (typeof part === 'string' ? part : 'value' in part ? part.value : shellCommand(part, db)))
    .join('');
}

/** A command as it is typed in a shell. */
export function shellCommand({ command: name, args }: Command, db?: string): string {
  const isNamed = args.some((part) => typeof part === 'object' && 'db' in part);
  return [
    `memtool ${name}`,
    ...(db === undefined || isNamed ? [] : ['--db', shellWord(db)]),
    ...args.filter((part) => !isLate(part)).flatMap(typed),
    ...args.filter(isLate).flatMap((part) => ['--', ...typed(part)]),
  ].join(' ');
}

/** True for words that go after all flags, since one begins with a dash. */
function isLate(part: CommandPart): boolean {
  return Array.isArray(part) && part.some((word) => word.startsWith('-'));
}

function typed(part: CommandPart): readonly string[] {
  if (typeof part === 'string') return [part];
  if (Array.isArray(part)) return part.map(shellWord);
  return Object.entries(part).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const words = value === true ? [] : [Array.isArray(value) ? commaWord(value) : String(value)];
    return [`--${flagName(name)}`, ...words.map(shellWord)];
  });
}

/** Quotes a word for a POSIX shell if needed. An ellipsis stands for what the caller writes. */
export function shellWord(text: string): string {
  return text === '…' || /^[\w.,:=@%+/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
