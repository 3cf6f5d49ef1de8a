import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutPrivate } from '../../src/core/private-text.ts';

describe('private parts', () => {
  test.each([
    ['a<private>x</private>b', false],
    ['a<private>x', true],
    ['docs: the <private> tag hides things', true],
    ['a</private>b', false],
    ['none', false],
  ])('%j: left open %s', (text, isOpen) => {
    expect(withoutPrivate(text).isOpen).toBe(isOpen);
  });

  test.each([
    ['plain', 'plain'],
    ['a<private>x</private>b', 'ab'],
    ['a <PRIVATE>x</Private> b', 'a  b'],
    ['a< private >x</ private >b', 'ab'],
    ['a<private>x<private>y</private>z</private>b', 'ab'],
    ['<private>a</private>b<private>c</private>', 'b'],
    ['a<private>x, not closed 密码', 'a'],
    ['a<private>x<private>y</private>z', 'a'],
    ['a</private>b', 'a</private>b'],
    ['a</private>b<private>c</private>d</private>e', 'a</private>bd</private>e'],
    ['<private>all</private>', ''],
    ['<privateer>x</privateer>', '<privateer>x</privateer>'],
    ['a<private/>b', 'a<private/>b'],
    ['<priv<private></private>ate>TOP</private>!', '!'],
    ['a<<private>x</private>private>y', 'a'],
    ['密<private>钥🟥</private>码', '密码'],
  ])('are dropped from %j, leaving %j', (text, expected) => {
    const dropped = Array.from(text).length - Array.from(expected).length;
    expect(withoutPrivate(text)).toMatchObject({ text: expected, dropped });
  });
  test('are dropped in bounded time if each hides the next', () => {
    const layers = 20_000;
    const hidden = `${'<priv'.repeat(layers)}<private></private>${'ate>SECRET</private>'.repeat(layers)}`;
    const { text, dropped } = withoutPrivate(`a${hidden}`);
    expect(text.startsWith('a')).toBe(true);
    expect(text).not.toMatch(/<private>|SECRET/);
    expect(dropped).toBe(hidden.length + 1 - text.length);
  });
  test('never get through, however they are nested, and nothing else is lost', () => {
    const part: fc.Arbitrary<string> = fc.letrec<{ part: string }>((tie) => ({
      part: fc
        .array(fc.oneof({ depthSize: 'small' }, fc.constant('SECRET'), tie('part')), { maxLength: 3 })
        .map((inner) => `<Private>${inner.join('')}</pRIVATE>`),
    })).part;
    const pieces = fc.array(fc.oneof(fc.constantFrom('a ', '文', '<b>', '</', 'private>'), part));
    fc.assert(
      fc.property(pieces, (all) => {
        const { text, dropped } = withoutPrivate(all.join(''));
        expect(text).toBe(all.filter((piece) => !piece.includes('rivate>') || piece === 'private>').join(''));
        expect(dropped).toBe(all.join('').length - text.length);
      }),
    );
  });
});
