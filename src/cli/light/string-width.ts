import { eastAsianWidth } from 'get-east-asian-width';

/** Width of a help text in columns. Replaces the string-width package within yargs (scripts/build.ts): that package
 * also measures emoji sequences, for which it sets up Intl.Segmenter and a pattern of all emoji, which takes longer
 * than everything else that a help text needs. */
export default function stringWidth(text: string): number {
  let width = 0;
  for (const character of text) width += eastAsianWidth(character.codePointAt(0) ?? 0);
  return width;
}
