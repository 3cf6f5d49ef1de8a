import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText, wordFinder } from '../../src/search/places.ts';
import { analyseQuery } from '../../src/search/query.ts';
import { createTokenizer } from '../../src/search/tokenizer.ts';
import { NO_VARIANTS } from '../../src/search/variants.ts';

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
});
