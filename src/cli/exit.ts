import type { ErrorCode } from '../core/errors.ts';

/** Exit code of each error; 0 is success. A new error code does not compile until it is mapped. */
export const EXIT_CODES = {
  GENERAL_ERROR: 1,
  PARAM_ERROR: 2,
  NOT_FOUND: 3,
  DB_ERROR: 4,
  FTS_UNAVAILABLE: 5,
  CONFLICT: 6,
} as const satisfies Record<ErrorCode, number>;
