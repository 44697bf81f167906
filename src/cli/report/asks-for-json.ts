import type { Terminal } from '../../output/terminal.ts';

/**
 * Returns true where the words of a command line ask for errors in JSON, whatever else is wrong with them. With a jq filter
 * alone they are for whoever reads stderr: a person at a terminal, or a program.
 */
export function asksForJson(argv: readonly string[], { stderrIsTTY }: Pick<Terminal, 'stderrIsTTY'>): boolean {
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
