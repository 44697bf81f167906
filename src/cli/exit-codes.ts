/** The exit codes of all commands; scripts rely on these numbers. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notFound: 3,
  notAuthenticated: 4,
  notPermitted: 5,
  refused: 6,
  rateLimited: 7,
  network: 8,
  someFailed: 9,
  waitLimit: 10,
  differences: 11,
  guarded: 12,
  findings: 13,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
