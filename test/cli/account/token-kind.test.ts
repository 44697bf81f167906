import { expect, test } from 'vitest';
import { tokenKindOf, withoutTokens } from '../../../src/cli/account/token-kind.ts';

test.each([
  ['ghp_0123456789abcdef', 'classic'],
  ['gho_0123456789abcdef', 'oauth'],
  ['github_pat_11ABC_def', 'fine_grained'],
  ['ghu_0123456789abcdef', 'app_user'],
  ['ghs_0123456789abcdef', 'installation'],
  ['0123456789abcdef0123456789abcdef01234567', 'classic'],
] as const)('%s is a %s token', (token, kind) => {
  expect(tokenKindOf(token)).toBe(kind);
});

test.each(['', 'secret', 'GHP_0123', '0123456789abcdef', 'ghr_0123456789abcdef', 'x-ghp_0123'])(
  '%j has an unknown type',
  (token) => {
    expect(tokenKindOf(token)).toBeUndefined();
  },
);

test.each([
  ['no ghr_0123456789abcdef. Log in.', 'no ********. Log in.'],
  ['no ghs_41_eyJh-bGci.eyJpc3Mi.c2ln-bmF0dXJl: expired', 'no ********: expired'],
  ['no ghp_0123456789abcdef, nor 0123456789abcdef0123456789abcdef01234567', 'no ********, nor ********'],
])('tokens in “%s” are masked', (text, shown) => {
  expect(withoutTokens(text)).toBe(shown);
});
