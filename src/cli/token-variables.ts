/** The environment variables that hold tokens: forgectl's own, and those of others that it understands. */
export const tokenVariables = [
  'FORGECTL_TOKEN',
  'GH_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
  'GITHUB_TOKEN',
] as const;
