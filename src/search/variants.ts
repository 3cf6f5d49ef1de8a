/** Traditional and Simplified forms of Han characters, which a search treats as the same: 資料庫 is found by 资料库, and vice
 * versa. */

/** Characters are UTF-16 units: those outside the basic plane have no other form here, so that a text keeps its
 * length. */
export interface HanForms {
  /** Returns the Simplified form of a character; the character itself where it has none. */
  simplified(codeUnit: number): number;
  /** Returns the Traditional forms of a Simplified character. */
  traditional(codeUnit: number): number[];
}

/** The forms that the characters of a query may have in texts. */
export interface Variants {
  /** Returns a text with every form of these characters as the Simplified one; other characters are unchanged. */
  fold(text: string): string;
  /** Returns the spellings of a name of the query, the query's own first: at most `MOST_SPELLINGS`. */
  spellings(name: string): string[];
  /** Returns the factor for what is counted in a text: below 1 where it has one of these characters in a form that is
   * not in the query. */
  factor(texts: readonly string[]): number;
}

/** Factor for a text that has characters of the query in another form, so that the requested form ranks first: one
 * Simplified character stands for several Traditional ones (后 for 后, of an empress, and 後, after). Range 0.9 to 1. */
const OTHER_FORM_FACTOR = 0.95;

/** Traditional characters that Simplified Chinese uses too (乾隆, 著名, 甚至, 覆盖, 瞭望, 慰藉), with their Simplified forms. A
 * text with one of them need not be in Traditional characters. */
export const SIMPLIFIED_TOO: Readonly<Record<string, string>> = {
  乾: '干',
  著: '着',
  甚: '什',
  覆: '复',
  瞭: '了',
  藉: '借',
};

/** For a query whose characters have only one form each. */
export const NO_VARIANTS: Variants = { fold: (text) => text, spellings: (name) => [name], factor: () => 1 };

/** Most spellings of a name that are looked up: those of four characters with two forms each. */
const MOST_SPELLINGS = 16;

/** The Han blocks of the basic plane. */
const FIRST_HAN = 0x3400;
const LAST_HAN = 0x9fff;

function isHanUnit(codeUnit: number): boolean {
  return codeUnit >= FIRST_HAN && codeUnit <= LAST_HAN;
}

/** Returns a text with its Traditional characters as Simplified ones. `forms` is called only where the text has Han
 * characters; where it returns undefined, the text is returned unchanged. */
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

/** Returns the forms that the characters of a query may have in texts. `query` is normalised, but not simplified. The
 * characters of `expansions`, which are Simplified, are folded too, but no form of them is preferred. */
export function variantsOf(query: string, forms: () => HanForms | undefined, expansions = ''): Variants {
  const asked = new Set<string>();
  for (let at = 0; at < query.length; at += 1) if (isHanUnit(query.charCodeAt(at))) asked.add(query.charAt(at));
  const known = asked.size === 0 && expansions === '' ? undefined : forms();
  if (known === undefined) return NO_VARIANTS;
  const simplified = new Map<string, string>();
  const others = new Set<string>();
  for (const character of asked) {
    const simple = known.simplified(character.charCodeAt(0));
    const traditional = known.traditional(simple);
    for (const unit of traditional) simplified.set(String.fromCharCode(unit), String.fromCharCode(simple));
    if (character in SIMPLIFIED_TOO) continue;
    for (const unit of [simple, ...traditional]) others.add(String.fromCharCode(unit));
  }
  for (const character of expansions)
    for (const unit of known.traditional(character.charCodeAt(0))) simplified.set(String.fromCharCode(unit), character);
  for (const character of [...asked, ...Object.keys(SIMPLIFIED_TOO)]) others.delete(character);
  if (simplified.size === 0) return NO_VARIANTS;
  const traditional = anyOf(simplified.keys());
  const other = anyOf(others);
  return {
    fold: (text) => text.replaceAll(traditional, (character) => simplified.get(character) ?? character),
    spellings: (name) =>
      spellingsOf(name, (unit) => [known.simplified(unit), ...known.traditional(known.simplified(unit))]),
    factor: (texts) => (texts.some((text) => text.search(other) >= 0) ? OTHER_FORM_FACTOR : 1),
  };
}

function spellingsOf(name: string, formsOf: (codeUnit: number) => readonly number[]): string[] {
  let found = [''];
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    const others = isHanUnit(unit) ? formsOf(unit).filter((form) => form !== unit) : [];
    const forms = found.length * (others.length + 1) > MOST_SPELLINGS ? [unit] : [unit, ...others];
    found = forms.flatMap((form) => found.map((beginning) => beginning + String.fromCharCode(form)));
  }
  return found;
}

function anyOf(characters: Iterable<string>): RegExp {
  return new RegExp(`[${[...characters].join('')}]`, 'g');
}
