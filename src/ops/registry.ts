import { backup } from './backup.ts';
import { cleanup } from './cleanup.ts';
import { completion } from './completion.ts';
import { remove } from './delete.ts';
import { doctor } from './doctor.ts';
import { evaluate } from './eval.ts';
import { exportItems } from './export.ts';
import { get } from './get.ts';
import { history } from './history.ts';
import { importItems } from './import.ts';
import { init } from './init.ts';
import { list } from './list.ts';
import { mcp } from './mcp.ts';
import { OPERATION_NAMES, type Operation, type OperationName } from './operation.ts';
import { purge } from './purge.ts';
import { put } from './put.ts';
import { recommend } from './recommend.ts';
import { restore } from './restore.ts';
import { schema } from './schema.ts';
import { search } from './search.ts';
import { stats } from './stats.ts';

const BY_NAME: Readonly<Record<OperationName, unknown>> = {
  init,
  put,
  get,
  list,
  search,
  recommend,
  delete: remove,
  history,
  restore,
  cleanup,
  purge,
  export: exportItems,
  import: importItems,
  backup,
  stats,
  doctor,
  eval: evaluate,
  mcp,
  schema,
  completion,
};

/** Every operation, in the order of help and docs. An operation's `run` takes only what its own `params` describe.
 * Inputs are checked before `invoke`, so the list can drop the specific types. */
export const OPERATIONS = OPERATION_NAMES.map((name) => BY_NAME[name]) as readonly Operation[];

export function findOperation(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name);
}
