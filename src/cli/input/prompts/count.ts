/** How often a user was prompted: while an answer is typed, somebody else may replace what was read before. */
const counts = new WeakMap<object, number>();

export const countPrompt = (stdin: object): void => {
  counts.set(stdin, promptCount(stdin) + 1);
};

/** Returns the number of prompts so far that read from `stdin`. */
export const promptCount = (stdin: object): number => counts.get(stdin) ?? 0;
