import { expect, it } from 'vitest';
import { createClient } from '../../src/library/index.ts';

const baseUrl = 'https://ghe.example.com';

it.each<[unknown, string]>([
  ['', 'The token is empty.'],
  ['q'.repeat(8_193), 'The token is longer than 8,192 characters.'],
  ['qqq qqq', 'The token contains a space or a line break.'],
  ['qqq\u00e4', 'The token contains an invalid character.'],
  [12_345_678, 'The token is not text.'],
  [null, 'The token is not text.'],
])('a token that cannot be sent is rejected and not quoted: %#', (token, message) => {
  expect(() => createClient({ baseUrl, token: token as string })).toThrow(new TypeError(message));
});
