import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, wordFinder } from '../../src/search/places.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { runs } from '../../src/search/scripts.ts';
import { createTokenizer } from '../../src/search/tokenizer.ts';
import { NO_VARIANTS } from '../../src/search/variants.ts';
import { normalForm, wordParts } from '../../src/search/words.ts';

const tokenizer = createTokenizer(() => undefined);

/** The offsets at which a text contains a word, or a form of it. */
function offsets(word: string, text: string): readonly number[] {
  return analyseQuery(tokenizer, word).terms.flatMap(({ term, forms }) =>
    wordFinder(term, forms).places(foldText(text, NO_VARIANTS)),
  );
}

describe('the offsets of a word in a text', () => {
  test.each([
    ['status', 'the statuses and status', [4, 17]],
    ['run', 'ran then run ran', [0, 9, 13]],
    ['deploy', 'deployment, deploys; redeploy', [0, 12]],
    ['go', 'gone, went, go', [0, 6, 12]],
    ['v2.1', '2.1 v2.1', [0, 4, 2, 7]], // 2 and v2, then 1
    ['x'.repeat(1024), 'x'.repeat(1500), [0]], // where the index splits it
  ])('%s in "%s"', (word, text, expected) => {
    expect(offsets(word, text)).toEqual(expected);
  });

  const words = ['run', 'ran', 'running', 'status', 'statuses', 'go', 'went', 'gone', 'x'];
  test('are ascending, each once, whichever forms of the word a text has', () => {
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.array(fc.constantFrom(...words)), (word, text) => {
        const found = offsets(word, text.join(' '));
        expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
      }),
    );
  });

  test('count in the folded text as in the normal one: no character becomes longer or shorter in lower case', () => {
    const changed: string[] = [];
    for (let code = 0; code <= 0x10_ffff; code += 1) {
      const character = String.fromCodePoint(code);
      const texts = [character, `${character}\u0307`].map((text) => foldText(text, NO_VARIANTS));
      if (texts.some(({ normal, lower }) => normal.length !== lower.length)) changed.push(code.toString(16));
    }
    expect(changed).toEqual([]);
  });

  /** The offsets of everything that a text can be searched for, by normal form: every word, every part of an identifier
   * or a time as the tokenizer splits it, and parts that follow each other. */
  function offsetsByForm(text: string): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (const run of runs(text).filter(({ script }) => script === 'word')) {
      let end = 0;
      const parts = wordParts(run.text).map((part) => {
        const start = run.text.toLowerCase().indexOf(part, end);
        end = start + part.length;
        return { start, end };
      });
      for (const [at, first] of parts.entries()) {
        const forms = parts.slice(at).map((last) => normalForm(run.text.slice(first.start, last.end).toLowerCase()));
        for (const form of new Set(forms)) found.set(form, [...(found.get(form) ?? []), run.start + first.start]);
      }
    }
    return found;
  }
  test('are those at which the tokenizer has it as a word or as parts of one, and no others', () => {
    const pieces = 'get User By ID URL HTTP As s v K x Ж Ω 1 42 307'.split(' ');
    const piece = fc.constantFrom(...pieces);
    const identifier = fc.array(piece, { minLength: 1, maxLength: 5 }).map((some) => some.join(''));
    const time = fc.constantFrom(
      '2026-07-06T02:45:46.491Z',
      '20260706T0245Z',
      '0245T',
      '46Zulu',
      '46Z9',
      'T42',
      '5T42',
    );
    const text = fc.array(fc.oneof(identifier, time, fc.constant('中')), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, fc.constantFrom(' ', '_', '，'), (chosen, separator) => {
        const joined = chosen.join(separator);
        const expectedByForm = offsetsByForm(joined);
        // letters that are in the texts, mostly as parts of words
        for (const letter of ['t', 'z', 'x', 'ж', 'ω']) if (!expectedByForm.has(letter)) expectedByForm.set(letter, []);
        for (const [form, expected] of expectedByForm) {
          const found = wordFinder(form, [form]).places(foldText(joined, NO_VARIANTS));
          expect([form, found]).toEqual([form, expected]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
