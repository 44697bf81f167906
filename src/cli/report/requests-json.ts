import type { Terminal } from '../../output/terminal.ts';

/**
 * Returns whether the words of a command line request errors in JSON, even if they are otherwise invalid. With only a
 * jq filter, errors are text on a terminal and JSON elsewhere.
 */
export function requestsJson(argv: readonly string[], { stderrIsTTY }: Pick<Terminal, 'stderrIsTTY'>): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word, index) =>
      word === '--json' ||
      (!stderrIsTTY && /^(--jq(=|$)|-q)/.test(word)) ||
      /^(-o|--output)=?(nd)?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && /^(nd)?json$/.test(words[index + 1] ?? '')),
  );
}
