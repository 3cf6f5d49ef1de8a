/** Matches a part of every secret that the rules of secretlint detect: its prefix, or its surroundings. A text without
 * a match holds no secret, and the rules are not even loaded: that would cost more than the rest of a put.
 * `test/ops/secrets.test.ts` compares it with the rules. */
const HINT =
  /A3T[A-Z0-9]|A(?:KI|GP|ID|RO|IP|NP|NV|SI)A|aws|PRIVATE KEY|x-oauth-basic|_authToken|npm_|xox[bparo]-|xapp-|hooks\.slack\.com|:\/\/[^\s/@]{1,300}@|T3BlbkFJ|sk-ant-|gsk_|hf_|lin_api_|ntn_|SG\.|shp(?:pa|ca|at|ss)_|[sr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|glc_|glsa_|ops_ey|(?:mongodb|mysqlx?|postgres(?:ql)?)(?:\+srv)?:\/\/|hv[sbr]\.|vc[piark]_|dapi[A-Fa-f0-9]{8}|dckr_pat_|figd_|cf(?:k|ut|at)_|tskey-/i;

/** True when a text may hold a secret: then the rules decide. */
export function mayHoldSecret(text: string): boolean {
  return HINT.test(text);
}
