import { shellText, type Text } from './sentence.ts';

/** The closed list of errors that a caller may get: the exit code of each (0 is success), and what to do about it. */
export const ERRORS = {
  GENERAL_ERROR: { exitCode: 1, advice: 'report it: it is a defect in memtool' },
  PARAM_ERROR: { exitCode: 2, advice: 'fix the call; do not retry' },
  NOT_FOUND: { exitCode: 3, advice: 'search, or check the id' },
  DB_ERROR: {
    exitCode: 4,
    advice: 'retry only when `retryable` is true, after 1 to 2 s, three times at most',
  },
  FTS_UNAVAILABLE: { exitCode: 5, advice: 'leave out `--engine fts`' },
  CONFLICT: { exitCode: 6, advice: 'read again, merge, retry' },
} as const;
export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetails {
  /** The remedy, as a command if there is one. */
  readonly hint?: Text;
  /** True only when the same call may succeed a moment later. */
  readonly retryable?: boolean;
  /** Machine-readable context: id, query, line, expected_version … Never content. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The only error that memtool throws on purpose. Front ends map its code; anything else is a defect. */
export class MemtoolError extends Error {
  override readonly name = 'MemtoolError';
  readonly code: ErrorCode;
  /** The message and the hint as data, for front ends that tell them in another way than the command line. */
  readonly told: { readonly message: Text; readonly hint: Text | undefined };
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: Text, details: ErrorDetails = {}) {
    super(shellText(message), { cause: details.cause });
    this.code = code;
    this.told = { message, hint: details.hint };
    this.hint = details.hint === undefined ? undefined : shellText(details.hint);
    this.retryable = details.retryable ?? false;
    this.context = details.context ?? {};
  }
}

/** Identifies a MemtoolError by its name, since each bundle file has its own copy of the class. */
export function isMemtoolError(error: unknown): error is MemtoolError {
  return error instanceof Error && error.name === 'MemtoolError';
}

/** Formats a caller's value for a message: whole up to 80 characters, else truncated between characters. Strings are
 * quoted. */
export function quote(value: unknown): string {
  // JSON has no infinity, as which it reads 1e400
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  const characters = Array.from(text.slice(0, 200));
  return characters.length > 82 ? `${characters.slice(0, 80).join('')}…` : text;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a file system error (ENOENT …); undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  ENOTDIR: 'has a parent that is not a folder',
  EACCES: 'cannot be used (permission denied)',
  EPERM: 'cannot be used (permission denied)',
  EROFS: 'is on a read-only file system',
  ENAMETOOLONG: 'has a name that is too long',
  ELOOP: 'leads through too many symbolic links',
};

/** Why a file cannot be used, as the end of a sentence that begins with its name. */
export function fileProblem(error: unknown): string {
  return FILE_PROBLEMS[systemCode(error) ?? ''] ?? `cannot be used: ${messageOf(error)}`;
}
