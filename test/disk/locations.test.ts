import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cacheDirectory, settingsDirectories, settingsDirectory, stateDirectory } from '../../src/disk/locations.ts';

describe('the settings directory', () => {
  it.each([
    [{ HOME: '/home/ada' }, '/home/ada/.config/forgectl'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/settings' }, '/settings/forgectl'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: '.config' }, '/home/ada/.config/forgectl'],
    [{ HOME: '/home/ada', XDG_CONFIG_HOME: '/settings', FORGECTL_CONFIG_DIR: '/etc/forgectl' }, '/etc/forgectl'],
    [{ HOME: '/home/ada', FORGECTL_CONFIG_DIR: '' }, '/home/ada/.config/forgectl'],
  ])('with %j is %s', (env, directory) => {
    expect(settingsDirectory(env)).toBe(directory);
  });
});

it.skipIf(process.platform === 'win32')('other runs of the user may have settings in other directories', () => {
  const env = { HOME: '/home/ada', XDG_CONFIG_HOME: '/settings', FORGECTL_CONFIG_DIR: '/etc/forgectl' };
  expect(settingsDirectories(env)).toEqual([
    '/etc/forgectl',
    '/settings/forgectl',
    '/home/ada/.config/forgectl',
    `${userInfo().homedir}/.config/forgectl`,
  ]);
});

describe.skipIf(process.platform !== 'linux')('the cache directory', () => {
  it.each([
    [{ HOME: '/home/ada' }, '/home/ada/.cache/forgectl'],
    [{ HOME: '/home/ada', XDG_CACHE_HOME: '/caches' }, '/caches/forgectl'],
    [{ HOME: '/home/ada', XDG_CACHE_HOME: '.cache' }, '/home/ada/.cache/forgectl'],
    [{ HOME: '/home/ada', FORGECTL_CACHE_DIR: '/own' }, '/own'],
    [{ HOME: '/home/ada', FORGECTL_CACHE_DIR: 'own', XDG_CACHE_HOME: '/caches' }, '/caches/forgectl'],
  ])('with %j is %s', (env, directory) => {
    expect(cacheDirectory(env)).toBe(directory);
  });

  it('does not exist without a home that is absolute', () => {
    expect(() => cacheDirectory({ HOME: 'home' })).toThrow('the user has no home directory');
  });
});

it.each([
  [{ XDG_STATE_HOME: '/state', HOME: '/home/hubot' }, '/state/forgectl'],
  [{ XDG_STATE_HOME: 'state', HOME: '/home/hubot' }, '/home/hubot/.local/state/forgectl'],
  [{ HOME: '/home/hubot' }, '/home/hubot/.local/state/forgectl'],
])('of %j the state directory is %s', (env, directory) => {
  expect(stateDirectory(env)).toBe(directory);
});
