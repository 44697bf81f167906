import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

const registered = { 'notification-url': 'https://packagist.org/downloads/' };
const lock = JSON.stringify({
  packages: [
    {
      name: 'Symfony/Console',
      version: 'v7.1.0',
      require: { php: '>=8.2', 'ext-json': '*', 'psr/log-implementation': '*', 'symfony/string': '^7' },
      ...registered,
    },
    { name: 'symfony/string', version: 'v7.1.0', require: { 'symfony/console': '*' }, ...registered },
    {
      name: 'acme/own',
      version: 'dev-main',
      source: { type: 'git', url: 'https://git.example.com/own.git', reference: '5d41402' },
    },
    { name: 'acme/folder', version: '1.0.0', dist: { type: 'path', url: 'packages/folder' } },
  ],
  'packages-dev': [{ name: 'phpunit/phpunit', version: '11.0.0', require: { 'symfony/string': '*' }, ...registered }],
});

it('has scopes of the lockfile and direct packages of composer.json', async () => {
  const project = JSON.stringify({ require: { 'symfony/console': '^7' }, 'require-dev': { 'PHPUnit/phpunit': '^11' } });
  expect(lines(await parse('composer.lock', lock, { 'composer.json': project }))).toEqual([
    'pkg:composer/symfony/console@v7.1.0 direct runtime → pkg:composer/symfony/string@v7.1.0',
    'pkg:composer/symfony/string@v7.1.0 indirect runtime → pkg:composer/symfony/console@v7.1.0',
    'pkg:composer/acme/own@dev-main?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Fown.git%405d41402 indirect runtime',
    'pkg:composer/phpunit/phpunit@11.0.0 direct development → pkg:composer/symfony/string@v7.1.0',
  ]);
});

it('omits the relationship without composer.json', async () => {
  expect(lines(await parse('composer.lock', lock))).toContain(
    'pkg:composer/phpunit/phpunit@11.0.0 ? development → pkg:composer/symfony/string@v7.1.0',
  );
});

it.each([
  [{ packages: [], 'packages-dev': {} }, 'packages-dev is not a list'],
  [{ packages: [{ name: 'acme/own', version: 1 }] }, 'packages has an item without name or version'],
])('rejects a malformed package: %j', async (other, message) => {
  await expect(parse('composer.lock', JSON.stringify(other))).rejects.toThrow(message);
});
