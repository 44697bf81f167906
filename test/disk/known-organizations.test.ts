import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rememberOrganizations } from '../../src/disk/known-organizations.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { run, temporaryDirectory } from '../support/run.ts';

async function settings() {
  const folder = join(await temporaryDirectory(), 'forgectl');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'organizations');
  return { folder, file, env: { FORGECTL_CONFIG_DIR: folder }, text: () => readFileSync(file, 'utf8') };
}

it('the most recent organizations come first, each once, in a private file', async () => {
  const { env, file, text } = await settings();
  rememberOrganizations(env, ['acme']);
  rememberOrganizations(env, ['globex', 'acme']);
  expect(text()).toBe('globex\nacme\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('names that a shell could interpret are not kept', async () => {
  const { env, file, folder, text } = await settings();
  rememberOrganizations(env, ['$(id)', 'a b', '-rf', 'a;b', 'a\nb', '../x', 'x'.repeat(101), '']);
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, 'globex\n`id`\n', { mode: 0o600 });
  rememberOrganizations(env, ['acme']);
  expect(text()).toBe('acme\nglobex\n');
});

it('at most 1000 are kept', async () => {
  const { env, text } = await settings();
  rememberOrganizations(env, ['old']);
  rememberOrganizations(
    env,
    Array.from({ length: 1000 }, (_, at) => `org-${at}`),
  );
  expect(text().split('\n')).toHaveLength(1001);
  expect(text()).not.toContain('old');
});

it('nothing is written to a link, or to a directory that others can write to', async () => {
  const linked = await settings();
  const target = join(linked.folder, 'target');
  writeFileSync(target, 'kept\n', { mode: 0o600 });
  symlinkSync(target, linked.file);
  expect(() => rememberOrganizations(linked.env, ['acme'])).toThrow();
  expect(readFileSync(target, 'utf8')).toBe('kept\n');
  const shared = await settings();
  chmodSync(shared.folder, 0o777);
  expect(() => rememberOrganizations(shared.env, ['acme'])).toThrow('is writable by others');
  expect(readdirSync(shared.folder)).toEqual([]);
});

it.each<[words: string, tty: boolean, status: number, kept: string | undefined]>([
  ['orgs get acme', true, 200, 'acme\n'],
  ['orgs list', true, 200, 'acme\nglobex\n'],
  ['orgs get acme', false, 200, undefined],
  ['orgs get acme', true, 404, undefined],
  ['orgs update acme --location Oslo --dry-run', true, 200, undefined],
])('after “%s”, at a terminal: %s, with %i', async (words, tty, status, kept) => {
  const { folder } = await settings();
  const body = words === 'orgs list' ? [{ login: 'acme' }, { login: 'globex' }] : { login: 'acme' };
  const { env } = await scriptedPlatform(() => ({ status, body }));
  await run(words.split(' '), { env, tty, configDir: folder });
  const found = readdirSync(folder).includes('organizations')
    ? readFileSync(join(folder, 'organizations'), 'utf8')
    : undefined;
  expect(found).toBe(kept);
});
