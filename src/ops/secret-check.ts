import { MemtoolError } from '../core/errors.ts';
import { command, either, sentence, type Text } from '../core/sentence.ts';
import { MAX_NAME_CHARS, type Memory } from '../core/memory.ts';
import { characterCount } from '../core/text.ts';
import { mayHoldSecret } from '../core/secret-hints.ts';
import type { Secret } from './secret-finder.ts';

/** Parameters for how to treat what looks like a secret. */
export const SECRET_PARAMS = {
  redact: {
    kind: 'flag',
    description: 'Replace what looks like a key or token with [REDACTED:rule].',
  },
  secrets: {
    kind: 'choice',
    choices: ['warn', 'refuse'],
    default: 'warn',
    description: 'Warn about what looks like a key or token, or refuse it.',
  },
} as const;

interface Policy {
  readonly redact?: boolean | undefined;
  readonly secrets: 'warn' | 'refuse';
}

/** The fields of an item that are free text. */
const TEXT_FIELDS = ['content', 'key', 'task_id', 'step_id', 'tags', 'source', 'verified_by'] as const;
type TextField = (typeof TEXT_FIELDS)[number];

/** True if one of an item's texts may contain a secret. */
export function mayHoldSecrets(item: Partial<Memory>): boolean {
  return TEXT_FIELDS.some((field) => {
    const value = item[field];
    return typeof value === 'string' ? mayHoldSecret(value) : value?.some(mayHoldSecret) === true;
  });
}

/** What to do about a secret that was stored. */
const LEFT_UNCHANGED = either(
  'redact (--redact) replaces it in a new write, secrets refuse (--secrets refuse) rejects it, and only purge removes what is already stored',
  sentence`redact: true replaces it in a new write, and what is already stored is removed only by: ${command('purge', ['ID'], { apply: true })}`,
);

/** Most places that a warning names; the others are counted. */
const NAMED_PLACES = 5;

/** Searches the texts of items for keys and tokens, and remembers which rules matched and where, never the values. */
export class SecretCheck {
  readonly #policy: Policy;
  readonly #found = new Map<string, Found>();

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /** Returns the item with its secrets replaced if that is requested; the same object if nothing was replaced. `place`
   * identifies it among several items. Throws PARAM_ERROR when secrets are refused, or a redacted field is too long. */
  async clean<T extends Partial<Memory>>(item: T, place?: string): Promise<T> {
    if (!mayHoldSecrets(item)) return item;
    const cleaned: Partial<Record<TextField, unknown>> = {};
    for (const field of TEXT_FIELDS) {
      const value = item[field];
      if (typeof value === 'string') {
        const text = await this.#text(item, field, value, place);
        if (text !== value) cleaned[field] = text;
      } else if (Array.isArray(value)) {
        const texts = await Promise.all(value.map((text) => this.#text(item, field, text, place)));
        // replacing may make two secrets of one rule equal
        if (texts.some((text, at) => text !== value[at])) cleaned[field] = [...new Set(texts)];
      }
    }
    return Object.keys(cleaned).length === 0 ? item : { ...item, ...cleaned };
  }

  async #text({ id }: Partial<Memory>, field: TextField, text: string, place?: string): Promise<string> {
    if (!mayHoldSecret(text)) return text;
    const { findSecrets } = await import('./secret-finder.ts');
    const secrets = await findSecrets(text);
    const rules = [...new Set(secrets.map(({ rule }) => rule))];
    if (rules.length === 0) return text;
    if (this.#policy.secrets === 'refuse' && !this.#policy.redact) throw refused(id, field, rules);
    for (const rule of rules) this.#note(field, rule, place);
    if (!this.#policy.redact) return text;
    const replaced = redacted(text, secrets);
    if (field !== 'content' && characterCount(replaced) > MAX_NAME_CHARS) throw tooLong(id, field);
    return replaced;
  }

  /** Returns warnings about what was found, for the caller. */
  warnings(): Text[] {
    const done = this.#policy.redact ? 'was replaced' : sentence`was left unchanged; ${LEFT_UNCHANGED}`;
    return [...this.#found.values()].map((found) => sentence`a possible secret in ${described(found)} ${done}`);
  }

  #note(field: TextField, rule: string, place: string | undefined): void {
    const what = `${field} ${rule}`;
    const found = this.#found.get(what) ?? { field, rule, texts: 0, named: [], others: 0, last: undefined };
    this.#found.set(what, found);
    found.texts += 1;
    if (place === undefined || place === found.last) return;
    found.last = place;
    if (found.named.length < NAMED_PLACES) found.named.push(place);
    else found.others += 1;
  }
}

/** A rule that matched texts of a field, and where. */
interface Found {
  readonly field: TextField;
  readonly rule: string;
  texts: number;
  /** The first places, each once. */
  readonly named: string[];
  /** Number of places besides these. */
  others: number;
  last: string | undefined;
}

function described({ field, rule, texts, named, others }: Found): string {
  const where =
    named.length === 0
      ? ''
      : ` of ${named.join(', ')}${others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`}`;
  return `${field}${where} (rule ${rule}${texts === 1 ? '' : `, ${texts} times`})`;
}

function redacted(text: string, secrets: readonly Secret[]): string {
  // a longer secret may contain a shorter one
  const longestFirst = secrets.toSorted((a, b) => b.value.length - a.value.length);
  return longestFirst.reduce((left, { rule, value }) => left.replaceAll(value, `[REDACTED:${rule}]`), text);
}

function tooLong(id: string | undefined, field: TextField): MemtoolError {
  return new MemtoolError(
    'PARAM_ERROR',
    `${field} is longer than ${MAX_NAME_CHARS} characters once its secret is replaced`,
    {
      hint: 'remove the secret',
      context: { field, ...(id !== undefined && { id }) },
    },
  );
}

function refused(id: string | undefined, field: TextField, rules: readonly string[]): MemtoolError {
  return new MemtoolError('PARAM_ERROR', `${field} seems to contain a secret (rule ${rules.join(', ')})`, {
    hint: sentence`remove it, or let --redact replace it`,
    context: { field, ...(id !== undefined && { id }) },
  });
}
