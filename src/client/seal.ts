/** Seals secrets for the platform; only its private key can open them. */
import { asText } from '../json/exact-json.ts';
import type { PublicKey } from '../platform/records.ts';
import { PublicKeyError } from './errors.ts';

/** The fields of a sealed secret in a request body. */
export interface SealedSecret {
  readonly key_id: string;
  /** Base64. */
  readonly encrypted_value: string;
}

/** Placeholder for a sealed secret in a request that is not sent. */
export const pendingSecret: SealedSecret = { key_id: '(sealed later)', encrypted_value: '(sealed later)' };

/**
 * Seals a secret with the platform's public key (libsodium's sealed box). Sealing twice yields different texts. Throws
 * PublicKeyError for an invalid key.
 */
export async function seal({ key, key_id }: PublicKey, secret: Uint8Array | string): Promise<SealedSecret> {
  if (typeof key_id !== 'string' || key_id === '') throw new PublicKeyError(asText(key_id), 'text as its ID');
  // 32 bytes are 43 characters of base64 and one of padding.
  if (typeof key !== 'string' || !/^[A-Za-z0-9+/]{43}=?$/.test(key)) throw new PublicKeyError(asText(key_id));
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  try {
    const sealed = sodium.crypto_box_seal(secret, Buffer.from(key, 'base64'));
    return { key_id, encrypted_value: Buffer.from(sealed).toString('base64') };
  } catch {
    // A low-order point, which is not a valid key. The library's error could contain its input.
    throw new PublicKeyError(asText(key_id));
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The mark is invisible in editors, and the platform would store it as a part of the secret. */
export const startsWithByteOrderMark = (secret: Buffer): boolean => secret.subarray(0, 3).equals(byteOrderMark);

/** Removes exactly one trailing newline, which editors and `echo` add. */
export function withoutNewline(secret: Buffer): Uint8Array {
  if (secret.at(-1) !== 0x0a) return secret;
  return secret.subarray(0, secret.at(-2) === 0x0d ? -2 : -1);
}
