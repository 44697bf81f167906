/** Text in Markdown that names from the platform cannot change. */
import { safeText } from './safe-text.ts';

/** In characters: comments of pull requests have at most 65,536. */
export const longestMarkdown = 60_000;

/** Characters that mean nothing to Markdown, as long as they form none of the words below. */
const plainText = /^(?:[\p{L}\p{M}\p{N} .,;:()/+"“”’→…-]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}]))*$/u;

/** Words that become links or emoji: URLs, `GH-7`, `TICKET-7`, advisories, commits, `:tada:`. */
const linkedWord = /www\.|:\/\/|\p{L}-\d|GHSA-|[0-9a-f]{7}|:[\w+-]+:/iu;

/** Begins an item of a list, or is a line that makes a heading of the one before. */
const startOfBlock = /^(?:[-+]|\d+[.)](?: |$))/;

/**
 * Returns text for a line. Names come from the platform: they must not mention people, or be links, HTML or emphasized.
 * Escapes do not help against mentions, which the platform looks for in rendered text; in code it interprets nothing.
 */
export function markdownLine(text: string): string {
  const line = safeText(text).replaceAll(/\s+/g, ' ').trim();
  const isShort = line.length <= longestMarkdown;
  return isShort && plainText.test(line) && !linkedWord.test(line) && !startOfBlock.test(line)
    ? line
    : markdownCode(line);
}

/** Returns a row of a table. Cells are Markdown of one line each, in which pipes are text. */
export const markdownRow = (cells: readonly string[]): string => `| ${cells.map(cellText).join(' | ')} |`;

/** Some parsers take `\\|` for a backslash and the end of a cell, also in code. */
const cellText = (cell: string): string =>
  cell.replaceAll(/(?<=\\)\|/g, String.raw`\u007c`).replaceAll('|', String.raw`\|`);

/** Returns a code span. The text must be one line. */
export function markdownCode(line: string): string {
  const fence = '`'.repeat(longestRun(line) + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** Returns the length of the longest run of backticks, which would end code between as many. */
export const longestRun = (text: string): number =>
  // A call with an argument for each run would overflow the stack.
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
