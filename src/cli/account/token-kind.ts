/** What a token says of itself, without asking the platform. */
import type { TokenKind } from '../../platform/endpoint.ts';

const prefixes: readonly (readonly [prefix: string, kind: TokenKind])[] = [
  ['github_pat_', 'fine_grained'],
  ['ghp_', 'classic'],
  ['gho_', 'oauth'],
  ['ghu_', 'app_user'],
  ['ghs_', 'installation'],
];

/** What classic tokens looked like before they had prefixes. */
const legacyClassic = /^[0-9a-f]{40}$/;

/**
 * The kind of a token, by its prefix; undefined where the token does not tell.
 */
export function tokenKindOf(token: string): TokenKind | undefined {
  const known = prefixes.find(([prefix]) => token.startsWith(prefix));
  return known?.[1] ?? (legacyClassic.test(token) ? 'classic' : undefined);
}

/**
 * What is wrong with a text that is meant to be a token, said so that it can follow the name of where it came from, and
 * never with the text itself; undefined where nothing is. A token becomes part of a header: only visible ASCII can.
 */
export function tokenProblem(token: string): string | undefined {
  if (token === '') return 'is empty';
  if (/\s/.test(token)) return 'contains a space or a line break';
  if (!/^[\x21-\x7e]+$/.test(token)) return 'contains an invalid character';
  return undefined;
}
