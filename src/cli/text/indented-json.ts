/** The tokens of JSON: strings, brackets, commas, colons, and what is between them (numbers, true, false, null). */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';

/** Deepest nesting that is indented: beyond it, the size would grow with the square of the depth, and nobody could read
 * the result. */
const DEEPEST = 40;

/** Indents a text that is one JSON object or array; returns undefined for any other text, and for one that is nested
 * too deeply. Every token is kept verbatim, including numbers beyond a double, 1.0 and duplicate keys. */
export function indentedJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  const tokens = text.match(TOKEN) ?? [];
  return deepest(tokens) > DEEPEST ? undefined : indented(tokens);
}

function indented(tokens: readonly string[]): string {
  let depth = 0;
  let result = '';
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const opens = before === '{' || before === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if ((opens || closes || before === ',') && !(opens && closes)) result += `\n${INDENT.repeat(depth)}`;
    result += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
  }
  return result;
}

function deepest(tokens: readonly string[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    if (token === '{' || token === '[') most = Math.max(most, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
  }
  return most;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
