/** Which fields of a record a jq expression depends on. */

/** Functions and keywords whose result for a record does not depend on its fields: they fail, or return a constant. */
const independent = new Set([
  ...['and', 'or', 'not', 'if', 'then', 'elif', 'else', 'end', 'true', 'false', 'null'],
  ...['test', 'startswith', 'endswith', 'ascii_downcase', 'ascii_upcase', 'now', 'todate', 'fromdate'],
]);

const token =
  /(?<path>\.(?<field>[a-zA-Z_]\w*)(?:\.[a-zA-Z_]\w*|\[\d*\])*)|(?<name>[a-zA-Z_]\w*)|"(?:[^"\\]|\\[^(])*"|\d+(?:\.\d+)?|[=!]=|[<>]=?|\/\/|[-+*/%(),;|?\s]/y;

/**
 * Returns the top-level fields that the expression names if its result depends on nothing else of a record; undefined
 * if it may depend on more, as with `.`, `keys`, variables or definitions.
 */
export function fieldsUsed(expression: string): readonly string[] | undefined {
  const fields = new Set<string>();
  token.lastIndex = 0;
  while (token.lastIndex < expression.length) {
    const { groups } = token.exec(expression) ?? {};
    if (!groups) return undefined;
    const { field, name } = groups;
    if (name !== undefined && !independent.has(name)) return undefined;
    // A field after another one may not be top-level; then it is superfluous, but harmless.
    if (field !== undefined) fields.add(field);
  }
  return [...fields];
}
