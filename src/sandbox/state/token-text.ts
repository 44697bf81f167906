/** The text of tokens. */
import { randomInt } from 'node:crypto';
import type { TokenKind } from '../../platform/endpoint.ts';

/** The public platform's token formats: a prefix and the length of the random part. */
const forms: Readonly<Record<TokenKind, readonly [prefix: string, ...lengths: number[]]>> = {
  classic: ['ghp', 36],
  oauth: ['gho', 36],
  fine_grained: ['github_pat', 22, 59],
  app_user: ['ghu', 36],
  installation: ['ghs', 36],
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

export function randomToken(kind: TokenKind): string {
  const [prefix, ...lengths] = forms[kind];
  return [prefix, ...lengths.map(randomText)].join('_');
}
