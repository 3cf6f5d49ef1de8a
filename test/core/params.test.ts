import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD_PARAMS } from '../../src/core/memory.ts';
import { commaWord, splitAtCommas } from '../../src/core/comma-list.ts';
import { checkInput, fromWords, problemWith, type Param } from '../../src/core/params.ts';

const LIMIT: Param = { kind: 'int', min: 1, max: 1000, description: '' };
const WEIGHT: Param = { kind: 'number', min: 0, max: 10, description: '' };

describe('numbers on a command line', () => {
  test.each([
    '-1',
    '0',
    'abc',
    '1.5',
    '',
    '1e3',
    '9223372036854775808',
    'NaN',
    'Infinity',
    '0x1F',
    '1_000',
    ' 1',
    '1 ',
    '１',
  ])('%j is not a limit', (word) => {
    expect(problemWith(LIMIT, fromWords(LIMIT, [word]))).toBe('must be a whole number from 1 to 1000');
  });
  test.each([
    ['1', 1],
    ['007', 7],
    ['1000', 1000],
    ['+5', 5],
  ])('%j is the limit %d', (word, value) => {
    expect(fromWords(LIMIT, [word])).toBe(value);
    expect(problemWith(LIMIT, value)).toBeUndefined();
  });
  test.each([
    ['0', 0],
    ['.5', 0.5],
    ['1e1', 10],
    ['2.50', 2.5],
  ])('%j is the weight %d', (word, value) => {
    expect(fromWords(WEIGHT, [word])).toBe(value);
  });
  test.each(['-0.1', '10.01', 'NaN', 'Infinity', '', '1e400', '0x1'])('%j is not a weight', (word) => {
    expect(problemWith(WEIGHT, fromWords(WEIGHT, [word]))).toBe('must be a number from 0 to 10');
  });
});

test.each([
  [[1, 9], undefined],
  [[1], 'must be two whole numbers from 1 to 9'],
  [[1, 2, 3], 'must be two whole numbers from 1 to 9'],
  [[1, 1.5], 'must be two whole numbers from 1 to 9'],
  [[0, 1], 'must be two whole numbers from 1 to 9'],
])('of the pair %j: %s', (pair, problem) => {
  expect(problemWith({ kind: 'int-pair', min: 1, max: 9, description: '' }, pair)).toBe(problem);
});

describe('names', () => {
  test.each([
    '',
    '\0',
    'a\nb',
    'a\u001fb',
    'a\u007fb',
    'a\u009fb',
    'a\u001bb',
    'a\u0085b',
    '\ud800',
    'x'.repeat(513),
    '😀'.repeat(513),
  ])('refuses %j as a key', (value) => {
    expect(problemWith(FIELD_PARAMS.key, value)).toMatch(/^must /);
  });
  test.each(['a', '007', 'true', '-x', '--', ' ', '😀'.repeat(512), '__proto__', 'constructor', '中文'])(
    'accepts %j as a key',
    (value) => {
      expect(problemWith(FIELD_PARAMS.key, value)).toBeUndefined();
    },
  );
  test('are measured in the form in which they are stored', () => {
    expect(problemWith(FIELD_PARAMS.key, 'e\u0301'.repeat(512))).toBeUndefined();
    // U+0958 has no composed form: it is stored as two characters
    expect(problemWith(FIELD_PARAMS.key, '\u0958'.repeat(257))).toBe('must be at most 512 characters long');
  });
  test.each([
    [[], 'must not be empty'],
    [['a', ' '], 'must not be empty'],
    [['a', 'b\nc'], 'must not contain control characters'],
    [['a', '\ud800'], 'must be well-formed Unicode (it contains an unpaired surrogate)'],
    [Array.from({ length: 101 }, (_, at) => `t${at}`), 'must have at most 100 entries'],
    [Array.from({ length: 100 }, (_, at) => `t${at}`), undefined],
  ])('of the tags %j: %s', (tags, problem) => {
    expect(problemWith(FIELD_PARAMS.tags, tags)).toBe(problem);
  });
  test('tags are split at commas and trimmed, and duplicates are dropped in order', () => {
    expect(splitAtCommas(['a, b ,,a', 'c', 'b'])).toEqual(['a', 'b', 'c']);
  });
  test.each([
    ['["a","b"]', ['a', 'b']],
    [' [ "a, b" , "c" ] ', ['a, b', 'c']],
    ['[]', []],
    ['[WIP]', ['[WIP]']],
    ['[x],[y]', ['[x]', '[y]']],
    ['["a"', ['["a"']],
    ['"a","b"', ['"a"', '"b"']],
    ['{"a":["b"]}', ['{"a":["b"]}']],
    ['中文，标签,b', ['中文，标签', 'b']],
  ])('the tags in %j are %j', (word, tags) => {
    expect(fromWords(FIELD_PARAMS.tags, [word])).toEqual(tags);
  });
  // a shell has taken the quotes, or what is in the brackets is not a string
  test.each(['[a,b]', ' [a, b] ', '[1,2]', '["a",2]', '["a",["b"]]', '["a",]'])('%j is refused as tags', (word) => {
    const given = fromWords(FIELD_PARAMS.tags, ['c', word]);
    expect(given).toBe(word);
    expect(problemWith(FIELD_PARAMS.tags, given)).toBe('must be a list of strings');
  });
  test('any tags can be written as one word', () => {
    const tag = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a,b', '[a', 'b]', '["a"]', '[]', '"', '[a,b]'));
    const tags = fc.uniqueArray(
      tag.map((text) => text.trim()).filter((text) => text !== ''),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(tags, (list) => {
        expect(fromWords(FIELD_PARAMS.tags, [commaWord(list)])).toEqual(list);
      }),
    );
    expect([commaWord(['a', 'b']), commaWord(['a,b'])]).toEqual(['a,b', '["a,b"]']);
  });
});

test.each([
  ['a\nb\u001b', undefined],
  ['', 'must not be empty'],
  ['a\0', 'must not contain a NUL character'],
  ['a\ud800', 'must be well-formed Unicode (it contains an unpaired surrogate)'],
  ['😀'.repeat(9), undefined],
  ['x'.repeat(10), 'must be at most 9 characters long'],
])('of the text %j: %s', (text, problem) => {
  expect(problemWith({ kind: 'text', maxChars: 9, description: '' }, text)).toBe(problem);
});

describe('checkInput', () => {
  const params = {
    key: FIELD_PARAMS.key,
    limit: { kind: 'int', min: 1, max: 9, default: 5, description: '' },
    type: { ...FIELD_PARAMS.type, required: true },
  } as const;
  test('fills defaults and brings names to NFC', () => {
    expect(checkInput(params, { key: 'e\u0301', type: 'run' })).toEqual({ input: { key: 'é', limit: 5, type: 'run' } });
  });
  test.each([
    [{ type: 'run', nosuch: 1 }, 'nosuch', 'is not a parameter'],
    [{ type: 'run', __proto__: null, constructor: 1 }, 'constructor', 'is not a parameter'],
    [{}, 'type', 'is required'],
    [{ type: 'run', limit: '5' }, 'limit', 'must be a whole number from 1 to 9'],
    [{ type: 'run', limit: 1.5 }, 'limit', 'must be a whole number from 1 to 9'],
    [{ type: 'runs' }, 'type', 'must be one of project, feature, run'],
  ])('refuses %j', (raw, name, problem) => {
    expect(checkInput(params, raw)).toMatchObject({ problem: { name, problem } });
  });
});
