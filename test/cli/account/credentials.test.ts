import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Credentials } from '../../../src/cli/account/credentials.ts';
import { type Keyring, KeyringError } from '../../../src/cli/account/keyring.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forgectl-credentials-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

const file = () => JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'));

const keyringOf = (entries: Map<string, string>): Keyring => ({
  get: async (account) => entries.get(account),
  set: async (account, token) => {
    entries.set(account, token);
  },
  delete: async (account) => {
    entries.delete(account);
  },
});
const refuse = () => Promise.reject(new KeyringError('timed out'));
const silent: Keyring = { get: refuse, set: refuse, delete: refuse };

const work = { profile: 'work', origin: 'https://ghe.example.com' };

describe('the credentials file', () => {
  test('is readable by its owner only and stores each token with its origin', async () => {
    const credentials = new Credentials(directory, silent);
    await credentials.keepInFile(work, 'ghp_one');
    await credentials.keepInFile({ profile: '__proto__', origin: 'https://b.example' }, 'ghp_two');
    expect(statSync(join(directory, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(Object.entries(file())).toEqual([
      ['work', { origin: 'https://ghe.example.com', token: 'ghp_one' }],
      ['__proto__', { origin: 'https://b.example', token: 'ghp_two' }],
    ]);
    expect(await credentials.read({ profile: '__proto__', origin: 'https://b.example' }, 'file')).toBe('ghp_two');
  });

  test('returns a token only for its origin', async () => {
    const credentials = new Credentials(directory, silent);
    await credentials.keepInFile(work, 'ghp_one');
    expect(await credentials.read(work, 'file')).toBe('ghp_one');
    expect(await credentials.read({ ...work, origin: 'https://ghe.example.com:8443' }, 'file')).toBeUndefined();
    expect(await credentials.read({ ...work, profile: 'other' }, 'file')).toBeUndefined();
  });

  test('stores the newest token of a profile', async () => {
    const credentials = new Credentials(directory, silent);
    await credentials.keepInFile(work, 'ghp_one');
    await credentials.keepInFile(work, 'ghp_two');
    expect(file()).toEqual({ work: { origin: 'https://ghe.example.com', token: 'ghp_two' } });
  });

  test('deletes only the removed token', async () => {
    const credentials = new Credentials(directory, silent);
    await credentials.keepInFile(work, 'ghp_one');
    await credentials.keepInFile({ ...work, profile: 'other' }, 'ghp_two');
    await credentials.remove(work, 'file');
    expect(file()).toEqual({ other: { origin: 'https://ghe.example.com', token: 'ghp_two' } });
  });
});

describe('the keyring', () => {
  test('stores a token under the profile and its origin, and nothing in a file', async () => {
    const entries = new Map<string, string>();
    const credentials = new Credentials(directory, keyringOf(entries));
    expect(await credentials.keepInKeyring(work, 'ghp_one')).toBe(true);
    expect([...entries]).toEqual([['work https://ghe.example.com', 'ghp_one']]);
    expect(await credentials.read(work, 'keyring')).toBe('ghp_one');
    expect(existsSync(join(directory, 'credentials.json'))).toBe(false);
  });

  test('takes over a token from the file', async () => {
    const credentials = new Credentials(directory, keyringOf(new Map()));
    await credentials.keepInFile(work, 'ghp_one');
    await credentials.keepInKeyring(work, 'ghp_two');
    expect(file()).toEqual({});
  });

  test('deletes a removed token', async () => {
    const entries = new Map([
      ['work https://ghe.example.com', 'ghp_one'],
      ['work https://other.example', 'ghp_two'],
    ]);
    await new Credentials(directory, keyringOf(entries)).remove(work, 'keyring');
    expect([...entries.keys()]).toEqual(['work https://other.example']);
  });

  test('that rejects a token returns false, so that other storage can be offered', async () => {
    expect(await new Credentials(directory, silent).keepInKeyring(work, 'ghp_one')).toBe(false);
    expect(existsSync(join(directory, 'credentials.json'))).toBe(false);
  });

  test('that does not respond is reported when a token must be read or removed', async () => {
    const credentials = new Credentials(directory, silent);
    await expect(credentials.read(work, 'keyring')).rejects.toThrow(
      'Cannot read the token of profile work from the system keyring: timed out.',
    );
    await expect(credentials.remove(work, 'keyring')).rejects.toThrow(
      'Cannot remove the token of profile work from the system keyring: timed out.',
    );
  });
});
