import { expect, test } from 'vitest';
import { tokenProblem } from '../../src/client/credential.ts';

test.each(['ghp_abc.DEF-123~!', 'x', 'x'.repeat(8192)])('a token of visible ASCII is valid', (token) => {
  expect(tokenProblem(token)).toBeUndefined();
});

test.each([
  [undefined, 'is not text'],
  [null, 'is not text'],
  [12345678, 'is not text'],
  [['ghp_abc'], 'is not text'],
  ['', 'is empty'],
  ['x'.repeat(8193), 'is longer than 8,192 characters'],
  ['ghp_abc def', 'contains a space or a line break'],
  ['ghp_abc\n', 'contains a space or a line break'],
  ['ghp_abc\u0000', 'contains an invalid character'],
  ['ghp_abc\u001b[31m', 'contains an invalid character'],
  ['ghp_äbc', 'contains an invalid character'],
])('the problem of %j is reported without the token', (token, problem) => {
  expect(tokenProblem(token)).toBe(problem);
});
