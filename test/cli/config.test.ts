import { afterEach, describe, expect, it, vi } from 'vitest';
import { fullConfig, runConfig } from '../../src/cli/config.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the config of a run', () => {
  it.each([
    {},
    { HOME: '/home/somebody', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '' },
    { HOME: '/home/somebody', XDG_CONFIG_HOME: '/settings', XDG_CACHE_HOME: '/caches' },
    { FORGECTL_CONFIG_DIR: '/mine/settings', FORGECTL_CACHE_DIR: '/mine/caches' },
  ])('names the same package, version and directories as oclif does, with %j', async (env) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { name, version, bin, dirname, home, configDir, cacheDir, topicSeparator, windows } = await runConfig();
    expect(await fullConfig()).toMatchObject({
      name,
      version,
      bin,
      dirname,
      home,
      configDir,
      cacheDir,
      topicSeparator,
      windows,
    });
    expect([name, bin, topicSeparator]).toEqual(['forgectl', 'forgectl', ' ']);
  });
});
