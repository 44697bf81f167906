/**
 * Text in the log of a workflow's job. Its runner obeys lines of a step's output, whoever wrote them: those that begin with
 * `::`, perhaps after spaces, and those that hold `##[` anywhere.
 */

/**
 * `text` without commands for the runner: the sign that makes one is written as JSON writes it, as other hazards are, so that
 * inside JSON strings it is the same data.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a').replace(/##(?=\[)/g, '#\\u0023');

/** Whether `text` could be such a command, or hold one, when it stands on lines of its own. */
export const holdsCommand = (text: string): boolean => /^[^\S\n\r\u2028\u2029]*::|##\[/m.test(text);
