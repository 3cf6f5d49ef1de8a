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

/** The rules want no letter before a token; in Chinese it may follow one without a space. */
function apart(text: string): string {
  return text.replaceAll(/(?<=[^\0-\x7f])(?=[A-Za-z0-9])/g, ' ');
}

/** The names of the rules. */
export function ruleNames(): string[] {
  return RULES.map(({ id }) => id.slice(RULE_PREFIX.length));
}

/** What in a text looks like a key or a token, by secretlint's recommended rules. */
export async function findSecrets(text: string): Promise<Secret[]> {
  const { messages } = await lintSource({
    source: { filePath: 'memory.txt', content: apart(text), contentType: 'text', ext: '.txt' },
    options: { config: { rules: RULES }, maskSecrets: false },
  });
  return messages.flatMap((message) => {
    const rule = message.ruleId.slice(RULE_PREFIX.length);
    // the range of a message may begin at what stands before the secret; its data hold the secret itself
    const values = Object.values(message.data ?? {}).filter(
      (value) => typeof value === 'string' && text.includes(value),
    );
    const [start, end] = message.range;
    return (values.length > 0 ? values : [apart(text).slice(start, end)]).map((value) => ({
      rule,
      value: String(value),
    }));
  });
}
