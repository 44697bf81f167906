import { expect, test } from 'vitest';
import { chooseProfile } from '../../../src/cli/account/login-profile.ts';
import type { Profile, Settings } from '../../../src/cli/account/settings.ts';

const settings = (
  active: string | undefined,
  profiles: Record<string, Profile> = {},
): Pick<Settings, 'active' | 'profiles'> => ({
  active,
  profiles: new Map(Object.entries(profiles)),
});
const a: Profile = { 'base-url': 'https://a.example/api/v3', vendor: 'acme' };
const b: Profile = { 'base-url': 'https://b.example/api/v3' };

test('the first login creates the profile default', () => {
  expect(chooseProfile(settings(undefined), { 'base-url': 'a.example' }, {})).toEqual({
    name: 'default',
    profile: {},
    baseUrl: 'https://a.example/api/v3',
  });
});

test('a login without a base URL is for the active profile', () => {
  expect(chooseProfile(settings('work', { other: b, work: a }), {}, {})).toEqual({
    name: 'work',
    profile: a,
    baseUrl: 'https://a.example/api/v3',
  });
});

test('the very first login may have no base URL yet', () => {
  expect(chooseProfile(settings(undefined), {}, {})).toEqual({ name: 'default', profile: {}, baseUrl: undefined });
});

test('a login to the platform of an existing profile uses that profile, the active one first', () => {
  const known = settings('work', { first: a, work: a, other: b });
  expect(chooseProfile(known, { 'base-url': 'https://a.example' }, {}).name).toBe('work');
  expect(chooseProfile(known, { 'base-url': 'https://b.example' }, {}).name).toBe('other');
});

test.each([
  ['https://ghe.example.com', 'ghe.example.com'],
  ['https://ghe.example.com:8443', 'ghe.example.com-8443'],
  ['http://[::1]:4010', '---1--4010'],
  ['https://a.example:444', 'a.example-444'],
])('a login to another platform, %s, creates a profile named after its host', (baseUrl, name) => {
  expect(chooseProfile(settings('default', { default: a }), { 'base-url': baseUrl }, {}).name).toBe(name);
});

test('a profile default without a platform is used first', () => {
  const known = settings('default', { default: { output: 'json' } });
  expect(chooseProfile(known, { 'base-url': 'https://a.example' }, {})).toMatchObject({
    name: 'default',
    profile: { output: 'json' },
  });
});

test('a named profile is used, new or not', () => {
  const known = settings('default', { default: a });
  expect(chooseProfile(known, { profile: 'new', 'base-url': 'https://a.example' }, {})).toMatchObject({
    name: 'new',
    profile: {},
  });
  expect(chooseProfile(known, { profile: 'default', 'base-url': 'https://b.example' }, {})).toMatchObject({
    name: 'default',
    profile: a,
    baseUrl: 'https://b.example/api/v3',
  });
  expect(chooseProfile(known, { profile: '__proto__' }, {})).toEqual({
    name: '__proto__',
    profile: {},
    baseUrl: undefined,
  });
});

test('the environment sets profile and base URL unless a flag does', () => {
  const env = { FORGECTL_PROFILE: 'env', FORGECTL_BASE_URL: 'https://env.example' };
  expect(chooseProfile(settings(undefined), {}, env)).toMatchObject({
    name: 'env',
    baseUrl: 'https://env.example/api/v3',
  });
  expect(chooseProfile(settings(undefined), { profile: 'flag', 'base-url': 'flag.example' }, env)).toMatchObject({
    name: 'flag',
    baseUrl: 'https://flag.example/api/v3',
  });
});

test('an invalid profile name is rejected', () => {
  expect(() => chooseProfile(settings(undefined), { profile: 'a/b' }, {})).toThrow(
    'Profile names contain only letters, digits, dots, underscores and hyphens.',
  );
});
