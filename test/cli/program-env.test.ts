import { expect, it, onTestFinished, vi } from 'vitest';
import { signEnv } from '../../src/cli/account/app/sign-env.ts';
import { browserEnv, gitEnv } from '../../src/cli/program-env.ts';
import { processRuntime } from '../../src/cli/runtime.ts';

const everywhere = { PATH: '/usr/bin', HOME: '/home/ada', TMPDIR: '/tmp', LC_ALL: 'C', no_proxy: 'localhost' };
const desktop = { DISPLAY: ':7', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus', XDG_RUNTIME_DIR: '/run' };
const ofGit = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_LFS_SKIP_SMUDGE: '1',
  SUDO_UID: '1000',
};
const settings = { XDG_CONFIG_HOME: '/home/ada/.config' };
const windows = { ProgramFiles: 'C:\\Program Files', SystemRoot: 'C:\\Windows', TEMP: 'C:\\Temp' };
const others = {
  FORGECTL_TOKEN: '1',
  FORGECTL_TOKEN_1: '1',
  FORGECTL_APP_PRIVATE_KEY: '1',
  GITHUB_TOKEN: '1',
  GIT_TOKEN: '1',
  GIT_PASSWORD: '1',
  NPM_TOKEN: '1',
  AWS_SECRET_ACCESS_KEY: '1',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: '1',
  HTTPS_PROXY: 'http://ada:hunter2@proxy.example.com',
  LD_PRELOAD: '/tmp/x.so',
};
const all = { ...everywhere, ...desktop, ...ofGit, ...settings, ...windows, ...others };

it('git gets its settings, but no desktop variables', () => {
  expect(gitEnv(all, 'linux')).toEqual({ ...everywhere, ...ofGit, ...settings });
});

it('a browser gets the desktop variables, but no git settings', () => {
  expect(browserEnv(all, 'linux')).toEqual({ ...everywhere, ...desktop, ...settings });
});

it('on Windows, both get the system folders, whatever the case of the variables', () => {
  const { HTTPS_PROXY: _proxy, ...common } = { ...everywhere, ...windows, ...others };
  expect(gitEnv(common, 'win32')).toEqual({ ...everywhere, ...windows });
  expect(browserEnv(common, 'win32')).toEqual({ ...everywhere, ...windows });
});

it.each([
  ['.:/usr/bin::node_modules/.bin:/bin:', '/usr/bin:/bin'],
  ['.', undefined],
  ['', undefined],
  ['/proc/self/cwd:/usr/bin', '/usr/bin'],
  ['//proc/../proc/self/cwd/bin:/dev/fd/3:/process:/usr/bin', '/process:/usr/bin'],
])('programs are not searched for in relative folders: PATH=%s', (path, passed) => {
  expect(gitEnv({ PATH: path }, 'linux')).toEqual({ PATH: passed });
  expect(browserEnv({ PATH: path }, 'linux')).toEqual({ PATH: passed });
  expect(signEnv({ PATH: path }, [], 'linux').passed).toEqual({ PATH: passed });
});

it('settings are not read from relative folders', () => {
  const absolute = { HOME: '/home/ada', GIT_CONFIG_GLOBAL: '/dev/null' };
  expect(gitEnv({ ...absolute, XDG_CONFIG_HOME: '.config', GIT_CONFIG_SYSTEM: 'gitconfig' }, 'linux')).toEqual(
    absolute,
  );
  expect(gitEnv({ HOME: '.', GIT_CONFIG_GLOBAL: '', GIT_EXEC_PATH: 'bin' }, 'linux')).toEqual({
    GIT_CONFIG_GLOBAL: '',
  });
  expect(gitEnv({ Home: '.' }, 'win32')).toEqual({});
});

it('on Windows, programs are not searched for in the current folder either', () => {
  const { platform } = process;
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: platform });
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NoDefaultCurrentDirectoryInExePath', undefined);
  Object.defineProperty(process, 'platform', { value: 'win32' });
  processRuntime();
  expect(process.env.NoDefaultCurrentDirectoryInExePath).toBe('1');
});
