import { expect, it } from 'vitest';
import { containsTextSecret, isMasked, maskHeader, maskTextSecrets, textSecrets } from '../../src/json/secrets.ts';

it.each([
  ['Accept', 'application/json'],
  ['accept', 'text/html, application/vnd.github.v3+json;q=0.8,*/*; q=0.1'],
  ['Content-Type', 'application/json; charset="utf-8"'],
  ['X-GitHub-Api-Version', '2022-11-28'],
  ['authorization', 'Bearer ********'],
  ['user-agent', 'forgectl/0.1.0'],
])('shows the header %s: %s', (name, value) => {
  expect(maskHeader(name, value)).toBe(value);
});

it.each([
  ['X-Api-Key', 'application/json'],
  ['Accept', 'application/json; key=abcdefgh'],
  ['Accept', 'Bearer abcdefgh'],
  ['Content-Type', 'abcdefgh'],
  ['X-GitHub-Api-Version', 'abcdefghijklmnopqrstuvwxyz'],
  ['X-Other-Api-Version', 'abcd1234'],
  ['User-Agent', 'forgectl/1-abcdefgh'],
  ['User-Agent', 'forgectl/0.1.0-abcdefgh'],
  ['User-Agent', 'forgectl/839201748392'],
])('masks the header %s: %s', (name, value) => {
  expect(maskHeader(name, value)).toBe('********');
});

const begin = '-----BEGIN';

it.each([
  ['with parentheses', 'https://ci.example.com/?token=a(b)c&x=1', 'https://ci.example.com/?token=********&x=1'],
  ['with a quotation mark', "https://ci.example.com/?password=a'b", 'https://ci.example.com/?password=********'],
  ['in parentheses', '(https://ci.example.com/?token=abc), next', '(https://ci.example.com/?token=********), next'],
  [
    'of a URL within another one',
    'h?to=https%3A%2F%2Fci%3Ab%40h%2Fx&y=1',
    'h?to=https%3A%2F%2Fci%3A********%40h%2Fx&y=1',
  ],
  [
    'of a package URL',
    'pkg:npm/a@1?vcs_url=git%2Bhttps:%2F%2Fci:b%40h',
    'pkg:npm/a@1?vcs_url=git%2Bhttps:%2F%2Fci:********%40h',
  ],
  ['in place of an encoded user', `https%3a%2f%2f${'a'.repeat(20)}%40h`, 'https%3a%2f%2f********%40h'],
  ['in an encoded query', 'h?to=%2Fx%3Ftoken%3Dabc%26z%3D1&y=1', 'h?to=%2Fx%3Ftoken%3D********&y=1'],
  [
    'below the name of a secret',
    'h?secret[a]=b&token%5Bx%5D%5B%5D=c',
    'h?secret[a]=********&token%5Bx%5D%5B%5D=********',
  ],
  ['with an encoded slash', `https://ci:a%2Fb@h, //${'a'.repeat(20)}%2Fb@h`, 'https://ci:********@h, //********@h'],
  [
    'without a password',
    `ssh://${'a'.repeat(20)}:@h, https%3A%2F%2F${'a'.repeat(20)}%3A%40h`,
    'ssh://********:@h, https%3A%2F%2F********%3A%40h',
  ],
  ['before x-oauth-basic', 'https://abc:X-OAuth-Basic@h', 'https://********:********@h'],
  ['of OpenPGP', `${begin} PGP PRIVATE KEY BLOCK-----\nabc`, `${begin} PGP PRIVATE KEY BLOCK-----********`],
])('masks a secret %s', (_, text, shown) => {
  expect([maskTextSecrets(text), containsTextSecret(text), isMasked(shown)]).toEqual([shown, true, true]);
});

it.each([
  '100%',
  'a%2f%2fh:80%2fx',
  '%2f%2fci%40h',
  '%3fa%3d1',
  'https://ada@h',
  'https://ada:@h',
  '//:@h',
  'http://h:80/@a',
])('does not mask %s', (text) => {
  expect(maskTextSecrets(text)).toBe(text);
});

it.each([
  ...[
    'token[a%20b]',
    'secret[a+b]',
    'token[a:b]',
    `token[${'x'.repeat(50)}]`,
    'x^token',
    '{x}token',
    'token%20',
    'token+',
  ],
  ...['clé-token', 't%6fken', 'tok%2565n', 'a%3Dtoken', 'x[sig]', 'sig+'],
])('masks the parameter %s', (name) => {
  const url = (value: string) => `https://h.example/x?a=1&${name}=${value}&b=2`;
  expect([maskTextSecrets(url('abc')), maskTextSecrets(url('abc'), 'word')]).toEqual([
    url('********'),
    url('********'),
  ]);
  expect([containsTextSecret(url('abc')), textSecrets(url('abc')), isMasked(url('********'))]).toEqual([
    true,
    ['abc'],
    true,
  ]);
});

it.each([
  ['/x?password="abc d"e&a=1', '/x?password=********&a=1'],
  ['/x?a=1&password=<abc', '/x?a=1&password=********'],
  ['/x?my token = abc#top', '/x?my token =********#top'],
  ['/x?a"<b>token=abc.', '/x?a"<b>token=********'],
  ['u=https://abc@h, ssh://git@h', 'u=https://********@h, ssh://git@h'],
  ['ssh://abc:@h, https%3A%2F%2Fabc%3A%40h', 'ssh://********:@h, https%3A%2F%2F********%3A%40h'],
  ['HTTP%3a%2f%2fabc%40h', 'HTTP%3a%2f%2f********%40h'],
])('masks the secrets of a word: %s', (word, shown) => {
  expect(maskTextSecrets(word, 'word')).toBe(shown);
});

it.each([
  ...[
    'see the token = x section',
    'Is it so? The token = x',
    'fixes #12; the secret = kindness',
    'x?tokens=2&design=1',
  ],
  ...['x?token_count=1&tokenize=2', 'a & b token=x'],
])('does not mask the text %s', (text) => {
  expect([maskTextSecrets(text), maskTextSecrets(text, 'word')]).toEqual([text, text]);
});

it.each(['?token', 'token[', '%3f', '%3d', '?token=.', '//a:', '%2f%2fa%3ab%40', '#', 'token.', 'a@'])(
  'finds a secret after many repetitions of %s',
  (part) => {
    expect(containsTextSecret(`?${part.repeat(200_000)}" ?token=abc`)).toBe(true);
  },
);
