/** When a commit is flushed to disk: values of SQLite's `synchronous`. With `normal` a power cut may lose the last
 * commits, with `full` none. */
export const SYNCHRONOUS = ['normal', 'full'] as const;
export type Synchronous = (typeof SYNCHRONOUS)[number];
