import { joinExpressions, spanExpression, termExpression } from '../search/fts-query.ts';
import { hasHan } from '../search/scripts.ts';
import type { Query } from '../search/query.ts';
import type { QueryTerm } from '../search/query-term.ts';
import type { Expansion } from '../search/query-expansion.ts';
import { expansionName } from '../search/score.ts';
import type { Context } from './context.ts';
import { lookUp, type Lookup } from './lookup.ts';

/** Words that are in more items than both this number and this share do not stand in for others: they say little, and
 * searching for them takes time. Ranges 20 to 500, and 0.03 to 1; 0.1 measured 0.02 below 1. */
const FEW_ITEMS = 100;
const COMMON_SHARE = 0.1;

interface KnownExpansions {
  readonly found: Pick<Query, 'expansions' | 'variants'>;
  readonly lookups: readonly Lookup[];
}

/** Looks up the words that stand in for words of a query, those of one word in each language together; returns those
 * that items have. */
export function knownExpansions(context: Context, query: Query): KnownExpansions {
  const most = Math.max(FEW_ITEMS, COMMON_SHARE * context.store.indexStatistics().count);
  const expansions: Expansion[] = [];
  const lookups: Lookup[] = [];
  for (const expansion of query.expansions) {
    const { of, words } = expansion;
    const known = [true, false]
      .map((isHan) => words.filter(({ kind }) => (kind === 'han') === isHan))
      .filter((some) => some.length > 0)
      .map((some) => ({ some, lookup: lookUp(context, expansionName(of), anyOf(some)) }))
      .filter(({ lookup: { frequency } }) => frequency > 0 && frequency <= most);
    const [first, ...others] = known;
    if (first === undefined) continue;
    const all = known.flatMap(({ some }) => some);
    expansions.push({ ...expansion, words: all });
    // an item may have words of both languages
    lookups.push(others.length === 0 ? first.lookup : lookUp(context, expansionName(of), anyOf(all)));
  }
  return { found: withVariants(context, query, expansions), lookups };
}

/** An expression for items with any of the words; Han words wherever they occur, since texts may be segmented
 * differently. */
function anyOf(words: readonly QueryTerm[]): string {
  const expressions = words.map(({ kind, term, forms }) =>
    kind === 'han' ? spanExpression(term) : termExpression(forms),
  );
  return joinExpressions(expressions, 'any');
}

/** Returns words that stand in for others, with the forms that their Han characters may have in texts. */
export function withVariants(
  { tokenizer }: Context,
  query: Query,
  expansions: Query['expansions'],
): KnownExpansions['found'] {
  const words = expansions.flatMap((one) => one.words.map(({ term }) => term)).filter(hasHan);
  return { expansions, variants: words.length === 0 ? query.variants : tokenizer.variants(query.text, words.join('')) };
}
