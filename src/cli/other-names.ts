import { flagName } from '../core/flag-name.ts';
import type { Params } from '../core/params.ts';

// What other tools call the commands and flags of memtool, and agents therefore try.

const COMMANDS = byOtherName({
  put: 'add append create insert upsert save store set write new record remember note update edit',
  get: 'show read cat view fetch',
  list: 'ls all',
  search: 'find query grep ask lookup recall',
  recommend: 'suggest related similar',
  delete: 'rm remove del forget drop',
  history: 'log versions',
  'history ID --diff A B': 'diff compare',
  restore: 'undo revert undelete recover',
  cleanup: 'prune gc expire',
  purge: 'erase wipe',
  export: 'dump',
  import: 'load',
  backup: 'snapshot copy',
  stats: 'info count',
  doctor: 'check verify repair fix reindex rebuild migrate upgrade vacuum',
  mcp: 'serve server',
  'put --id ID --add-tag TAG': 'tag',
});

/** By parameter. If a word is another name of several flags of a command, the first in the table is meant. */
const FLAGS = byOtherNames({
  limit: 'n top top-k count num size max max-results k',
  key: 'k name title',
  content: 'text body message msg m value data note memory',
  file: 'f path content-file from-file input-file text-file',
  input: 'i path from',
  output: 'o path to dest out-file',
  queries: 'f path file input questions',
  query: 'q text keywords term',
  context: 'q query text',
  type: 't layer scope kind category',
  tag: 't label labels',
  since: 'after from start',
  until: 'before to end',
  sort_by: 'order order-by',
  fields: 'select columns',
  max_chars: 'max-tokens max-length',
  cursor: 'offset page skip',
  deleted: 'trash include-deleted',
  match: 'mode operator',
  confidence: 'certainty',
  if_version: 'expected-version if-match',
  version: 'to rev revision',
  dedupe: 'unique',
  older_than_days: 'days age',
  apply: 'yes y force f',
  overwrite: 'force f',
  on_conflict: 'force strategy conflict',
  fix: 'repair',
});
const GLOBALS = byOtherNames({ db: 'd database db-path', format: 'o output' });

/** Switches of tools that ask before they act. */
const CONSENT = ['yes', 'y', 'force', 'f', 'no-input'];

/** Returns what to write for a command of another tool; undefined for a word that is none. */
export function commandFor(word: string): string | undefined {
  const command = COMMANDS.get(word.toLowerCase());
  return command && `did you mean ${command}?`;
}

/** Returns what to write for a flag of another tool, given without dashes; undefined for a word that is none, or has no
 * counterpart among these parameters. */
export function flagFor(bare: string, params: Params): string | undefined {
  const word = plain(bare);
  const flag = FLAGS.get(word)?.find((name) => Object.hasOwn(params, name)) ?? GLOBALS.get(word)?.[0];
  if (flag !== undefined) return `did you mean --${flagName(flag)}?`;
  if (CONSENT.includes(bare)) return 'leave it out: memtool never asks';
  const positive = bare.startsWith('no-') ? bare.slice('no-'.length).replaceAll('-', '_') : '';
  if (Object.hasOwn(params, positive) && params[positive]?.kind === 'flag')
    return `leave it out: --${flagName(positive)} is off unless it is given`;
  return bare === 'project' && Object.hasOwn(params, 'task_id')
    ? 'a project has a database of its own: --db PATH, or MEMTOOL_DB; the layer for a whole project is --type project'
    : undefined;
}

/** A flag without what only divides its words: `topK`, `top_k` and `top-k` are one. */
function plain(flag: string): string {
  return flag.toLowerCase().replaceAll(/[-_]/g, '');
}

function byOtherName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])));
}

function byOtherNames(names: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const pairs = Object.entries(names).flatMap(([name, others]) =>
    others.split(' ').map((other) => ({ name, other: plain(other) })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ other }) => other)].map(([other, found]) => [other, found.map(({ name }) => name)]),
  );
}
