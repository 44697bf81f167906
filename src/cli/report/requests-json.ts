import type { Terminal } from '../../output/terminal.ts';

/**
 * Returns whether the words of a command line request errors in JSON, even if they are otherwise invalid. With a jq
 * filter, unless its results are rows, errors are text on a terminal and JSON elsewhere.
 */
export function requestsJson(argv: readonly string[], { stderrIsTTY }: Pick<Terminal, 'stderrIsTTY'>): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const formats = words.flatMap((word, index) => {
    const [, format] = /^(?:-o|--output)=?(.*)$/.exec(word) ?? [];
    return format === '' ? [words[index + 1] ?? ''] : (format ?? []);
  });
  const isFiltered = words.some((word) => /^(--jq(=|$)|-q)/.test(word));
  return (
    words.includes('--json') ||
    formats.some((format) => /^(nd)?json$/.test(format)) ||
    (isFiltered && !stderrIsTTY && !formats.some((format) => /^(table|tsv|csv)$/.test(format)))
  );
}
