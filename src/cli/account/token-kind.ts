/** Facts that a token reveals without a request. */
import { secretMask } from '../../json/secrets.ts';
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

/** Returns text with a mask in place of all tokens of known formats, of which some contain a JWT. */
export const withoutTokens = (text: string): string =>
  text.replaceAll(/(?:github_pat_|gh[opr-u]_)[\w-]+(?:\.[\w-]+)*|\b[0-9a-f]{40}\b/g, secretMask);
