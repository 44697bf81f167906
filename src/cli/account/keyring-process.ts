/**
 * Runs one operation on the system keyring, read from standard input; the result goes to standard output, so that
 * tokens pass only through these pipes. Started by keyring.ts.
 */
import { text } from 'node:stream/consumers';
import { Entry } from '@napi-rs/keyring';
import type { KeyringAnswer, KeyringOperation } from './keyring.ts';

/** On Linux the binding would silently fall back to the kernel's keyring, which is lost when the machine restarts. */
const persistent = { linux: { store: 'secret-service' } } as const;

function perform({ operation, service, account, token }: KeyringOperation): KeyringAnswer {
  try {
    const entry = new Entry(service, account, persistent);
    if (operation === 'get') return { token: entry.getPassword() };
    if (operation === 'set') entry.setPassword(token);
    else entry.deleteCredential();
    return { token: null };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

text(process.stdin).then((operation) => process.stdout.write(JSON.stringify(perform(JSON.parse(operation)))));
