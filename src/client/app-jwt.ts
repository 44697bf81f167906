/**
 * The JWTs of an app, for requests that the app itself sends. Public platform, Generating a JSON web token: RS256,
 * issued a minute ago in case of clock drift, for at most ten minutes. They are kept in memory only.
 */
import type { Authorization, TokenSource } from './credential.ts';
import { AppLoginError, type RequestSummary } from './errors.ts';
import type { HttpResponse } from './http.ts';

const issuedAgo = 60;
const life = 600;

/** A JWT that expires sooner is not used for another request. Milliseconds. */
const leastLeftMs = 60_000;

/** Smaller differences between two clocks do not explain a refusal. Milliseconds. */
const leastSkewMs = 5_000;

/** A JWT dated further from this machine's clock could be used long after the run. Milliseconds. */
const mostSkewMs = 10 * 60_000;

export interface AppJwtOptions {
  readonly appId: string;
  readonly origin: string;
  /** Returns the RS256 signature of a text, in base64url. */
  readonly sign: (input: string) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Receives each new JWT, to mask it. */
  readonly onToken?: ((jwt: string) => void) | undefined;
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

  authorize(asked: RequestSummary): Authorization {
    let corrected = false;
    return {
      quota: 'app',
      token: () => this.#jwt(),
      retryAfter: (response) => {
        if (corrected || !this.#learnSkew(response, asked)) return undefined;
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
    // A failure affects only the waiting requests; the next one tries again.
    jwt.catch(() => {
      this.#current = undefined;
    });
    return jwt;
  }

  async #signed(claims: object): Promise<string> {
    const input = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
    const jwt = `${input}.${await this.#options.sign(input)}`;
    this.#options.onToken?.(jwt);
    return jwt;
  }

  /**
   * Adjusts the clock to the platform's. Returns whether it changed. Throws AppLoginError if the two are too far apart.
   */
  #learnSkew({ headers }: HttpResponse, asked: RequestSummary): boolean {
    const now = this.#options.now();
    const platformTime = Date.parse(headers.date ?? '');
    const skewMs = platformTime - now;
    if (Number.isNaN(skewMs) || Math.abs(skewMs - this.#skewMs) < leastSkewMs) return false;
    if (Math.abs(skewMs) > mostSkewMs)
      throw new AppLoginError(
        asked,
        'clock',
        `The clocks differ by more than ${mostSkewMs / 60_000} minutes: this machine has ${timeText(now)}, the platform ${timeText(platformTime)}.`,
      );
    this.#skewMs = skewMs;
    this.#current = undefined;
    return true;
  }
}

/** Returns a time in ISO 8601, in seconds. */
const timeText = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '');

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
