/** Seals secrets for the platform: only its private key opens them. */
import type { PublicKey } from '../platform/records.ts';
import { PublicKeyError } from './errors.ts';

/** The fields of a body that carry a sealed secret. */
export interface SealedSecret {
  readonly key_id: string;
  /** Base64. */
  readonly encrypted_value: string;
}

/**
 * Seals a secret with the platform's public key (libsodium's sealed box). Sealing twice gives two different texts.
 * Throws PublicKeyError for a key that is not 32 bytes in base64, or that nothing can be sealed with.
 */
export async function seal({ key, key_id }: PublicKey, secret: Uint8Array | string): Promise<SealedSecret> {
  // 32 bytes are 43 characters of base64 and one of padding.
  if (typeof key !== 'string' || !/^[A-Za-z0-9+/]{43}=?$/.test(key)) throw new PublicKeyError(key_id);
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  try {
    const sealed = sodium.crypto_box_seal(secret, Buffer.from(key, 'base64'));
    return { key_id, encrypted_value: Buffer.from(sealed).toString('base64') };
  } catch {
    // A point of low order: a key that was not made as keys are. The library's error could name its input.
    throw new PublicKeyError(key_id);
  }
}
