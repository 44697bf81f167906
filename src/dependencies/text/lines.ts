import { ParseError } from '../dependency-graph.ts';

/** A file with more was made to exhaust memory. */
const mostLines = 2_000_000;

/** Yields the lines of a file with their numbers. Throws ParseError. */
export function* linesOf(text: string): Generator<readonly [line: number, content: string]> {
  let line = 0;
  for (let start = 0; start <= text.length; ) {
    line += 1;
    if (line > mostLines) throw new ParseError('more than 2,000,000 lines', line);
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield [line, text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)];
    start = end + 1;
  }
}
