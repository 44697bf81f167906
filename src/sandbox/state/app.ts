/** The seeded app: its key pair, and the JWTs that it signs. */
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { Refusal } from '../refusals.ts';
import type { Store } from '../store.ts';

export const appId = 41;
export const appSlug = 'sandbox-app';
export const clientId = 'Iv23liSandboxApp0041';

/** Public platform, Generating a JSON web token: at most ten minutes into the future. In seconds. */
const longestLife = 600;

export class SandboxApp {
  readonly #store: Store;
  readonly #clock: () => Date;
  #publicKey: KeyObject | undefined;

  constructor(store: Store, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The private key in PEM, PKCS#1 as the public platform hands it out; part of the state. */
  get privateKey(): string {
    const kept = this.#store.collection<string>('app key');
    const known = kept.get('');
    if (known !== undefined) return known;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    kept.set('', pem);
    return pem;
  }

  /** Throws 401 in the public platform's words for an invalid JWT, and 404 for one of another app. */
  check(jwt: string): void {
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    const { iss, iat, exp } = parsed(payload);
    if (parsed(header).alg !== 'RS256') throw undecodable();
    if (![String(appId), clientId].includes(String(iss))) throw new Refusal(404, 'Integration not found');
    this.#publicKey ??= createPublicKey(this.privateKey);
    const signed = Buffer.from(`${header}.${payload}`);
    if (!verify('RSA-SHA256', signed, this.#publicKey, Buffer.from(signature, 'base64url'))) throw undecodable();
    const now = this.#clock().getTime() / 1000;
    if (typeof exp !== 'number' || exp <= now)
      throw new Refusal(
        401,
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
      );
    if (exp > now + longestLife) throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
    if (typeof iat !== 'number' || iat > now)
      throw new Refusal(
        401,
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      );
  }
}

const undecodable = () => new Refusal(401, 'A JSON web token could not be decoded');

function parsed(part: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw undecodable();
  }
}
