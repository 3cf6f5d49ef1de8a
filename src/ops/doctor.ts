import { checkDatabase, checkDictionary, checkFile, type Check } from '../store/doctor.ts';
import { defineOperation } from './operation.ts';
import { MemtoolError } from '../core/errors.ts';

export const doctor = defineOperation({
  name: 'doctor',
  summary: 'Check the database, and mend what can be mended.',
  prints:
    'checks: name, status (ok, warning or error), message, fix (null when there is nothing to do). Exit code 4 when one is an error.',
  notes: [
    'Without --fix nothing is written. --fix makes the search index anew, folds in what a killed process left in the -wal file, and takes back permissions of others.',
  ],
  examples: [
    { command: 'memtool doctor', note: 'look' },
    { command: 'memtool doctor --fix', note: 'mend' },
  ],
  isLong: true,
  access: 'read',
  accessFor: (input) => (input.fix ? 'write' : 'read'),
  params: { fix: { kind: 'flag', description: 'Mend what can be mended.' } },
  run(context, input) {
    const { store, tokenizer } = context;
    const fix = input.fix === true;
    const progress = (total: number) => context.progress('rebuild', total);
    const checks: Check[] = [
      checkFile(store.path, fix),
      checkDictionary(tokenizer),
      ...checkDatabase(store.db, { tokenizer, fix, progress }),
    ];
    const failed = checks.filter(({ status }) => status === 'error');
    if (failed.length > 0) {
      throw new MemtoolError(
        'DB_ERROR',
        `${failed.length} of ${checks.length} checks failed: ${failed.map(({ name }) => name).join(', ')}`,
        {
          hint: failed[0]?.fix ?? 'save what can be read with: memtool export',
          context: { checks },
        },
      );
    }
    return { checks };
  },
});
