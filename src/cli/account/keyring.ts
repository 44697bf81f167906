/** The system keyring, accessed so that a missing, locked or hanging keyring does not make forgectl hang. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stopReadingAtExit } from '../program-output.ts';

/** Token storage by name. Every operation may throw KeyringError. */
export interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, token: string): Promise<void>;
  /** Does nothing if the entry does not exist. */
  delete(account: string): Promise<void>;
}

/** The keyring is missing, fails or times out. */
export class KeyringError extends Error {}

/** An operation for the keyring process; never passed as an argument. */
export interface KeyringOperation {
  readonly operation: 'get' | 'set' | 'delete';
  readonly service: string;
  readonly account: string;
  readonly token: string;
}

export type KeyringAnswer = { readonly token: string | null } | { readonly error: string };

const service = 'forgectl';

/** The system keyring; operations time out after `answerWithinMs`. */
export function keyringWithin(answerWithinMs: number): Keyring {
  const operate = (operation: KeyringOperation['operation'], account: string, token = '') =>
    ask({ operation, service, account, token }, answerWithinMs);
  return {
    get: async (account) => (await operate('get', account)) ?? undefined,
    set: async (account, token) => {
      await operate('set', account, token);
    },
    delete: async (account) => {
      await operate('delete', account);
    },
  };
}

export const systemKeyring = keyringWithin(5_000);

/**
 * Runs an operation on the keyring in a child process. The native binding blocks its process while the keyring service
 * does not respond: its timers do not fire and its threads cannot be stopped. A child can be killed.
 */
async function ask(operation: KeyringOperation, answerWithinMs: number): Promise<string | null> {
  // The single executable has neither a script to run nor the binding.
  const { isSea } = await import('node:sea');
  if (isSea()) throw new KeyringError('not supported by the single executable; use the npm package');
  // Loaded here because most runs get their token elsewhere.
  const { execFile } = await import('node:child_process');
  const script = fileURLToPath(new URL(`keyring-process${extname(import.meta.url)}`, import.meta.url));
  const running = promisify(execFile)(process.execPath, [script], {
    timeout: answerWithinMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  stopReadingAtExit(running.child);
  // A child that exits early is detected by its missing response.
  running.child.stdin?.on('error', () => {}).end(JSON.stringify(operation));
  const answer = await running.then(
    ({ stdout }) => JSON.parse(stdout) as KeyringAnswer,
    ({ killed }: { readonly killed?: boolean }) => ({
      error: killed ? 'timed out' : 'not available',
    }),
  );
  if ('error' in answer) throw new KeyringError(answer.error);
  return answer.token;
}
