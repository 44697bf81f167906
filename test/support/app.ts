/** An app for tests, with a key pair of its own for each test file. */
import { createSign, generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const appKey = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
export const appPublicKey = publicKey.export({ type: 'spki', format: 'pem' }) as string;

/** The environment that logs in as the app. */
export const appEnv = { FORGECTL_APP_ID: '41', FORGECTL_APP_PRIVATE_KEY: appKey };

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs a JWT as the public platform's documentation says. */
export function jwtWith(claims: object, key: string, header: object = { alg: 'RS256', typ: 'JWT' }): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(key, 'base64url')}`;
}

/** Returns the parts of a JWT. */
export function readJwt(jwt: string): { header: unknown; claims: Readonly<Record<string, unknown>> } {
  const [header, claims] = jwt.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return { header, claims };
}
