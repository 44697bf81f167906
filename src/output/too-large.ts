/** Results that are too large to format: they end in an error message, not in a crash or minutes of work. */

/** A result that is too large for the requested format, or nested too deeply for any. */
export class TooLargeError extends Error {
  constructor(what: string) {
    super(`${what}. Select less of it, or use another format, such as -o ndjson.`);
  }
}

/**
 * Returns the result of `lay`. Throws `TooLargeError` if it exceeds the stack or the maximum string length because of
 * the data.
 */
export async function withinLimits<T>(format: () => T | Promise<T>): Promise<T> {
  try {
    return await format();
  } catch (error) {
    if (error instanceof RangeError)
      throw new TooLargeError('The response is too large or too deeply nested for this format');
    throw error;
  }
}
