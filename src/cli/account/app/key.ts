/** The private key of an app: PEM, in PKCS#1 (as downloaded from the platform) or PKCS#8. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { whyUnreadable } from '../../../disk/system-errors.ts';
import { NotLoggedInError, UsageError } from '../../errors.ts';
import { bytesOf } from '../../input/sources.ts';

/** Returns the RS256 signature of a text, in base64url. */
export type Sign = (input: string) => Promise<string>;

/** In bytes; a key has a few thousand. */
const largestKey = 1024 * 1024;

const howToGetOne = 'Generate a private key in the settings of the app.';

/**
 * Reads a key from a file. Throws UsageError if the file is unreadable, empty or too large.
 *
 * @param source of the file name in messages, such as a flag; '' for none
 */
export async function readKeyFile(file: string, source: string): Promise<string> {
  const named = source ? `${file} (${source})` : file;
  let key: string;
  try {
    key = (await bytesOf(createReadStream(file), `The private key in ${named}`, largestKey)).toString();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyUnreadable(error) ?? (error as Error).message;
    throw new UsageError(`Cannot read the private key in ${named}: ${why}. Nothing was sent.`);
  }
  if (key.trim() === '') throw new UsageError(`The private key in ${named} is empty. Nothing was sent.`, howToGetOne);
  return key;
}

/**
 * Returns a function that signs with a key. Throws NotLoggedInError, which never quotes the key, if it is unusable.
 *
 * @param source of the key in messages, such as a file
 */
export function signerFor(pem: string, source: string): Sign {
  const key = privateKey(pem, source);
  return async (input) => sign('RSA-SHA256', Buffer.from(input), key).toString('base64url');
}

function privateKey(pem: string, source: string): KeyObject {
  const refuse = (problem: string, advice = howToGetOne) => new NotLoggedInError(`${source} ${problem}.`, advice);
  if (/-----BEGIN ENCRYPTED |^Proc-Type:.*ENCRYPTED/m.test(pem))
    throw refuse('is an encrypted private key', 'Decrypt it first: openssl rsa -in KEY.pem -out DECRYPTED.pem');
  if (/-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(pem)) throw refuse('is a public key, not a private key');
  if (/-----BEGIN CERTIFICATE-----/.test(pem)) throw refuse('is a certificate, not a private key');
  let key: KeyObject;
  try {
    key = createPrivateKey(pem.trim());
  } catch {
    throw refuse('is not a private key in PEM format');
  }
  if (key.asymmetricKeyType !== 'rsa') throw refuse(`is not an RSA key (${key.asymmetricKeyType})`);
  return key;
}
