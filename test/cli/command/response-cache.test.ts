import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const script = {
  'GET /orgs/acme': ({ headers }: { headers: Readonly<Record<string, string | string[] | undefined>> }) =>
    headers['if-none-match'] === '"v1"'
      ? { status: 304, headers: { etag: '"v1"' } }
      : { body: { login: 'acme' }, headers: { etag: '"v1"' } },
};

describe('the conditional cache', () => {
  it('revalidates with If-None-Match and serves the cached response on 304', async () => {
    const platform = await scriptedPlatform(script);
    const configDir = await temporaryDirectory();
    const get = () => run(['orgs', 'get', 'acme', '--json'], { env: platform.env, configDir });
    expect(JSON.parse((await get()).stdout)).toEqual({ login: 'acme' });
    expect(JSON.parse((await get()).stdout)).toEqual({ login: 'acme' });
    expect(platform.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
  });

  it('stores files readable by their owner only, without the token', async () => {
    const platform = await scriptedPlatform(script);
    const configDir = await temporaryDirectory();
    await run(['orgs', 'get', 'acme'], { env: platform.env, configDir });
    const directory = join(configDir, 'cache', 'forgectl', 'forgectl-cache-v1', 'responses');
    const files = await readdir(directory);
    expect(files).toHaveLength(1);
    const file = join(directory, files[0] ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(file + (await readFile(file, 'utf8'))).not.toContain(classicToken);
  });

  it('is only in FORGECTL_CACHE_DIR', async () => {
    const platform = await scriptedPlatform(script);
    const configDir = await temporaryDirectory();
    const chosen = join(await temporaryDirectory(), 'here');
    await run(['orgs', 'get', 'acme'], { env: { ...platform.env, FORGECTL_CACHE_DIR: chosen }, configDir });
    expect(await readdir(join(chosen, 'forgectl-cache-v1', 'responses'))).toHaveLength(1);
    expect(await readdir(configDir)).toEqual(['cache.key']);
  });

  it('is neither read nor written with --no-cache', async () => {
    const platform = await scriptedPlatform(script);
    const configDir = await temporaryDirectory();
    const get = () => run(['orgs', 'get', 'acme', '--no-cache'], { env: platform.env, configDir });
    await get();
    await get();
    expect(platform.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  it.skipIf(process.platform === 'win32')(
    'is not used if others can write to it, which --debug reports once',
    async () => {
      const platform = await scriptedPlatform(script);
      const configDir = await temporaryDirectory();
      const chosen = await temporaryDirectory();
      await chmod(chosen, 0o777);
      const env = { ...platform.env, FORGECTL_CACHE_DIR: chosen };
      expect(await run(['orgs', 'get', 'acme', '--jq', '.login'], { env, configDir })).toEqual({
        stdout: 'acme\n',
        stderr: '',
        code: 0,
      });
      const { stderr } = await run(['orgs', 'get', 'acme', '--debug'], { env, configDir });
      expect(stderr.match(/^Cache disabled: .*$/gm)).toEqual([`Cache disabled: ${chosen} is writable by others.`]);
      expect(platform.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
      expect(await readdir(chosen)).toEqual([]);
    },
  );

  it('does not return the response for one token to another', async () => {
    const platform = await scriptedPlatform(script);
    const configDir = await temporaryDirectory();
    await run(['orgs', 'get', 'acme'], { env: platform.env, configDir });
    const other = { ...platform.env, FORGECTL_TOKEN: ['ghp', 'o'.repeat(36)].join('_') };
    await run(['orgs', 'get', 'acme'], { env: other, configDir });
    expect(platform.requests[1]?.headers).not.toHaveProperty('if-none-match');
  });
});
