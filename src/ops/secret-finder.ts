import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';

export interface Secret {
  /** The rule that knows it: github, aws, privatekey … */
  readonly rule: string;
  readonly value: string;
}

const RULE_PREFIX = '@secretlint/secretlint-rule-';
/** Would let a text switch the rules off with a comment. */
const COMMENTS = `${RULE_PREFIX}filter-comments`;

const RULES = creator.rules
  .filter(({ meta }) => meta.id !== COMMENTS)
  .map((rule) => ({ id: rule.meta.id, rule, options: {} }));

/** Where a letter or digit follows a character beyond ASCII. */
const BORDER = /(?<=[^\0-\x7f])(?=[A-Za-z0-9])/g;

/** The names of the rules. */
export function ruleNames(): string[] {
  return RULES.map(({ id }) => id.slice(RULE_PREFIX.length));
}

/** What in a text looks like a key or a token, by secretlint's recommended rules. They want no letter before a token,
 * and in Chinese it may follow one without a space: so they look at the text as it is, and with spaces in these
 * places. */
export async function findSecrets(text: string): Promise<Secret[]> {
  const found = await matches(text, text, (at) => at);
  const borders = Array.from(text.matchAll(BORDER), ({ index }) => index);
  if (borders.length > 0) {
    // where each space stands in the text with spaces
    const spaces = borders.map((border, before) => border + before);
    const inText = (at: number): number => at - spaces.filter((space) => space < at).length;
    found.push(...(await matches(text, text.replaceAll(BORDER, ' '), inText)));
  }
  return [...new Map(found.map((secret) => [`${secret.rule} ${secret.value}`, secret])).values()];
}

/** What the rules find in a form of a text; `inText` gives the place in the text of one in that form. */
async function matches(text: string, content: string, inText: (at: number) => number): Promise<Secret[]> {
  const { messages } = await lintSource({
    source: { filePath: 'memory.txt', content, contentType: 'text', ext: '.txt' },
    options: { config: { rules: RULES }, maskSecrets: false },
  });
  return messages.flatMap((message) => {
    const rule = message.ruleId.slice(RULE_PREFIX.length);
    // the range of a message may begin at what stands before the secret; its data hold the secret itself
    const values = Object.values(message.data ?? {}).filter(
      (value) => typeof value === 'string' && text.includes(value),
    );
    const [start, end] = message.range.map(inText);
    return (values.length > 0 ? values : [text.slice(start, end)]).map((value) => ({ rule, value: String(value) }));
  });
}
