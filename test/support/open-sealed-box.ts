/** A second implementation of libsodium's sealed box, from its description: what one seals, the other must open. */
import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';

/** Opens a sealed box: an ephemeral public key, then a box whose nonce is BLAKE2b-192 of both public keys. */
export function openSealedBox(sealed: Uint8Array, keys: nacl.BoxKeyPair): Uint8Array | null {
  const ephemeral = sealed.subarray(0, nacl.box.publicKeyLength);
  const nonce = blake2b(Buffer.concat([ephemeral, keys.publicKey]), { dkLen: nacl.box.nonceLength });
  return nacl.box.open(sealed.subarray(nacl.box.publicKeyLength), nonce, ephemeral, keys.secretKey);
}
