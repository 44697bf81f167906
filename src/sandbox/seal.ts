/** The platform's side of sealed boxes: key pairs of organizations, and opening sealed secrets. */
import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';
import type { SandboxPlatform } from './platform.ts';
import type { OrganizationState } from './state/accounts.ts';

export interface SealingKey {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly secretKey: Uint8Array;
}

/** Returns an organization's key pair, derived from the seed. */
export function sealingKey({ seed, chance }: SandboxPlatform, { id }: OrganizationState): SealingKey {
  const secret = createHash('sha256').update(`${seed}/sealing key/${id}`).digest();
  const { publicKey, secretKey } = nacl.box.keyPair.fromSecretKey(secret);
  const digits = Array.from({ length: 17 }, (_, place) => Math.floor(chance('key id', id, place) * 10)).join('');
  return { id: `5${digits}`, publicKey, secretKey };
}

/**
 * Opens a sealed box: an ephemeral public key, then a box whose nonce is the BLAKE2b digest of both public keys.
 * Returns undefined for a value that is not base64, or not sealed for this key.
 */
export function openSealed(key: SealingKey, encryptedValue: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encryptedValue) || encryptedValue.length % 4 !== 0) return undefined;
  const sealed = new Uint8Array(Buffer.from(encryptedValue, 'base64'));
  const { publicKeyLength, nonceLength } = nacl.box;
  if (sealed.length < publicKeyLength + nacl.box.overheadLength) return undefined;
  const ephemeral = sealed.subarray(0, publicKeyLength);
  const nonce = blake2b(Buffer.concat([ephemeral, key.publicKey]), { dkLen: nonceLength });
  return nacl.box.open(sealed.subarray(publicKeyLength), nonce, ephemeral, key.secretKey) ?? undefined;
}
