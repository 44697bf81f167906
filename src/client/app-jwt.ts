/**
 * The JWTs of an app, for requests that it sends as itself. Public platform, Generating a JSON web token: RS256, issued
 * a minute ago in case of clock drift, for at most ten minutes. They are kept in memory only.
 */
import type { Authorization, TokenSource } from './credential.ts';
import type { HttpResponse } from './http.ts';

const issuedAgo = 60;
const life = 600;

/** A JWT that expires sooner is not used for another request. Milliseconds. */
const leastLeftMs = 60_000;

/** Smaller differences between two clocks do not explain a refusal. Milliseconds. */
const leastSkewMs = 5_000;

export interface AppJwtOptions {
  readonly appId: string;
  readonly origin: string;
  /** Returns the RS256 signature of a text, in base64url. */
  readonly sign: (input: string) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export class AppJwt implements TokenSource {
  readonly origin: string;
  readonly appId: string;
  readonly #options: AppJwtOptions;
  /** How far the platform's clock is ahead of this one. Milliseconds. */
  #skewMs = 0;
  #current: { readonly jwt: Promise<string>; readonly until: number } | undefined;

  constructor(options: AppJwtOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.appId = options.appId;
  }

  authorize(): Authorization {
    let corrected = false;
    return {
      quota: 'app',
      token: () => this.#jwt(),
      retryAfter: (response) => {
        if (corrected || !this.#learnSkew(response)) return undefined;
        corrected = true;
        return 0;
      },
    };
  }

  #jwt(): Promise<string> {
    const now = this.#options.now() + this.#skewMs;
    if (this.#current && this.#current.until - now > leastLeftMs) return this.#current.jwt;
    const iat = Math.floor(now / 1000) - issuedAgo;
    const exp = iat + life;
    const jwt = this.#signed({ iat, exp, iss: this.appId });
    this.#current = { jwt, until: exp * 1000 };
    // A failure concerns the requests that wait for it; the next one tries again.
    jwt.catch(() => {
      this.#current = undefined;
    });
    return jwt;
  }

  async #signed(claims: object): Promise<string> {
    const input = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
    return `${input}.${await this.#options.sign(input)}`;
  }

  /** Corrects the clock by the platform's. Returns whether that makes a difference. */
  #learnSkew({ headers }: HttpResponse): boolean {
    const skewMs = Date.parse(headers.date ?? '') - this.#options.now();
    if (Number.isNaN(skewMs) || Math.abs(skewMs - this.#skewMs) < leastSkewMs) return false;
    this.#skewMs = skewMs;
    this.#current = undefined;
    return true;
  }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
