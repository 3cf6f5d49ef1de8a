import fc from 'fast-check';

/** Any well-formed Unicode text that is a valid content: not empty, no NUL, no byte order mark at its start (which
 * would be dropped). */
export const content = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
    fc.constantFrom(
      'a\r\nb\r\n',
      '数据库 索引\n',
      '{"a":1}',
      '-x',
      '---',
      ' ',
      '\n',
      '\u2028',
      '\u001b[2K',
      'line\u0085next',
    ),
  )
  .filter((text) => text.isWellFormed() && !text.includes('\0') && !text.startsWith('\uFEFF'));

/** A name: key, tag, task and the like; in NFC, no control characters, at most 512 characters. */
export const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.normalize('NFC'))
  // oxlint-disable-next-line no-control-regex
  .filter((text) => text.isWellFormed() && text !== '' && !/[\u0000-\u001F\u007F-\u009F]/.test(text));

/** A tag as stored in a list: trimmed. */
const tag = name.map((text) => text.trim()).filter((text) => text !== '');

/** An instant in the years 0001 to 9999, in the stored form. */
export const time = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

export const type = fc.constantFrom('project', 'feature', 'run');
export const confidence = fc.constantFrom('high', 'medium', 'low');

/** A whole item, as a line of an export. */
export const item = fc.record({
  id: name.filter((text) => Array.from(text).length <= 128),
  type,
  task_id: fc.option(name),
  step_id: fc.option(name),
  key: fc.option(name),
  content,
  tags: fc.uniqueArray(tag, { maxLength: 4 }),
  source: fc.option(name),
  weight: fc.double({ min: 0, max: 10, noNaN: true }).map((weight) => Math.abs(weight)),
  version: fc.integer({ min: 1, max: 1_000_000 }),
  created_at: time,
  updated_at: time,
  confidence_level: confidence,
  verified_by: fc.option(name),
});
