/**
 * Workflow commands in the log of a CI job. Its runner executes commands in any output: lines that start with `::`,
 * perhaps after spaces, and lines that contain `##[`.
 */

/**
 * Escapes workflow commands in untrusted text, in the notation of JSON, so that the data inside JSON strings stays the
 * same.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1\\u003a').replace(/##(?=\[)/g, '#\\u0023');

/** Whether `text` contains a workflow command, if written on lines of its own. */
export const containsCommand = (text: string): boolean => /^[^\S\n\r\u2028\u2029]*::|##\[/m.test(text);
