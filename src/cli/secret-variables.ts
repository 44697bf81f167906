/** Environment variables that hold secrets. */

/** Tokens: forgectl's own, and those of other programs that it accepts. */
export const tokenVariables = [
  'FORGECTL_TOKEN',
  'GH_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'GITHUB_TOKEN',
] as const;

/** Tokens, and the private key of an app. */
export const secretVariables: readonly string[] = [...tokenVariables, 'FORGECTL_APP_PRIVATE_KEY'];
