import { expect, test } from 'vitest';
import { signEnv, signEnvNamesIn } from '../../../../src/cli/account/app/sign-env.ts';

const everywhere = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  LANGUAGE: 'en',
  LC_ALL: 'C',
  LC_CTYPE: 'C',
  http_proxy: 'http://proxy.example.com:3128',
  HTTPS_PROXY: 'proxy.example.com:3128',
  ALL_PROXY: 'socks5://127.0.0.1:1080',
  no_proxy: 'localhost,.example.com',
};
const onWindows = {
  SystemRoot: 'C:\\Windows',
  USERPROFILE: 'C:\\Users\\ada',
  APPDATA: 'C:\\Users\\ada\\AppData\\Roaming',
  LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
  PATHEXT: '.COM;.EXE',
  ComSpec: 'C:\\Windows\\system32\\cmd.exe',
  TEMP: 'C:\\Users\\ada\\AppData\\Local\\Temp',
  TMP: 'C:\\Users\\ada\\AppData\\Local\\Temp',
};
const secrets = {
  FORGECTL_TOKEN: '1',
  FORGECTL_TOKEN_1: '1',
  FORGECTL_APP_PRIVATE_KEY: '1',
  FORGECTL_BASE_URL: 'https://ghe.example.com',
  GITHUB_TOKEN: '1',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: '1',
  NPM_TOKEN: '1',
  AWS_SECRET_ACCESS_KEY: '1',
  LC_SECRET: '1',
  PATH_TOKEN: '1',
  NODE_OPTIONS: '--require=/tmp/x.js',
  LD_PRELOAD: '/tmp/x.so',
};

test.each(['linux', 'darwin'] as const)('on %s, a sign command gets what programs need', (platform) => {
  expect(signEnv({ ...everywhere, ...onWindows, ...secrets }, [], platform)).toEqual({
    passed: everywhere,
    withheld: [...Object.keys(onWindows), ...Object.keys(secrets)].toSorted(),
  });
});

test('on Windows, it gets more variables, whatever the case of their names', () => {
  const { PATH, ...others } = everywhere;
  const env = { ...others, Path: PATH, ...onWindows };
  expect(signEnv({ ...env, ...secrets }, [], 'win32')).toEqual({
    passed: env,
    withheld: Object.keys(secrets).toSorted(),
  });
});

test.each(['http_proxy', 'HTTPS_PROXY', 'all_proxy', 'NO_PROXY'])('%s is withheld with a user or password', (name) => {
  for (const value of [
    'http://ada:hunter2@proxy.example.com',
    'http://hunter2@proxy.example.com',
    'ada:hunter2@proxy',
    'http://proxy/?key=hunter2',
  ])
    expect(signEnv({ [name]: value }, [], 'linux')).toEqual({ passed: {}, withheld: [name] });
});

test('it gets the listed variables', () => {
  const env = { VAULT_TOKEN: 'hvs.1', vault_token: 'hvs.2', HTTPS_PROXY: 'http://ada:hunter2@proxy', NPM_TOKEN: '1' };
  expect(signEnv(env, ['VAULT_TOKEN', 'HTTPS_PROXY', 'UNSET'], 'linux')).toEqual({
    passed: { VAULT_TOKEN: 'hvs.1', HTTPS_PROXY: 'http://ada:hunter2@proxy' },
    withheld: ['NPM_TOKEN', 'vault_token'],
  });
  expect(signEnv({ Vault_Token: 'hvs.1', NPM_TOKEN: '1' }, ['VAULT_TOKEN'], 'win32')).toEqual({
    passed: { Vault_Token: 'hvs.1' },
    withheld: ['NPM_TOKEN'],
  });
});

test.each<[string, readonly string[] | undefined]>([
  ['VAULT_TOKEN', ['VAULT_TOKEN']],
  ['VAULT_TOKEN, VAULT_ADDR', ['VAULT_TOKEN', 'VAULT_ADDR']],
  ['_a,ProgramFiles(x86)', ['_a', 'ProgramFiles(x86)']],
  ['', undefined],
  ['A,', undefined],
  ['A=b', undefined],
  ['1A', undefined],
  ['A B', undefined],
  ['*', undefined],
])('names in %j: %j', (list, names) => {
  expect(signEnvNamesIn(list)).toEqual(names);
});

test('variables that are not passed because of their value are named', () => {
  const env = { PATH: 'bin:.', HOME: 'home/ada', HTTPS_PROXY: 'http://ada:pw@proxy.example.com', LANG: 'C' };
  expect(signEnv(env, [], 'linux')).toEqual({
    passed: { LANG: 'C', PATH: undefined },
    withheld: ['HOME', 'HTTPS_PROXY', 'PATH'],
  });
});

test('variables called like methods of objects are named as withheld', () => {
  const env = { constructor: '1', toString: '1', LANG: 'C' };
  expect(signEnv(env, [], 'linux')).toEqual({ passed: { LANG: 'C' }, withheld: ['constructor', 'toString'] });
});
