import { checkFile, checkLog, checkPlace, SALVAGE, type Check } from '../store/check-file.ts';
import { checkDatabase, checkDictionary } from '../store/doctor.ts';
import { repairDatabase } from '../store/repair.ts';
import type { Progress } from './context.ts';
import { defineOperation } from './operation.ts';
import { MemtoolError } from '../core/errors.ts';
import { sentence } from '../core/sentence.ts';

export const doctor = defineOperation({
  name: 'doctor',
  summary: 'Check the database, and repair what can be repaired.',
  prints:
    'checks: name, status (ok, warning or error), message, fix (null when there is nothing to do); backup, the copy that --fix made before it repaired anything in the file. Exit code 4 if any is an error.',
  notes: [
    "Without --fix no memory is changed; like any command, it may checkpoint what a killed process left in the -wal file. --fix copies the database to FILE.before-fix if anything in it needs repair, rebuilds the search index if necessary, writes valid times of another form as memtool does, and removes other users' access to the file.",
  ],
  examples: [
    { command: 'memtool doctor', note: 'check' },
    { command: 'memtool doctor --fix', note: 'repair' },
  ],
  isLong: true,
  isIdempotent: true,
  writesFile: true,
  access: 'read',
  accessFor: (input) => (input.fix ? 'write' : 'read'),
  remedyOf: () => 'check',
  params: { fix: { kind: 'flag', description: 'Repair what can be repaired.' } },
  run(context, input) {
    const { store, tokenizer } = context;
    const options = {
      tokenizer,
      progress: (label: 'check' | 'rebuild', total: number): Progress => context.progress(label, total),
    };
    const examine = (fix: boolean, ofDatabase: readonly Check[]): Check[] => [
      checkFile(store.path, fix),
      checkPlace(store.path),
      checkLog(store.db, store.path, { fix, journalMode: store.journalMode() }),
      checkDictionary(tokenizer),
      ...ofDatabase,
    ];
    const findings = checkDatabase(store, options);
    const { checks: ofDatabase, backup } =
      input.fix === true
        ? repairDatabase(store, options, findings)
        : { checks: findings.map(({ check }) => check), backup: undefined };
    const checks = examine(input.fix === true, ofDatabase);
    const failed = checks.filter(({ status }) => status === 'error');
    if (failed.length > 0) {
      throw new MemtoolError(
        'DB_ERROR',
        `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
        {
          hint: failed[0]?.fix ?? sentence`save what can be read with: ${SALVAGE}`,
          context: { checks, ...(backup !== undefined && { backup }) },
        },
      );
    }
    return { checks, ...(backup !== undefined && { backup }) };
  },
});
