/** Traditional and Simplified forms of Han characters, which a search takes for one: 資料庫 is found by 资料库, and the
 * other way round. */

/** Characters as UTF-16 units: those outside the basic plane have no other form here, so that a text keeps its
 * length. */
export interface HanForms {
  /** The Simplified form of a character; the character itself where it has none. */
  simplified(codeUnit: number): number;
  /** The Traditional forms of a Simplified character. */
  traditional(codeUnit: number): number[];
}

/** The forms in which texts may have the characters of a query. */
export interface Variants {
  /** A text with every form of these characters as the Simplified one; other characters stay as they are. */
  fold(text: string): string;
  /** The ways in which a name of the query may be written, the query's own first: at most `MOST_WRITINGS`. */
  writings(name: string): string[];
  /** The factor of what is counted in a text: below 1 where it has one of these characters in a form that the query
   * does not have. */
  gain(texts: readonly string[]): number;
}

/** Of two texts the one leads that has the characters as they were asked for: one Simplified character stands for
 * several Traditional ones (后 for 后, of an empress, and 後, after). Range 0.9 to 1. */
const OTHER_FORM_GAIN = 0.95;

/** Those of a query whose characters have one form each. */
export const NO_VARIANTS: Variants = { fold: (text) => text, writings: (name) => [name], gain: () => 1 };

/** Most ways to write a name that are looked for: four characters of which each has two forms. */
const MOST_WRITINGS = 16;

/** The Han blocks of the basic plane. */
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;

function isHanUnit(codeUnit: number): boolean {
  return codeUnit >= FIRST_HAN && codeUnit <= LAST_HAN;
}

/** A text with its Traditional characters as Simplified ones. `forms` is asked for only where the text has Han
 * characters; where it gives undefined, the text stays as it is. */
export function simplify(text: string, forms: () => HanForms | undefined): string {
  let known: HanForms | undefined;
  let simple = '';
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (!isHanUnit(unit)) continue;
    known ??= forms();
    if (known === undefined) return text;
    const simplified = known.simplified(unit);
    if (simplified === unit) continue;
    simple += text.slice(end, at) + String.fromCharCode(simplified);
    end = at + 1;
  }
  return end === 0 ? text : simple + text.slice(end);
}

/** What texts may have for the characters of a query, which is normalised and otherwise as it was asked. */
export function variantsOf(query: string, forms: () => HanForms | undefined): Variants {
  const asked = new Set<string>();
  for (let at = 0; at < query.length; at += 1) if (isHanUnit(query.charCodeAt(at))) asked.add(query.charAt(at));
  const known = asked.size === 0 ? undefined : forms();
  if (known === undefined) return NO_VARIANTS;
  const simplified = new Map<string, string>();
  const others = new Set<string>();
  for (const character of asked) {
    const simple = known.simplified(character.charCodeAt(0));
    const traditional = known.traditional(simple);
    for (const unit of traditional) simplified.set(String.fromCharCode(unit), String.fromCharCode(simple));
    for (const unit of [simple, ...traditional]) others.add(String.fromCharCode(unit));
  }
  for (const character of asked) others.delete(character);
  if (simplified.size === 0) return NO_VARIANTS;
  const traditional = anyOf(simplified.keys());
  const other = anyOf(others);
  return {
    fold: (text) => text.replaceAll(traditional, (character) => simplified.get(character) ?? character),
    writings: (name) =>
      writingsOf(name, (unit) => [known.simplified(unit), ...known.traditional(known.simplified(unit))]),
    gain: (texts) => (texts.some((text) => text.search(other) >= 0) ? OTHER_FORM_GAIN : 1),
  };
}

function writingsOf(name: string, formsOf: (codeUnit: number) => readonly number[]): string[] {
  let found = [''];
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    const others = isHanUnit(unit) ? formsOf(unit).filter((form) => form !== unit) : [];
    const forms = found.length * (others.length + 1) > MOST_WRITINGS ? [unit] : [unit, ...others];
    found = forms.flatMap((form) => found.map((beginning) => beginning + String.fromCharCode(form)));
  }
  return found;
}

function anyOf(characters: Iterable<string>): RegExp {
  return new RegExp(`[${[...characters].join('')}]`, 'g');
}
