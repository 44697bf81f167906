/** Answers beyond all use, by mistake or on purpose: they end in one line, not in a crash or in minutes of laying out. */

/** What was answered is too large for the format that was asked for, or nested too deep for any. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  constructor(what: string) {
    super(`${what}. Reduce it with --fields or --limit, or use another format, such as -o ndjson.`);
  }
}

/**
 * The text that `lay` makes. Throws `TooLargeError` where it runs out of stack or of the length that text can have: that
 * is the data's doing.
 */
export async function withinLimits<T>(lay: () => T | Promise<T>): Promise<T> {
  try {
    return await lay();
  } catch (error) {
    if (error instanceof RangeError)
      throw new TooLargeError('The response is too large or too deeply nested for this format');
    throw error;
  }
}
