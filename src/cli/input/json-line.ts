/** Where a text stops being JSON. The parser's own messages repeat pieces of the text, which may be secret. */

/** The number of the line that is wrong; undefined for JSON. */
export function jsonErrorLine(text: string): number | undefined {
  const failure = failureOf(text);
  if (failure === undefined) return undefined;
  const told = /\(line (\d+) /.exec(failure)?.[1];
  if (told) return Number(told);
  // An unexpected token is told without its place: the first lines up to it fail in the same way, those before it are cut short.
  const lines = text.split('\n');
  const isBad = (count: number) => failureOf(`${lines.slice(0, count).join('\n')}\n`)?.startsWith('Unexpected token');
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBad(middle)) bad = middle;
    else good = middle;
  }
  return bad;
}

function failureOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
