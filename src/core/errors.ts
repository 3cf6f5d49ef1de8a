/** The closed list of error codes a caller may meet; docs/commands.md says when each is used. */
export type ErrorCode = 'GENERAL_ERROR' | 'PARAM_ERROR' | 'NOT_FOUND' | 'DB_ERROR' | 'FTS_UNAVAILABLE' | 'CONFLICT';

export interface ErrorDetails {
  /** The remedy, as a command where one exists. */
  readonly hint?: string;
  /** True only where the same call may succeed a moment later. */
  readonly retryable?: boolean;
  /** Machine-readable context: id, query, line, expected_version … Never content. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error that memtool throws on purpose. Front ends map its code; anything else is a defect. */
export class MemtoolError extends Error {
  override readonly name = 'MemtoolError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.retryable = details.retryable ?? false;
    this.context = details.context ?? {};
  }
}

/** Tells a MemtoolError by its name, since each bundle file carries its own copy of the class. */
export function isMemtoolError(error: unknown): error is MemtoolError {
  return error instanceof Error && error.name === 'MemtoolError';
}

/** Shortens a caller's value for a message: whole up to 80 characters, cut on characters after that. Strings come in quotes. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const characters = Array.from(text.slice(0, 200));
  return characters.length > 82 ? `${characters.slice(0, 80).join('')}…` : text;
}
