import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyringError, keyringWithin } from '../../../src/cli/account/keyring.ts';

describe.runIf(process.platform === 'linux')('the system keyring', () => {
  let directory: string;
  let server: Server | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forgectl-keyring-'));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    server?.close();
    rmSync(directory, { recursive: true });
  });

  test('that is missing fails, and is not replaced by one in memory', async () => {
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${directory}/nobody`);
    const keyring = keyringWithin(10_000);
    await expect(keyring.set('work https://ghe.example.com', 'ghp_secret')).rejects.toThrow(KeyringError);
    await expect(keyring.set('work https://ghe.example.com', 'ghp_secret')).rejects.not.toThrow(/ghp_secret/);
    // That the bus is what failed: the kernel's keyring, which needs none, was not tried in its place.
    await expect(keyring.get('work https://ghe.example.com')).rejects.toThrow(`${directory}/nobody`);
  });

  test('that accepts the call and never responds times out', async () => {
    const path = join(directory, 'silent');
    server = createServer();
    await new Promise<void>((resolve) => server?.listen(path, resolve));
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', `unix:path=${path}`);
    await expect(keyringWithin(1_000).get('work https://ghe.example.com')).rejects.toThrow(
      new KeyringError('timed out'),
    );
  });
});
