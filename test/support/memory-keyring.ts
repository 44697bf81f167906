/** Stands in for src/cli/account/keyring.ts, so that no test comes near the keyring of the person who runs it. */
import { vi } from 'vitest';

const { KeyringError, keyringWithin } = await vi.importActual<typeof import('../../src/cli/account/keyring.ts')>(
  '../../src/cli/account/keyring.ts',
);

/** What the keyring holds by account, and whether it answers. */
export const ring = { entries: new Map<string, string>(), answers: true };

async function operate<T>(work: (entries: Map<string, string>) => T): Promise<T> {
  if (!ring.answers) throw new KeyringError('timed out');
  return work(ring.entries);
}

export const systemKeyring = {
  get: (account: string) => operate((entries) => entries.get(account)),
  set: (account: string, token: string) => operate((entries) => void entries.set(account, token)),
  delete: (account: string) => operate((entries) => void entries.delete(account)),
};

export { KeyringError, keyringWithin };
