import { expect, it } from 'vitest';
import { maskHeader } from '../../src/json/secrets.ts';

it.each([
  ['Accept', 'application/json'],
  ['accept', 'text/html, application/vnd.github.v3+json;q=0.8,*/*; q=0.1'],
  ['Content-Type', 'application/json; charset="utf-8"'],
  ['X-GitHub-Api-Version', '2022-11-28'],
  ['authorization', 'Bearer ********'],
])('shows the header %s: %s', (name, value) => {
  expect(maskHeader(name, value)).toBe(value);
});

it.each([
  ['X-Api-Key', 'application/json'],
  ['Accept', 'application/json; key=abcdefgh'],
  ['Accept', 'Bearer abcdefgh'],
  ['Content-Type', 'abcdefgh'],
  ['X-GitHub-Api-Version', 'abcdefghijklmnopqrstuvwxyz'],
])('masks the header %s: %s', (name, value) => {
  expect(maskHeader(name, value)).toBe('********');
});
