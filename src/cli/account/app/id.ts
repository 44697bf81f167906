/** Returns the problem with an app ID, worded to follow its source; undefined if it is valid. */
export const appIdProblem = (id: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id) ? undefined : 'must be an app ID, such as 12345, or a client ID';
