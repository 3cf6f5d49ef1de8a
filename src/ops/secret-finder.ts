import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

export interface Secret {
  /** The rule that matched: github, aws, privatekey … */
  readonly rule: string;
  readonly value: string;
}

const RULE_PREFIX = '@secretlint/secretlint-rule-';
/** Excluded: it would let a text switch the rules off with a comment. */
const COMMENTS = `${RULE_PREFIX}filter-comments`;

const RULES = creator.rules
  .filter(({ meta }) => meta.id !== COMMENTS)
  .map((rule) => ({ id: rule.meta.id, rule, options: {} }));

/** Matches where an ASCII letter or digit follows a non-ASCII character. */
const BORDER = /(?<=[^\0-\x7f])(?=[A-Za-z0-9])/g;

/** Returns the names of the rules, without `RULE_PREFIX`. */
export function ruleNames(): string[] {
  return RULES.map(({ id }) => id.slice(RULE_PREFIX.length));
}

/** Finds what looks like a key or a token in a text, by secretlint's recommended rules. They require that no letter
 * precedes a token, but in Chinese text one may follow a character without a space, so they are run on the text
 * unchanged and again with spaces at these borders. */
export async function findSecrets(text: string): Promise<Secret[]> {
  const found = await matches(text, text, (at) => at);
  const borders = Array.from(text.matchAll(BORDER), ({ index }) => index);
  if (borders.length > 0) {
    // offset of each space in the text with spaces
    const spaces = borders.map((border, before) => border + before);
    const inText = (at: number): number => at - spaces.filter((space) => space < at).length;
    found.push(...(await matches(text, text.replaceAll(BORDER, ' '), inText)));
  }
  return [...new Map(found.map((secret) => [`${secret.rule} ${secret.value}`, secret])).values()];
}

/** Returns what the rules find in `content`, a form of `text`; `inText` maps an offset in it to one in `text`. */
async function matches(text: string, content: string, inText: (at: number) => number): Promise<Secret[]> {
  const { messages } = await lintSource({
    source: { filePath: 'memory.txt', content, contentType: 'text', ext: '.txt' },
    options: { config: { rules: RULES }, maskSecrets: false },
  });
  return messages.flatMap((message) => {
    const rule = message.ruleId.slice(RULE_PREFIX.length);
    // the range of a message may start before the secret; its data contain the secret itself
    const values = Object.values(message.data ?? {}).filter(
      (value) => typeof value === 'string' && text.includes(value),
    );
    const [start, end] = message.range.map(inText);
    return (values.length > 0 ? values : [text.slice(start, end)]).map((value) => ({ rule, value: String(value) }));
  });
}
