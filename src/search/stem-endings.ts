/** What the stemmer takes off a word, piece by piece. Source: the rules of Porter's stemmer (1980), the letters that it
 * puts in their place left out, y beside i. */
const ENDINGS =
  's es d ed eed ing y e al alli ally aliti ality alism alize ance anci ancy ence enci ency er or ic ical iciti icity icate able abli ably abiliti ability ible ibli ibly ibiliti ibility biliti bility ant ement ment ent entli ently ion ional ation ational ator at ate ative iviti ivity ive iveness ism ist iti ity ou ous ousli ously ousness ful fulness ness iz ize izer ization li ly logi logy ies'.split(
    ' ',
  );

/** Whether a word that begins like `typed` may have the stem, which `typed` begins with: what goes beyond it are
 * endings, the last perhaps not whole (runn, of running, and run). */
export function mayHaveStem(typed: string, stem: string): boolean {
  const rest = typed.slice(stem.length);
  // of a doubled letter the stem has one
  return mayBeEndings(rest) || (rest.startsWith(stem.slice(-1)) && mayBeEndings(rest.slice(1)));
}

/** Each offset at which an ending may begin is looked at once: of ededed… there are ever more ways to cut it. */
function mayBeEndings(rest: string): boolean {
  const begins = new Set([0]);
  for (const at of begins) {
    const left = rest.slice(at);
    for (const ending of ENDINGS) {
      if (ending.startsWith(left)) return true;
      if (left.startsWith(ending)) begins.add(at + ending.length);
    }
  }
  return false;
}
