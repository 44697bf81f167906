import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';
import { PublicKeyError } from '../../src/client/errors.ts';
import { seal } from '../../src/client/seal.ts';
import { rejection } from '../support/client.ts';
import { openSealedBox } from '../support/open-sealed-box.ts';

const keys = nacl.box.keyPair();
const publicKey = { key_id: '012345678912345678', key: Buffer.from(keys.publicKey).toString('base64') };

describe('a sealed secret', () => {
  test.each([
    ['text', 'npm_s3cret'],
    ['Unicode', 'pässwörd 🔐'],
    ['several lines', '-----BEGIN KEY-----\nabc\r\n\n-----END KEY-----\n'],
    ['nothing', ''],
    ['48 KB', 'x'.repeat(48 * 1024)],
  ])('of %s is opened by the private key', async (_what, secret) => {
    const { encrypted_value } = await seal(publicKey, secret);
    const opened = openSealedBox(Buffer.from(encrypted_value, 'base64'), keys);
    expect(Buffer.from(opened as Uint8Array).toString()).toBe(secret);
  });

  test('preserves every byte', async () => {
    const secret = Uint8Array.from({ length: 256 }, (_, index) => index);
    const { encrypted_value } = await seal(publicKey, secret);
    expect(openSealedBox(Buffer.from(encrypted_value, 'base64'), keys)).toEqual(secret);
  });

  test('is not opened by another key', async () => {
    const { encrypted_value } = await seal(publicKey, 'npm_s3cret');
    expect(openSealedBox(Buffer.from(encrypted_value, 'base64'), nacl.box.keyPair())).toBeNull();
  });

  test('contains the ID of its key, in standard base64 with padding', async () => {
    // 48 bytes of box around 2 bytes of secret: 50 bytes, whose base64 ends in one padding character.
    const sealed = await seal(publicKey, 'ab');
    expect(Object.keys(sealed).sort()).toEqual(['encrypted_value', 'key_id']);
    expect(sealed.key_id).toBe('012345678912345678');
    expect(sealed.encrypted_value).toMatch(/^[A-Za-z0-9+/]{67}=$/);
  });

  test('differs each time', async () => {
    const [one, two] = await Promise.all([seal(publicKey, 'same'), seal(publicKey, 'same')]);
    expect(one?.encrypted_value).not.toBe(two?.encrypted_value);
  });
});

describe('an invalid public key is rejected, with its ID and without the secret', () => {
  test.each([
    ['empty', ''],
    ['31 bytes', Buffer.alloc(31, 1).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 1).toString('base64')],
    ['no base64', `${publicKey.key.slice(0, -2)}!=`],
    ['followed by something', `${publicKey.key}!`],
    ['a point of low order', Buffer.alloc(32).toString('base64')],
    ['absent', undefined as unknown as string],
  ])('%s', async (_what, key) => {
    const error = await rejection(seal({ key_id: 'K1', key }, 'npm_s3cret'));
    expect(error).toBeInstanceOf(PublicKeyError);
    expect(error.message).toBe(
      'The platform’s public key K1 is invalid: expected 32 bytes in base64. Nothing was sent.',
    );
  });

  test.each([
    ['undefined', undefined],
    ['{"a":1}', { a: 1 }],
    ['', ''],
  ])('for the ID %s', async (shown, id) => {
    const error = await rejection(seal({ ...publicKey, key_id: id as unknown as string }, 'npm_s3cret'));
    expect(error).toBeInstanceOf(PublicKeyError);
    expect(error.message).toBe(
      `The platform’s public key ${shown} is invalid: expected text as its ID. Nothing was sent.`,
    );
  });
});
