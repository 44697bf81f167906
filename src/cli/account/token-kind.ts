/** Facts that a token reveals without a request. */
import type { TokenKind } from '../../platform/endpoint.ts';

const prefixes: readonly (readonly [prefix: string, kind: TokenKind])[] = [
  ['github_pat_', 'fine_grained'],
  ['ghp_', 'classic'],
  ['gho_', 'oauth'],
  ['ghu_', 'app_user'],
  ['ghs_', 'installation'],
];

/** The format of classic tokens without a prefix. */
const legacyClassic = /^[0-9a-f]{40}$/;

/** Returns the kind of a token from its prefix; undefined for an unknown prefix. */
export function tokenKindOf(token: string): TokenKind | undefined {
  const known = prefixes.find(([prefix]) => token.startsWith(prefix));
  return known?.[1] ?? (legacyClassic.test(token) ? 'classic' : undefined);
}

/**
 * Returns the problem with a text given as a token, worded to follow its source and never repeating it; undefined if it
 * is valid. Tokens become part of a header, which allows only visible ASCII.
 */
export function tokenProblem(token: string): string | undefined {
  if (token === '') return 'is empty';
  if (/\s/.test(token)) return 'contains a space or a line break';
  if (!/^[\x21-\x7e]+$/.test(token)) return 'contains an invalid character';
  return undefined;
}
