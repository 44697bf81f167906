/** Finds the line of a JSON error. The parser's own messages repeat parts of the text, which may be secret. */

/** The number of the line that is wrong; undefined for JSON. */
export function jsonErrorLine(text: string): number | undefined {
  const failure = failureOf(text);
  if (failure === undefined) return undefined;
  const told = /\(line (\d+) /.exec(failure)?.[1];
  if (told) return Number(told);
  // The parser does not give the position of an unexpected token: text up to it fails with the same error, shorter text
  // is incomplete.
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
